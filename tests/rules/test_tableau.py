import csv
from pathlib import Path

import pytest

from table_controller.rules.chemin_de_fer.tableau import Duty, banker_duty, pointeur_duty, read

GIVEN = range(10)

#: ZX-2 as printed, with R-1, recited by hand: draws on these, chooses on those, else stands.
RECITED = {
    0: ("0123456789", ""),
    1: ("0123456789", ""),
    2: ("0123456789", ""),
    3: ("12345670", "9"),
    4: ("234567", ""),
    5: ("567", "4"),
    6: ("67", ""),
    7: ("", ""),
}


def recited(point: int, given: int) -> Duty:
    draws, chooses = RECITED[point]
    if str(given) in draws:
        return Duty.DRAW
    return Duty.CHOOSE if str(given) in chooses else Duty.STAND


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("point", RECITED)
def test_banker_duty(point, given):
    """ZX-2, R-1: every cell."""
    assert banker_duty(point, given) is recited(point, given)


@pytest.mark.parametrize(
    ("point", "given", "duty"),
    [
        (3, 8, Duty.STAND),
        (3, 9, Duty.CHOOSE),
        (3, 0, Duty.DRAW),
        (4, 0, Duty.STAND),
        (4, 1, Duty.STAND),
        (5, 4, Duty.CHOOSE),
        (6, 5, Duty.STAND),
        (6, 6, Duty.DRAW),
        (7, 7, Duty.STAND),
    ],
)
def test_the_squares_that_people_get_wrong(point, given, duty):
    """ZX-2; 6 against 5 is missing in the print: R-1."""
    assert banker_duty(point, given) is duty


@pytest.mark.parametrize("point", range(8))
def test_there_is_no_information_after_reste(point):
    """Z-20, R-2: the tableau has no row, whatever the banker holds."""
    assert banker_duty(point, None) is Duty.NO_INFORMATION


def test_the_banker_chooses_twice_in_the_whole_tableau():
    """ZX-2: the choice is left on 3 giving 9 and on 5 giving 4, nowhere else."""
    free = [
        (point, given)
        for point in range(8)
        for given in GIVEN
        if banker_duty(point, given) is Duty.CHOOSE
    ]

    assert free == [(3, 9), (5, 4)]


@pytest.mark.parametrize("point", [8, 9])
def test_on_a_schlag_nobody_draws(point):
    """ZP-7: the tableau has no row for it."""
    with pytest.raises(KeyError):
        banker_duty(point, 5)


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("point", range(8))
def test_the_modern_wall_has_the_same_squares(point, given):
    """Third house: only the column for "stood" differs."""
    assert banker_duty(point, given, tableau="modern") is recited(point, given)


@pytest.mark.parametrize("point", range(8))
def test_the_modern_wall_draws_to_five_after_reste(point):
    """Third house: draws to 5, stands on 6 and 7, and is told so."""
    duty = Duty.DRAW if point <= 5 else Duty.STAND

    assert banker_duty(point, None, tableau="modern") is duty


@pytest.mark.parametrize("point", range(10))
def test_pointeur_duty(point):
    """ZP-8, ZP-10, ZP-11: carte to 4, as he likes on 5, reste from 6."""
    wanted = {5: Duty.CHOOSE}.get(point, Duty.DRAW if point < 5 else Duty.STAND)

    assert pointeur_duty(point) is wanted


@pytest.mark.parametrize(
    "row", ["3 - D D D", "3 - D D D D D D D D S X", "3 - D D D D D D D D S S S"]
)
def test_a_torn_wall_table_is_named(row):
    """A row with too few, too many or unknown marks."""
    with pytest.raises(ValueError, match="not a row of the tableau") as error:
        read(f"head\n{row}\n")

    assert row in str(error.value)


# The exact expectations of every square, from the golden table (six packs, full Schlitten).

SQUARES = [
    square
    for square in csv.DictReader((Path(__file__).parent / "tableau_ev_6deck.csv").open())
    if square["player_third"] != "none"
]


def _duty(square: dict[str, str]) -> Duty:
    return banker_duty(int(square["banker_total"]), int(square["player_third"]))


def test_the_golden_table_has_every_square():
    """A shortened file would make the tests below say nothing."""
    assert len(SQUARES) == 80


@pytest.mark.parametrize("chance", ["p0", "p05", "popt"])
def test_where_the_custom_binds_it_is_the_better_play(chance):
    """ZX-2, R-1: drawing and standing as the custom says never loses expectation.

    `chance` is how often a pointeur draws on 5: never, half the time, at equilibrium.
    """
    for square in SQUARES:
        gain, duty = float(square[f"diff_{chance}"]), _duty(square)
        if duty is not Duty.CHOOSE:
            assert (gain > 0) is (duty is Duty.DRAW), square


def test_only_four_against_an_ace_turns_when_everybody_draws_on_five():
    """ZX-2: the one bound square whose better play depends on the pointeur's 5."""
    against = [
        (square["banker_total"], square["player_third"])
        for square in SQUARES
        if _duty(square) is not Duty.CHOOSE
        and (float(square["diff_p1"]) > 0) is not (_duty(square) is Duty.DRAW)
    ]

    assert against == [("4", "1")]


def test_the_two_free_squares_depend_on_how_the_pointeur_plays_five():
    """ZX-2: on 3 giving 9 and 5 giving 4 either play can be the better one."""
    free = [square for square in SQUARES if _duty(square) is Duty.CHOOSE]

    assert all(float(s["diff_p0"]) < 0 < float(s["diff_p1"]) for s in free)


def test_six_against_five_stands_by_the_exact_expectation():
    """R-1: the cell that the print leaves out."""
    (square,) = [s for s in SQUARES if (s["banker_total"], s["player_third"]) == ("6", "5")]

    assert max(float(square[f"diff_{chance}"]) for chance in ("p0", "p05", "p1", "popt")) < 0
    assert _duty(square) is Duty.STAND
