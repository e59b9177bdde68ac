"""A coup from its first card to the opened hands, with faux tirages and mistakes of the deal.

No branch depends on a closed card (R-17).
"""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.events import (
    Advised,
    Answered,
    ClaimFailed,
    FauxTirage,
    HandOpened,
    HandThrown,
    Said,
)
from table_controller.engine.chemin_de_fer.money import resumed, settle
from table_controller.engine.messages import (
    AgainstRules,
    Event,
    OutOfTurn,
    Phrase,
    Severity,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.events import CardRemoved, Misdeal, MisdealMended, RulingNoted
from table_controller.engine.table.felt import (
    MisdealDue,
    calmed,
    disputed,
    released,
    stopped,
    warned,
)
from table_controller.engine.table.inputs import StrayRuling
from table_controller.engine.table.repairs import with_reason
from table_controller.engine.table.schlitten import WHITE, drawn, gathered, laid_open, opened
from table_controller.rules.chemin_de_fer.tableau import Duty, banker_duty, pointeur_duty
from table_controller.rules.points import PIPS

# ---- Questions that every part of a coup asks: whose turn it is, the custom, which cards are open


def roles(table: s.Table) -> tuple[s.Bank, s.Coup]:
    """The bank and the coup of a deal that is under way. Raises ValueError if there is none."""
    if table.bank is None or table.coup is None:
        raise ValueError("no coup is under way")
    return table.bank, table.coup


def by_schlitten(table: s.Table, seat: int) -> bool:
    """Whether the player at `seat` declared to play by the custom (R-25)."""
    return seat in table.by_schlitten


def show_hand(
    table: s.Table, deal: s.Deal, seat: int, cards: tuple[Dealt, ...]
) -> tuple[s.Deal, tuple[Event, ...]]:
    """Open the closed cards of a hand. Return the deal and the events.

    There is no event for a card that was open before.
    """
    shown = deal.shown
    fresh = tuple([card for card in cards[:2] if card.ordinal not in shown])
    deal = replace(deal, shown=(*shown, *[card.ordinal for card in fresh]))
    return deal, _hand_opened(table, seat, cards, fresh)


def _hand_opened(
    table: s.Table, seat: int, cards: tuple[Dealt, ...], fresh: tuple[Dealt, ...]
) -> tuple[Event, ...]:
    """The events for a hand whose `cards` are all open; `fresh` are those that were opened now."""
    return (
        *opened(table.felt, seat, fresh),
        HandOpened(seat=seat, cards=tuple([dealt.card for dealt in cards]), points=s.value(cards)),
    )


def duty_of(table: s.Table, deal: s.Deal) -> tuple[int, int | None, Duty]:
    """The banker's points, the pips of the pointeur's third card, and the banker's duty.

    The pips are None if the pointeur took no card. The duty is what the custom advises. All three
    are public.
    """
    given = PIPS[deal.given.card] if deal.given else None
    point = s.value(deal.banker[:2])
    return point, given, banker_duty(point, given, tableau=table.house.tableau)


def advise(table: s.Table, deal: s.Deal) -> s.Step:
    """The banker's turn begins: the table publishes what the custom advises him (ZX-2, Z-20)."""
    point, given, duty = duty_of(table, deal)
    told = Advised(seat=table.banker, point=point, given=given, duty=duty)
    return s.at(table, s.BankerToChoose(deal)), (told,)


def is_bankers(word: i.Word) -> None:
    """Raise AgainstRules if the word is not one that a banker may say (ZP-9)."""
    if word not in (i.Word.DRAWS, i.Word.STANDS):
        raise AgainstRules(
            phrase("Only the pointeur says that."),
            phrase("The banker draws or stands."),
            "ZP-9",
        )


def of_banker(table: s.Table, seat: int) -> None:
    """Raise OutOfTurn if `seat` is not the banker's."""
    if seat != table.banker:
        raise _for(phrase("Seat {seat} is not the banker.", seat=seat), table.banker)


def of_pointeur(table: s.Table, seat: int) -> None:
    """Raise OutOfTurn if `seat` is not the pointeur's."""
    if seat != table.pointeur:
        raise _for(phrase("Seat {seat} is not the pointeur.", seat=seat), table.pointeur)


def _for(why: Phrase, due: int) -> OutOfTurn:
    return OutOfTurn(why, phrase("It is for seat {due} to act.", due=due))


# ---- The pointeur opens
#      Source: ZP-12, Z-21, R-18, R-38, R-55.

CLAIM = "faux-claim"


def to_pointeur(table: s.Table, deal: s.Deal) -> s.Step:
    """The pointeur opens last, unless his cards are open or thrown away (ZP-12, R-26, Z-15)."""
    if deal.pointeur_open or deal.thrown:
        return _decided(table, deal)
    return s.at(table, s.PointeurToOpen(deal)), ()


def _decided(table: s.Table, deal: s.Deal) -> s.Step:
    """The table once both hands are known: usually the coup is settled.

    If the custom forbade the pointeur's third card, he gives it back first. If he gave back a card
    that was not forbidden, a supervisor must rule.
    """
    if deal.claimed and not deal.thrown and not forbids(deal):
        return _disputed(table, deal, deal.claimed)
    if _is_faux(table, deal):
        return _give_back_third(table, deal)
    return settle(table, deal)


def pointeur_opens(table: s.Table, phase: s.PointeurToOpen, said: i.Opened) -> s.Step:
    """The pointeur opens his two closed cards, which shows who has won (ZP-12)."""
    of_pointeur(table, said.seat)
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.pointeur)
    table, after = _decided(table, deal)
    return table, (*told, *after)


# Faux tirage (Z-21, R-18)


def forbids(deal: s.Deal) -> bool:
    """Whether the custom forbids a third card to the pointeur's first two cards (R-25, ZP-11)."""
    return pointeur_duty(s.value(deal.pointeur[:2])) is Duty.STAND


def _is_faux(table: s.Table, deal: s.Deal) -> bool:
    """Whether the pointeur plays by the Schlitten and asked for a card on 6 to 9 (R-25, ZP-11)."""
    if deal.given is None or deal.thrown or not by_schlitten(table, table.pointeur):
        return False
    return forbids(deal)


def _give_back_third(table: s.Table, deal: s.Deal) -> s.Step:
    """The pointeur's third card is taken from his hand.

    The banker may ask for this card if he has not drawn; otherwise it is burned.
    """
    spare = deal.pointeur[2]
    told: tuple[Event, ...] = (FauxTirage(seat=table.pointeur, ordinal=spare.ordinal),)
    deal = replace(deal, pointeur=deal.pointeur[:2], spare=spare)
    if len(deal.banker) == 2 and s.value(deal.banker) < 8:
        return s.at(table, s.FauxOffered(deal)), told
    table, after = burn_spare(table, deal)
    return table, (*told, *after)


def can_admit(table: s.Table, deal: s.Deal) -> bool:
    """Whether the pointeur may say that the custom forbade his third card.

    He may while his hand is closed. If his hand is open, it must show that he is right.
    """
    if deal.given is None or not by_schlitten(table, table.pointeur):
        return False
    return forbids(deal) if deal.pointeur_open else True


def admits_faux(table: s.Table, phase: s.BankerToChoose, said: i.AdmitsFaux) -> s.Step:
    """The pointeur admits, before the banker has drawn, that his third card was forbidden (Z-21).

    The card is kept for the banker. While the pointeur's hand is closed, this is only a claim
    (R-38).
    """
    of_pointeur(table, said.seat)
    deal, card = phase.deal, phase.deal.given
    if card is None or not by_schlitten(table, said.seat):
        raise AgainstRules(
            phrase("No card of his can be given back."),
            phrase("It is for a pointeur by the Schlitten who asked for a card."),
            "Z-21",
        )
    if not can_admit(table, deal):
        raise AgainstRules(_NOT_FORBIDDEN, _HIS_THIRD, "Z-21")
    told = FauxTirage(seat=said.seat, ordinal=card.ordinal)
    claimed = None if deal.pointeur_open else card
    deal = replace(deal, pointeur=deal.pointeur[:2], spare=card, claimed=claimed)
    table, after = advise(table, deal)
    return table, (told, *after)


# A claim of a faux tirage, and whether the opened hand proves it

_NOT_FORBIDDEN = phrase("The custom did not forbid that card.")
_HIS_THIRD = phrase("It is the pointeur's third card.")
#: The question to the supervisor in that case (R-55).
COUNTS = phrase("A supervisor: the card counts, let it stand, or annul?")


def proves_claim(table: s.Table, phase: s.BankerToChoose, said: i.Opened) -> s.Step:
    """The pointeur opens before the banker answers, which proves or disproves his claim.

    If the card was forbidden, it stays given back; otherwise it is his third card again. The
    banker, who now sees the whole hand, must play by the custom, as in Z-8 and R-34.
    """
    of_pointeur(table, said.seat)
    deal, card = phase.deal, phase.deal.claimed
    if card is None or deal.thrown:
        raise OutOfTurn(
            phrase("Nothing of the kind is due now."),
            phrase("The banker draws or stands."),
            "ZP-12",
        )
    deal = replace(deal, claimed=None, bound=True)
    if forbids(deal):
        deal, told = show_hand(table, deal, said.seat, deal.pointeur)
        return s.at(table, s.BankerToChoose(deal)), told
    deal = replace(deal, pointeur=(*deal.pointeur, card), spare=None)
    deal, told = show_hand(table, deal, said.seat, deal.pointeur)
    table, failed = _failed(table, card, returned=True)
    table, after = advise(table, deal)
    return table, (*told, *failed, *after)


def _disputed(table: s.Table, deal: s.Deal, card: Dealt) -> s.Step:
    """The pointeur's claim was false, but the banker has drawn the card, or it was burned.

    A supervisor rules (R-55).
    """
    table, failed = _failed(table, card, returned=False)
    return s.at(table, s.ClaimDisputed(deal)), failed


def card_counts(table: s.Table, phase: s.ClaimDisputed, said: i.CardCounts) -> s.Step:
    """A supervisor rules that the claimed card is the pointeur's third card (R-55).

    The coup is judged with this card, and with what the banker did. A card belongs to one hand
    only: a banker who took this card counts as having drawn, and gets another card.
    """
    with_reason(said.reason)
    deal, card = phase.deal, phase.deal.claimed
    if card is None:
        raise ValueError("no card was claimed")
    felt, calm = calmed(table.felt, CLAIM)
    table = replace(table, felt=felt)
    drew, kept = card in deal.banker, tuple(one for one in deal.banker if one != card)
    deal = replace(deal, pointeur=(*deal.pointeur, card), banker=kept, claimed=None)
    told = (
        RulingNoted(reason=said.reason),
        ClaimFailed(seat=table.pointeur, ordinal=card.ordinal, returned=True),
        *calm,
    )
    if drew:
        return s.at(table, s.BankerCardDue(deal)), told
    table, after = settle(table, deal)
    return table, (*told, *after)


def let_stand(table: s.Table, phase: s.ClaimDisputed, said: i.LetStand) -> s.Step:
    """A supervisor rules that the coup counts with the cards as they are (R-38, R-55, Z-27)."""
    with_reason(said.reason)
    felt, told = calmed(table.felt, CLAIM)
    table, after = settle(replace(table, felt=felt), replace(phase.deal, claimed=None))
    return table, (RulingNoted(reason=said.reason), *told, *after)


def _failed(table: s.Table, card: Dealt, *, returned: bool) -> s.Step:
    """The table with an event for everybody that the claim failed, and an alert with the remedy.

    `returned` says whether the card is the pointeur's third card again.
    """
    severity = Severity.WARNING if returned else Severity.STOP
    remedy = _HIS_THIRD if returned else COUNTS
    alert = Alert(CLAIM, "faux_claim_failed", severity, _NOT_FORBIDDEN, remedy)
    felt, told = warned(table.felt, alert)
    failed = ClaimFailed(seat=table.pointeur, ordinal=card.ordinal, returned=returned)
    return replace(table, felt=felt), (failed, *told)


# The fate of a card that was given back


def faux_answered(table: s.Table, phase: s.FauxOffered, said: i.Spoke) -> s.Step:
    """The banker asks for the card that was given back, or stands (Z-21)."""
    of_banker(table, said.seat)
    is_bankers(said.word)
    told = Said(seat=said.seat, word=said.word)
    act = take_spare if said.word is i.Word.DRAWS else burn_spare
    table, after = act(table, phase.deal)
    return table, (told, *after)


def take_spare(table: s.Table, deal: s.Deal) -> s.Step:
    """The banker draws, and his third card is the one that the pointeur gave back (Z-21)."""
    if deal.spare is None:
        raise ValueError("no card was given back")
    return to_pointeur(table, replace(deal, banker=(*deal.banker, deal.spare), spare=None))


def burn_spare(table: s.Table, deal: s.Deal) -> s.Step:
    """The banker stands. A card that the pointeur gave back is burned (Z-21)."""
    if deal.spare is None:
        return to_pointeur(table, deal)
    burned = CardRemoved(ordinal=deal.spare.ordinal, ruling=StrayRuling.BURNED)
    table, after = to_pointeur(table, replace(deal, spare=None))
    return table, (burned, *after)


# ---- A coup from its first card to the opened hands

SLOW = "slow-look"


#: The number of cards in a coup's first deal.
FOUR = 4


def first_kept(table: s.Table) -> tuple[Dealt, ...]:
    """The kept cards that begin the next deal: at most four, in the order in which they left.

    A card that left the Schlitten by mistake is kept if it is still closed (Z-13).
    """
    return table.felt.kept[:FOUR]


def kept_deal(table: s.Table) -> bool:
    """Whether the kept cards make up a whole deal, so that no further card is due (Z-13)."""
    return len(table.felt.kept) >= FOUR


def first_cards(table: s.Table, phase: s.Dealing, *dealt: Dealt) -> s.Step:
    """Deal the closed cards: pointeur, banker, pointeur, banker (ZP-6).

    The kept cards come first, if there are any (Z-13).
    """
    told: tuple[Event, ...] = ()
    felt, deal = table.felt, phase.deal
    taken: tuple[Dealt, ...] = ()
    if deal is None:
        taken = first_kept(table)
        felt = replace(felt, coups=felt.coups + 1, kept=felt.kept[len(taken) :])
        deal = s.Deal(felt.coups)
    for card in (*taken, *dealt):
        if len(deal.pointeur) == len(deal.banker):
            seat, deal = table.pointeur, replace(deal, pointeur=(*deal.pointeur, card))
        else:
            seat, deal = table.banker, replace(deal, banker=(*deal.banker, card))
        told += drawn(felt, seat, card)
        if seat == table.banker and len(deal.banker) == 1 and deal.lies_open(deal.pointeur):
            # Z-6: the pointeur's first card was laid open, so the banker's first card is too.
            deal = replace(deal, shown=(*deal.shown, card.ordinal))
            told += opened(felt, seat, (card,))
    if len(deal.banker) < 2:
        return s.at(table, s.Dealing(deal), felt=felt), told
    if deal.pointeur_open:  # Z-8: he speaks once the banker's cards are open too
        return s.at(table, s.BankerToOpen(deal), felt=felt), told
    return s.at(table, s.PointeurToSpeak(deal), felt=felt), told


def waited(table: s.Table, _phase: s.PointeurToSpeak, _said: i.Waited) -> s.Step:
    """The clock reminds the croupier that the pointeur has looked at his cards for long (Z-16)."""
    alert = Alert(
        SLOW,
        "slow_look",
        Severity.NOTICE,
        phrase("Seat {seat} has looked at his cards for long.", seat=table.pointeur),
        phrase("Ask him kindly to speak."),
    )
    felt, told = warned(table.felt, alert)
    return replace(table, felt=felt), told


def pointeur_speaks(table: s.Table, phase: s.PointeurToSpeak, said: i.Spoke) -> s.Step:
    """The pointeur says "carte" or "reste", or he says "Schlag" and opens his cards.

    Source: ZP-7, ZP-8, ZP-10, ZP-12, R-17.
    """
    of_pointeur(table, said.seat)
    _is_pointeurs(said.word)
    word = Said(seat=said.seat, word=said.word)
    if said.word is i.Word.SCHLAG:
        table, told = pointeur_shows(table, phase, i.Opened(seat=said.seat))
        return table, (word, *told)
    table = held(table)
    deal = replace(phase.deal, word=said.word)
    if deal.banker_open:
        table, more = after_opening(table, deal)
        return table, (word, *more)
    return s.at(table, s.BankerToOpen(deal)), (word,)


def held(table: s.Table) -> s.Table:
    """The table after the pointeur took up his cards.

    From now on nobody can take his place or stake more (N-3, Z-7).
    """
    _, coup = roles(table)
    return replace(table, coup=replace(coup, taken_up=True, closed=True))


def _is_pointeurs(word: i.Word) -> None:
    if word not in (i.Word.CARTE, i.Word.RESTE, i.Word.SCHLAG):
        raise AgainstRules(
            phrase("Only the banker draws or stands."),
            phrase('The pointeur says "carte" or "reste", or shows a Schlag.'),
            "ZP-12",
        )


def corrected(table: s.Table, phase: s.BankerToOpen, said: i.Spoke) -> s.Step:
    """The pointeur corrects his word, because he plays by the Schlitten and is bound to another.

    A pointeur who does not play by the Schlitten may not correct his word (Z-17, R-18).
    """
    of_pointeur(table, said.seat)
    _is_pointeurs(said.word)
    if said.word is i.Word.SCHLAG or phase.deal.word in (None, i.Word.SCHLAG) or phase.deal.thrown:
        raise OutOfTurn(
            phrase("It is for the banker to open now."),
            phrase("A Schlag that was not shown counts its points."),
            "R-26",
        )
    if not by_schlitten(table, said.seat):
        raise AgainstRules(
            phrase("The first word binds."),
            phrase("Only a player by the Schlitten may correct himself."),
            "Z-17",
        )
    told = Said(seat=said.seat, word=said.word)
    return s.at(table, s.BankerToOpen(replace(phase.deal, word=said.word))), (told,)


def pointeur_shows(table: s.Table, phase: s.PointeurToSpeak, said: i.Opened) -> s.Step:
    """The pointeur opens his two cards: he has a Schlag, or made a mistake (ZP-7, R-34)."""
    of_pointeur(table, said.seat)
    if phase.deal.pointeur_open:
        raise OutOfTurn(
            phrase("His cards lie open already and are no Schlag."),
            phrase('He must still say "carte" or "reste".'),
            "R-34",
        )
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.pointeur)
    table = held(table)
    if s.value(deal.pointeur) >= 8:
        return s.at(table, s.BankerToOpen(replace(deal, word=i.Word.SCHLAG))), told
    return s.at(table, s.PointeurToSpeak(replace(deal, bound=True))), told


def banker_opens(table: s.Table, phase: s.BankerToOpen, said: i.Opened) -> s.Step:
    """The banker opens his cards first (ZP-12).

    After a Schlag on either side no further card is drawn (ZP-7, ZP-8).
    """
    of_banker(table, said.seat)
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.banker)
    table, after = after_opening(table, deal)
    return table, (*told, *after)


def after_opening(table: s.Table, deal: s.Deal) -> s.Step:
    """The table after the banker's cards were opened, in the phase that follows."""
    if deal.word is i.Word.SCHLAG or s.value(deal.banker) >= 8:
        return to_pointeur(table, deal)
    if deal.word is None and not deal.thrown:
        # Z-8: both hands are open before he speaks. A Schlag needs no word.
        if s.value(deal.pointeur) >= 8:
            return to_pointeur(table, deal)
        return s.at(table, s.PointeurToSpeak(deal)), ()
    if deal.word is i.Word.CARTE and not deal.thrown:
        return s.at(table, s.ThirdCardDue(deal)), ()
    return advise(table, deal)


def third_card(table: s.Table, phase: s.ThirdCardDue, dealt: Dealt) -> s.Step:
    """The pointeur gets his third card, which is dealt open (Z-9)."""
    deal = replace(phase.deal, pointeur=(*phase.deal.pointeur, dealt))
    told = laid_open(table.felt, table.pointeur, dealt)
    table, advice = advise(table, deal)
    return table, (*told, *advice)


def asks_schlitten(table: s.Table, phase: s.BankerToChoose, said: i.AsksSchlitten) -> s.Step:
    """The banker asks what the custom is: "Was macht der Schlitten?".

    If the tableau says that he must draw or must stand, the answer binds him (Z-19, Z-20, R-27).
    """
    of_banker(table, said.seat)
    _, _, duty = duty_of(table, phase.deal)
    binds = duty in (Duty.DRAW, Duty.STAND)
    told = Answered(seat=said.seat, duty=duty, binds=binds)
    return s.at(table, s.BankerToChoose(replace(phase.deal, bound=phase.deal.bound or binds))), (
        told,
    )


def bound(table: s.Table, deal: s.Deal) -> Duty | None:
    """What this banker is obliged to do, or None if he is free.

    His own declaration can bind him to the custom (R-25), and so can Z-8, Z-19 and R-34. After
    "reste" he is bound only if the house's tableau has a column for this case (R-2).
    """
    _, _, duty = duty_of(table, deal)
    if duty not in (Duty.DRAW, Duty.STAND):
        return None
    return duty if deal.bound or by_schlitten(table, table.banker) else None


def banker_speaks(table: s.Table, phase: s.BankerToChoose, said: i.Spoke) -> s.Step:
    """The banker draws or stands, as he chooses or as he is bound to (ZP-9, R-18).

    Raises AgainstRules if he is bound to do the opposite.
    """
    of_banker(table, said.seat)
    is_bankers(said.word)
    commanded = bound(table, phase.deal)
    if commanded is Duty.DRAW and said.word is i.Word.STANDS:
        raise AgainstRules(
            phrase("He plays by the custom, and it draws."),
            phrase("No settlement until he has drawn."),
            "R-18",
        )
    if commanded is Duty.STAND and said.word is i.Word.DRAWS:
        raise AgainstRules(
            phrase("He plays by the custom, and it stands."),
            phrase("A card drawn all the same is burned."),
            "Z-21",
        )
    told = Said(seat=said.seat, word=said.word)
    deal = phase.deal
    if said.word is i.Word.STANDS:
        table, after = burn_spare(table, deal)
    elif deal.spare:
        table, after = take_spare(table, deal)
    else:
        return s.at(table, s.BankerCardDue(deal)), (told,)
    return table, (told, *after)


def banker_draws(table: s.Table, phase: s.BankerToChoose, dealt: Dealt) -> s.Step:
    """A card leaves while the banker has to choose, so he counts as having drawn (ZP-9).

    If the custom binds him to stand, the card is a faux tirage and is burned (Z-21, R-18).
    """
    if bound(table, phase.deal) is Duty.STAND:
        told = laid_open(table.felt, 0, dealt)
        told += (
            FauxTirage(seat=table.banker, ordinal=dealt.ordinal),
            CardRemoved(ordinal=dealt.ordinal, ruling=StrayRuling.BURNED),
        )
        table, after = to_pointeur(table, phase.deal)
        return table, (*told, *after)
    table, told = banker_card(table, s.BankerCardDue(phase.deal), dealt)
    return table, (Said(seat=table.banker, word=i.Word.DRAWS), *told)


def banker_card(table: s.Table, phase: s.BankerCardDue, dealt: Dealt) -> s.Step:
    """The banker gets his third card, which is dealt open (Z-9)."""
    deal = replace(phase.deal, banker=(*phase.deal.banker, dealt))
    told = laid_open(table.felt, table.banker, dealt)
    table, after = to_pointeur(table, deal)
    return table, (*told, *after)


# ---- Mistakes of the deal: cards exposed, cards thrown away, cards dealt wrongly
#      Source: Z-6, Z-8, Z-11, Z-12, Z-15, N-4.

#: Phases in which four cards are on the table and no hand is decided.
Playing = s.PointeurToSpeak | s.BankerToOpen | s.ThirdCardDue | s.BankerToChoose | s.PointeurToOpen


def first_exposed(table: s.Table, phase: s.Dealing, said: i.Exposed) -> s.Step:
    """The pointeur's first card was exposed, so the banker's first card must be open too (Z-6).

    If an exposed card is reported again once the pointeur has both cards, his whole hand was dealt
    open (Z-8, R-48).
    """
    of_pointeur(table, said.seat)
    deal = phase.deal
    if deal is None or deal.lies_open(deal.pointeur):
        raise AgainstRules(
            phrase("No closed card lies before seat {seat}.", seat=said.seat),
            phrase("Press it when a card was laid open by mistake."),
            "Z-6",
        )
    if deal.shown:
        deal, told = show_hand(table, deal, said.seat, deal.pointeur)
        return s.at(held(table), s.Dealing(replace(deal, bound=True))), told
    hands = ((table.pointeur, deal.pointeur[:1]), (table.banker, deal.banker[:1]))
    told = tuple(event for seat, cards in hands for event in opened(table.felt, seat, cards))
    shown = tuple(card.ordinal for _, cards in hands for card in cards)
    return s.at(table, s.Dealing(replace(deal, shown=shown))), told


def hand_exposed(table: s.Table, phase: s.PointeurToSpeak, said: i.Exposed) -> s.Step:
    """The pointeur's cards were exposed. The banker opens his, and the custom binds him (Z-8).

    If the banker's own cards were exposed, they simply stay open (Z-10).
    """
    if said.seat == table.banker and not phase.deal.banker_open:
        deal, told = show_hand(table, phase.deal, said.seat, phase.deal.banker)
        return s.at(table, s.PointeurToSpeak(deal)), told
    of_pointeur(table, said.seat)
    if phase.deal.pointeur_open:
        raise AgainstRules(
            phrase("His cards lie open already."), phrase("He says his word."), "Z-8"
        )
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.pointeur)
    deal, table = replace(deal, bound=True), held(table)
    if not deal.banker_open:
        return s.at(table, s.BankerToOpen(deal)), told
    table, after = after_opening(table, deal)
    return table, (*told, *after)


def banker_can_throw(table: s.Table) -> bool:
    """Whether the banker has a card of an unsettled coup that he could throw away (Z-11, R-46)."""
    deal = s.deal_of(table.phase)
    return bool(deal and deal.banker) and s.under_way(table)


def banker_throws(table: s.Table, _phase: s.Awaited, said: i.Throws) -> s.Step:
    """The banker throws a card away and so loses the coup, even during a stop (Z-11, R-46)."""
    deal = s.deal_of(table.phase)
    if deal is None or not banker_can_throw(table):
        raise OutOfTurn(
            phrase("No coup is under way that the bank could lose."),
            phrase("He can lose it in this way from his first card until it is settled."),
            "Z-11",
        )
    of_banker(table, said.seat)
    table, after = _forfeited(table, deal, "Z-11")
    return table, (HandThrown(seat=said.seat), *after)


def throws(table: s.Table, phase: Playing, said: i.Throws) -> s.Step:
    """A player throws his cards away.

    If he is the banker, he loses the coup (Z-11). If he is the pointeur, his hand counts as
    Baccara, 0 (Z-15).
    """
    if said.seat == table.banker:
        return banker_throws(table, phase, said)
    told = HandThrown(seat=said.seat)
    of_pointeur(table, said.seat)
    deal = replace(phase.deal, thrown=True)
    table, after = _thrown(table, phase, deal)
    return table, (told, *after)


def _thrown(table: s.Table, phase: Playing, deal: s.Deal) -> s.Step:
    """The game goes on after the pointeur threw his hand away, which gets no third card (R-31)."""
    match phase:
        case s.PointeurToSpeak() | s.BankerToOpen():
            if deal.banker_open:  # the cards fell open (Z-10): a Schlag draws no card
                return after_opening(table, deal)
            return s.at(table, s.BankerToOpen(deal)), ()
        case s.ThirdCardDue():
            return advise(table, deal)
        case s.BankerToChoose():
            return s.at(table, s.BankerToChoose(deal)), ()
        case s.PointeurToOpen():
            return to_pointeur(table, deal)


def misdealt(table: s.Table, phase: s.Dealing | Playing, _said: ti.Misdealt) -> s.Step:
    """Cards were dealt in the wrong order or number. The table stops.

    The croupier puts the cards right, or the banker loses the coup (Z-12, N-4).
    """
    if phase.deal is None:
        raise AgainstRules(phrase("No card has been dealt."), phrase("Begin the deal."), "Z-12")
    return s.at(table, phase, felt=stopped(table.felt, MisdealDue())), (Misdeal(),)


def mendable(table: s.Table) -> bool:
    """Whether the house's rule still allows the croupier to put the deal right.

    Source: Z-12, N-4, R-15, R-50.
    """
    deal = s.deal_of(table.phase)
    if deal is None or table.house.retablir == "always":
        return True
    thirds = len(deal.pointeur) > 2 or len(deal.banker) > 2
    if table.house.retablir == "third_card":
        return not thirds
    return len(deal.pointeur) + len(deal.banker) <= 3


def put_right(table: s.Table, phase: MisdealDue, _said: i.PutRight) -> s.Step:
    """*Retablir*: the croupier puts the cards where they belong, and burns a surplus card unseen.

    Raises AgainstRules if it is too late.
    """
    if not mendable(table):
        raise AgainstRules(
            phrase("It is too late to put the deal right."),
            phrase("The banker has lost this coup."),
            "N-4",
        )
    told: tuple[CardRemoved, ...] = ()
    felt = released(table.felt)
    if phase.extra:
        felt = replace(felt, hidden=(*felt.hidden, phase.extra))
        told = (CardRemoved(ordinal=phase.extra.ordinal, ruling=StrayRuling.MISDEALT),)
    return resumed(table, felt), (MisdealMended(), *told)


def bank_loses(table: s.Table, _phase: MisdealDue, _said: i.BankLoses) -> s.Step:
    """The deal is not put right, so the banker loses the coup (Z-12, N-4)."""
    deal = s.deal_of(table.phase)
    if deal is None:
        raise AgainstRules(
            phrase("No coup is under way that the bank could lose."),
            phrase("Put it right: the card is burned."),
            "Z-12",
        )
    rule = "N-4" if table.house.retablir != "always" else "Z-12"
    return _forfeited(table, deal, rule)


def _forfeited(table: s.Table, deal: s.Deal, rule: str) -> s.Step:
    """The bank loses the coup by `rule`. Cards that wait for a ruling leave the game unseen.

    If the white card waits for a ruling, the croupier still has to rule on it (R-6).
    """
    dispute = disputed(table.felt)
    felt, told = gathered(table.felt, but=WHITE)
    table, after = settle(replace(table, felt=felt), deal, forfeit=rule)
    if dispute:
        felt = stopped(table.felt, replace(dispute, coup=deal.number))
        table = s.at(table, table.phase, felt=felt)
    return table, (*told, *after)
