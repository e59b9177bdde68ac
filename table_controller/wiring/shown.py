"""What pages show and accept besides the game's own picture and inputs. Wiring, like app.py.

Devices that are not set up; the journal's trouble, which cannot be journaled; cards typed if
nothing reads them; the second person's name, if nobody signs in.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.adapters.web.hub import Said
from table_controller.engine.alerts import clears, explained
from table_controller.engine.messages import BY, BY_HAND, CardNamed, CardSeen, Severity, phrase
from table_controller.engine.views import AlertView, Snapshot
from table_controller.service.game import Game, S
from table_controller.wiring.config import BrokerSettings

#: What to do if the journal cannot be written.
DISK = phrase("Look at the disk, full or gone: the table goes on by itself.")
#: Alerts that say that the reader of cards is away.
UNREADING = frozenset({"device-camera", "device-lip"})
_SEEN = str(CardSeen.__struct_config__.tag)
_NAMED = str(CardNamed.__struct_config__.tag)


def not_set_up(*, reads: bool, board: str, broker: BrokerSettings | None) -> frozenset[str]:
    """The devices, named as in the page's dots, that this table's settings leave out."""
    brokered = broker is not None and broker.kind != "none"
    there = {"shoe": reads, "camera": reads, "board": bool(board), "broker": brokered}
    return frozenset(device for device, set_up in there.items() if not set_up)


def with_entries(game: Game[S], picture: Snapshot, state: S, *, reads: bool) -> Snapshot:
    """The staff's picture with what people type; `reads`: whether a reader is set up."""
    away = any(alert.id in UNREADING for alert in game.alerts(state))
    return game.by_hand(state, picture, reads=reads and not away)


def with_trouble(picture: Snapshot, trouble: str, *, staff: bool) -> Snapshot:
    """The picture with the journal's own trouble."""
    what = phrase("The journal cannot be written: the table stands still.")
    alert = AlertView(
        id="journal",
        code="journal_stopped",
        severity=Severity.STOP,
        what=what if staff else None,
        remedy=explained(DISK, trouble) if staff else None,
        clears=clears("journal_stopped") if staff else None,
    )
    return replace(picture, alerts=(alert, *picture.alerts))


def entered(said: Said, actor: str) -> tuple[Said, str]:
    """What a page says, as the game's input, and who says it.

    A typed card is a reader's input from an actor of its own kind. A name typed beside a card
    makes that person the actor, if nobody has signed in.
    """
    if said.get("type") == _SEEN:
        return said, f"{BY_HAND}:{actor}"
    if said.get("type") == _NAMED and BY in said:
        kind, _, person = actor.partition(":")
        name = person or " ".join(str(said[BY]).split())
        return {key: value for key, value in said.items() if key != BY}, f"{kind}:{name}"
    return said, actor
