"""What follows when something leaves the Schlitten: a known card, a stray, or an unread card."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, Alerts
from table_controller.engine.messages import (
    AgainstRules,
    CardNamed,
    CardSeen,
    OutOfTurn,
    Severity,
    Told,
    phrase,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import (
    Dealt,
    Shoe,
    leaving,
    passed,
    put_back,
    restored,
)
from table_controller.engine.table import devices
from table_controller.engine.table.events import CardRemoved, CardUnread
from table_controller.engine.table.felt import (
    Change,
    Felt,
    Stop,
    Stray,
    T,
    Unread,
    after,
    calmed,
    closed,
    instead,
    on,
    released,
    stopped,
    warned,
)
from table_controller.engine.table.inputs import (
    StrayRuled,
    StrayRuling,
    UnreadBurned,
    UnreadRuled,
)
from table_controller.engine.table.persons import by_hand, one_too_many, person, two_enter_it
from table_controller.engine.table.repairs import with_reason
from table_controller.engine.table.schlitten import drawn, opened, white_card, white_missed
from table_controller.engine.views import AlertView, Snapshot
from table_controller.rules.cards import Card

# ---- A passage without a certain reading: what the staff learns, and what everybody may know

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


# ---- What follows when something leaves the Schlitten: a known card, a stray, or an unread card

#: Puts a known card where it was due at this table, or aside (`stray`). The alerts are those that
#: were open when the card left: they decide whether it was due (R-51, R-53, R-56).
Lay = Callable[[T, Dealt, Alerts], tuple[T, Told]]
#: The cards of the coup that are closed at this table.
Lying = Callable[[T], Iterable[Dealt]]


def card_seen(
    table: T, said: CardSeen, lay: Lay[T], lying: Lying[T], *, coup: bool | None
) -> tuple[T, Told]:
    """The table after a passage at the lip. Whatever passed is counted (R-6, R-19).

    `lay` puts a known card where it belongs; `lying` gives the coup's closed cards. For the white
    card, `coup` says whether cards of an unsettled coup are on the table; None means that the game
    itself decides which coup is the last.
    """
    felt, shoe = table.felt, table.felt.shoe
    if shoe is None:
        raise OutOfTurn(
            phrase("A card passed the lip, and no Schlitten is loaded."),
            phrase("Load the Schlitten first, then deal."),
        )
    if said.white:
        felt, told = white_card(felt, shoe, coup=coup)
        return after(table, felt), told
    if felt.stops and isinstance(stop := felt.stops[-1], Unread):
        if by_hand(said):
            raise two_enter_it()
        return _shown_again(table, stop, said, lay, lying)
    cards = 2 if said.unknown and said.unknown is Unknown.TWO_CARDS else 1
    left = shoe.left - cards
    if left < 0:
        raise AgainstRules(
            phrase("A card passed the lip, and by the count none is left."),
            phrase("Close and count the Schlitten: the count is wrong or a card is foreign."),
            "R-6",
        )
    card, known = said.card, _leaving(table, shoe, said, lying, cards=cards)
    if card and known:
        table = replace(table, felt=replace(felt, shoe=known))  # type: ignore[type-var]
        dealt = Dealt(known.ordinal, card, said.copy, boot=felt.boot)
        table, told = lay(table, dealt, felt.alerts)
    else:
        table, told = _passed_unread(table, shoe, said, cards)
    if left < felt.house.white_at and shoe.white_out is None:
        felt, missed = white_missed(table.felt)
        return on(table, felt), (*told, *missed)
    return table, told


def _passed_unread(table: T, shoe: Shoe, said: CardSeen, cards: int) -> tuple[T, Told]:
    """The table after `cards` cards passed that nothing read with certainty.

    The table does not guess the card, even if the lip suggests one.
    """
    if said.card and by_hand(said):
        raise one_too_many()
    shoe = passed(shoe, cards)
    first, alerts = shoe.ordinal - cards + 1, table.felt.alerts
    unread = Unread(first, cards, _reason(said), alerts=alerts)
    felt, told = _stopped_unread(replace(table.felt, shoe=shoe), unread)
    return after(table, felt), told


def _leaving(
    table: T, shoe: Shoe | None, said: CardSeen | CardNamed, lying: Lying[T], *, cards: int = 0
) -> Shoe | None:
    """The count after the card that `said` names left the Schlitten.

    None if `said` names no card, or if this card cannot have left now.
    """
    if shoe is None or said.card is None:
        return None
    copy = said.copy if isinstance(said, CardSeen) else 0
    return leaving(shoe, said.card, copy, lambda: closed(table.felt, lying(table)), cards=cards)


def stray(felt: Felt, dealt: Dealt) -> Change:
    """A card left when none was due. It is laid aside until the croupier rules on it (R-19)."""
    aside, told = warned(felt, stray_alert(dealt))
    return stopped(aside, Stray(dealt)), (*drawn(felt, 0, dealt), *told)


def _stray_id(dealt: Dealt) -> str:
    return f"card-stray-{dealt.ordinal}"


def stray_alert(dealt: Dealt) -> Alert:
    """The alert for a card that left when none was due, with the remedy.

    It never names the card.
    """
    return Alert(
        _stray_id(dealt),
        "card_stray",
        Severity.STOP,
        phrase("A card left the Schlitten and none was due."),
        phrase("Closed, it is the next deal's first card; uncovered, it is burned. Say which."),
    )


def stray_ruled(felt: Felt, stop: Stray, said: StrayRuled) -> Change:
    """The felt after the croupier's ruling on the stray card (Z-13, R-19, N-9). The stop ends.

    Raises AgainstRules for `MISDEALT`: the game itself handles a card that was dealt wrongly.
    """
    dealt = stop.dealt
    felt, told = calmed(felt, _stray_id(dealt))
    match said.ruling:
        case StrayRuling.KEPT:
            # The strays are in the order in which they left, even if taking an input back made
            # several.
            kept = sorted((*felt.kept, dealt), key=lambda card: card.ordinal)
            felt = replace(felt, kept=tuple(kept))
        case StrayRuling.BURNED | StrayRuling.FACE_UP:
            told = (*opened(felt, 0, (dealt,)), *told)
        case StrayRuling.BACK:
            shoe = restored(put_back(felt.shoe), dealt) if felt.shoe else None
            hidden, back = (*felt.hidden, dealt), (*felt.back, dealt.ordinal)
            felt = replace(felt, shoe=shoe, hidden=hidden, back=back)
        case StrayRuling.MISDEALT:
            raise AgainstRules(
                phrase("It was not dealt in a coup that is under way."),
                phrase("Say whether it is closed or uncovered."),
                "R-19",
            )
    return released(felt), (CardRemoved(ordinal=dealt.ordinal, ruling=said.ruling), *told)


def doubled(felt: Felt) -> bool:
    """Whether, among the cards that are not closed, one card was read too often.

    Closed cards do not affect the answer, because the answer would reveal them.
    """
    shoe = felt.shoe
    if shoe is None or not shoe.over:
        return False
    for dealt in closed(felt, ()):
        shoe = restored(shoe, dealt)
    return bool(shoe.over)


# Unread cards: nothing is guessed.


def _reason(said: CardSeen) -> Unknown:
    return said.unknown or (Unknown.DUPLICATE if said.card else Unknown.NO_READ)


def _stopped_unread(felt: Felt, stop: Unread) -> Change:
    felt, told = warned(felt, unread_alert(stop))
    return stopped(felt, stop), (card_unread(stop), *told)


def _shown_again(
    table: T, stop: Unread, said: CardSeen, lay: Lay[T], lying: Lying[T]
) -> tuple[T, Told]:
    """The table after the unread card was shown to the lip once more."""
    known = _leaving(table, table.felt.shoe, said, lying)
    if said.card is None or known is None:
        return _still_unread(table, stop, _reason(said))
    return _identified(on(table, replace(table.felt, shoe=known)), stop, said.card, said.copy, lay)


def _still_unread(
    table: T, stop: Unread, reason: Unknown, *, differ: bool = False
) -> tuple[T, Told]:
    again = replace(stop, reason=reason, named=None, differ=differ)
    alerts = known_twice(table.felt.alerts, again)
    return after(table, instead(replace(table.felt, alerts=alerts), again)), (card_unread(again),)


def card_named(
    table: T, stop: Unread, said: CardNamed, lay: Lay[T], lying: Lying[T]
) -> tuple[T, Told]:
    """The table after one of two people typed the unread card, without seeing the other's entry.

    The card counts as known if both entries agree. Raises AgainstRules if one person enters it
    twice.
    """
    felt = table.felt
    if stop.named is None:
        named = replace(stop, named=(said.actor, said.card), differ=False)
        return after(table, instead(felt, named)), ()
    first, card = stop.named
    if person(felt, said.actor) == person(felt, first):
        raise AgainstRules(
            phrase("You have entered this card already."),
            phrase("A second person enters it, without seeing your entry."),
        )
    known = _leaving(table, felt.shoe, said, lying)
    if card is not said.card:
        return _still_unread(table, stop, Unknown.DISAGREE, differ=True)
    if known is None:
        return _still_unread(table, stop, Unknown.DUPLICATE)
    return _identified(on(table, replace(felt, shoe=known)), stop, card, 0, lay)


def _identified(table: T, stop: Unread, card: Card, copy: int, lay: Lay[T]) -> tuple[T, Told]:
    """The table after the unread card became known: the card goes where it was due when it left.

    If it began a coup, and the lid was opened since it left, a ruling on the lid is due (R-51). If
    a second card left in the same passage, the table then waits for that card.
    """
    felt, told = calmed(table.felt, alert_id(stop.ordinal))
    dealt, coups = Dealt(stop.ordinal, card, copy, boot=felt.boot), felt.coups
    table, more = lay(on(table, released(felt)), dealt, stop.alerts)
    felt, lid = table.felt, Told()
    if stop.lifted and felt.coups > coups:
        felt, lid = devices.lid_stops(felt)
    felt, next_ = _followed(felt, stop)
    return after(table, felt), (*told, *more, *lid, *next_)


def _followed(felt: Felt, stop: Unread) -> Change:
    """Once the first card of an unread passage is settled, stop for the second, if there is one."""
    if stop.cards == 1:
        return felt, ()
    second = replace(stop, ordinal=stop.ordinal + 1, cards=stop.cards - 1, named=None, differ=False)
    return _stopped_unread(felt, second)


def unread_burned(felt: Felt, stop: Unread, said: UnreadBurned, *, coup: bool) -> Change:
    """The felt after the unread card was burned, because nobody may look at it (R-59).

    The card counts as one of the Schlitten's cards, and the next card takes its place. Raises
    AgainstRules if cards of a coup are on the table (`coup`), because this card belongs to the
    coup.
    """
    with_reason(said.reason)
    if coup:
        raise AgainstRules(
            phrase("The card was dealt in a coup that is under way."),
            phrase("Show the card again, have two people enter it, or annul the coup."),
            "R-59",
        )
    felt, calm = calmed(felt, alert_id(stop.ordinal))
    removed = CardRemoved(ordinal=stop.ordinal, ruling=StrayRuling.BURNED)
    felt, next_ = _followed(released(felt), stop)
    return felt, (removed, *calm, *next_)


def unread_ruled(felt: Felt, stop: Unread, _said: UnreadRuled) -> Change:
    """The felt after the ruling that no card of this Schlitten left in the unread passage.

    The count is reduced accordingly.
    """
    felt, told = calmed(felt, alert_id(stop.ordinal))
    shoe = put_back(felt.shoe, stop.cards) if felt.shoe else None
    removed = CardRemoved(ordinal=stop.ordinal, ruling=StrayRuling.BACK)
    return released(replace(felt, shoe=shoe)), (removed, *told)
