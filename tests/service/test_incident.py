"""Incidents: the last coups of a journal as a scenario that anybody may read."""

import json
import random
import re
from contextlib import closing

import pytest
from msgspec.structs import replace

from table_controller.commands import players, simulate
from table_controller.commands.hil import rehearse
from table_controller.engine.messages import CardSeen
from table_controller.engine.seen import Unknown
from table_controller.engine.table.inputs import Annulled, CroupierChanged
from table_controller.rules.cards import PACK, Card
from table_controller.service.game import closes
from table_controller.service.incident import IncidentError, incident
from table_controller.service.journal import Journal
from table_controller.service.scenario import read
from table_controller.service.table import Table
from table_controller.wiring import config, games
from tests.service.evenings import KEYS

HOUSES = ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907")
ZOPPOT = config.house("zoppot-1934")
CDF = games.game("chemin-de-fer")


def journal(path, house, inputs):
    """A journal in which this was said; promises are kept by the journal of a live table."""
    game = games.game(house.game)
    made = Journal.open(path, KEYS, game=game.name, house=house.id, code="1", durable=False)
    table = Table(game, game.begin(house, KEYS.commit), made, clock=lambda: 0)
    for t_ms, said in enumerate(inputs):
        table.take(said, 1000 * t_ms)
    return made


def script(*lines):
    """Inputs of chemin de fer, as a croupier writes them."""
    return [CDF.read(line) for line in lines]


BEGUN = (
    "seat 1 sits 1000 Anna Bauer", "seat 2 sits 1000 Berta", "schlitten blue", "seat 1 banks 10",
    "seat 2 banco solo",
)  # fmt: skip


def dealt(*codes):
    """These cards leave the Schlitten."""
    return [CardSeen(actor="lip", card=Card(code), copy=1) for code in codes]


def written(tmp_path, inputs, name="a", **how):
    """The text of the incident in a journal in which this was said."""
    with closing(journal(tmp_path / f"{name}.db", ZOPPOT, inputs)) as made:
        return incident(made.archive, CDF, ZOPPOT, **how)


@pytest.mark.parametrize("house", HOUSES)
def test_an_incident_played_again_tells_what_the_table_told(tmp_path, house):
    """Wherever an evening with every fault stands: the scenario holds at a table with a board."""
    named = config.house(house)
    game, luck = games.game(named.game), random.Random(7)
    wrong = frozenset({*players.FAULTS, *game.faults})
    moments = simulate.evening(named, KEYS.commit, seed=2, coups=12, wrong=wrong)
    inputs = [moment.input for moment in moments]
    told = 0
    with closing(journal(tmp_path / "a.db", named, inputs)) as made:
        for until in luck.sample(range(10, len(inputs)), 4):
            try:
                found = incident(made.archive, game, named, coups=2, until=until)
            except IncidentError:
                assert house.startswith("ecarte")  # its count amid a partie shows closed cards
                continue
            verdict = rehearse.play(
                game, read(game, found.text, found.name), rehearse.Playing(board="twin")
            )
            assert verdict.holds, str(verdict)
            assert verdict.unread == verdict.compared
            told += 1
    assert told >= 2


def test_two_worlds_give_the_same_incident(tmp_path):
    """Whatever lies closed, the file is the same to the byte, and it names as many cards."""
    texts = []
    for name, codes in (("a", ("7h", "2c", "Kd", "9s")), ("b", ("3c", "Qh", "5d", "Ac"))):
        with closing(journal(tmp_path / f"{name}.db", ZOPPOT, closed(codes))) as made:
            # The stand-ins are drawn by the journal's id, which is random: here both have one.
            made.archive.header = replace(made.archive.header, journal="0123456789abcdef")
            found = incident(made.archive, CDF, ZOPPOT)
        assert found.closed == 4
        texts.append(found.text)

    assert len(re.findall(r"card \S+ \[lip\]", texts[0])) == 4
    assert texts[0] == texts[1]


def closed(codes):
    """A coup of which all four cards lie closed."""
    return [*script(*BEGUN), *dealt(*codes)]


def test_why_a_card_was_not_read_is_told_as_everybody_was_told(tmp_path):
    """Seen twice: whoever counts the open cards could name it, so the staff alone are told."""
    twice = CardSeen(actor="lip", unknown=Unknown.DUPLICATE)

    text = written(tmp_path, [*script(*BEGUN), twice]).text

    assert "duplicate" not in text
    assert "had left it before" not in text
    assert '"reason":"unsure"' in text


def test_its_first_lines_say_what_to_write_against_an_alert(tmp_path):
    """The line that a comment names is that of the alert; what it says instead makes it fail."""
    unread = CardSeen(actor="lip", unknown=Unknown.NO_READ)
    lines = written(tmp_path, [*script(*BEGUN), unread]).text.splitlines()
    said = next(line for line in lines if "=> no alert card-unread-1" in line)
    number, instead = re.fullmatch(r"#   line (\d+):  (=> .+)", said).groups()

    assert 'alert_raised {"id":"card-unread-1"' in lines[int(number) - 1]
    assert written(tmp_path, script(*BEGUN), "calm").text.count("no alert") == 0

    lines[int(number) - 1] = instead
    played = rehearse.play(CDF, read(CDF, "\n".join(lines), "a"), rehearse.Playing(board="twin"))
    assert not played.holds
    assert f"line {number}" in str(played)
    assert instead in str(played)


def test_once_they_lie_open_it_has_the_true_cards(tmp_path):
    """A Schlitten that was closed and counted: no card of it is a stand-in."""
    moments = list(simulate.evening(ZOPPOT, KEYS.commit, seed=4, coups=3))
    over = next(n for n, moment in enumerate(moments, 1) if closes(moment.events))
    with closing(journal(tmp_path / "b.db", ZOPPOT, [m.input for m in moments[:over]])) as made:
        found = incident(made.archive, CDF, ZOPPOT, coups=50)
    true = [m.input.card for m in moments[:over] if isinstance(m.input, CardSeen) and m.input.card]
    named = re.findall(r"^~ \S+ card (\S+) \[lip\]", found.text, re.MULTILINE)

    assert found.closed == 0
    assert [Card(code) for code in named] == true


def test_nobody_is_named_in_it(tmp_path):
    """Players are seats, staff are numbers; reasons are left out, and so are promises."""
    inputs = [
        CroupierChanged(name="Herr Wolf"),
        *script(*BEGUN),
        *dealt("7h", "2c", "Kd"),
        Annulled(actor="supervisor:Frau Kowalska", reason="Anna Bauer has fainted"),
    ]

    text = written(tmp_path, inputs).text

    for name in ("Anna", "Bauer", "Berta", "Wolf", "Kowalska", "fainted"):
        assert name not in text
    assert "seat 1 sits 1000 Seat 1" in text
    assert "supervisor:Person 2" in text
    assert not re.search("[0-9a-f]{64}", text)


def test_it_begins_amid_a_schlitten_with_its_table(tmp_path):
    """The state is a line of the head: two coups of many, and no line before them."""
    moments = list(simulate.evening(ZOPPOT, KEYS.commit, seed=4, coups=8))

    with closing(journal(tmp_path / "a.db", ZOPPOT, [m.input for m in moments[:-2]])) as made:
        found = incident(made.archive, CDF, ZOPPOT, coups=2)

    state = json.loads(found.scenario.head.state)
    assert found.coups == 2
    assert state["felt"]["coups"] >= 5
    assert {who["name"] for who in state["felt"]["seats"] if who} == {
        f"Seat {place}" for place, who in enumerate(state["felt"]["seats"], 1) if who
    }
    assert "sits" not in found.text.replace(found.scenario.head.state, "")


def test_the_same_number_finds_it_again(tmp_path):
    """What was said since does not belong to it."""
    inputs = [*script(*BEGUN), *dealt("7h", "2c", "Kd", "9s")]
    first = written(tmp_path, inputs[:-2], "a")

    again = written(tmp_path, inputs, "b", until=first.until)

    assert again.until == first.until == len(inputs) - 2
    assert len(again.scenario.cues) == len(first.scenario.cues)


def test_a_journal_without_inputs_has_none(tmp_path):
    """It says so."""
    with pytest.raises(IncidentError, match="holds no input yet"):
        written(tmp_path, [])


def test_a_stand_in_is_never_one_too_many(tmp_path):
    """Packs hold so many of each: open cards and stand-ins together never exceed that."""
    luck = random.Random(3)
    moments = list(simulate.evening(ZOPPOT, KEYS.commit, seed=9, coups=20))
    inputs = [moment.input for moment in moments]
    with closing(journal(tmp_path / "a.db", ZOPPOT, inputs)) as made:
        for until in luck.sample(range(100, len(inputs) - 10), 2):
            found = incident(made.archive, CDF, ZOPPOT, coups=90, until=until)
            codes = re.findall(r"^~ \S+ card (\S+) \[lip\]", found.text, re.MULTILINE)
            assert all(codes.count(card) <= ZOPPOT.packs for card in PACK)
