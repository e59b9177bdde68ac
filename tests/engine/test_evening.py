"""Whole Schlitten, compared with an independent reading of the rules."""

import random
from collections import Counter
from functools import cache

import pytest

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from tests import oracle
from tests.engine.dealing import Croupier, shuffled
from tests.engine.playing import play, table, total


def whims(seed: int) -> oracle.Players:
    """Players who say what comes to their minds, always the same for the same coup."""

    def luck(*what):
        return random.Random(f"{seed} {what}")

    return oracle.Players(
        pointeur=lambda coup, held: (
            "schlag" if held >= 8 and coup % 5 else luck(coup, held).choice(["carte", "reste"])
        ),
        banker=lambda coup, held, given: luck(coup, held, given).random() < 0.5,
        posts=lambda coup, seat: luck(coup, seat).randint(10, 500),
        plays=lambda coup, bank: luck(coup).choice([s for s in range(1, 10) if s != bank]),
    )


@cache
def evening(seed: int) -> tuple[Croupier, list[dict]]:
    """A whole Schlitten that several tests look at, and what the public was told of it."""
    croupier = Croupier(
        table(chips=10**12), shuffled(seed), whims(seed), seats=range(1, 10), white_late=seed % 2
    )
    return croupier, croupier.play()


@pytest.mark.parametrize("seed", range(25))
def test_a_schlitten_comes_out_as_a_second_reader_of_the_rules_says(seed):
    """ZP-6 to ZP-12, ZP-15, ZP-19, ZP-20, ZX-1, R-3, R-4, R-6 to R-8: every coup of a Schlitten."""
    croupier, public = evening(seed)
    told = oracle.told(public)

    cards, at_once = shuffled(seed), not croupier.white_late
    assert told == oracle.evening(cards, whims(seed), white_at_once=at_once)
    assert told[-1].last
    assert sum(coup.last for coup in told) == 1


@pytest.mark.parametrize("seed", range(5))
def test_empty_seats_are_skipped_all_evening(seed):
    """R-10: the Schlitten and the prime go round the occupied seats only."""
    cards = shuffled(seed)
    now = play(table(chips=10**12), "seat 2 leaves", "seat 5 leaves", "seat 9 leaves")
    croupier = Croupier(now, cards, oracle.Players(), seats=(1, 3, 4, 6, 7, 8))

    told = oracle.told(croupier.play())

    assert told == oracle.evening(cards, seats=(1, 3, 4, 6, 7, 8), white_at_once=True)
    assert {coup.bank_seat for coup in told} <= {1, 3, 4, 6, 7, 8}


def test_the_words_that_were_told_explain_the_result():
    """R-13: who hears the public events and knows the cards' order can check the croupier."""
    _, public = evening(6)

    says = oracle.words_told(public)
    assert oracle.evening(shuffled(6), says, white_at_once=True) == oracle.told(public)


def test_a_whole_schlitten_keeps_count_and_money():
    """R-16, R-35: at the end what was never read is what is still in the box."""
    cards = shuffled(3)
    croupier = Croupier(table(chips=10**12), cards, whims(3), seats=range(1, 10))
    croupier.play()
    croupier.take(ti.SchlittenClosed())
    counted = croupier.events[-1]
    assert isinstance(counted, te.SchlittenCounted)

    assert Counter({card: n for card, n in counted.remaining.items() if n}) == Counter(
        croupier.cards
    )
    assert counted.coups == croupier.coup - 1
    assert total(croupier.table) == 9 * 10**12


@pytest.mark.parametrize("seed", [24, 33, 37])
def test_two_schlitten_in_a_row(seed):
    """R-7, R-30, Z-25: the second begins with what a lost, a won and a tied last coup leave."""
    first, second = shuffled(seed), shuffled(seed + 1)
    croupier = Croupier(table(chips=10**12), first, oracle.Players(), seats=range(1, 10))
    croupier.play()
    _, ending = oracle.whole(first, white_at_once=True)
    croupier.take(ti.SchlittenClosed())
    croupier.take(ti.SchlittenLoaded(shoe="b"))
    heard = len(croupier.events)
    croupier.cards = list(second)
    croupier.coup = 1

    croupier.play()

    settled = [event for event in croupier.events[heard:] if isinstance(event, ev.CoupSettled)]
    pot = ending.pot if ending.replay_with else ending.won or ending.pot
    expected = oracle.evening(second, bank_seat=ending.bank_seat, pot=pot, white_at_once=True)
    assert [(e.banker_seat, e.pot, e.pot_after) for e in settled] == [
        (e.bank_seat, e.pot, e.pot_after) for e in expected
    ]


@pytest.mark.parametrize("seed", range(25))
def test_the_last_coup_is_announced_once_and_before_it_ends(seed):
    """ZP-4, R-6: "der letzte Coup" is told with the white card, not after the settlement."""
    croupier, _ = evening(seed)
    (told,) = [event for event in croupier.events if isinstance(event, te.LastCoup)]
    settled = [event for event in croupier.events if isinstance(event, ev.CoupSettled)]

    assert told.coup == settled[-1].coup == len(settled)
    assert croupier.events.index(told) < croupier.events.index(settled[-1])


def test_a_pot_that_grows_is_put_up_whole():
    """R-7, ZP-15 I: Banco solo is for all that the bank has won."""
    croupier = Croupier(table(chips=10**12), shuffled(11), oracle.Players(), seats=range(1, 10))
    croupier.play()
    settled = [event for event in croupier.events if isinstance(event, ev.CoupSettled)]

    assert all(event.staked == event.pot for event in settled)
    assert any(event.pot > 10 for event in settled)
