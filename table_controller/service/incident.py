"""An incident: the last coups of a journal, as a scenario that anybody may read.

The incident contains only cards that everybody knows; seats replace the people (`stand_ins.py`).
Before the incident is given out, it is played: it must cause the same events as at the table, apart
from names, promises and texts that somebody wrote. Once the Schlitten is closed, all cards are
open, and the same incident has the true cards. The module uses a game only through the interface
`Game`. It knows no page and no command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from table_controller.engine.messages import Audience, Event, Input, Phrase, Refused
from table_controller.engine.promises import SecretKey
from table_controller.rules.houses import House
from table_controller.service.archive import Archive
from table_controller.service.errors import UNREADABLE, RecordingError
from table_controller.service.game import Game, settled
from table_controller.service.recording import KEYED, Happened, Heard, of_people
from table_controller.service.recovery import play
from table_controller.service.rows import Outcome
from table_controller.service.scenario import Preamble, Scenario, write
from table_controller.service.scenario_recordings import as_cues
from table_controller.service.stand_ins import Nobody, StandIns, Turn

#: The parts that may differ: sentences, names, and everything that depends on the table's key.
_BESIDE = frozenset({*KEYED, "name", "said", "reason", "by", "source"})
#: The incident begins this many coups earlier if an input that is taken back is before it.
_FURTHER = 3
#: The most alerts that the comment names, and a line of the file that says that one was raised.
_MOST_NAMED: Final = 5
_RAISED: Final = re.compile(r'~ => journal alert_raised \{"id":"([^"]+)"')


class IncidentError(RecordingError):
    """No incident can be made of these coups. The text says why, and names the remedy."""


class Incident(Struct, frozen=True, kw_only=True):
    """An incident, which anybody may read.

    Attributes:
        name: the name of its file, without the ending.
        scenario: its inputs and events. They are marked: nobody has checked them yet.
        until: the number of its last input. With this number the same incident can be made again.
        coups: the number of coups in it.
        closed: the number of cards in it that stand-ins replace.
        text: the content of its file.
    """

    name: str
    scenario: Scenario
    until: int
    coups: int
    closed: int
    text: str


def incident(
    archive: Archive, game: Game[Any], house: House, *, coups: int = 3, until: int | None = None
) -> Incident:
    """Return the incident of the last coups before input `until` (default: the last input).

    The incident contains all inputs from the beginning of these coups to `until`. Raises
    IncidentError, JournalError, WrongKey.
    """
    last = min(until or archive.last(), archive.last())
    if not last:
        raise IncidentError(f"{archive.path} holds no input yet: there is no incident in it.")
    rewritten = _Rewritten(archive, game, house)
    for wanted in range(coups, coups + _FURTHER):
        found = rewritten.since(last, wanted)
        if found:
            return found
    raise IncidentError(
        f"{archive.path}: the last coups cannot be told without their closed cards. Ask again once "
        "the Schlitten is closed; `schlitten export --everything` has the true cards, and is as "
        "secret as the key."
    )


class _Rewritten:
    """A journal's inputs and events, rewritten so that they contain no secret.

    The rewriting begins after the last saved state that contains no dealt card.
    """

    def __init__(self, archive: Archive, game: Game[Any], house: House) -> None:
        self._archive, self._game, self._house = archive, game, house
        self._nobody = Nobody()

    def since(self, last: int, coups: int) -> Incident | None:
        """Return the incident of the last `coups` coups up to input `last`.

        Return None if replaying the rewritten inputs causes other events than at the table.
        """
        base, state = self._base(last, coups)
        turns = list(_turns(self._archive, self._game, base))
        cards = StandIns(turns, self._house, self._archive.header.journal)
        known = [turn for turn in turns if turn.n <= last]
        start = _start(known, coups)
        before = [self._said(cards, turn) for turn in known if turn.n <= start]
        shown = [turn for turn in known if turn.n > start]
        said = [self._said(cards, turn) for turn in shown]
        played = list(play(self._game, state, before))
        saved = self._game.save(played[-1][0] if played else state)
        told = [news for _, news in play(self._game, self._loaded(saved), said)]
        if not shown or not _alike(known, [*(news for _, news in played), *told]):
            return None
        lines = [line for turn, one, news in zip(shown, said, told, strict=True)
                 for line in _lines(turn, one, news)]  # fmt: skip
        closed = sum(turn.n in cards.closed for turn in shown)
        return self._made(lines, saved, (shown[-1].n, _coups(shown), closed))

    def _base(self, last: int, coups: int) -> tuple[int, Any]:
        """Return the last saved state without dealt cards, and the number of its input.

        At least `coups` coups are between that input and input `last`. If there is no such state,
        return 0 and an empty table.
        """
        before = last + 1
        while found := self._archive.save_before(before):
            before, saved = found
            state = msgspec.json.decode(saved)
            turns = _turns(self._archive, self._game, before, last)
            if not _dealt(state) and _coups(list(turns)) >= coups:
                return before, self._loaded(msgspec.json.encode(self._nobody.state(state)))
        return 0, self._game.begin(self._house, _KEY)

    def _loaded(self, saved: bytes) -> Any:
        try:
            return self._game.load(self._game.begin(self._house, _KEY), saved)
        except UNREADABLE:
            raise IncidentError(
                f"{self._archive.path}: its state was kept in a form that this program does not "
                "know. Use the version that wrote it."
            ) from None

    def _said(self, cards: StandIns, turn: Turn) -> Input:
        return self._nobody.of(cards.of(turn))

    def _made(self, lines: list[Any], saved: bytes, facts: tuple[int, int, int]) -> Incident:
        until, coups, closed = facts
        kept, begins = self._archive.header, lines[0].t_ms
        head = Preamble(
            game=kept.game, house=kept.house, begins=begins, code=kept.code, people=False,
            state=saved.decode(),
        )  # fmt: skip
        name = f"incident-{until}"
        made = Scenario(head, as_cues(lines, begins), name)
        body = write(self._game, made)
        text = _comment(name, coups, closed, body) + body
        return Incident(
            name=name, scenario=made, until=until, coups=coups, closed=closed, text=text
        )


_KEY = SecretKey(b"an incident")


def _turns(
    archive: Archive, game: Game[Any], after: int, until: int | None = None
) -> Iterator[Turn]:
    """Yield the inputs and their events, without those that concern the list of people."""
    as_input = msgspec.json.Decoder(game.inputs).decode
    as_event = msgspec.json.Decoder(game.events | Refused).decode
    for row, rows in archive.turns(after, until):
        if row.outcome == Outcome.FAILED:
            continue
        try:
            said = as_input(archive.body(row))
            told = tuple(as_event(one.body) for one in rows if one.body is not None)
        except UNREADABLE:
            raise IncidentError(
                f"{archive.path}: input {row.n} is none of {game.name} as it is now. Use version "
                f"{archive.code_of(row)}."
            ) from None
        if not of_people(said, list(told)):
            yield Turn(row.n, row.t_ms, said, told)


def _coups(turns: Sequence[Turn]) -> int:
    """The number of coups in these turns, including the coup under way."""
    ends = [turn.n for turn in turns if settled(turn.told)]
    under_way = bool(turns) and turns[-1].n not in ends
    return len(ends) + under_way


def _start(turns: Sequence[Turn], coups: int) -> int:
    """Return the number of the input after which the last `coups` coups begin.

    Return 0 if there are no earlier coups.
    """
    ends = [turn.n for turn in turns if settled(turn.told)]
    ahead = coups if turns and turns[-1].n not in ends else coups + 1
    return ends[-ahead] if len(ends) >= ahead else 0


def _dealt(state: Any) -> bool:
    """Whether a saved state contains a dealt card together with the number of its passage."""
    if isinstance(state, dict):
        return {"ordinal", "card"} <= state.keys() or any(map(_dealt, state.values()))
    return isinstance(state, list) and any(map(_dealt, state))


def _alike(then: Sequence[Turn], now: Sequence[tuple[Event, ...]]) -> bool:
    """Whether both lists contain the same events, apart from fields that may differ (`_BESIDE`).

    Sealed events do not count.
    """
    for turn, news in zip(then, now, strict=True):
        open_ = [event for event in news if event.audience is not Audience.SEALED]
        if list(map(_figures, turn.told)) != list(map(_figures, open_)):
            return False
    return True


def _figures(event: Event) -> object:
    fields = asdict(event).items()
    own = {name: value for name, value in fields if name not in _BESIDE}
    plain = {name: value for name, value in own.items() if not isinstance(value, Phrase)}
    return event.__struct_config__.tag, plain


def _lines(turn: Turn, said: Input, news: tuple[Event, ...]) -> Iterator[Heard | Happened]:
    """Yield the input, and the events that may be published, as lines of a recording.

    The promises are left out, because the incident has another key than the table.
    """
    yield Heard(turn.t_ms, said)
    for event in news:
        if event.audience is not Audience.SEALED:
            keyed = {name: "" for name in KEYED if hasattr(event, name)}
            yield Happened(turn.t_ms, replace(event, **keyed) if keyed else event)


def last_coups(number: int) -> str:
    """`last coup` or `last 3 coups`."""
    return "last coup" if number == 1 else f"last {number} coups"


def _comment(name: str, coups: int, closed: int, body: str) -> str:
    cards = (
        f"# {closed} cards still lay closed: others stand in their place. Fetch it again once the "
        "Schlitten is closed.\n"
        if closed
        else ""
    )
    above = (
        f"# The {last_coups(coups)}. Names are left out, and so are promises.\n{cards}"
        f"# As a test, in a clone of the program: .venv/bin/pytest {name}.scenario\n"
        "# (pytest comes with: .venv/bin/pip install -e '.[hil]')\n"
        f"# On a board: .venv/bin/schlitten replay {name}.scenario --board emulated\n"
        "# What it expects is what happened. Where something else should have, write that.\n"
    )
    return above + _instead(body, above.count("\n"))


def _instead(body: str, above: int) -> str:
    """Say which lines to replace in order to expect that an alert is not there.

    The comment names the last alert of each id, the newest first. `above` is the number of lines
    before it.
    """
    raised = {}
    for number, line in enumerate(body.splitlines(), 1):
        found = _RAISED.match(line)
        if found:
            raised[found[1]] = number
    newest = sorted(raised.items(), key=lambda one: -one[1])[:_MOST_NAMED]
    if not newest:
        return ""
    told = above + 1 + len(newest)
    replaced = "".join(f"#   line {told + at}:  => no alert {id_}\n" for id_, at in newest)
    return f"# If an alert should not have been there, put this in place of its line:\n{replaced}"
