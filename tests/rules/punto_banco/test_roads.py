"""The roads: 100 Schlitten recited, and properties of all roads."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.punto_banco.coup import Winner
from table_controller.rules.punto_banco.results import Result, read
from table_controller.rules.punto_banco.roads import ROWS, Ask, Cell, Colour, roads

with (Path(__file__).parent / "roads.csv").open() as file:
    SCHLITTEN = list(csv.DictReader(file))

RED, BLUE, GREEN = Colour.RED, Colour.BLUE, Colour.GREEN
RESULTS = st.lists(
    st.builds(Result, st.sampled_from(Winner), st.booleans(), st.booleans(), st.booleans()),
    max_size=90,
)
#: Long streaks, so that tails turn and meet.
STREAKS = st.lists(st.integers(1, 15), max_size=14).map(
    lambda lengths: read("".join("PB"[at % 2] * length for at, length in enumerate(lengths)))
)
DERIVED = ("eye", "small", "cockroach")


def places(road) -> str:
    return " ".join(f"{cell.row}.{cell.column}" for cell in road)


def colours(road) -> str:
    return "".join({RED: "R", BLUE: "L"}[cell.colour] for cell in road)


@pytest.mark.parametrize("row", SCHLITTEN, ids=range(len(SCHLITTEN)))
def test_a_recited_schlitten(row):
    """PB-31, PB-32, PB-33, PR-1: one of 100 computed by somebody else, equal in every column."""
    drawn = roads(read(row["results"]))

    assert {
        "results": row["results"],
        "big": places(drawn.big),
        "ties": " ".join(str(cell.ties) for cell in drawn.big),
        "eye": colours(drawn.eye),
        "small": colours(drawn.small),
        "cockroach": colours(drawn.cockroach),
    } == row


def test_the_bead_plate_shows_every_coup():
    """PB-30: downwards, six to a column, ties and pairs too."""
    drawn = roads(read("BPTpbBBBPb"))

    assert drawn.bead == (
        Cell(0, 0, RED),
        Cell(1, 0, BLUE),
        Cell(2, 0, GREEN, 0, True, True),
        Cell(3, 0, RED),
        Cell(4, 0, RED),
        Cell(5, 0, RED),
        Cell(0, 1, BLUE, 0, False, True),
    )


def test_ties_and_pairs_on_the_big_road():
    """PB-31: ties on the last cell, pairs as dots on their own coup's."""
    drawn = roads(read("BbTTpBPp"))

    assert drawn.big == (
        Cell(0, 0, RED, 2, False, True),
        Cell(1, 0, RED),
        Cell(0, 1, BLUE, 0, True, False),
    )


def test_ties_before_any_winner_wait_on_the_first_cell():
    """PB-31: it is green until somebody wins, and keeps their number."""
    assert roads(read("TpT")).big == (Cell(0, 0, GREEN, 2),)
    assert roads(read("TTPT")).big == (Cell(0, 0, BLUE, 3),)


def test_a_dragon_tail_turns_at_the_floor():
    """PB-32: the seventh of a streak has no cell below."""
    assert places(roads(read("B" * 8)).big) == "0.0 1.0 2.0 3.0 4.0 5.0 5.1 5.2"


def test_a_tail_that_turned_stays_in_its_row():
    """PR-1: past the end of the tail below it the cells under it are free again, and stay so."""
    drawn = roads(read("B" * 7 + "P" * 8))

    # B's tail ends at 5.1, under P's column; from 4.2 on nothing lies below P's own tail.
    assert places(drawn.big[7:]) == "0.1 1.1 2.1 3.1 4.1 4.2 4.3 4.4"


def test_a_column_whose_top_is_taken_gives_way():
    """PB-31: tails one above the other reach row 1; the next column begins right of that one."""
    turned = "B" * 12 + "P" * 11 + "B" * 10 + "P" * 9 + "B" * 8 + "P" * 4

    drawn = roads(read(turned + "B"))

    # Five tails lie under P's column, which goes right at once and takes 0.5 to 0.8.
    assert places(drawn.big[-5:]) == "0.5 0.6 0.7 0.8 0.9"


@pytest.mark.parametrize(
    ("results", "eye", "small", "cockroach"),
    [
        ("B", "", "", ""),
        ("BPP", "L", "", ""),  # row 2 of the second streak, no longer than the first was
        ("BBPP", "R", "", ""),
        ("BPB", "R", "", ""),  # row 1 of the third: the first two were equally long
        ("BBPPP", "RL", "", ""),
        ("BBPPPP", "RLR", "", ""),  # two longer: nothing on either side, red again
        ("BBPBPP", "LRL", "LL", "R"),
        ("BBPBPPBB", "LRLLR", "LLLL", "RRL"),
    ],
)
def test_where_and_how_derived_roads_begin(results, eye, small, cockroach):
    """PB-33: from row 2 of streak k + 1 or row 1 of streak k + 2; by hand from the text."""
    drawn = roads(read(results))

    assert (colours(drawn.eye), colours(drawn.small), colours(drawn.cockroach)) == (
        eye,
        small,
        cockroach,
    )


def test_a_derived_road_is_drawn_like_a_big_road():
    """PB-34: a column for each colour, tails and all."""
    drawn = roads(read("BP" * 6))

    assert places(drawn.eye) == "0.0 1.0 2.0 3.0 4.0 5.0 5.1 5.2 5.3 5.4"


def test_the_ask_cells_before_anything_comes():
    """PB-34: nothing is told where a road has not begun."""
    assert roads(()).if_banker == roads(()).if_player == Ask(None, None, None)


def _rebuilt(results, k: int) -> str:
    """PB-33 read off a sheet with endless columns: what stands k columns to the left."""
    sheet: list[list[str]] = []
    told = ""
    for won in (each.winner for each in results if each.winner != "T"):
        if sheet and sheet[-1][-1] == won:
            sheet[-1].append(won)
            if len(sheet) > k:
                beside = sheet[-1 - k]
                row = len(sheet[-1]) - 1
                filled, above = row < len(beside), row - 1 < len(beside)
                told += "R" if filled == above else "L"
        else:
            sheet.append([won])
            if len(sheet) > k + 1:
                told += "R" if len(sheet[-2]) == len(sheet[-2 - k]) else "L"
    return told


@given(RESULTS | STREAKS)
def test_a_derived_road_can_be_rebuilt_from_the_results(results):
    """PB-33, by another definition: cell beside and cell above it alike or not."""
    drawn = roads(results)

    assert [colours(getattr(drawn, name)) for name in DERIVED] == [
        _rebuilt(results, k) for k in (1, 2, 3)
    ]


@given(RESULTS | STREAKS)
def test_no_two_entries_share_a_cell(results):
    """PB-30 to PB-32: in any road, and none leaves its six rows."""
    drawn = roads(results)

    for road in (drawn.bead, drawn.big, drawn.eye, drawn.small, drawn.cockroach):
        stand = [(cell.row, cell.column) for cell in road]
        assert len({*stand}) == len(stand)
        assert all(0 <= row < ROWS and column >= 0 for row, column in stand)


@given(RESULTS | STREAKS)
def test_a_streak_goes_down_then_right_and_the_next_begins_in_row_one(results):
    """PB-31, PB-32, PR-1: never left, never down again once it went right."""
    drawn = roads(results)

    for road in (drawn.big, drawn.eye, drawn.small, drawn.cockroach):
        begins, turned = -1, False
        for before, cell in zip((None, *road), road, strict=False):
            moved = before and (cell.row - before.row, cell.column - before.column)
            if before is None or cell.colour is not before.colour:
                assert cell.row == 0
                assert cell.column > begins
                begins, turned = cell.column, False
            else:
                assert moved == (0, 1) or (moved == (1, 0) and not turned)
                turned = moved == (0, 1)


@given(RESULTS | STREAKS, st.sampled_from(read("PBTPpbBpbTpb")))
def test_a_coup_adds_to_the_roads_and_its_undoing_takes_just_that_away(results, coup):
    """PR-2: no entry moves; each road gets one more or none, and a tie counts on the last cell."""
    before, after = roads(results), roads([*results, coup])

    assert len(after.bead) == len(before.bead) + 1
    for name in ("bead", *DERIVED):
        old, new = getattr(before, name), getattr(after, name)
        assert new[: len(old)] == old
        assert len(new) <= len(old) + 1
    assert after.big[: len(before.big) - 1] == before.big[:-1]
    assert roads([*results, coup][:-1]) == before


@given(RESULTS | STREAKS, st.sampled_from((Winner.PLAYER, Winner.BANKER)))
def test_the_ask_cells_tell_what_comes(results, winner):
    """PB-34: what is told is what each derived road gets if that side wins."""
    before, after = roads(results), roads([*results, Result(winner)])
    told = before.if_player if winner is Winner.PLAYER else before.if_banker

    got = [getattr(after, name)[len(getattr(before, name)) :] for name in DERIVED]
    assert [road[0].colour if road else None for road in got] == list(told)


@given(RESULTS)
def test_a_tie_changes_no_derived_road(results):
    """PB-31, PB-33: they look at streaks, which ties do not break."""
    drawn, without = roads(results), roads([each for each in results if each.winner != "T"])

    for name in DERIVED:
        assert getattr(drawn, name) == getattr(without, name)
