"""The count of the cards that left, from public events, is the Schlitten's own count."""

import random

import msgspec
import pytest

from table_controller.engine.chemin_de_fer import game as chemin_de_fer
from table_controller.engine.messages import Audience, Refusal
from table_controller.engine.punto_banco import game as punto_banco
from table_controller.engine.table.inputs import StrayRuled, StrayRuling
from table_controller.service.passages import COUNTED, CardsOut, Passed
from tests import scripting
from tests.engine import ecarte_playing, playing
from tests.engine.punto_banco import playing as punto_banco_playing
from tests.scripting import Question

SCRIPTS = [
    *((chemin_de_fer, playing, path) for path in playing.COUPS),
    *((punto_banco, punto_banco_playing, path) for path in punto_banco_playing.COUPS),
]


class Counted:
    """The count from the public events since the Schlitten in use was loaded."""

    def __init__(self, table):
        self._passages, shoe = CardsOut(), table.felt.shoe
        self.out = shoe.out if shoe else 0
        self._passages.ordinal = shoe.ordinal if shoe else 0
        self._aside = []

    def hear(self, events):
        for event in events:
            kind = event.__struct_config__.tag
            if kind == "schlitten_ready":
                self.out = 0
            if kind == "deal_set_aside":
                self._aside.append((event.dealer, self.out))
            if kind == "deal_resumed":  # its own talon lies there again (ER-29)
                again = next(one for one in self._aside if one[0] == event.dealer)
                self._aside.remove(again)
                self.out = again[1]
            if kind in COUNTED and event.audience is Audience.PUBLIC:
                said = msgspec.json.decode(msgspec.json.encode(event), type=Passed)
                self.out += self._passages.read(kind, said)[0]


@pytest.mark.parametrize(("game", "kit", "path"), SCRIPTS, ids=lambda one: getattr(one, "stem", ""))
def test_the_count_is_the_tables_in_every_script(game, kit, path):
    """R-6, R-19, R-20, Z-13: unread, double, stray, kept, put back, burned and corrected cards."""
    text = path.read_text()
    table = kit.table_of(text)
    counted = Counted(table)

    for line, _ in scripting.read(game, text):
        if isinstance(line, Question):
            continue
        said = scripting.pressed(game, table, line) if isinstance(line, scripting.Button) else line
        try:
            table, told = game.step(table, said)
        except Refusal:
            continue
        counted.hear(told)
        if table.felt.shoe is not None:
            assert counted.out == table.felt.shoe.out, said


@pytest.mark.parametrize("house", ecarte_playing.HOUSES, ids=lambda house: house.id)
def test_the_count_is_the_tables_whatever_is_said_at_ecarte(house):
    """ER-23: a card that goes back on the talon after the turn-up has left the Schlitten."""
    back = 0
    for seed in range(19):
        table = ecarte_playing.started(house)
        counted = Counted(table)
        for said, after, told, _ in ecarte_playing.walk(table, random.Random(seed), 400):
            counted.hear(told)
            back += isinstance(said, StrayRuled) and said.ruling is StrayRuling.BACK
            if after.felt.shoe is not None:
                assert counted.out == after.felt.shoe.out, said

    assert back


def test_a_card_that_nobody_read_counts_until_a_ruling_says_that_none_left():
    """A passage of two cards counts twice, and its second card is announced later."""
    passages = CardsOut()
    two = passages.read("card_unread", Passed(1, "two_cards"))
    first = passages.read("card_drawn", Passed(1))
    second = passages.read("card_unread", Passed(2, "two_cards"))
    none = passages.read("card_removed", Passed(2, ruling="back"))

    assert (two, first, second, none) == ((2, False), (0, True), (0, False), (-1, False))
