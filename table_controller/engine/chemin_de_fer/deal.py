"""A coup from its first card to the opened hands. Nothing here branches on a closed card (R-17)."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.chemin_de_fer.events import Answered, FauxTirage, Said
from table_controller.engine.chemin_de_fer.facts import Coup, Deal
from table_controller.engine.chemin_de_fer.faux import burn_spare, take_spare, to_pointeur
from table_controller.engine.chemin_de_fer.hands import (
    advise,
    by_schlitten,
    duty_of,
    is_bankers,
    roles,
    show_hand,
    whose,
)
from table_controller.engine.chemin_de_fer.inputs import AsksSchlitten, Opened, Spoke, Waited, Word
from table_controller.engine.chemin_de_fer.phases import (
    BankerCardDue,
    BankerToChoose,
    BankerToOpen,
    Dealing,
    PointeurToSpeak,
    ThirdCardDue,
)
from table_controller.engine.chemin_de_fer.state import Step, Table, at, on_felt, value
from table_controller.engine.messages import (
    AgainstRules,
    Event,
    OutOfTurn,
    Severity,
    phrase,
)
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.events import CardRemoved
from table_controller.engine.table.felt import warned
from table_controller.engine.table.inputs import StrayRuling
from table_controller.engine.table.promises import drawn, opened
from table_controller.rules.chemin_de_fer.tableau import Duty

SLOW = "slow-look"


def first_kept(table: Table) -> tuple[Dealt, ...]:
    """Kept cards that the next deal begins with (Z-13): three at most, as one more must come."""
    return table.felt.kept[:3]


def first_cards(table: Table, phase: Dealing, dealt: Dealt) -> Step:
    """Pointeur, banker, pointeur, banker: closed (ZP-6). A kept card is the first (Z-13)."""
    bank, coup = roles(table)
    told: tuple[Event, ...] = ()
    deal = phase.deal
    taken: tuple[Dealt, ...] = ()
    if deal is None:
        table = on_felt(table, coups=table.felt.coups + 1)
        deal, taken = Deal(table.felt.coups), first_kept(table)
    for card in (*taken, dealt):
        if len(deal.pointeur) == len(deal.banker):
            seat, deal = coup.pointeur, replace(deal, pointeur=(*deal.pointeur, card))
        else:
            seat, deal = bank.seat, replace(deal, banker=(*deal.banker, card))
        told += drawn(table.felt, seat, card)
        if seat == bank.seat and len(deal.banker) == 1 and deal.lies_open(deal.pointeur):
            # Z-6: the pointeur's first card was laid open, so the banker's own is too.
            deal = replace(deal, shown=(*deal.shown, card.ordinal))
            told += opened(table.felt, seat, (card,))
    felt = table.felt
    if taken:
        felt = replace(felt, kept=felt.kept[len(taken) :])
    if len(deal.banker) < 2:
        return at(table, Dealing(deal), felt=felt), told
    if deal.pointeur_open:  # Z-8: he says his word when the banker's lie open too
        return at(table, BankerToOpen(deal), felt=felt), told
    return at(table, PointeurToSpeak(deal), felt=felt), told


def waited(table: Table, _phase: PointeurToSpeak, _said: Waited) -> Step:
    """A gentle reminder: looking at the cards at length is forbidden (Z-16)."""
    _, coup = roles(table)
    alert = Alert(
        SLOW,
        "slow_look",
        Severity.NOTICE,
        phrase("Seat {seat} has looked at his cards for long.", seat=coup.pointeur),
        phrase("Ask him for his word, kindly."),
    )
    felt, told = warned(table.felt, alert)
    return replace(table, felt=felt), told


def pointeur_speaks(table: Table, phase: PointeurToSpeak, said: Spoke) -> Step:
    """The answers are "carte", "reste", or "Schlag" with open cards.

    Source: ZP-7, ZP-8, ZP-10, ZP-12, R-17.
    """
    _, coup = roles(table)
    whose(said.seat, coup.pointeur, "pointeur")
    _is_pointeurs(said.word)
    word = Said(seat=said.seat, word=said.word)
    if said.word is Word.SCHLAG:
        table, told = pointeur_shows(table, phase, Opened(seat=said.seat))
        return table, (word, *told)
    table = held(table, coup)
    deal = replace(phase.deal, word=said.word)
    if deal.banker_open:
        table, more = after_opening(table, deal)
        return table, (word, *more)
    return at(table, BankerToOpen(deal)), (word,)


def held(table: Table, coup: Coup) -> Table:
    """The hand holds its cards: nobody takes them from it, and no more is staked (N-3, Z-7)."""
    return replace(table, coup=replace(coup, taken_up=True, closed=True))


def _is_pointeurs(word: Word) -> None:
    if word not in (Word.CARTE, Word.RESTE, Word.SCHLAG):
        raise AgainstRules(
            phrase("Drawing and standing are the banker's to say."),
            phrase('The pointeur says "carte" or "reste", or shows a Schlag.'),
            "ZP-12",
        )


def corrected(table: Table, phase: BankerToOpen, said: Spoke) -> Step:
    """A pointeur by the Schlitten may correct his word; all others are bound (Z-17, R-18)."""
    _, coup = roles(table)
    whose(said.seat, coup.pointeur, "pointeur")
    _is_pointeurs(said.word)
    if said.word is Word.SCHLAG or phase.deal.word in (None, Word.SCHLAG) or phase.deal.thrown:
        raise OutOfTurn(
            phrase("It is for the banker to open now."),
            phrase("A Schlag that was not shown counts its points."),
            "R-26",
        )
    if not by_schlitten(table, said.seat):
        raise AgainstRules(
            phrase("The first word binds."),
            phrase("Only who plays by the Schlitten may correct himself."),
            "Z-17",
        )
    told = Said(seat=said.seat, word=said.word)
    return at(table, BankerToOpen(replace(phase.deal, word=said.word))), (told,)


def pointeur_shows(table: Table, phase: PointeurToSpeak, said: Opened) -> Step:
    """The pointeur lays his two cards open: a Schlag, or a mistake (ZP-7, R-34)."""
    _, coup = roles(table)
    whose(said.seat, coup.pointeur, "pointeur")
    if phase.deal.pointeur_open:
        raise OutOfTurn(
            phrase("His cards lie open already and are no Schlag."),
            phrase('He must still say "carte" or "reste".'),
            "R-34",
        )
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.pointeur)
    table = held(table, coup)
    if value(deal.pointeur) >= 8:
        return at(table, BankerToOpen(replace(deal, word=Word.SCHLAG))), told
    return at(table, PointeurToSpeak(replace(deal, bound=True))), told


def banker_opens(table: Table, phase: BankerToOpen, said: Opened) -> Step:
    """The banker opens first (ZP-12). A Schlag on either side ends the drawing (ZP-7, ZP-8)."""
    bank, _ = roles(table)
    whose(said.seat, bank.seat, "banker")
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.banker)
    table, after = after_opening(table, deal)
    return table, (*told, *after)


def after_opening(table: Table, deal: Deal) -> Step:
    """The banker's cards lie open: what is due now."""
    if deal.word is Word.SCHLAG or value(deal.banker) >= 8:
        return to_pointeur(table, deal)
    if deal.word is None and not deal.thrown:
        # Z-8: both hands lie open before the word. A Schlag needs none.
        if value(deal.pointeur) >= 8:
            return to_pointeur(table, deal)
        return at(table, PointeurToSpeak(deal)), ()
    if deal.word is Word.CARTE and not deal.thrown:
        return at(table, ThirdCardDue(deal)), ()
    return advise(table, deal)


def third_card(table: Table, phase: ThirdCardDue, dealt: Dealt) -> Step:
    """The pointeur's third card, laid open (Z-9)."""
    _, coup = roles(table)
    deal = replace(phase.deal, pointeur=(*phase.deal.pointeur, dealt))
    told = (*drawn(table.felt, coup.pointeur, dealt), *opened(table.felt, coup.pointeur, (dealt,)))
    table, advice = advise(table, deal)
    return table, (*told, *advice)


def asks_schlitten(table: Table, phase: BankerToChoose, said: AsksSchlitten) -> Step:
    """The croupier's answer binds the banker, where there is one (Z-19, Z-20, R-27)."""
    bank, _ = roles(table)
    whose(said.seat, bank.seat, "banker")
    _, _, duty = duty_of(table, phase.deal)
    binds = duty in (Duty.DRAW, Duty.STAND)
    told = Answered(seat=said.seat, duty=duty, binds=binds)
    return at(table, BankerToChoose(replace(phase.deal, bound=phase.deal.bound or binds))), (told,)


def bound(table: Table, deal: Deal) -> Duty | None:
    """What the custom commands this banker, or None where he is free.

    He is bound by his own word (R-25), by Z-8, Z-19 or R-34; after "reste" only where the
    house's tableau has a column for it (R-2).
    """
    bank, _ = roles(table)
    _, _, duty = duty_of(table, deal)
    if duty not in (Duty.DRAW, Duty.STAND):
        return None
    return duty if deal.bound or by_schlitten(table, bank.seat) else None


def banker_speaks(table: Table, phase: BankerToChoose, said: Spoke) -> Step:
    """The banker draws or stands: as he pleases, or as he is bound (ZP-9, R-18)."""
    bank, _ = roles(table)
    whose(said.seat, bank.seat, "banker")
    is_bankers(said.word)
    commanded = bound(table, phase.deal)
    if commanded is Duty.DRAW and said.word is Word.STANDS:
        raise AgainstRules(
            phrase("He plays by the custom, and it draws."),
            phrase("No settlement until he has drawn."),
            "R-18",
        )
    if commanded is Duty.STAND and said.word is Word.DRAWS:
        raise AgainstRules(
            phrase("He plays by the custom, and it stands."),
            phrase("A card drawn all the same is burned."),
            "Z-21",
        )
    told = Said(seat=said.seat, word=said.word)
    deal = phase.deal
    if said.word is Word.STANDS:
        table, after = burn_spare(table, deal)
    elif deal.spare:
        table, after = take_spare(table, deal)
    else:
        return at(table, BankerCardDue(deal)), (told,)
    return table, (told, *after)


def banker_draws(table: Table, phase: BankerToChoose, dealt: Dealt) -> Step:
    """A card that leaves while the banker is to choose is his drawing (ZP-9).

    Where the custom binds him to stand it is a faux tirage: burned (Z-21, R-18).
    """
    bank, _ = roles(table)
    if bound(table, phase.deal) is Duty.STAND:
        told: tuple[Event, ...] = (*drawn(table.felt, 0, dealt), *opened(table.felt, 0, (dealt,)))
        told += (
            FauxTirage(seat=bank.seat, ordinal=dealt.ordinal),
            CardRemoved(ordinal=dealt.ordinal, ruling=StrayRuling.BURNED),
        )
        table, after = to_pointeur(table, phase.deal)
        return table, (*told, *after)
    table, told = banker_card(table, BankerCardDue(phase.deal), dealt)
    return table, (Said(seat=bank.seat, word=Word.DRAWS), *told)


def banker_card(table: Table, phase: BankerCardDue, dealt: Dealt) -> Step:
    """The banker's third card, laid open (Z-9)."""
    bank, _ = roles(table)
    deal = replace(phase.deal, banker=(*phase.deal.banker, dealt))
    told = (*drawn(table.felt, bank.seat, dealt), *opened(table.felt, bank.seat, (dealt,)))
    table, after = to_pointeur(table, deal)
    return table, (*told, *after)
