"""What happens when something leaves the Schlitten: a card due, a stray, one unread, the white one.

Knows where cards lie and how many there are, not what they are worth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from table_controller.engine.alerts import Alert, cleared, is_open, raised
from table_controller.engine.chemin_de_fer.box import ended, short
from table_controller.engine.chemin_de_fer.deal import (
    banker_card,
    banker_draws,
    first_cards,
    third_card,
)
from table_controller.engine.chemin_de_fer.events import CoupPaid, Misdeal
from table_controller.engine.chemin_de_fer.phases import (
    BankerCardDue,
    BankerToChoose,
    Dealing,
    PointeurToSpeak,
    Settled,
    Staking,
    ThirdCardDue,
)
from table_controller.engine.chemin_de_fer.settle import WHITE, annul, resumed, stand, white_first
from table_controller.engine.chemin_de_fer.state import (
    Awaited,
    Step,
    Table,
    at,
    deal_of,
    foremost,
    on_felt,
    under_way,
)
from table_controller.engine.messages import (
    AgainstRules,
    CardNamed,
    CardSeen,
    Event,
    OutOfTurn,
    Severity,
    phrase,
)
from table_controller.engine.seen import Unknown
from table_controller.engine.shoe import Dealt, Shoe, passed, put_back, restored, without
from table_controller.engine.table import devices
from table_controller.engine.table.entering import (
    by_hand,
    one_too_many,
    person,
    two_enter_it,
)
from table_controller.engine.table.events import CardRemoved, LastCoup, WhiteCardOut
from table_controller.engine.table.felt import instead, released, stopped
from table_controller.engine.table.inputs import (
    Annulled,
    StrayRuled,
    StrayRuling,
    UnreadRuled,
    WhiteRuled,
    WhiteRuling,
)
from table_controller.engine.table.promises import drawn, opened
from table_controller.engine.table.stops import MisdealDue, Stray, Unread, WhiteDisputed
from table_controller.engine.table.unread import (
    alert_id,
    card_unread,
    known_twice,
    unread_alert,
)
from table_controller.rules.cards import Card

STRAY, WHITE_MISSED = "card-stray", "white-missed"

#: Phases in which a card is due, and what it then does.
DUE: dict[type, Callable[[Table, Any, Dealt], Step]] = {
    Dealing: first_cards,
    ThirdCardDue: third_card,
    BankerToChoose: banker_draws,
    BankerCardDue: banker_card,
}


def card_seen(table: Table, phase: Awaited, said: CardSeen) -> Step:
    """One passage at the lip is over. Whatever it was, the count knows it (R-6, R-19)."""
    shoe = table.felt.shoe
    if shoe is None:
        raise OutOfTurn(
            phrase("A card passed the lip, and no Schlitten is loaded."),
            phrase("Load the Schlitten first, then deal."),
        )
    if said.white:
        return _white_card(table, shoe)
    if isinstance(phase, Unread):
        if by_hand(said):
            raise two_enter_it()
        return _shown_again(table, shoe, phase, said)
    cards = 2 if said.unknown is Unknown.TWO_CARDS else 1
    if cards > shoe.left:
        raise AgainstRules(
            phrase("A card passed the lip, and by the count none is left."),
            phrase("Close and count the Schlitten: the count is wrong or a card is foreign."),
            "R-6",
        )
    shoe = passed(shoe, cards)
    known = without(shoe, said.card, said.copy) if said.card else None
    if by_hand(said) and said.card and known is None:
        raise one_too_many()
    if said.card is None or known is None:
        unread = Unread(shoe.ordinal - cards + 1, cards, _reason(said))
        after = _stop_unread(on_felt(table, shoe=shoe), unread)
    else:
        after = lay(on_felt(table, shoe=known), phase, Dealt(shoe.ordinal, said.card, said.copy))
    if shoe.left < table.house.white_at and shoe.white_out is None:
        return _white_missed(*after)
    return after


def lay(table: Table, phase: Awaited, dealt: Dealt) -> Step:
    """Put a known card where it is due, or aside as a stray (R-19)."""
    due = DUE.get(type(phase))
    lacks = _held(table, phase, dealt)
    if due and not lacks and not (isinstance(phase, BankerToChoose) and phase.deal.spare):
        return due(table, phase, dealt)
    begun = None if lacks else _begins(table, phase, dealt)
    if begun:
        return begun
    alert = stray_alert(dealt)
    alerts, told = raised(table.felt.alerts, alert)
    felt = stopped(replace(table.felt, alerts=alerts), Stray(dealt))
    return at(table, table.phase, felt=felt), (*drawn(table.felt, 0, dealt), *told)


def _held(table: Table, phase: Awaited, dealt: Dealt) -> bool:
    """Whether no card is due: a ruling comes first (R-51), or no coup can begin (R-37, R-53)."""
    first = deal_of(table.phase) is None
    few = first and short(table, drawn=_since(table, dealt))
    dark = (first or isinstance(phase, Settled)) and devices.failing(table.felt.alerts)
    return few or dark or devices.stopped(table.felt.alerts)


def _begins(table: Table, phase: Awaited, dealt: Dealt) -> Step | None:
    """A card that begins a coup without a word: a replay (R-4), a deal over open stakes (N-3)."""
    coup = table.coup
    if coup is None or not coup.pointeur:
        return None
    unlimited = table.bank is not None and table.bank.open  # its stake comes first (Z-5)
    if isinstance(phase, Staking) and table.house.stakes == "highest" and not unlimited:
        return first_cards(table, Dealing(), dealt)
    if isinstance(phase, Settled) and not ended(table, drawn=_since(table, dealt)):
        table, told = stand(replace(table, undo=None))  # it is paid: no word of it is taken back
        table, more = first_cards(table, Dealing(), dealt)
        return table, (CoupPaid(coup=phase.record.number), *told, *more)
    return None


def _since(table: Table, dealt: Dealt) -> int:
    """Cards that have left the Schlitten from this one on."""
    return table.felt.shoe.ordinal - dealt.ordinal + 1 if table.felt.shoe else 0


def stray_alert(dealt: Dealt) -> Alert:
    """What to do about a card that left when none was due. Never names it."""
    return Alert(
        f"{STRAY}-{dealt.ordinal}",
        "card_stray",
        Severity.STOP,
        phrase("A card left the Schlitten and none was due."),
        phrase("Closed, it is the next deal's first card; uncovered, it is burned. Say which."),
    )


def stray_ruled(table: Table, phase: Stray, said: StrayRuled) -> Step:
    """The croupier says what the stray card was (Z-13, R-19, N-9, Z-12)."""
    dealt = phase.dealt
    alerts, told = cleared(table.felt.alerts, f"{STRAY}-{dealt.ordinal}")
    table = on_felt(table, alerts=alerts)
    removed = CardRemoved(ordinal=dealt.ordinal, ruling=said.ruling)
    match said.ruling:
        case StrayRuling.KEPT:
            # In the order they left, also where a word that was taken back made several strays.
            kept = sorted((*table.felt.kept, dealt), key=lambda card: card.ordinal)
            table = on_felt(table, kept=tuple(kept))
        case StrayRuling.BURNED | StrayRuling.FACE_UP:
            told = (*opened(table.felt, 0, (dealt,)), *told)
        case StrayRuling.BACK:
            shoe = restored(put_back(table.felt.shoe), dealt) if table.felt.shoe else None
            table = on_felt(table, shoe=shoe, hidden=(*table.felt.hidden, dealt))
        case StrayRuling.MISDEALT:
            if not under_way(table):
                raise AgainstRules(
                    phrase("No coup is under way that it was dealt in."),
                    phrase("Say whether it is closed or uncovered."),
                    "R-19",
                )
            felt = instead(table.felt, MisdealDue(dealt))
            return at(table, table.phase, felt=felt), (Misdeal(), *told)
    return resumed(table), (removed, *told)


def face_up_card(phase: Awaited) -> Dealt | None:
    """The card that came last, while it is one of the four and closed."""
    deal = phase.deal if isinstance(phase, Dealing | PointeurToSpeak) else None
    cards = (*deal.pointeur, *deal.banker) if deal else ()
    last = max(cards, key=lambda dealt: dealt.ordinal, default=None)
    return last if deal and last and last.ordinal not in deal.shown else None


def face_up(table: Table, phase: Dealing | PointeurToSpeak, said: StrayRuled) -> Step:
    """The card that was dealt just now lay face up in the pack: it is thrown out (N-9)."""
    deal, last = phase.deal, face_up_card(phase)
    if said.ruling is not StrayRuling.FACE_UP or deal is None or last is None:
        raise OutOfTurn(
            phrase("No card lies aside that anybody could rule on."),
            phrase("Only the closed card that came last can have lain face up in the pack."),
            "N-9",
        )
    deal = replace(
        deal,
        pointeur=tuple(dealt for dealt in deal.pointeur if dealt != last),
        banker=tuple(dealt for dealt in deal.banker if dealt != last),
    )
    removed = CardRemoved(ordinal=last.ordinal, ruling=said.ruling)
    return at(table, Dealing(deal)), (*opened(table.felt, 0, (last,)), removed)


# Unread cards: never a guess.


def _reason(said: CardSeen) -> Unknown:
    return said.unknown or (Unknown.DUPLICATE if said.card else Unknown.NO_READ)


def _stop_unread(table: Table, phase: Unread) -> Step:
    alerts, told = raised(table.felt.alerts, unread_alert(phase))
    felt = stopped(replace(table.felt, alerts=alerts), phase)
    return at(table, table.phase, felt=felt), (card_unread(phase), *told)


def _shown_again(table: Table, shoe: Shoe, phase: Unread, said: CardSeen) -> Step:
    """The unread card was shown to the lip once more."""
    known = without(shoe, said.card, said.copy) if said.card else None
    if said.card is None or known is None:
        return _still_unread(table, phase, _reason(said))
    return _identified(on_felt(table, shoe=known), phase, said.card, said.copy)


def _still_unread(table: Table, phase: Unread, reason: Unknown, *, differ: bool = False) -> Step:
    again = replace(phase, reason=reason, named=None, differ=differ)
    alerts = known_twice(table.felt.alerts, again)
    felt = instead(replace(table.felt, alerts=alerts), again)
    return at(table, table.phase, felt=felt), (card_unread(again),)


def card_named(table: Table, phase: Unread, said: CardNamed) -> Step:
    """Two people each enter the unread card blind; it counts where they agree."""
    if phase.named is None:
        named = replace(phase, named=(said.actor, said.card), differ=False)
        return at(table, table.phase, felt=instead(table.felt, named)), ()
    first, card = phase.named
    if person(table.felt, said.actor) == person(table.felt, first):
        raise AgainstRules(
            phrase("You have entered this card already."),
            phrase("A second person enters it, without seeing your entry."),
        )
    known = without(table.felt.shoe, card, 0) if table.felt.shoe else None
    if card is not said.card:
        return _still_unread(table, phase, Unknown.DISAGREE, differ=True)
    if known is None:
        return _still_unread(table, phase, Unknown.DUPLICATE)
    return _identified(on_felt(table, shoe=known), phase, card, 0)


def _identified(table: Table, phase: Unread, card: Card, copy: int) -> Step:
    """The card is known: it goes where it was due. A second of the same passage follows."""
    alerts, told = cleared(table.felt.alerts, alert_id(phase.ordinal))
    table = replace(table, felt=released(replace(table.felt, alerts=alerts)))
    table, more = lay(table, foremost(table), Dealt(phase.ordinal, card, copy))
    told = (*told, *more)
    if phase.cards == 1:
        return table, told
    second = Unread(phase.ordinal + 1, 1, phase.reason)
    table, more = _stop_unread(table, second)
    return table, (*told, *more)


def unread_ruled(table: Table, phase: Unread, _said: UnreadRuled) -> Step:
    """No card of this Schlitten left in that passage: the count goes back."""
    alerts, told = cleared(table.felt.alerts, alert_id(phase.ordinal))
    shoe = put_back(table.felt.shoe, phase.cards) if table.felt.shoe else None
    removed = CardRemoved(ordinal=phase.ordinal, ruling=StrayRuling.BACK)
    return resumed(on_felt(table, shoe=shoe, alerts=alerts)), (removed, *told)


def annul_unread(table: Table, phase: Unread, said: Annulled) -> Step:
    """The card cannot be known: a person annuls its coup (Z-27)."""
    white_first(table.felt)
    if not under_way(table):
        raise AgainstRules(
            phrase("No coup is under way that could be annulled."),
            phrase("Show the card again, have two people enter it, or say that none left."),
        )
    alerts, told = cleared(table.felt.alerts, alert_id(phase.ordinal))
    table, more = annul(on_felt(table, alerts=alerts), said.reason)
    return table, (*told, *more)


# The white card and the count check each other.


def _white_card(table: Table, shoe: Shoe) -> Step:
    if shoe.white_out is not None:
        raise AgainstRules(
            phrase("A white card passed the lip, and it had come out before."),
            phrase("Lay it aside; the count goes on."),
            "R-6",
        )
    left = shoe.left
    alerts, told = cleared(table.felt.alerts, WHITE_MISSED)
    shoe = replace(shoe, white_out=left)
    alerts, more = devices.cut_compared(alerts, shoe, apart=table.house.cut_card_apart)
    told = (WhiteCardOut(left=left), *told, *more)
    table = on_felt(table, shoe=shoe, alerts=alerts)
    if left == table.house.white_at:
        return _last_coup(table, told)
    alert = Alert(
        WHITE,
        "white_card_disputed",
        Severity.STOP,
        phrase(
            "The white card came out with {left} cards left by the count; it lies before {want}.",
            left=left,
            want=table.house.white_at,
        ),
        phrase("Decide: last coup, play on, or annul a coup that began with too few cards."),
    )
    alerts, more = raised(table.felt.alerts, alert)
    felt = stopped(replace(table.felt, alerts=alerts), WhiteDisputed(left))
    return at(table, table.phase, felt=felt), (*told, *more)


def _last_coup(table: Table, told: tuple[Event, ...], came_in: int = 0) -> Step:
    coup = came_in or (table.felt.coups if under_way(table) else table.felt.coups + 1)
    return on_felt(table, last_coup=coup), (*told, LastCoup(coup=coup))


def white_ruled(table: Table, phase: WhiteDisputed, said: WhiteRuled) -> Step:
    """The croupier decides; the count and the white card only advised (R-6)."""
    alerts, told = cleared(table.felt.alerts, WHITE)
    table = resumed(on_felt(table, alerts=alerts))
    match said.ruling:
        case WhiteRuling.PLAY_ON:
            # it was not the true one, which is still to come.
            shoe, (alerts, more) = table.felt.shoe, devices.cut_calmed(table.felt.alerts)
            shoe = replace(shoe, white_out=None, cut_sensed=None) if shoe else None
            return on_felt(table, shoe=shoe, alerts=alerts), (*told, *more)
        case WhiteRuling.LAST_COUP:
            return _last_coup(table, told, phase.coup)
        case WhiteRuling.ANNUL:
            if not under_way(table):
                raise AgainstRules(
                    phrase("No coup is under way that could be annulled."),
                    phrase("Decide between last coup and play on."),
                    "Z-24",
                )
            table, more = annul(on_felt(table, last_coup=table.felt.coups), "Z-24")
            return table, (*told, *more)


def _white_missed(table: Table, told: tuple[Event, ...]) -> Step:
    """Fewer cards are left than lie behind the white card, and it was not seen (R-6)."""
    if table.felt.shoe is None or is_open(table.felt.alerts, WHITE_MISSED):
        return table, told
    alert = Alert(
        WHITE_MISSED,
        "white_card_missed",
        Severity.WARNING,
        phrase(
            "{left} cards are left by the count, and the white card, before {want}, was not seen.",
            left=table.felt.shoe.left,
            want=table.house.white_at,
        ),
        phrase("Look for it: after this coup the Schlitten is over by the count."),
    )
    alerts, more = raised(table.felt.alerts, alert)
    return on_felt(table, alerts=alerts), (*told, *more)
