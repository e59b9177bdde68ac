"""A passage without a certain reading: what the staff learns, and what everybody may know.

Only the staff learns that a card was seen twice. Anybody who counts the open cards could otherwise
name the card, because no other card can have left so often (R-13). The module names no card.
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, Alerts
from table_controller.engine.messages import Severity, phrase
from table_controller.engine.seen import Unknown
from table_controller.engine.table.events import CardUnread
from table_controller.engine.table.stops import Stop, Unread
from table_controller.engine.views import AlertView, Snapshot

_ILLEGIBLE = (
    phrase("A card left the Schlitten and could not be read for certain."),
    phrase("Show the card to the camera again; or two people each enter it, unseen."),
)
_TWICE = (
    phrase("A card left the Schlitten that had left it before, or one more than it can hold."),
    phrase(
        "It may be a second label or a card brought in: call the supervisor. Then show it again, "
        "or two people each enter it, unseen."
    ),
)
#: The remedy if nothing reads the cards, by the sentence that is used if something does.
_BY_HAND = {
    _ILLEGIBLE[1].text: phrase("Two people each enter it, unseen."),
    _TWICE[1].text: phrase(
        "It may be a second label or a card brought in: call the supervisor. "
        "Then two people each enter it, unseen."
    ),
}


def alert_id(ordinal: int) -> str:
    """The id of the alert for the passage number `ordinal`."""
    return f"card-unread-{ordinal}"


def unread_alert(phase: Unread) -> Alert:
    """The alert of an unread passage, with the remedy. Its code is the same for every reason."""
    what, remedy = _TWICE if phase.reason is Unknown.DUPLICATE else _ILLEGIBLE
    return Alert(alert_id(phase.ordinal), "card_unread", Severity.STOP, what, remedy)


def known_twice(alerts: Alerts, phase: Unread) -> Alerts:
    """The alerts after the staff learned that the card of this passage was seen twice.

    The public part of the alerts does not change.
    """
    if phase.reason is not Unknown.DUPLICATE:
        return alerts
    now = unread_alert(phase)
    return tuple(
        replace(alert, what=now.what, remedy=now.remedy) if alert.id == now.id else alert
        for alert in alerts
    )


def card_unread(phase: Unread) -> CardUnread:
    """The public event that a card was not read with certainty."""
    twice = phase.reason is Unknown.DUPLICATE
    return CardUnread(ordinal=phase.ordinal, reason=Unknown.UNSURE if twice else phase.reason)


def asked_by_hand(picture: Snapshot, due: Stop | None) -> Snapshot:
    """The staff's picture if no reader reads the cards. It asks nobody to use the lip (R-13).

    `due` is the first stop, or None.
    """
    prompt = picture.prompt
    if isinstance(due, Unread) and due.named is None:
        ask = phrase("Two people each enter the card, unseen")
        why = phrase("The two entries are compared and never shown.")
        prompt = replace(prompt, ask=ask, why=why)
    return replace(picture, prompt=prompt, alerts=tuple(map(_by_hand, picture.alerts)))


def _by_hand(alert: AlertView) -> AlertView:
    said = alert.remedy.text if alert.remedy else ""
    return replace(alert, remedy=_BY_HAND.get(said, alert.remedy))
