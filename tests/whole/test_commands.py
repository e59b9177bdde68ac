"""Every command from outside: what it prints for programs, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
from importlib.metadata import version

import pytest

from table_controller.commands import cli
from table_controller.service.journal import Journal
from table_controller.service.recording import Recorder, Recording
from table_controller.service.sealing import make_key
from tests.limits import LONG_S
from tests.whole.commands import COMMAND, schlitten, short_film

#: Whole evenings, programs and films: minutes, on a machine that is busy.
pytestmark = pytest.mark.timeout(LONG_S)


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A short evening, simulated, with mistakes."""
    path = tmp_path_factory.mktemp("recording") / "evening.jsonl"
    said = schlitten("simulate", "--seed", 5, "--coups", 8, "--faults", "stray", "--out", path)
    assert said.code == 0, said.errors
    return path


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What `schlitten demo` did with a short film; and the folder that it kept."""
    folder = tmp_path_factory.mktemp("demo")
    film = short_film(folder / "short.film")
    said = schlitten(
        *("demo", "--once", "--speed", "max", "--json", "--film", film),
        *("--page-port", 0, "--broker-port", 0, "--keep", folder / "kept"),
    )
    assert said.code == 0, said.errors
    return said, folder / "kept"


@pytest.fixture
def begun(tmp_path_factory):
    """A folder with a key and a journal that was begun, and in which nothing happened."""
    folder = tmp_path_factory.mktemp("begun")
    keys = make_key(folder / "table.key")
    Journal.open(
        folder / "table.db", keys, game="chemin-de-fer", house="zoppot-1934", code="1"
    ).close()
    return folder


@pytest.mark.parametrize(
    ("house", "cards"),
    [("punto-banco", 416), ("ecarte-german", 32), ("ecarte-nemzeti-1907", 32)],
)
def test_demo_deals_the_packs_of_the_house(house, cards):
    """Another game's Schlitten goes through without a stop: its packs, its white card's place."""
    said = schlitten(
        *("demo", "--once", "--speed", "max", "--json", "--house", house),
        *("--page-port", 0, "--broker-port", 0),
    )
    assert said.code == 0, said.errors
    told = [line["event"] for line in said.lines[:-1]]
    ready = [event for event in told if event["type"] == "schlitten_ready"]

    assert {event["cards"] for event in ready} == {cards}
    assert "schlitten_counted" in {event["type"] for event in told}
    assert not {"alert_raised", "card_unread"} & {event["type"] for event in told}
    assert said.lines[-1]["summary"]["coups"] >= 1


def test_demo_tells_every_public_event_and_how_it_went(shown):
    """One event per line, numbered without a gap, then a summary; for people where to look."""
    said, folder = shown
    *told, last = said.lines

    assert [line["seq"] for line in told] == list(range(1, len(told) + 1))
    assert all(line.keys() == {"t_ms", "seq", "event"} for line in told)
    assert last["summary"].keys() == {"coups", "public_events", "seconds", "journal"}
    assert last["summary"]["public_events"] == len(told)
    assert (
        last["summary"]["coups"]
        == 5
        == sum(line["event"]["type"] == "coup_settled" for line in told)
    )
    assert last["summary"]["journal"] == str(folder / "table.db")
    assert "/public" in said.errors
    assert "mosquitto_sub -p" in said.errors


def test_simulate_is_the_same_for_the_same_seed(recording, tmp_path):
    again, other = tmp_path / "again", tmp_path / "other"
    words = ("simulate", "--coups", 8, "--faults", "stray", "--json", "--out")
    said = schlitten(*words, again, "--seed", 5)
    (summary,) = said.lines

    assert said.code == 0
    assert schlitten(*words, other, "--seed", 6).code == 0
    assert again.read_bytes() == recording.read_bytes() != other.read_bytes()
    assert summary.keys() == {"inputs", "events", "sealed", "coups", "schlitten"}
    assert summary["coups"] == 8
    assert summary["inputs"] + summary["events"] == len(recording.read_text().splitlines()) - 2


def test_replay_tells_what_was_recorded(recording):
    """Every event but the sealed ones, in order, each with its audience's number."""
    said = schlitten("replay", recording, "--json")
    recorded = [json.loads(line) for line in recording.read_text().splitlines()[1:-1]]
    wanted = [line["event"] for line in recorded if "event" in line]
    audiences = {line["audience"] for line in said.lines}

    assert said.code == 0
    assert [line["event"] for line in said.lines] == [
        event for event in wanted if event["type"] != "card_identified"
    ]
    assert audiences == {"public", "croupier"}
    for audience in audiences:
        seqs = [line["seq"] for line in said.lines if line["audience"] == audience]
        assert seqs == list(range(1, len(seqs) + 1))


def test_an_evening_has_one_count(tmp_path):
    """What simulate wrote is what replay plays, and verify reads."""
    path = tmp_path / "evening.jsonl"
    made = schlitten("simulate", "--coups", 4, "--out", path).out
    inputs, events, sealed = map(
        int, re.search(r"(\d+) inputs, (\d+) events \((\d+) sealed\)", made).groups()
    )

    assert sealed > 0
    assert f"{inputs} inputs, {events} events ({sealed} sealed) in" in (
        schlitten("replay", path).out
    )
    assert f"holds: {inputs + events} inputs and events, " in schlitten("verify", path).out


def test_recall_shows_the_coups_of_a_recording(recording, tmp_path):
    """As of a journal; and what is neither is named."""
    said = schlitten("recall", recording, "--json", "-n", 3)
    (tmp_path / "other").write_text("something else")

    assert said.code == 0
    assert [line["number"] for line in said.lines] == [6, 7, 8]
    assert schlitten("recall", tmp_path / "other").code == 2


def test_the_version_is_said():
    """With the commit that git knows here, or that it is unknown: tests/test_version.py."""
    commit = r"(\+dev)? \(([0-9a-f]{12}|commit unknown)\)\n"

    assert re.fullmatch(f"schlitten {version('schlitten')}{commit}", schlitten("--version").out)


@pytest.mark.parametrize("speed", ["nan", "inf", "-1", "0", "quick"])
def test_a_speed_that_is_none_is_refused(recording, speed):
    """NaN would have waited for ever."""
    said = schlitten("replay", recording, "--speed", speed)

    assert said.code == 2
    assert "is no speed: want a number over 0, or max" in said.errors.replace("\n", " ")


def test_a_wheel_that_is_none_is_bad_usage():
    said = schlitten("update", "no.whl")

    assert said.code == 2
    assert "no.whl is no wheel of this program" in said.sentence


def test_what_works_long_says_each_step_to_programs_too(tmp_path):
    said = schlitten("board", "test", "--port", "twin", "--json")

    assert said.code == 0
    assert said.lines[0] == {"seen": "seat 1 red"}
    assert said.lines[-1] == {"pictures": len(said.lines) - 1}


def test_a_board_of_another_build_leaves_no_report(tmp_path):
    """So the same command can be given again; the sentence is the same."""
    words = ("--port", "twin", "--build", "modules", "--report", tmp_path / "seen.jsonl")
    for _ in range(2):
        said = schlitten("board", "test", *words)

        assert said.code == 1
        assert "twin has firmware for hc595 lamps" in said.errors.replace("\n", " ")
    assert not (tmp_path / "seen.jsonl").exists()


def test_replay_says_for_people_that_all_is_as_expected(recording):
    said = schlitten("replay", recording)

    assert said.code == 0
    assert said.out.strip().endswith("all as expected")


def test_replay_shows_the_first_difference(recording, tmp_path):
    """1, and a sentence with what came and what was expected."""
    other = tmp_path / "other.jsonl"
    schlitten("simulate", "--seed", 6, "--coups", 8, "--out", other)
    said = schlitten("replay", recording, "--expect", other)

    assert said.code == 1
    assert re.match(r"Event \d+ differs in .*: got {.*}, expected {", said.sentence)


def test_verify_tells_what_holds(recording, shown):
    """A journal with and without its key, and a recording."""
    folder = shown[1]
    found = {
        "recording": schlitten("verify", recording, "--json"),
        "journal": schlitten("verify", folder / "table.db", "--json"),
        "inner": schlitten("verify", folder / "table.db", "--key", folder / "table.key", "--json"),
    }
    verdicts = {name: said.lines[0] for name, said in found.items()}

    assert {said.code for said in found.values()} == {0}
    for verdict in verdicts.values():
        assert verdict.keys() == {"file", "holds", "verdict"}
        assert verdict["holds"]
    assert [verdicts[name]["verdict"]["kind"] for name in found] == [
        *("recording", "journal", "journal"),
    ]
    assert [verdicts[name]["verdict"]["inner"] for name in found] == [False, False, True]


def test_verify_names_the_first_row_that_does_not_hold(shown, tmp_path):
    """One chip more in one row: 1, and which row."""
    copy = tmp_path / "copy.db"
    with sqlite3.connect(shown[1] / "table.db") as source, sqlite3.connect(copy) as target:
        source.backup(target)
        target.execute(
            "UPDATE events SET body = cast(replace(body, '\"pot\":', '\"pot\":1') AS BLOB) "
            "WHERE type = 'bank_posted' AND seq = (SELECT min(seq) FROM events "
            "WHERE type = 'bank_posted')"
        )
        (id_, seq) = target.execute(
            "SELECT id, seq FROM events WHERE type = 'bank_posted' ORDER BY id LIMIT 1"
        ).fetchone()
    said = schlitten("verify", copy, "--json")
    text = schlitten("verify", copy)

    assert (said.code, text.code) == (1, 1)
    assert not said.lines[0]["holds"]
    assert f"event {id_} (public {seq})" in said.lines[0]["verdict"]["fault"]
    assert text.out.startswith("This journal does not hold: ")


def test_recall_shows_the_last_coups_the_interrupted_one_included(shown):
    """All cards that were opened, and only those."""
    said = schlitten("recall", shown[1] / "table.db", "--json")
    *settled, last = said.lines
    two = schlitten("recall", shown[1] / "table.db", "-n", 2, "--json").lines
    text = schlitten("recall", shown[1] / "table.db")

    assert (said.code, text.code) == (0, 0)
    assert [coup["number"] for coup in said.lines] == [1, 2, 3, 4, 5, 6]
    assert {coup["outcome"] for coup in settled} == {"settled"}
    assert last["outcome"] == "interrupted"
    assert two == said.lines[-2:]
    for coup in settled:
        for seat in (coup["banker_seat"], coup["pointeur_seat"]):
            assert len(coup["cards"][str(seat)]) == coup["closed"][str(seat)] >= 2
    hidden = sum(last["closed"].values()) - sum(map(len, last["cards"].values()))
    assert hidden > 0
    assert text.out.count("··") == hidden
    assert "interrupted" in text.out


def test_export_and_replay_tell_the_same_evening(shown, tmp_path):
    """The open Schlitten too, with the key: an evening becomes a bug report."""
    folder, out = shown[1], tmp_path / "evening.jsonl"
    said = schlitten(
        *("export", folder / "table.db", "--key", folder / "table.key", "--everything"),
        *("--out", out, "--json"),
    )
    again = schlitten("replay", out)

    assert said.code == 0
    assert said.lines == [{"recording": str(out), "lines": len(out.read_text().splitlines()) - 2}]
    assert again.code == 0, again.errors
    assert "all as expected" in again.out


def test_export_keeps_the_open_schlitten_to_itself(shown, tmp_path):
    """Its cards are secret: without `--everything` there is nothing yet, which is said."""
    folder, out = shown[1], tmp_path / "closed.jsonl"
    said = schlitten(
        *("export", folder / "table.db", "--key", folder / "table.key", "--out", out, "--json")
    )

    assert (said.code, said.out) == (1, "")
    assert re.search(
        r"table\.db holds no closed Schlitten, but \d+ inputs of an open one, whose cards are "
        r"secret: nothing is written\. Close the Schlitten at the table first, or add --everything",
        said.sentence,
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [(), ("--everything",)])
def test_an_export_of_a_journal_without_an_input_says_so(begun, tmp_path, words):
    """Nothing is there that could be missing."""
    folder = begun
    out = tmp_path / "evening.jsonl"
    said = schlitten(
        *("export", folder / "table.db", "--key", folder / "table.key", "--out", out, *words)
    )

    assert said.code == 1
    assert "holds no input yet: nothing is written" in said.sentence
    assert not out.exists()


def test_a_replay_of_a_recording_without_an_input_says_so(recording, tmp_path):
    """Nothing was compared, so nothing was as expected: exit 1."""
    empty = tmp_path / "empty.jsonl"
    with Recorder(empty, Recording(recording).header):
        pass
    said = schlitten("replay", empty)
    as_json = schlitten("replay", empty, "--json")

    assert (said.code, as_json.code) == (1, 1)
    assert f"{empty} contains no input, so nothing was played." in said.sentence
    assert "as expected" not in said.out
    assert as_json.out == ""


def test_tableau_tells_every_square():
    said = schlitten("tableau", "--json")
    squares = {(line["point"], line["given"]): line["duty"] for line in said.lines}

    assert said.code == 0
    assert len(squares) == 8 * 11
    assert [square for square, duty in squares.items() if duty == "choose"] == [(3, 9), (5, 4)]
    assert schlitten("tableau").out.count("◐") == 3  # and in its key


def test_rule_finds_those_that_say_words():
    """In any case and order, one line each; as JSON whole; 1 if no rule says them."""
    found = schlitten("rule", "White", "card").out.splitlines()
    both = json.loads(schlitten("rule", "card", "white", "--json").out)

    assert [line.split()[0] for line in found[:-1]] == [rule["id"] for rule in both]
    assert all("white" in (rule["text"] + rule["how"]).lower() for rule in both)
    none = schlitten("rule", "zeppelin")
    assert (none.code, none.out) == (1, "")
    assert none.sentence == "no rule contains 'zeppelin': try one word, or an id such as Z-24"


def test_help_lists_every_command_under_what_it_is_for():
    """In groups that begin with what can be tried at once."""
    told = schlitten("--help").out

    heads = [told.index(f" {head} ") for head in cli.GROUPS]
    assert heads == sorted(heads)
    assert "Commands ─" not in told
    assert told.index(" demo ") < told.index(" init ") < told.index(" rule ")


def test_rule_tells_text_treatment_and_tests():
    said = schlitten("rule", "Z-24", "R-6", "--json")
    rules = json.loads(said.out)

    assert said.code == 0
    assert [rule["id"] for rule in rules] == ["Z-24", "R-6"]
    code = {"handlers", "offers", "others"}
    assert all(rule.keys() == {"id", "text", "treatment", "how", "tests"} | code for rule in rules)
    assert "seven cards" in schlitten("rule", "Z-24").out


def test_check_config_tells_what_a_file_means(tmp_path):
    """A table's settings with what was left out, and a house."""
    settings, house = tmp_path / "table.toml", tmp_path / "own.toml"
    settings.write_text('[table]\nname = "blue"\n')
    house.write_text('id = "own"\ntitle = "Our own"\nunit = "G"\nseats = 9\ncagnotte_bp = 250\n')
    table, own = schlitten("check-config", settings, "--json"), schlitten("check-config", house)

    assert (table.code, own.code) == (0, 0)
    assert table.lines[0]["kind"] == "config"
    assert table.lines[0]["settings"]["table"]["name"] == "blue"
    assert table.lines[0]["settings"]["page"]["port"] == 8080
    assert "cagnotte_bp" in own.out
    assert "250" in own.out


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        (">/dev/full", 2, "cannot print: No space left on device"),
        (">&-", 0, ""),
        ("| head -c 10 >/dev/null", 0, ""),
    ],
    ids=["full", "closed", "not read"],
)
def test_an_output_that_takes_no_more_is_a_sentence(how, code, said):
    line = f"{shlex.join(COMMAND)} rule Z-24 {how}"

    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)

    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    assert said in done.stderr
