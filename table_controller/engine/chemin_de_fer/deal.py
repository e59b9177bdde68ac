"""A coup from its first card to the opened hands. Nothing here branches on a closed card (R-17)."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer.messages import Advised, Opened, Said, Spoke, Word
from table_controller.engine.chemin_de_fer.settle import settle
from table_controller.engine.chemin_de_fer.state import (
    Bank,
    BankerCardDue,
    BankerToChoose,
    BankerToOpen,
    Coup,
    Deal,
    Dealing,
    PointeurToOpen,
    PointeurToSpeak,
    Step,
    Table,
    ThirdCardDue,
    at,
    value,
)
from table_controller.engine.chemin_de_fer.telling import drawn, hand_opened, opened
from table_controller.engine.messages import AgainstRules, Event, OutOfTurn, phrase
from table_controller.engine.shoe import Dealt
from table_controller.rules.points import PIPS
from table_controller.rules.tableau import banker_duty


def roles(table: Table) -> tuple[Bank, Coup]:
    """Bank and coup of a deal under way."""
    if table.bank is None or table.coup is None:
        raise ValueError("no coup is under way")
    return table.bank, table.coup


def first_cards(table: Table, phase: Dealing, dealt: Dealt) -> Step:
    """Pointeur, banker, pointeur, banker: closed (ZP-6). A kept card is the first (Z-13)."""
    bank, coup = roles(table)
    told: tuple[Event, ...] = ()
    deal = phase.deal
    if deal is None:
        table = replace(table, coups=table.coups + 1)
        deal = Deal(table.coups)
    # At most three kept cards go into this deal: the one that came now must have its place.
    taken = table.kept[:3] if phase.deal is None else ()
    for card in (*taken, dealt):
        if len(deal.pointeur) == len(deal.banker):
            seat, deal = coup.pointeur, replace(deal, pointeur=(*deal.pointeur, card))
        else:
            seat, deal = bank.seat, replace(deal, banker=(*deal.banker, card))
        told += drawn(table, seat, card)
    kept = table.kept[len(taken) :]
    if len(deal.banker) < 2:
        return at(table, Dealing(deal), kept=kept), told
    return at(table, PointeurToSpeak(deal), kept=kept), told


def pointeur_speaks(table: Table, phase: PointeurToSpeak, said: Spoke) -> Step:
    """The answers are "carte", "reste", or "Schlag" with open cards.

    Source: ZP-7, ZP-8, ZP-10, ZP-12, R-17.
    """
    _, coup = roles(table)
    _whose(said.seat, coup.pointeur, "pointeur")
    if said.word not in (Word.CARTE, Word.RESTE, Word.SCHLAG):
        raise AgainstRules(
            phrase('"{word}" is the banker\'s to say.', word=said.word.value),
            phrase('The pointeur says "carte" or "reste", or shows a Schlag.'),
            "ZP-12",
        )
    word = Said(seat=said.seat, word=said.word)
    if said.word is Word.SCHLAG:
        table, told = pointeur_shows(table, phase, Opened(seat=said.seat))
        return table, (word, *told)
    return at(table, BankerToOpen(replace(phase.deal, word=said.word))), (word,)


def pointeur_shows(table: Table, phase: PointeurToSpeak, said: Opened) -> Step:
    """The pointeur lays his two cards open: a Schlag, or a mistake (ZP-7, R-34)."""
    _, coup = roles(table)
    _whose(said.seat, coup.pointeur, "pointeur")
    if phase.deal.pointeur_open:
        raise OutOfTurn(
            phrase("His cards lie open already and are no Schlag."),
            phrase('He must still say "carte" or "reste".'),
            "R-34",
        )
    deal = replace(phase.deal, pointeur_open=True)
    told = hand_opened(table, said.seat, deal.pointeur)
    if value(deal.pointeur) >= 8:
        return at(table, BankerToOpen(replace(deal, word=Word.SCHLAG))), told
    return at(table, PointeurToSpeak(deal)), told


def banker_opens(table: Table, phase: BankerToOpen, said: Opened) -> Step:
    """The banker opens first (ZP-12). A Schlag on either side ends the drawing (ZP-7, ZP-8)."""
    bank, _ = roles(table)
    _whose(said.seat, bank.seat, "banker")
    deal = replace(phase.deal, banker_open=True)
    told = hand_opened(table, said.seat, deal.banker)
    if deal.word is Word.SCHLAG or value(deal.banker) >= 8:
        after = _to_pointeur(table, deal)
    elif deal.word is Word.CARTE:
        after = at(table, ThirdCardDue(deal)), ()
    else:
        after = _advise(table, deal)
    return after[0], (*told, *after[1])


def third_card(table: Table, phase: ThirdCardDue, dealt: Dealt) -> Step:
    """The pointeur's third card, laid open (Z-9)."""
    _, coup = roles(table)
    deal = replace(phase.deal, pointeur=(*phase.deal.pointeur, dealt))
    told = (*drawn(table, coup.pointeur, dealt), *opened(table, coup.pointeur, (dealt,)))
    table, advice = _advise(table, deal)
    return table, (*told, *advice)


def _advise(table: Table, deal: Deal) -> Step:
    """The banker's turn, and what the custom says to it (ZX-2, Z-20)."""
    bank, _ = roles(table)
    point = value(deal.banker)
    given = PIPS[deal.given.card] if deal.given else None
    duty = banker_duty(point, given, tableau=table.house.tableau)
    told = Advised(seat=bank.seat, point=point, given=given, duty=duty)
    return at(table, BankerToChoose(deal)), (told,)


def banker_speaks(table: Table, phase: BankerToChoose, said: Spoke) -> Step:
    """The banker draws or stands, as he pleases (ZP-9)."""
    bank, _ = roles(table)
    _whose(said.seat, bank.seat, "banker")
    if said.word not in (Word.DRAWS, Word.STANDS):
        raise AgainstRules(
            phrase('"{word}" is the pointeur\'s to say.', word=said.word.value),
            phrase("The banker draws or stands."),
            "ZP-9",
        )
    told = Said(seat=said.seat, word=said.word)
    if said.word is Word.DRAWS:
        return at(table, BankerCardDue(phase.deal)), (told,)
    table, after = _to_pointeur(table, phase.deal)
    return table, (told, *after)


def banker_draws(table: Table, phase: BankerToChoose, dealt: Dealt) -> Step:
    """A card that leaves while the banker is to choose is his drawing (ZP-9)."""
    bank, _ = roles(table)
    table, told = banker_card(table, BankerCardDue(phase.deal), dealt)
    return table, (Said(seat=bank.seat, word=Word.DRAWS), *told)


def banker_card(table: Table, phase: BankerCardDue, dealt: Dealt) -> Step:
    """The banker's third card, laid open (Z-9)."""
    bank, _ = roles(table)
    deal = replace(phase.deal, banker=(*phase.deal.banker, dealt))
    told = (*drawn(table, bank.seat, dealt), *opened(table, bank.seat, (dealt,)))
    table, after = _to_pointeur(table, deal)
    return table, (*told, *after)


def _to_pointeur(table: Table, deal: Deal) -> Step:
    """The pointeur opens last, unless he has shown his cards before (ZP-12, R-26)."""
    if deal.pointeur_open:
        return settle(table, deal)
    return at(table, PointeurToOpen(deal)), ()


def pointeur_opens(table: Table, phase: PointeurToOpen, said: Opened) -> Step:
    """The pointeur turns his two closed cards, and it shows who has won (ZP-12)."""
    _, coup = roles(table)
    _whose(said.seat, coup.pointeur, "pointeur")
    deal = replace(phase.deal, pointeur_open=True)
    told = hand_opened(table, said.seat, deal.pointeur)
    table, after = settle(table, deal)
    return table, (*told, *after)


def _whose(seat: int, due: int, role: str) -> None:
    """Raise OutOfTurn unless it is `due` who acts."""
    if seat != due:
        raise OutOfTurn(
            phrase("Seat {seat} is not the {role}.", seat=seat, role=role),
            phrase("It is for seat {due} to act.", due=due),
        )
