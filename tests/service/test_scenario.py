"""Scenarios read what they write, turn into recordings and back, and say what is wrong."""

from hashlib import sha256

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.commands.simulate import record
from table_controller.service import scenario_lines
from table_controller.service.errors import RecordingError
from table_controller.service.recording import Recording
from table_controller.service.scenario import (
    Cue,
    Preamble,
    Scenario,
    ScenarioError,
    game_of,
    is_scenario,
    read,
    write,
)
from table_controller.service.scenario_lines import Count, Journaled
from table_controller.service.scenario_recordings import from_recording, timed, to_recording
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.every_game import GAMES

GAME = game("chemin-de-fer")
START = "game chemin-de-fer\nhouse zoppot-1934\n\n"

ms = st.integers(0, 10_000_000)
number = st.integers(1, 8)
words = st.text(st.characters(codec="utf-8", exclude_characters='"\n'), min_size=1, max_size=20)
page = words.filter(lambda text: text == text.strip())
sensor = st.sampled_from(["beam", "lid", "white"])
acts = st.one_of(
    st.builds(scenario_lines.Holds, number, ms),
    st.builds(scenario_lines.Finger, number, st.booleans()),
    st.builds(scenario_lines.Named, st.sampled_from(GAME.buttons)),
    st.builds(scenario_lines.Pulse, sensor, ms),
    st.builds(scenario_lines.Level, sensor, st.booleans()),
    st.builds(scenario_lines.Cut, ms),
    st.builds(scenario_lines.Noise, number, number, ms),
    st.builds(scenario_lines.Bounces, number, ms),
    st.builds(scenario_lines.Chatter, sensor, ms),
    st.builds(scenario_lines.Storm, sensor, number, ms),
    st.builds(scenario_lines.Reset, ms),
    st.builds(scenario_lines.Hangs),
    st.builds(scenario_lines.Unplugged, ms, number),
    st.builds(scenario_lines.Calmed, sensor),
    st.builds(scenario_lines.Whole),
    st.builds(scenario_lines.PluggedIn),
    st.builds(scenario_lines.Waits, ms),
)
colour = st.sampled_from(["red", "green", "yellow", "blue", "magenta", "cyan", "white"])
mode = st.sampled_from(["on", "blink", "pulse"])
figure = st.one_of(
    st.integers(-9_999_999, 99_999_999).map(str),
    st.tuples(st.integers(0, 999), st.integers(0, 999)).map("{0[0]}-{0[1]}".format),
    st.sampled_from(["--------", "dark"]),
)
fields = st.dictionaries(words, st.one_of(st.integers(), words, st.none()), max_size=3)
lamps = st.lists(st.tuples(number, mode, colour), max_size=4).map(
    lambda lit: " ".join(f"{seat} {how} {what}" for seat, how, what in lit)
)


def as_json(found):
    return msgspec.json.encode(found).decode()


event = st.sampled_from(["card_drawn", "coup_settled"])
wanted = st.one_of(
    st.builds(scenario_lines.Lit, number, mode, colour),
    st.builds(scenario_lines.Lit, number, st.just("off")),
    st.builds(scenario_lines.AllLit, lamps),
    st.builds(scenario_lines.Flashed, number, colour),
    st.builds(scenario_lines.Digits, figure, st.one_of(figure, st.just(""))),
    st.builds(scenario_lines.Tone, st.sampled_from(["none", "beep", "twice", "alarm"])),
    st.builds(scenario_lines.Safe),
    st.builds(scenario_lines.OnPage, page),
    st.builds(scenario_lines.NotOnPage, page),
    st.builds(scenario_lines.Sent, event, fields.map(as_json)),
    st.builds(scenario_lines.Journaled, event, fields.map(as_json)),
    st.builds(scenario_lines.Count, number),
    st.builds(scenario_lines.RefusedBy, st.sampled_from(["", "R-51", "ZP-13", "internal"])),
    st.builds(scenario_lines.Alarmed, st.sampled_from(["lid-stop", "device-board"])),
    st.builds(scenario_lines.Calm, st.sampled_from(["", "lid-stop"])),
)
lines = st.builds(
    Cue,
    at_ms=st.one_of(st.none(), st.integers(-(10**7), 10**9)),
    said=acts,
    expects=st.lists(wanted, max_size=3).map(tuple),
    unread=st.booleans(),
)


@settings(max_examples=300)
@given(found=st.lists(lines, max_size=6))
@example(
    found=[
        Cue(
            said=scenario_lines.Hangs(),
            expects=(scenario_lines.OnPage("\\"), scenario_lines.Lit(1, "off")),
        )
    ]
)
def test_what_is_written_is_read_back(found):
    """Steps, times, marks and every kind of expectation, texts with any sign."""
    head = Preamble(game="chemin-de-fer", house="zoppot-1934", wires={3: "carte"}, begins=17)
    scenario = Scenario(head, tuple(found))

    assert read(GAME, write(GAME, scenario)) == replace(scenario, name="scenario")


@pytest.mark.parametrize("house", ["zoppot-1934", "punto-banco", "ecarte-nemzeti-1907"])
def test_a_recording_becomes_a_scenario_and_the_same_recording_again(tmp_path, house):
    """To the byte, with faults; every line that expects something is marked."""
    path, again = tmp_path / "e.jsonl", tmp_path / "again.jsonl"
    played = config.house(house)
    record(path, played, seed=4, coups=6, faults="unread,stray")
    found = game(played.game)

    scenario = from_recording(Recording(path, found), found, "e")
    back = read(found, write(found, scenario), "e")
    to_recording(back, found, again, code="?")

    assert again.read_bytes() == path.read_bytes()
    assert all(line.unread for line in back.cues if line.expects)
    assert sum(isinstance(one, Count) for line in back.cues for one in line.expects) > 50


@settings(max_examples=100)
@given(name=st.text(min_size=1, max_size=12), prompt=st.one_of(st.none(), st.integers(0, 99)))
def test_an_input_with_any_name_and_prompt_survives(name, prompt):
    """Also names that look like a prompt, a comment or an arrow."""
    said = msgspec.json.decode(
        msgspec.json.encode({"type": "ruled", "actor": "floor:Ö", "reason": name}), type=GAME.inputs
    )
    for text in (name, f"{name} (prompt 7)", f"{name} # a", f"{name} => b"):
        line = Cue(said=msgspec.structs.replace(said, prompt=prompt, reason=text))
        scenario = Scenario(Preamble(game="chemin-de-fer", house="h"), (line,), "s")

        assert read(GAME, write(GAME, scenario), "s").cues == (line,)


def test_a_scenario_reads_as_people_write_it():
    """Times, comments, hardware, marks and several expectations in a line."""
    text = START + (
        "wire 3 carte\n"
        "0:12.000 seat 2 sits 1000 Anna   # she is early\n"
        "lid 2 s => alert lid, tone twice # R-51\n"
        '~ => journal card_drawn {"seat":2,"x":[1,2]}, page "Close it, please."\n'
        "beam 63 ms\n"
    )

    scenario = read(GAME, text)
    first, second, third, fourth = scenario.cues

    assert scenario.head.wires == {3: "carte"}
    assert (first.at_ms, first.said.name, first.number) == (12_000, "Anna", 5)
    assert (second.said, second.at_ms) == (scenario_lines.Pulse("lid", 2000), None)
    assert second.expects == (scenario_lines.Alarmed("lid"), scenario_lines.Tone("twice"))
    assert third.expects == (
        Journaled("card_drawn", '{"seat":2,"x":[1,2]}'),
        scenario_lines.OnPage("Close it, please."),
    )
    assert [line.unread for line in scenario.cues] == [False, False, True, False]
    assert fourth.said == scenario_lines.Pulse("beam", 63)
    assert [at for _, at in timed(scenario)] == [12_000, 13_000, 13_000, 14_000]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("seat 2 banko solo", "seat SEAT banco solo"),
        ("beam 63", "beam MS"),
        ("lid 2 s => lampe 4 blink blue", "lamp SEAT MODE COLOUR"),
        ("lid 2 s => lamp 4 blink violet", "lamp SEAT MODE COLOUR"),
        ("lid 2 s =>", "nothing follows `=>`"),
        ("lid 0.0001 s", "no whole number of milliseconds"),
        ("wait -5 s", "of the hardware: wait MS"),
        ("lid 2 s => journal card_drawn {3}", "no JSON object"),
        ('said {"type":"nobody"}', "no input of this game"),
        ("wire 9 carte", "a button from 1 to 8"),
        ("key 12", "64 hexadecimal digits"),
        ("0:12.000", "nothing happens"),
    ],
)
def test_a_bad_line_is_quoted_with_its_number_and_what_could_stand_there(line, said):
    """So that a person mends it without looking anything up."""
    with pytest.raises(ScenarioError) as caught:
        read(GAME, START + line, "mine.scenario")

    assert str(caught.value).startswith(f"mine.scenario, line 4: {line!r}: ")
    assert said in str(caught.value)


def test_a_scenario_of_another_game_or_without_one_is_named_as_such():
    """As a recording of the wrong kind is."""
    with pytest.raises(ScenarioError, match="it is of chemin-de-fer, not of ecarte"):
        read(game("ecarte"), START)
    with pytest.raises(ScenarioError, match="no line names the house"):
        read(GAME, "game chemin-de-fer\n")
    with pytest.raises(RecordingError, match="no line names the game"):
        game_of("lid 2 s\n")
    assert game_of("# a\n" + START) == "chemin-de-fer"


def test_what_no_recording_holds_is_named(tmp_path):
    """Hardware, lamps and half events stay in the scenario."""
    for line, why in (
        ("lid 2 s", "moves hardware"),
        ("=> lamp 4 off", "expects what no recording holds"),
        ("=> journal coup_settled", "a whole coup_settled has other fields"),
    ):
        scenario = read(GAME, START + line, "mine")
        with pytest.raises(ScenarioError, match=f"mine, line 4: .*{why}"):
            to_recording(scenario, GAME, tmp_path / "r.jsonl", code="1")
        assert not (tmp_path / "r.jsonl").exists()


def test_a_scenario_is_known_by_its_beginning(tmp_path):
    """A recording, noise and an empty file are none."""
    for text, want in ((START, True), ("# why\n" + START, True), ("{}", False), ("", False)):
        path = tmp_path / sha256(text.encode()).hexdigest()
        path.write_text(text)
        assert is_scenario(path) is want
    assert not is_scenario(tmp_path / "nowhere")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_no_line_of_hardware_is_an_input_too(name):
    """A line means one thing in every game; a button's name is free, and no input begins so."""
    for text in ("beam 63 ms", "white 0.3 s", "lid up", "white there", "board reset", "wait 2 s"):
        with pytest.raises(ValueError, match="not a line of a coup script"):
            game(name).read(text)
