"""A coup from its first card to the opened hands. No branch depends on a closed card (R-17)."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.alerts import Alert
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer.events import Answered, FauxTirage, Said
from table_controller.engine.chemin_de_fer.facts import Deal
from table_controller.engine.chemin_de_fer.faux import burn_spare, take_spare, to_pointeur
from table_controller.engine.chemin_de_fer.hands import (
    advise,
    by_schlitten,
    duty_of,
    is_bankers,
    of_banker,
    of_pointeur,
    roles,
    show_hand,
)
from table_controller.engine.chemin_de_fer.inputs import AsksSchlitten, Opened, Spoke, Waited, Word
from table_controller.engine.chemin_de_fer.state import Step, Table, at, value
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
from table_controller.engine.table.promises import drawn, laid_open, opened
from table_controller.rules.chemin_de_fer.tableau import Duty

SLOW = "slow-look"


#: The number of cards in a coup's first deal.
FOUR = 4


def first_kept(table: Table) -> tuple[Dealt, ...]:
    """The kept cards that begin the next deal: at most four, in the order in which they left.

    A card that left the Schlitten by mistake is kept if it is still closed (Z-13).
    """
    return table.felt.kept[:FOUR]


def kept_deal(table: Table) -> bool:
    """Whether the kept cards make up a whole deal, so that no further card is due (Z-13)."""
    return len(table.felt.kept) >= FOUR


def first_cards(table: Table, phase: p.Dealing, *dealt: Dealt) -> Step:
    """Deal the closed cards: pointeur, banker, pointeur, banker (ZP-6).

    The kept cards come first, if there are any (Z-13).
    """
    told: tuple[Event, ...] = ()
    felt, deal = table.felt, phase.deal
    taken: tuple[Dealt, ...] = ()
    if deal is None:
        taken = first_kept(table)
        felt = replace(felt, coups=felt.coups + 1, kept=felt.kept[len(taken) :])
        deal = Deal(felt.coups)
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
        return at(table, p.Dealing(deal), felt=felt), told
    if deal.pointeur_open:  # Z-8: he speaks once the banker's cards are open too
        return at(table, p.BankerToOpen(deal), felt=felt), told
    return at(table, p.PointeurToSpeak(deal), felt=felt), told


def waited(table: Table, _phase: p.PointeurToSpeak, _said: Waited) -> Step:
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


def pointeur_speaks(table: Table, phase: p.PointeurToSpeak, said: Spoke) -> Step:
    """The pointeur says "carte" or "reste", or he says "Schlag" and opens his cards.

    Source: ZP-7, ZP-8, ZP-10, ZP-12, R-17.
    """
    of_pointeur(table, said.seat)
    _is_pointeurs(said.word)
    word = Said(seat=said.seat, word=said.word)
    if said.word is Word.SCHLAG:
        table, told = pointeur_shows(table, phase, Opened(seat=said.seat))
        return table, (word, *told)
    table = held(table)
    deal = replace(phase.deal, word=said.word)
    if deal.banker_open:
        table, more = after_opening(table, deal)
        return table, (word, *more)
    return at(table, p.BankerToOpen(deal)), (word,)


def held(table: Table) -> Table:
    """The table after the pointeur took up his cards.

    From now on nobody can take his place or stake more (N-3, Z-7).
    """
    _, coup = roles(table)
    return replace(table, coup=replace(coup, taken_up=True, closed=True))


def _is_pointeurs(word: Word) -> None:
    if word not in (Word.CARTE, Word.RESTE, Word.SCHLAG):
        raise AgainstRules(
            phrase("Only the banker draws or stands."),
            phrase('The pointeur says "carte" or "reste", or shows a Schlag.'),
            "ZP-12",
        )


def corrected(table: Table, phase: p.BankerToOpen, said: Spoke) -> Step:
    """The pointeur corrects his word, because he plays by the Schlitten and is bound to another.

    A pointeur who does not play by the Schlitten may not correct his word (Z-17, R-18).
    """
    of_pointeur(table, said.seat)
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
            phrase("Only a player by the Schlitten may correct himself."),
            "Z-17",
        )
    told = Said(seat=said.seat, word=said.word)
    return at(table, p.BankerToOpen(replace(phase.deal, word=said.word))), (told,)


def pointeur_shows(table: Table, phase: p.PointeurToSpeak, said: Opened) -> Step:
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
    if value(deal.pointeur) >= 8:
        return at(table, p.BankerToOpen(replace(deal, word=Word.SCHLAG))), told
    return at(table, p.PointeurToSpeak(replace(deal, bound=True))), told


def banker_opens(table: Table, phase: p.BankerToOpen, said: Opened) -> Step:
    """The banker opens his cards first (ZP-12).

    After a Schlag on either side no further card is drawn (ZP-7, ZP-8).
    """
    of_banker(table, said.seat)
    deal, told = show_hand(table, phase.deal, said.seat, phase.deal.banker)
    table, after = after_opening(table, deal)
    return table, (*told, *after)


def after_opening(table: Table, deal: Deal) -> Step:
    """The table after the banker's cards were opened, in the phase that follows."""
    if deal.word is Word.SCHLAG or value(deal.banker) >= 8:
        return to_pointeur(table, deal)
    if deal.word is None and not deal.thrown:
        # Z-8: both hands are open before he speaks. A Schlag needs no word.
        if value(deal.pointeur) >= 8:
            return to_pointeur(table, deal)
        return at(table, p.PointeurToSpeak(deal)), ()
    if deal.word is Word.CARTE and not deal.thrown:
        return at(table, p.ThirdCardDue(deal)), ()
    return advise(table, deal)


def third_card(table: Table, phase: p.ThirdCardDue, dealt: Dealt) -> Step:
    """The pointeur gets his third card, which is dealt open (Z-9)."""
    deal = replace(phase.deal, pointeur=(*phase.deal.pointeur, dealt))
    told = laid_open(table.felt, table.pointeur, dealt)
    table, advice = advise(table, deal)
    return table, (*told, *advice)


def asks_schlitten(table: Table, phase: p.BankerToChoose, said: AsksSchlitten) -> Step:
    """The banker asks what the custom is: "Was macht der Schlitten?".

    If the tableau says that he must draw or must stand, the answer binds him (Z-19, Z-20, R-27).
    """
    of_banker(table, said.seat)
    _, _, duty = duty_of(table, phase.deal)
    binds = duty in (Duty.DRAW, Duty.STAND)
    told = Answered(seat=said.seat, duty=duty, binds=binds)
    return at(table, p.BankerToChoose(replace(phase.deal, bound=phase.deal.bound or binds))), (
        told,
    )


def bound(table: Table, deal: Deal) -> Duty | None:
    """What this banker is obliged to do, or None if he is free.

    His own declaration can bind him to the custom (R-25), and so can Z-8, Z-19 and R-34. After
    "reste" he is bound only if the house's tableau has a column for this case (R-2).
    """
    _, _, duty = duty_of(table, deal)
    if duty not in (Duty.DRAW, Duty.STAND):
        return None
    return duty if deal.bound or by_schlitten(table, table.banker) else None


def banker_speaks(table: Table, phase: p.BankerToChoose, said: Spoke) -> Step:
    """The banker draws or stands, as he chooses or as he is bound to (ZP-9, R-18).

    Raises AgainstRules if he is bound to do the opposite.
    """
    of_banker(table, said.seat)
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
        return at(table, p.BankerCardDue(deal)), (told,)
    return table, (told, *after)


def banker_draws(table: Table, phase: p.BankerToChoose, dealt: Dealt) -> Step:
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
    table, told = banker_card(table, p.BankerCardDue(phase.deal), dealt)
    return table, (Said(seat=table.banker, word=Word.DRAWS), *told)


def banker_card(table: Table, phase: p.BankerCardDue, dealt: Dealt) -> Step:
    """The banker gets his third card, which is dealt open (Z-9)."""
    deal = replace(phase.deal, banker=(*phase.deal.banker, dealt))
    told = laid_open(table.felt, table.banker, dealt)
    table, after = to_pointeur(table, deal)
    return table, (*told, *after)
