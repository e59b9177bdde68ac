"""The parts that the inputs and events of all games share: actors, prompts, audiences, phrases.

The module knows no game. An input says what happened, in numbers of seats and places; the game
knows which player has which task there. An event says what the table made of an input, and who may
know this.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Final

from msgspec import Struct, field

from table_controller.engine.seen import Unknown
from table_controller.rules.cards import Card

#: The kind of actor that types a card in place of the reader, as in `hand:croupier`.
BY_HAND = "hand"
#: The field that a page sends with an input: the second person's name. It becomes the input's
#: actor.
BY = "by"


class Audience(StrEnum):
    """The people who may see an event, a refusal or a field."""

    PUBLIC = "public"
    CROUPIER = "croupier"
    SEALED = "sealed"


class Role(StrEnum):
    """A person's role in this house.

    Each role may do whatever the roles listed before it may do.
    """

    GUEST = "guest"
    TECHNICIAN = "technician"
    CROUPIER = "croupier"
    SUPERVISOR = "supervisor"

    def may(self, needs: Role) -> bool:
        """Whether a person with this role may do something that needs the role `needs`."""
        return _RANK[self] >= _RANK[needs]


#: Each role's rank, precomputed: every input needs it.
_RANK: Final = {role: rank for rank, role in enumerate(Role)}


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Phrase(Struct, frozen=True, gc=False):
    """A sentence for people: an English template and the values that fill it.

    The translations are found by the template, so the engine needs no catalogue of them. A value
    that needs a translation is itself a phrase. The value `card` is a card's code, and `unit` is
    the house's unit of money.
    """

    text: str
    args: dict[str, str | int | Phrase] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format(**self.args)


def phrase(text: str, /, **args: str | int | Phrase) -> Phrase:
    """Make a `Phrase`. The translation tools find all texts by the calls of this function."""
    return Phrase(text, args)


class Input(Struct, frozen=True, kw_only=True, gc=False, tag_field="type", tag=_snake):
    """Something that happened and that the table must take into account. Each subclass is one kind.

    Attributes:
        actor: the person or device that sent the input: `croupier`, `croupier:<name>`,
            `supervisor:<name>`, `lip`, `technician:<name>`, `console` (somebody at the machine
            itself), `hand:<who>` (a card typed in place of the lip's reading), `board`, `clock`, …
        prompt: the id of the prompt that the input answers; None if the input answers no prompt.
    """

    SEALED: ClassVar[bool] = False
    """Whether the input may name a closed card, and is therefore stored encrypted."""
    OWN: ClassVar[bool] = False
    """Whether only the service itself sends the input, never a page, a broker or a device."""

    NEEDS: ClassVar[Role | None] = Role.CROUPIER
    """The lowest role allowed to send it, once people have roles; None if only a device may."""

    actor: str = "croupier"
    prompt: int | None = None


class Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="type", tag=_snake):
    """A consequence of an input. Each subclass says what happened, and who may know this."""

    audience: ClassVar[Audience] = Audience.PUBLIC
    NOTES: ClassVar[bool] = False
    """Whether the event is the input's whole effect, so that the table may stay as it was."""
    ADDED: ClassVar[bool] = False
    """Whether older programs did not tell the event, so that their journals lack it."""
    LATER: ClassVar[tuple[str, ...]] = ()
    """The fields that older programs did not tell, whatever their value."""


#: The events that an input caused.
Told = tuple[Event, ...]


# Inputs of every game.


class CardSeen(Input, frozen=True):
    """One passage at the lip has ended: a card, `unknown`, or the white cut card.

    `copy` (1 to 6) is the number that the card's label gives the card among the equal cards of all
    packs. `copy` is 0 if no label gives a number.
    """

    SEALED: ClassVar[bool] = True
    NEEDS = None
    card: Card | None = None
    copy: int = 0
    unknown: Unknown | None = None
    white: bool = False


class CardNamed(Input, frozen=True):
    """A person typed the unread card, which nobody else saw.

    The entries of two people must agree.
    """

    SEALED: ClassVar[bool] = True
    card: Card


class DeviceLost(Input, frozen=True):
    """A device does not answer. `why` is a sentence that includes the remedy.

    `why` is a plain text if only the device's driver knows the sentence, and in old journals.
    """

    NEEDS = None
    device: str
    why: str | Phrase


class DeviceBack(Input, frozen=True):
    """A device answers again."""

    NEEDS = None
    device: str


class Booted(Input, frozen=True):
    """The service starts. The random `boot` makes the promises of this start unique (R-13).

    This is the first input of every start. It records in the journal which version of the program
    produced the following inputs and events, and which names the events carry.

    Attributes:
        code: the program's version.
        source: the table's name in its messages.
        stream: the id of the stream to which these events belong. A restored backup begins a new
            stream; "" means the stream that is named after the journal itself.
    """

    OWN: ClassVar[bool] = True
    NEEDS = None
    boot: str
    code: str = ""
    source: str = ""
    stream: str = ""


class Restored(Input, frozen=True):
    """The journal was restored from a backup.

    The cards that left the Schlitten after the backup are unknown (R-54).
    """

    OWN: ClassVar[bool] = True


class AlertAcknowledged(Input, frozen=True):
    """Somebody has seen the alert. The alert stays open until its cause is gone."""

    NEEDS = Role.TECHNICIAN
    alert: str


# Events of every game.


class Severity(StrEnum):
    """How urgent an alert is."""

    NOTICE = "notice"
    WARNING = "warning"
    STOP = "stop"
    """The coup stops until somebody follows the alert's remedy."""


class AlertRaised(Event, frozen=True):
    """A matter needs a person. The public sees only the alert's code."""

    id: str
    code: str
    severity: Severity


class AlertDetailed(Event, frozen=True):
    """The details of an alert for the staff: what happened, and what to do."""

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
    """The cause of an alert is gone."""

    id: str


class Refused(Event, frozen=True):
    """The table refused an input that was against the rules or out of turn. Nothing changed."""

    audience: ClassVar[Audience] = Audience.CROUPIER
    said: str  # the input's type and the part of it that a person may know
    why: Phrase
    remedy: Phrase
    rule: str = ""


class Refusal(Exception):
    """The table does not accept the input now. The state is unchanged.

    `why` and `remedy` are sentences in which no card is named. `rule` is the id of the rule that
    forbids the input, or "" if no rule does.
    """

    def __init__(self, why: Phrase, remedy: Phrase, rule: str = "") -> None:
        super().__init__(f"{why} {remedy}")
        self.why, self.remedy, self.rule = why, remedy, rule


class OutOfTurn(Refusal):
    """The table was not waiting for such an input."""


class AgainstRules(Refusal):
    """The table waits for such an input, but the rules forbid this particular one."""


class StalePrompt(Refusal):
    """The input answers a question that the table no longer asks."""
