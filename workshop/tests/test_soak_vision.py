from collections import Counter
from dataclasses import replace

import numpy as np

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from vision.generator import AS_BUILT
from workshop.soak import accuracy, attacks, filmed, vision


def test_a_whole_schlitten_is_read_right():
    """312 right, 0 wrong, 0 doubled, the white card at seven left; scripts/soak reads 100."""
    found = vision.one_schlitten(seed=0)

    assert found == Counter(dealt=313, verdicts=313, right=313, **{"white with 7 left": 1})


def test_no_attack_is_taken_for_a_card():
    """Two per cent of the frames of the soak run."""
    found = attacks.frames(vision.shoe(), 300)

    assert {name: counts["accepted"] for name, counts in found.items()} == dict.fromkeys(found, 0)
    assert sum(counts["frames"] for counts in found.values()) >= 300


def test_no_picture_without_a_card_is_taken_for_one():
    """Felt, backs, hands, print, other codes and scraps."""
    found = attacks.pictures(vision.shoe(), 30)

    assert found["accepted"] == 0
    assert found["foreign"] > 0


def test_beyond_its_ranges_reading_fails_without_guessing():
    """Blur of 10 px is read by nobody: every passage is unread, none is missed or wrong."""
    found = vision.beyond(replace(AS_BUILT, blur_px=(10, 10)), 4)

    assert found == Counter(dealt=4, verdicts=4, unread=4)


def test_the_tally_tells_right_from_wrong_doubled_unread_and_missed():
    """What the soak run counts."""
    ace, two, three = (Seen(card=Card(code), copy=1) for code in ("Ac", "2c", "3c"))
    white, unread = Seen(white=True), Seen(unknown=Unknown.NO_READ)

    assert vision.tally([ace, white, two], [ace, white, two]) == Counter(
        dealt=3, verdicts=3, right=3, **{"white with 1 left": 1}
    )
    assert vision.tally([ace, two], [ace, ace]) == Counter(dealt=2, verdicts=2, right=1, doubled=1)
    assert vision.tally([ace, two], [three, two]) == Counter(dealt=2, verdicts=2, right=1, wrong=1)
    assert vision.tally([ace, two], [unread]) == Counter(dealt=2, verdicts=1, unread=1, missed=1)
    assert vision.tally([ace], [unread, ace]) == Counter(
        dealt=1, verdicts=2, right=1, unread=1, doubled=1
    )


def test_a_card_that_is_told_twice_hides_no_other_that_is_not_told():
    """Cards whose tails are at the gate at 213 and 413 ms; their verdicts come 80 ms later."""
    sheet = np.zeros((1, 1), np.uint8)
    passing = [
        filmed.Passing(sheet, filmed.straight(start), start - 60, start + 130)
        for start in (150.0, 350.0)
    ]

    assert filmed.by_card(passing, [297.0, 497.0]) == Counter(doubled=0, missed=0)
    assert filmed.by_card(passing, [255.0, 297.0]) == Counter(doubled=1, missed=1)
    assert filmed.by_card(passing, [255.0, 297.0, 500.0]) == Counter(doubled=1, missed=0)


def test_the_page_on_accuracy_tells_what_can_happen_at_the_lip():
    """Every scenario with its verdicts: `python -m workshop.soak.accuracy --only lip`."""
    page = accuracy.PAGE.read_text()

    assert all(f"| {what} | {verdicts} |\n" in page for what, verdicts in vision.lip_rows())
