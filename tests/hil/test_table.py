"""A real table on the board. Its lamps and digits are written out by hand as a person reads them.

Lamps by seat: 0 dark, 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 7 white. Each moment has
those looks that differ: with all lamps lit, with the pulsing lamps dark, with the blinking lamps
dark. The twin keeps no rhythm and shows the first look. `!` means the buzzer.
"""

import itertools

import pytest

from table_controller.adapters.board import picture
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import Audience
from table_controller.wiring import config
from tests.engine.playing import NEMZETI, ZOPPOT, play, table
from tests.hil.rungs import TwinRung

LANGUAGE = config.lamp_language(config.house("zoppot-1934"))

#: What is said, and what is seen then: lamps, pot, stakes, buzzer.
EVENING = """
standing 500 Anna                 | 660000000000 600000000000 000000000000 |        0 |        0
seat 1 banks 100                  | 360000000000 300000000000              |      100 |        0
seat 9 banco solo                 | 360000004000 300000004000 000000004000 |      100 |      100
card 2h                           | 360000004000 300000004000 000000004000 |      100 |      100
card 9d                           | 360000004000 300000004000 000000004000 |      100 |      100
card Kc                           | 360000004000 300000004000 000000004000 |      100 |      100
card Ks                           | 360000004000 300000004000 300000000000 |      100 |      100
seat 9 reste                      | 360000004000 300000004000 000000004000 |      100 |      100
seat 1 opens                      | 360000004000 300000004000 300000000000 |      100 |      100
seat 9 opens                      | 660000001000 600000000000              |      195 |      100
paid                              | 360000004000 300000000000              |      195 |        0
seat 8 banco 100 with the table   | 360000044000 300000040000              |      195 |      100
nichts geht mehr                  | 360000044000 360000040000 300000040000 |      195 |      100
seat 2 declines                   | 366000044000 306000040000 300000040000 |      195 |      100
seat 3 stakes 20                  | 360600044000 300600040000 300000040000 |      195 |      120
seat 4 declines                   | 360060044000 300060040000 300000040000 |      195 |      120
seat 5 declines                   | 360006044000 300006040000 300000040000 |      195 |      120
seat 6 declines                   | 360000644000 300000640000 300000040000 |      195 |      120
seat 7 declines                   | 360000046000 300000046000 300000040000 |      195 |      120
seat 9 stakes 5                   | 360000044000 300000040000              |      195 |      125
seat 101 declines                 | 360000044000 300000040000 000000040000 |      195 |      125
card unread no_read               | 160000044000 100000040000 000000040000 |      195 |      125 !
named 5h                          | 160000044000 100000040000 000000040000 |      195 |      125
named 5h [floor]                  | 360000044000 300000040000 000000040000 |      195 |      125
card Kh                           | 360000044000 300000040000 000000040000 |      195 |      125
card 4h                           | 360000044000 300000040000 000000040000 |      195 |      125
card 7h                           | 360000044000 300000040000 300000000000 |      195 |      125
seat 8 opens                      | 360000044000 300000040000 000000040000 |      195 |      125
seat 1 opens                      | 160000060000 000000060000              |       70 |      125
paid                              | 066000000000 060000000000 000000000000 |        0 |        0
schlitten closed                  | 006000000000 000000000000              |          |
"""

#: The greatest sum that a display holds, and one that it does not: never a wrong number.
RICH = """
seat 1 banks 99999999             | 360000000000 300000000000              | 99999999 |        0
seat 2 banco solo                 | 340000000000 040000000000              | 99999999 | 99999999
card 2h                           | 340000000000 040000000000              | 99999999 | 99999999
card 9d                           | 340000000000 040000000000              | 99999999 | 99999999
card Kc                           | 340000000000 040000000000              | 99999999 | 99999999
card Ks                           | 340000000000 300000000000              | 99999999 | 99999999
seat 2 reste                      | 340000000000 040000000000              | 99999999 | 99999999
seat 1 opens                      | 340000000000 300000000000              | 99999999 | 99999999
seat 2 opens                      | 610000000000 600000000000              | -------- | 99999999
"""

#: Twelve seats taken, and two who stand: their stakes count, no lamp is theirs.
FULL = """
standing 500 Anna                 | 660000000000 600000000000 000000000000 |        0 |        0
standing 500 Berta                | 660000000000 600000000000 000000000000 |        0 |        0
seat 1 banks 100                  | 360000000000 300000000000              |      100 |        0
seat 101 stakes 60                | 360000000000 300000000000              |      100 |       60
seat 12 stakes 30                 | 360000000000 300000000000              |      100 |       90
seat 102 stakes 40                | 360000000000 300000000000              |      100 |      100
nichts geht mehr                  | 360000000000 300000000000 000000000000 |      100 |      100
card 2h                           | 360000000000 300000000000 000000000000 |      100 |      100
card 9d                           | 360000000000 300000000000 000000000000 |      100 |      100
card Kc                           | 360000000000 300000000000 000000000000 |      100 |      100
card Ks                           | 360000000000 300000000000              |      100 |      100
seat 101 reste                    | 360000000000 300000000000 000000000000 |      100 |      100
seat 1 opens                      | 360000000000 300000000000              |      100 |      100
seat 101 opens                    | 660000000000 600000000000              |      195 |      100
"""


def moments(script):
    """Each line and what is seen after it."""
    for line in script.strip().splitlines():
        said, looks, pot, stakes = (part.strip() for part in line.split("|"))
        stakes, buzzer, _ = stakes.partition("!") if "!" in stakes else (stakes, "", "")
        yield said, looks.split(), f"{pot:>8}", f"{stakes.strip():>8}", bool(buzzer)


def look(desk, now):
    """The lamps in the second after `now` is shown, both displays, whether a tone has begun."""
    begun = max(0, len(desk.board.history) - 1)
    desk.show(picture(game.snapshot(now, Audience.PUBLIC), LANGUAGE))
    desk.run_until_shown()
    before = len(desk.board.history) - 1
    desk.run(1.024)
    seen = desk.board.history[before:]
    [numbers] = {(one.display_1, one.display_2) for one in seen}
    heard = any(
        two.buzzer and not one.buzzer for one, two in itertools.pairwise(desk.board.history[begun:])
    )
    return {one.lamps for one in seen}, *numbers, heard


@pytest.mark.parametrize(
    ("script", "now"),
    [
        (EVENING, table(house=ZOPPOT)),
        (RICH, table(house=ZOPPOT, chips=200_000_000)),
        (FULL, table(house=NEMZETI)),
    ],
    ids=["an evening", "great sums", "twelve seats"],
)
def test_what_is_said_at_a_table_is_seen_on_the_board(desk, script, now):
    """Every lamp, rhythm and digit as written: on the twin, and as the firmware sends them."""
    if desk.board.seen is None:
        pytest.skip("no program sees a real board: `schlitten board test` asks a person")
    for said, looks, *numbers in moments(script):
        now = play(now, said)
        lamps_seen, *numbers_seen = look(desk, now)

        assert numbers_seen == numbers, said
        assert lamps_seen == set(looks[:1] if isinstance(desk.board, TwinRung) else looks), said


def test_the_last_picture_does_not_outlive_its_host(desk):
    """Dark lamps and dashes, not an old pot, once nobody says what to show; then all is back."""
    if desk.board.seen is None:
        pytest.skip("no program sees a real board: `schlitten board test` asks a person")
    now = play(table(), "seat 1 banks 100", "seat 9 banco solo")
    assert look(desk, now)[1:3] == ("     100", "     100")

    desk.kill_host()
    desk.run(1.2)

    seen = desk.board.seen
    assert (seen.lamps, seen.display_1, seen.display_2) == ("000000000000", "--------", "--------")
    desk.start_host()
    assert look(desk, now)[1:3] == ("     100", "     100")
