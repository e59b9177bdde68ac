"""Simulated evenings at a whole table. Each fault ends as its line says, and a slip is noticed."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hardware.rungs import TwinRung
from table_controller.commands import simulate
from table_controller.commands.cli import app
from table_controller.commands.simulated import checks, evening, faults, many
from table_controller.commands.simulated.broker import BrokerTwin
from table_controller.commands.simulated.cards import stream
from table_controller.commands.simulated.watch import Alerted, PlayedFault, Watch
from table_controller.engine import alerts
from table_controller.engine.messages import AlertDetailed, Severity, phrase
from table_controller.engine.players import TEMPERS
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import felt
from table_controller.service.errors import ConfigError
from table_controller.service.sealing import Keys
from table_controller.service.table import Told
from table_controller.wiring import config
from table_controller.wiring.games import game
from table_controller.wiring.inputs import Voices
from tests.limits import LONG_PATIENCE_S
from tests.whole import evenings_by_chance

DOC = Path(__file__).parents[2] / "docs" / "FAULTS.md"


def call(*words):
    """The command, as people call it."""
    return CliRunner().invoke(app, ["simulate", *map(str, words)])


def usual(name, at_ms, line=1):
    """A fault as it is if its file says no more."""
    return faults.Fault(
        name, at_ms, {key: one.usual for key, one in faults.FIELDS[name].items()}, line
    )


def order(*played, seed=11, coups=2, house="zoppot-1934"):
    """An evening with these faults."""
    ordered = faults.Ordered(faults=played, file="here.toml")
    return many.EveningOrder(house=config.house(house), seed=seed, coups=coups, ordered=ordered)


# The evenings


def test_nobody_joins_a_bank_whose_own_part_was_halved_below_the_least():
    """Z-4, N-5: word 3,697 of this evening was refused; simulated people say what is allowed."""
    house = config.house("nemzeti-1907")
    words = simulate.evening(house, SecretKey(bytes(32)), seed=12, coups=250)

    assert [moment.input for moment in words if moment.refusal] == []


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_evenings_of_three_games_hold_with_faults_by_chance(seed):
    """A sample of the soak, in which a thousand are played."""
    (drawn,) = evenings_by_chance.drawn(1, seed)

    outcome = many.play(replace(drawn, coups=4))

    assert outcome.differences == ()
    assert outcome.names
    assert outcome.inputs > 40


def test_ctrl_c_ends_the_evenings_of_several_processes_in_a_sentence():
    """A terminal sends Ctrl-C to every process; the ones that play printed their tracebacks."""
    words = ["simulate", "--evenings", "600", "--jobs", "2", "--coups", "3", "--json"]
    call = [sys.executable, "-m", "table_controller", *words]
    with subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        os.killpg(running.pid, signal.SIGINT)
        _, told = running.communicate(timeout=LONG_PATIENCE_S)

    assert running.returncode == 130
    assert "Traceback" not in told


@pytest.mark.parametrize("seed", [108, 285, 601])
def test_a_card_that_goes_back_and_an_unread_white_card_are_in_the_schlitten_again(seed):
    """108: on the talon; 285: as the Schlitten ends; 601: a gap hides the white one."""
    (drawn,) = evenings_by_chance.drawn(1, seed)

    assert many.play(drawn).differences == ()


def test_a_power_cut_loses_nothing_that_was_told():
    """The journal is torn amid a commit; the table goes on, and so does its count."""
    outcome = many.play(order(usual("power cut", 15_000), coups=3))

    assert outcome.differences == ()
    assert "device-frames" in outcome.alerts


def test_the_same_seed_is_the_same_evening_in_any_number_of_processes():
    """By the command; its last line counts them."""
    words = ("--evenings", 2, "--coups", 1, "--faults", "random", "--json")
    alone, both = (call(*words, "--jobs", jobs) for jobs in (1, 2))

    assert alone.exit_code == both.exit_code == 0, alone.output
    lines = [json.loads(line) for line in alone.stdout.splitlines()]
    assert sorted(alone.stdout.splitlines()) == sorted(both.stdout.splitlines())
    assert [line["seed"] for line in lines[:-1]] == [1, 2]
    assert lines[-1]["evenings"] == 2
    assert lines[-1]["differ"] == 0


# What is noticed


def _silent(monkeypatch):
    lost = Voices.lost
    keep = lambda self, device, why: None if device == "broker" else lost(self, device, why)  # noqa: E731
    monkeypatch.setattr(Voices, "lost", keep)


def _other_remedy(monkeypatch):
    monkeypatch.setitem(alerts.REMEDIES, "broker", phrase("Count the cards that lie."))


def _lost_event(monkeypatch):
    take, told = BrokerTwin.take, []

    def some(self, message):
        told.append(message)
        if len(told) != 60:
            take(self, message)

    monkeypatch.setattr(BrokerTwin, "take", some)


def _invented_money(monkeypatch):
    money, asked = felt.money, []

    def more(table, **beside):
        asked.append(table)
        return {**money(table, **beside), "gift": int(len(asked) > 150)}

    monkeypatch.setattr(felt, "money", more)


def _unasked_alert(monkeypatch):
    lost = Voices.lost

    def both(self, device, why):
        lost(self, device, why)
        lost(self, "page", why)

    monkeypatch.setattr(Voices, "lost", both)


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (_silent, r"^broker down at 0:15.000, for 10 s: it must raise device-broker, and did not$"),
        (_other_remedy, r"its remedy is .Count the cards that lie\. \("),
        (_lost_event, r"^the broker heard \d+ (public|croupier) events of \d+, 1 never"),
        (_unasked_alert, r"^no fault explains the alert device-page at 0:15"),
    ],
)
def test_what_is_not_as_it_must_be_is_named(monkeypatch, slip, said):
    """An alert that is missing, says something else or was not asked for; an event that is lost."""
    slip(monkeypatch)

    outcome = many.play(order(usual("broker down", 15_000)))

    assert any(re.search(said, one) for one in outcome.differences), outcome.differences


def test_money_from_nowhere_is_named(monkeypatch):
    """Chips come with people only."""
    _invented_money(monkeypatch)
    monkeypatch.setattr(game("punto-banco"), "money", lambda table: felt.money(table.felt))

    outcome = many.play(order(house="punto-banco", coups=1))

    assert "chips came from nowhere or went there" in " ".join(outcome.differences)


def test_a_card_that_was_not_opened_is_named():
    """In any event for people."""
    watch = Watch(lambda: 0.0)
    told = AlertDetailed(
        id="x", code="x", severity=Severity.NOTICE, what=phrase("It is {card}.", card="9h"),
        remedy=phrase(""),
    )  # fmt: skip

    watch.tell((Told(told, None),), None)

    assert watch.found == ["an event names 9h, which does not lie open"]


def test_a_difference_is_exit_code_1_with_the_seed_and_the_faults(monkeypatch, tmp_path):
    """So that anybody can play it again."""
    _other_remedy(monkeypatch)
    path = tmp_path / "mine.toml"
    path.write_text('[[fault]]\nname = "broker down"\nat = "0:20"\n')

    result = call("--coups", 1, "--faults", path)

    assert result.exit_code == 1
    assert "zoppot-1934, seed 1: broker down at 0:20.000, for 10 s: its remedy is" in result.output
    assert "its faults: broker down at 0:20.000, for 10 s" in result.output


# Files


def test_every_fault_has_its_line_in_the_table_and_is_explained():
    """The table is written by hand; the page names each fault."""
    page = DOC.read_text()

    assert set(checks.table()) == set(faults.FIELDS)
    for name, line in checks.table().items():
        assert f"| `{name}` |" in page
        assert all(f"`{field}`" in page for field in faults.FIELDS[name])
        assert not line.raises or line.remedy
        (brings,) = re.findall(rf"^\| `{name}` \|.*\| ([^|]+) \|$", page, re.MULTILINE)
        named = {one.removesuffix("-*") for one in line.raises}
        assert set(re.findall(r"`([^`]+)`", brings)) == named, name
        assert ("or longer" in brings, line.least in brings) == (line.least != "0 s",) * 2, name


@pytest.mark.parametrize(("raised_s", "explained"), [(21.0, True), (24.5, False)])
def test_a_stray_card_is_the_lid_s_only_while_it_stops_the_table(raised_s, explained):
    """R-51, R-56: with the lid shut, and nothing to rule on, a stray is a difference."""
    lid = PlayedFault(usual("lid", 20_000), 20.0, 23.0)
    stray = Alerted("card-stray-9", raised_s, "", raised_s + 1)

    assert checks._explains(lid, stray, [Alerted("lid", 20.1, "", 23.1), stray]) is explained


JAM = '[[fault]]\nname = "jam"\nat = "1:00"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (JAM.replace("jam", "jma"), r"line 2: name = 'jma': want one of: jam, misread,"),
        ('[[fault]]\nat = "1:00"', r"line 1: name = missing: want one of: jam,"),
        ("\n" + JAM.replace("1:00", "90"), r"line 4: at = '90': want minutes and seconds"),
        (JAM + "times = 3", r"line 4: times = 3: there is no times here; there are: name, at, for"),
        (JAM + '[[fault]]\nname = "lid"\nat = "2:00"\nfor = 3', r"line 7: for = 3: want 100 ms to"),
        (JAM + 'for = "9000 s"', r"line 4: .* 500 ms to 120 s"),
        (JAM.replace("jam", "misread") + 'reads = "x"', r"want one of: nothing, foreign"),
        (JAM.replace("jam", "flapping plug") + "times = 99", r"a whole number, 2 to 20"),
        ('[evening]\ntemper = "mad"', r"line 2: temper = 'mad': want one of: usual, bold,"),
        ('[sensors]\nbetween = "1 h"', r"line 2: between = '1 h': want 0 ms to 60 s"),
        ("[sensors]\njitter = 2", r"line 2: jitter = 2: want a number, 0 to 0.9"),
        ("[faults]\n", r"line 1: faults = \{\}: there is no faults here; there are: evening,"),
        ("[[fault]\n", r"is not TOML"),
        ("fault = 3", r"write each fault below a line \[\[fault\]\]"),
    ],
)
def test_a_bad_file_is_quoted_with_its_line(tmp_path, text, said):
    """The value, and what is allowed."""
    path = tmp_path / "bad.toml"
    path.write_text(text)

    with pytest.raises(ConfigError, match=said):
        faults.read(path)


def test_a_file_says_when_what_and_how(tmp_path):
    """Times, fields, what is usual, how cards pass and how people play."""
    path = tmp_path / "good.toml"
    path.write_text(
        '[evening]\ntemper = "bold"\n[sensors]\ncard = "400 ms"\njitter = 0\n'
        '[[fault]]\nname = "lid"\nat = "1:02.500"\nfor = "2.5 s"\n' + JAM
    )

    ordered = faults.read(path)

    assert (ordered.temper, ordered.sensors.card_ms, ordered.sensors.jitter) == ("bold", 400, 0.0)
    assert [(one.name, one.at_ms, one.ms, one.line) for one in ordered.faults] == [
        ("lid", 62_500, 2500, 7), ("jam", 60_000, 4000, 11),
    ]  # fmt: skip


def test_a_fault_for_which_the_evening_is_too_short_is_bad_input():
    """With the line, and when the evening ended."""
    said = r"here.toml, line 7: jam at 60:00.000, for 4 s: there was no occasion for it before"

    with pytest.raises(ConfigError, match=said):
        many.play(order(usual("jam", 3_600_000, line=7), coups=1))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--temper", "mad"), "want one of usual, bold, careful, restless"),
        (("--board", "paper"), "want twin or emulated"),
        (("--faults", "stray"), "are rates, which only a recording"),
        (("--out", "x.jsonl", "--evenings", 2, "--temper", "bold"), "writes one evening"),
    ],
)
def test_bad_usage_is_named(words, said):
    """The option, the value and what is allowed."""
    result = call(*words)

    assert result.exit_code == 2
    assert said in " ".join(result.output.replace("│", " ").split())


# People and cards


def test_tempers_play_differently():
    """The bold stake more than the careful, in every game; the restless are refused more often."""
    key = Keys.derive(bytes(32)).commit
    for name in ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907"):
        house, sums, refused = config.house(name), {}, {}
        for temper in TEMPERS:
            staked = []
            refused[temper] = 0
            for moment in simulate.evening(house, key, seed=3, coups=25, temper=TEMPERS[temper]):
                staked += [getattr(moment.input, "chips", 0)] * (moment.progress.coups > 0)
                refused[temper] += moment.refusal is not None
            sums[temper] = sum(staked) / len(staked)

        assert sums["careful"] < sums["usual"] < sums["bold"], name
        assert refused["restless"] > refused["usual"]


def test_given_cards_are_dealt_in_their_order(tmp_path):
    """A CSV: what is opened is what stands there, and the evening ends with the last card."""
    given, path = ["9h", "2d", "Kc", "4s", "7h", "3c", "Td", "5s"], tmp_path / "cards.csv"
    path.write_text("card\n" + "\n".join(given))
    written = tmp_path / "evening.jsonl"

    result = call("--cards", path, "--out", written, "--coups", 5)

    assert result.exit_code == 0, result.output
    opened = re.findall(
        r'"type":"card_opened".*?"ordinal":(\d+),"card":"(..)"', written.read_text()
    )
    assert len(opened) >= 4
    assert all(given[int(ordinal) - 1] == card for ordinal, card in opened)


@pytest.mark.parametrize(
    "text",
    [
        b"card\n9h\nTd\nAs\n2c\n",
        b"Cards\r\n9h\r\nTd\r\nAs\r\n2c",
        b"\xef\xbb\xbfcard\r\n9h\r\nTd\r\nAs\r\n2c\r\n",
        b"9h;Td;As;2c\n",
        b"9H\tTD\tAS\t2C\n",
        b"9h\n10d\nas\n2c\n",
        "9♥\n10♦\nA♠\ufe0e\n2♣".encode(),
        "9h\r\n10d\r\nAs\r\n2c\r\n".encode("utf-16"),
        b"seat;card;note\n1;9h;\n2;Td;so\n1;As;\n2;2c;\n",
        b"# from the club, on Monday\n9h\n\nTd\n'As'\n\"2c\"\n",
    ],
    ids=[
        *("plain", "cards", "mark", "semicolons", "tabs", "ten"),
        *("signs", "utf-16", "columns", "comment"),
    ],
)  # fmt: skip
def test_a_list_of_cards_is_read_as_people_and_spreadsheets_write_it(tmp_path, text):
    path = tmp_path / "cards.csv"
    path.write_bytes(text)

    (found,) = stream(path, config.house("zoppot-1934"))

    assert [card.value for card, _ in found] == ["9h", "Td", "As", "2c"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seat;face\n1;9h\n", "line 1: 'seat' is no card: want a rank and a suit"),
        ("\0\0\1", "is no text: a list of cards has one card a line"),
        ("card\n9h\n1x\n", "line 3: '1x' is no card"),
        ("9h," * 7, "line 1: 9h comes 7 times, and the house zoppot-1934 plays with 6 x 52"),
        ("card\n", "contains no card"),
    ],
)
def test_a_bad_list_of_cards_is_quoted_with_its_line(tmp_path, text, said):
    """The line, the value and what is allowed."""
    path = tmp_path / "cards.csv"
    path.write_text(text)

    result = call("--cards", path)

    assert isinstance(result.exception, ConfigError)
    assert said in str(result.exception)


def test_a_recording_s_cards_are_dealt_to_other_people(tmp_path):
    """Its cards in their order, at people who play otherwise."""
    one = tmp_path / "one.jsonl"
    call("--seed", 4, "--coups", 2, "--out", one)

    result = call("--cards", one, "--temper", "bold", "--coups", 1)

    assert result.exit_code == 0, result.output


# The twins


def test_a_contact_that_bounces_for_less_than_it_settles_is_not_reported():
    """As the firmware hears it: ten milliseconds of the lid, one of the beam."""
    rung = TwinRung()

    def active():
        told = rung._inputs._told
        return {number for (kind, number), level in told.items() if kind == "sensor" and level}

    for turn in range(8):
        rung.command(f"sensor 2 {turn % 2}")
        rung.run(1000)
    rung.command("sensor 2 0")
    rung.run(30_000)
    assert active() == set()

    rung.command("sensor 1 1")
    rung.command("sensor 2 1")
    rung.run(3_000)
    assert active() == {1}

    rung.run(9_000)
    assert active() == {1, 2}


def test_an_evening_that_stands_still_says_what_it_awaits(monkeypatch):
    """And ends: no time is too long in a world whose time jumps."""
    monkeypatch.setattr(evening, "STILL_S", 30.0)
    lost = faults.Fault("camera lost", 15_000, {"for": 600_000}, 1)

    outcome = many.play(order(lost))

    assert re.match("nothing happened for 30 s; the table awaits: ", outcome.differences[0])
