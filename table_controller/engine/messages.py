"""What every game's inputs and events have in common: actors, prompts, audiences, phrases.

Knows no game. An input says what happened, in seats and places; the game maps it to roles.
An event says what the table made of it, and who may know it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final

from msgspec import Struct, field

from table_controller.engine.seen import Unknown
from table_controller.rules.cards import Card

#: The kind of actor that types a card in place of the reader, as in `hand:croupier`.
BY_HAND = "hand"
#: What a page sends with an input: the second person's name, which becomes the input's actor.
BY = "by"


class Audience(StrEnum):
    """Who may see an event, a refusal or a field."""

    PUBLIC = "public"
    CROUPIER = "croupier"
    SEALED = "sealed"


class Role(StrEnum):
    """A person's role in this house; each role may do whatever the roles before it may."""

    GUEST = "guest"
    TECHNICIAN = "technician"
    CROUPIER = "croupier"
    SUPERVISOR = "supervisor"

    def may(self, needs: Role) -> bool:
        """Whether this role suffices where `needs` is required."""
        return _RANK[self] >= _RANK[needs]


#: Each role's rank, precomputed: every input needs it.
_RANK: Final = {role: rank for rank, role in enumerate(Role)}


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Phrase(Struct, frozen=True, gc=False):
    """A sentence for people: an English template and what fills it.

    The template is the key of its translations, so the engine needs no catalogue. A value that
    has words of its own is a phrase too; `card` is a card's code, `unit` the house's unit of
    money.
    """

    text: str
    args: dict[str, str | int | Phrase] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format(**self.args)


def phrase(text: str, /, **args: str | int | Phrase) -> Phrase:
    """Shorthand for `Phrase`; the translation tools look for calls of this name."""
    return Phrase(text, args)


class Input(Struct, frozen=True, kw_only=True, gc=False, tag_field="type", tag=_snake):
    """Something that happened. Subclasses say what.

    Attributes:
        actor: who or what sent it: `croupier`, `croupier:<name>`, `supervisor:<name>`, `lip`,
            `technician:<name>`, `console` (somebody at the machine itself), `hand:<who>` (a card
            typed in place of the lip's reading), `board`, `clock`, …
        prompt: the id of the prompt it answers, if any.
    """

    SEALED: ClassVar[bool] = False
    """Whether the input may name a closed card, so that it is stored encrypted."""
    OWN: ClassVar[bool] = False
    """Whether only the service itself sends it, never a page, a broker or a device."""

    NEEDS: ClassVar[Role | None] = Role.CROUPIER
    """The lowest role allowed to say it, once people have roles; None: only a device."""

    actor: str = "croupier"
    prompt: int | None = None


class Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="type", tag=_snake):
    """Something the table made of an input. Subclasses say what, and who may know."""

    audience: ClassVar[Audience] = Audience.PUBLIC
    NOTES: ClassVar[bool] = False
    """Whether it is the input's whole effect, so that the table may stay as it was."""


#: The events told of an input.
Told = tuple[Event, ...]


# Inputs of every game.


class CardSeen(Input, frozen=True):
    """One passage at the lip has ended: a card, `unknown`, or the white cut card.

    `copy` (1 to 6) tells equal cards of the packs apart if a label does, else 0.
    """

    SEALED: ClassVar[bool] = True
    NEEDS = None
    card: Card | None = None
    copy: int = 0
    unknown: Unknown | None = None
    white: bool = False


class CardNamed(Input, frozen=True):
    """A person typed what the unread card is, unseen by others. Two people must agree."""

    SEALED: ClassVar[bool] = True
    card: Card


class DeviceLost(Input, frozen=True):
    """A device does not answer. `why` is a sentence with the remedy."""

    NEEDS = None
    device: str
    why: str


class DeviceBack(Input, frozen=True):
    """A device answers again."""

    NEEDS = None
    device: str


class Booted(Input, frozen=True):
    """The service starts; the random `boot` makes this start's promises unique (R-13).

    It is the first input of every start, so that the chain records which program produced what
    follows, and under which names.

    Attributes:
        code: the version of the program.
        source: the table's name in its messages.
        stream: the stream of these events; a new one once a backup was restored; "" means the
            journal's own.
    """

    OWN: ClassVar[bool] = True
    NEEDS = None
    boot: str
    code: str = ""
    source: str = ""
    stream: str = ""


class Restored(Input, frozen=True):
    """The journal was restored from a backup: what left the Schlitten since is unknown (R-54)."""

    OWN: ClassVar[bool] = True


class AlertAcknowledged(Input, frozen=True):
    """Somebody has seen the alert; it stays until its cause is gone."""

    NEEDS = Role.TECHNICIAN
    alert: str


# Events of every game.


class Severity(StrEnum):
    """How loud an alert is."""

    NOTICE = "notice"
    WARNING = "warning"
    STOP = "stop"
    """The coup stops until somebody does what the alert says."""


class AlertRaised(Event, frozen=True):
    """Something needs a person. The public sees only its code."""

    id: str
    code: str
    severity: Severity


class AlertDetailed(Event, frozen=True):
    """The same alert for the staff: what happened, and what to do."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    id: str
    code: str
    severity: Severity
    what: Phrase
    remedy: Phrase


class AlertSeen(Event, frozen=True):
    """Somebody acknowledged the alert."""

    id: str


class AlertCleared(Event, frozen=True):
    """Its cause is gone."""

    id: str


class Refused(Event, frozen=True):
    """An input that is against the rules or out of turn. Nothing changed."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    said: str  # the input's type and what a person may know of it
    why: Phrase
    remedy: Phrase
    rule: str = ""


class Refusal(Exception):
    """The input is not allowed now. The state is unchanged.

    Attributes: `why` and `remedy` are sentences without a card's name; `rule` is an id or "".
    """

    def __init__(self, why: Phrase, remedy: Phrase, rule: str = "") -> None:
        super().__init__(f"{why} {remedy}")
        self.why, self.remedy, self.rule = why, remedy, rule


class OutOfTurn(Refusal):
    """The table was not waiting for such an input."""


class AgainstRules(Refusal):
    """The right kind of input, but the rules forbid this one."""


class StalePrompt(Refusal):
    """It answers a question that the table no longer asks."""
