"""Leaks planted on purpose, one at a time. Each would reveal something about a closed card.

Each is a leak that a well-meaning change could bring: a kindness to the player of the card, a check
that comes too early, or a text or a figure that depends on a card.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from table_controller.engine import promises as making
from table_controller.engine.chemin_de_fer import deal as dealing
from table_controller.engine.chemin_de_fer import game as cdf
from table_controller.engine.chemin_de_fer import inputs as cdf_inputs
from table_controller.engine.chemin_de_fer import offers as cdf_offers
from table_controller.engine.chemin_de_fer import state as cdf_phases
from table_controller.engine.chemin_de_fer import step as cdf_step
from table_controller.engine.chemin_de_fer.state import deal_of, value
from table_controller.engine.ecarte import game as ecarte
from table_controller.engine.ecarte import offers as ecarte_offers
from table_controller.engine.ecarte import partie, playing
from table_controller.engine.messages import AgainstRules, Severity, phrase
from table_controller.engine.punto_banco import play as punto_play
from table_controller.engine.punto_banco import view as punto_view
from table_controller.engine.punto_banco import words as punto_words
from table_controller.engine.punto_banco.state import closed_of
from table_controller.engine.shoe import without
from table_controller.engine.table import cards, door, repairs, schlitten
from table_controller.engine.table.events import CardIdentified, CardRemoved
from table_controller.engine.table.inputs import StrayRuling
from table_controller.rules.cards import Rank
from table_controller.rules.ecarte.tricks import king_of

Plant = Callable[[pytest.MonkeyPatch], None]
Leak = tuple[str, str, Plant]

CDF, PUNTO, ECARTE = "chemin-de-fer", "punto-banco", "ecarte"
LEAKS: list[Leak] = []


def leak(game: str) -> Callable[[Plant], Plant]:
    """A decorator: a leak to plant at a table of that game."""

    def note(plant: Plant) -> Plant:
        LEAKS.append((plant.__name__, game, plant))
        return plant

    return note


def _exact(shoe: Any, card: Any, copy: int, _closed: Any, *, cards: int = 0) -> Any:
    return without(shoe, card, copy, cards=cards)


@leak(CDF)
def a_correction_that_counts_closed_cards(patch: pytest.MonkeyPatch) -> None:
    """As it was before: "The Schlitten cannot have held one more of that card"."""
    patch.setattr(repairs, "leaving", _exact)


@leak(CDF)
def a_counted_duplicate(patch: pytest.MonkeyPatch) -> None:
    """As it was before: a card that lies closed stops the coup when it is read again."""
    patch.setattr(cards, "leaving", _exact)


@leak(ECARTE)
def a_counted_duplicate_of_one_pack(patch: pytest.MonkeyPatch) -> None:
    """The same in one pack of 32, where it names the card at once."""
    patch.setattr(cards, "leaving", _exact)


@leak(CDF)
def a_refusal_by_the_hand(patch: pytest.MonkeyPatch) -> None:
    """Who holds eight or nine is told that he need not draw."""

    def speaks(table: Any, phase: Any, said: Any) -> Any:
        if said.word is cdf_inputs.Word.CARTE and value(phase.deal.pointeur) >= 8:
            raise AgainstRules(phrase("He shows his hand."), phrase("Open it."), "ZP-8")
        return dealing.pointeur_speaks(table, phase, said)

    patch.setitem(cdf_step.CASES, (cdf_phases.PointeurToSpeak, cdf_inputs.Spoke), speaks)


@leak(CDF)
def a_button_by_the_hand(patch: pytest.MonkeyPatch) -> None:
    """The croupier's first button goes to what the pointeur should say."""
    plain = cdf_offers._played

    def played(table: Any, bank: Any) -> Any:
        offered, deal = plain(table, bank), deal_of(table.phase)
        high = deal is not None and len(deal.pointeur) == 2 and value(deal.pointeur) > 5
        return offered[::-1] if high else offered

    patch.setattr(cdf_offers, "_played", played)


@leak(CDF)
def a_clock_by_the_hand(patch: pytest.MonkeyPatch) -> None:
    """Who holds a clear hand is reminded a second earlier."""
    plain = cdf.deadline

    def deadline(table: Any) -> Any:
        due = plain(table)
        if due is None or not 4 < value(table.phase.deal.pointeur) < 8:
            return due
        return due[0] - 1, due[1]

    patch.setattr(cdf, "deadline", deadline)


@leak(CDF)
def an_event_told_earlier(patch: pytest.MonkeyPatch) -> None:
    """A natural is told to be looked at before anybody has opened it."""
    plain = dealing.first_cards

    def first_cards(table: Any, phase: Any, dealt: Any) -> Any:
        now, told = plain(table, phase, dealt)
        deal = deal_of(now.phase)
        if deal and len(deal.banker) == 2 and value(deal.banker) >= 8:
            told = (*told, CardRemoved(ordinal=0, ruling=StrayRuling.KEPT))
        return now, told

    from table_controller.engine.chemin_de_fer import house_keeping as laying

    patch.setitem(laying.DUE, cdf_phases.Dealing, first_cards)


@leak(CDF)
def an_alert_by_the_card(patch: pytest.MonkeyPatch) -> None:
    """A stray court card is not worth a stop."""
    plain = cards.stray_alert

    def stray_alert(dealt: Any) -> Any:
        court = dealt.card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING)
        return replace(plain(dealt), severity=Severity.WARNING if court else Severity.STOP)

    patch.setattr(cards, "stray_alert", stray_alert)


@leak(PUNTO)
def a_promise_of_another_length(patch: pytest.MonkeyPatch) -> None:
    """A promise whose leading nought was dropped for tens."""
    plain = making.promise

    def promise(nonce: bytes, card: Any) -> str:
        made: str = plain(nonce, card)
        return made[1:] if card.rank is Rank.TEN else made

    patch.setattr(schlitten, "promise", promise)


@leak(PUNTO)
def a_row_more_in_the_journal(patch: pytest.MonkeyPatch) -> None:
    """A sealed row twice for aces: the journal's length tells it."""
    plain = schlitten.drawn

    def drawn(felt: Any, seat: int, dealt: Any) -> Any:
        told = plain(felt, seat, dealt)
        again = [event for event in told if isinstance(event, CardIdentified)]
        return (*told, *again) if dealt.card.rank is Rank.ACE else told

    patch.setattr(punto_play, "drawn", drawn)


@leak(PUNTO)
def a_prompt_by_the_hand(patch: pytest.MonkeyPatch) -> None:
    """At a squeezed coup the line says why it is worth waiting."""
    plain = punto_words.awaited

    def awaited(table: Any) -> Any:
        prompt = plain(table)
        closed = closed_of(table)
        court = any(dealt.card.rank is Rank.KING for dealt in closed)
        return replace(prompt, why=phrase("A king lies there.")) if court else prompt

    patch.setattr(punto_view, "awaited", awaited)


@leak(PUNTO)
def a_correction_that_changes_nothing(patch: pytest.MonkeyPatch) -> None:
    """The page says "Nothing has changed" where the closed card was read rightly before."""
    from table_controller.engine.punto_banco import game

    def changed(before: Any, after: Any, told: Any) -> bool:
        one, two = ([d.card for d in closed_of(table)] for table in (before, after))
        return door.changed(before, after, told) and (one != two or not one)

    patch.setattr(game, "changed", changed)


@leak(ECARTE)
def the_king_offered_to_who_holds_him(patch: pytest.MonkeyPatch) -> None:
    """Only his holder is asked whether he says the king."""
    plain = partie.may_say_king

    def peeping(table: Any, side: int) -> bool:
        deal = table.deal
        hand = [dealt.card for dealt in deal.taken[side]]
        return plain(table, side) and king_of(deal.trump) in hand

    patch.setattr(ecarte_offers, "may_say_king", peeping)


@leak(ECARTE)
def a_card_refused_that_he_does_not_hold(patch: pytest.MonkeyPatch) -> None:
    """A wrong entry is refused at once, by what the Schlitten gave him."""
    plain = playing._can_be

    def can_be(deal: Any, side: int, card: Any) -> None:
        plain(deal, side, card)
        if card not in [dealt.card for dealt in deal.taken[side]]:
            raise AgainstRules(phrase("He has no such card."), phrase("Look again."))

    patch.setattr(playing, "_can_be", can_be)


@leak(ECARTE)
def a_revoke_found_in_a_closed_hand(patch: pytest.MonkeyPatch) -> None:
    """A breach is found by what he holds, before anybody claims it."""
    patch.setattr(
        playing, "known", lambda deal, side: tuple(dealt.card for dealt in deal.taken[side])
    )


@leak(ECARTE)
def a_sum_by_the_talon(patch: pytest.MonkeyPatch) -> None:
    """The talon's worth in the money that is journaled."""
    plain = ecarte.money

    def money(table: Any) -> dict[str, int]:
        left = table.deal.taken[0] if table.deal else ()
        return {**plain(table), "kings": sum(dealt.card.rank is Rank.KING for dealt in left)}

    patch.setattr(ecarte, "money", money)
