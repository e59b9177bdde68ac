"""Finds the concerns that need a person at a table, and the people to tell.

Pure: times are arguments. A table's own alerts are in the pictures that the table sends. The floor
adds the alerts that no table can raise about itself. They say that the table is silent, is slow or
reads badly, that rows are missing or cannot be trusted, or that the journal was replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from table_controller.adapters.mqtt_messages import TableState
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Phrase, Severity, phrase
from table_controller.floor.faults import CHANGES, WARNING, FaultCode
from table_controller.floor.live import ShownTable

#: How long rows may be missing before an alert is raised: `replay` usually brings them sooner.
MISSING_S: Final = 30.0
#: The most alerts that a table tells. No table has nearly as many.
MOST_OF_A_TABLE: Final = 50
#: With fewer cards than this, the share of misreads means nothing.
ENOUGH_CARDS: Final = 400
#: The floor's own alerts that stay open until a person has seen them: nothing else ends them.
UNTIL_SEEN: Final = frozenset({"does_not_hold", "new_journal"})
#: Faults that end by themselves. A restored journal has the alert `new_journal` instead.
ODD: Final = (WARNING | CHANGES | {FaultCode.VERSION}) - {FaultCode.RESTORED}

SILENT: Final = phrase("It says that it is there, but nothing is heard of its health.")
LOST: Final = phrase("Its connection broke.")
LOOK_AT_IT: Final = phrase("Go there: it may play on alone. Look at its network and its power.")
MISSING: Final = phrase("Rows of its journal are missing here: {n}.")
IT_IS_ASKED: Final = phrase("They are asked of the table. If this stays, look at its journal.")
NEW_JOURNAL: Final = phrase("Its journal was put back from a copy, or is another one.")
ASK_WHO: Final = phrase("Ask who put it back. What it told beyond the copy is void.")
DOES_NOT_HOLD: Final = phrase("{why}")
VERIFY: Final = phrase("Run `schlitten floor verify`, and `schlitten verify` at the table.")
SLOW: Final = phrase("It is slow: {n} coups in the last hour.")
ASK_CROUPIER: Final = phrase("Ask the croupier what delays the table.")
MISREADS: Final = phrase("Of its last {cards} cards, {n} were not read.")
CLEAN_LIP: Final = phrase("Clean the lip, and look at its light and camera.")


class PersonSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[people.NAME]`: the addresses at which a person receives messages."""

    mail: str = ""
    webhook: str = ""  # gets a POST of JSON


class RuleSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[rules.NAME]`: which alerts are sent to which people. An empty list of names means all."""

    people: tuple[str, ...]
    sites: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    severities: tuple[Severity, ...] = ()
    codes: tuple[str, ...] = ()  # `*` means any letters
    after_s: Annotated[int, Meta(ge=0, le=86_400)] = 0  # since it began, if nobody has seen it


class MailSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[mail]`: the server that accepts our e-mail."""

    host: str
    sender: str
    port: Annotated[int, Meta(ge=1, le=65535)] = 587
    tls: Literal["starttls", "tls", "none"] = "starttls"
    username: str = ""
    password: Path | None = None  # a file, mode 0600


class OwnSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[own]`: the limits at which the floor itself raises an alert; 0 means that it never does."""

    coups_an_hour: Annotated[int, Meta(ge=0)] = 0
    misreads_of_10_000: Annotated[int, Meta(ge=0)] = 50


class AlertSettings(Struct, frozen=True):
    """All of `alerts.toml`."""

    people: Mapping[str, PersonSettings] = {}
    rules: Mapping[str, RuleSettings] = {}
    mail: MailSettings | None = None
    own: OwnSettings = OwnSettings()


class Lately(Struct, frozen=True):
    """The figures of a table's last hours, from the database.

    Attributes:
        coups: the coups of the last hour.
        opened: whether the table dealt an hour ago and is still dealing.
        cards, misreads: the cards and the unsure readings of the last four hours.
        faults: a sentence about each fault, by the fault's number in the database.
        streams: how many streams the table's journal has had.
    """

    coups: int = 0
    opened: bool = False
    cards: int = 0
    misreads: int = 0
    faults: Mapping[int, str] = {}
    streams: int = 0


class Concern(Struct, frozen=True, kw_only=True):
    """Something that needs a person. `since_ms` is when it began, in ms since 1970; 0 means now."""

    at: TableId
    alert: str
    code: str
    severity: Severity
    what: Phrase
    remedy: Phrase
    own: bool
    seen: bool = False
    since_ms: int = 0


def concerns(
    one: ShownTable, lately: Lately, missing: int, now: float, own: OwnSettings
) -> list[Concern]:
    """Return everything that is wrong at a table at the time `now` (seconds).

    `missing` is the number of rows that have been missing for `MISSING_S`.
    """
    found = [
        Concern(
            at=one.at, alert=id_, code=alert.code, severity=alert.severity,
            what=alert.what or Phrase(""), remedy=alert.remedy or Phrase(""), own=False,
            seen=alert.acknowledged, since_ms=alert.since_ms or 0,
        )
        for id_, alert in islice(one.alerts.items(), MOST_OF_A_TABLE)
        if one.state is not TableState.DISCONNECTED
    ]  # fmt: skip
    warning, notice = Severity.WARNING, Severity.NOTICE
    if one.state is TableState.LOST:
        found.append(_own(one, "table_lost", warning, LOST, LOOK_AT_IT))
    elif one.silent(now):
        found.append(_own(one, "table_silent", warning, SILENT, LOOK_AT_IT))
    if missing:
        what = phrase(MISSING.text, n=missing)
        found.append(_own(one, "rows_missing", notice, what, IT_IS_ASKED))
    for fault, (sentence, _) in one.odd.items():
        if fault in ODD:
            loud = warning if fault in WARNING else notice
            found.append(_own(one, str(fault), loud, sentence, Phrase("")))
    for number, why in lately.faults.items():
        what = phrase(DOES_NOT_HOLD.text, why=why)
        found.append(_own(one, "does_not_hold", Severity.STOP, what, VERIFY, more=f"-{number}"))
    if lately.streams > 1:
        nth = f"-{lately.streams}"
        found.append(_own(one, "new_journal", warning, NEW_JOURNAL, ASK_WHO, more=nth))
    return [*found, *_measured(one, lately, own)]


def _measured(one: ShownTable, lately: Lately, own: OwnSettings) -> Iterable[Concern]:
    if one.state not in (TableState.READY, TableState.ALERT):
        return
    if lately.opened and lately.coups < own.coups_an_hour:
        what = phrase(SLOW.text, n=lately.coups)
        yield _own(one, "slow_pace", Severity.NOTICE, what, ASK_CROUPIER)
    bad = lately.misreads * 10_000 > own.misreads_of_10_000 * lately.cards
    if own.misreads_of_10_000 and lately.cards >= ENOUGH_CARDS and bad:
        what = phrase(MISREADS.text, cards=lately.cards, n=lately.misreads)
        yield _own(one, "many_misreads", Severity.NOTICE, what, CLEAN_LIP)


def _own(
    one: ShownTable, code: str, severity: Severity, what: Phrase, remedy: Phrase, *, more: str = ""
) -> Concern:
    return Concern(
        at=one.at, alert=f"floor-{code}{more}", code=code, severity=severity, what=what,
        remedy=remedy, own=True,
    )  # fmt: skip


def told_by(settings: AlertSettings, at: TableId, code: str, severity: str) -> list[str]:
    """Return the names of the rules that apply to this alert, in the order of the file."""
    return [name for name, rule in settings.rules.items() if _falls(rule, at, code, severity)]


def _falls(rule: RuleSettings, at: TableId, code: str, severity: str) -> bool:
    wanted = (
        (at.site, rule.sites), (at.table, rule.tables), (severity, rule.severities),
        (code, rule.codes),
    )  # fmt: skip
    return all(
        not patterns or any(fnmatchcase(value, pattern) for pattern in patterns)
        for value, patterns in wanted
    )


def due(
    settings: AlertSettings,
    at: TableId,
    code: str,
    severity: str,
    *,
    age_s: float,
    told: frozenset[tuple[str, str]],
) -> list[tuple[str, str]]:
    """Return the people who must be told now, each with the rule that says so.

    The alert is `age_s` seconds old, and nobody has seen it yet. `told` contains the pairs of
    person and rule for which a message was already sent.
    """
    found = []
    for name in told_by(settings, at, code, severity):
        rule = settings.rules[name]
        if age_s >= rule.after_s:
            found += [(person, name) for person in rule.people if (person, name) not in told]
    return found
