"""`schlitten replay` at a whole table: expectations met, differences, and the texts about them."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from typer.testing import CliRunner

from hardware.emulator import ToolsMissing
from table_controller.commands.cli import app
from table_controller.commands.hil.rehearse import Playing, play
from table_controller.commands.hil.scenarios import load
from table_controller.service.scenario import ScenarioError, read
from table_controller.wiring.games import game

GAME = game("chemin-de-fer")
HEAD = "game chemin-de-fer\nhouse zoppot-1934\nwire 1 carte\nwire 2 reste\n"
#: Four cards lie; the pointeur at seat 2 is to speak.
DEALT = (
    HEAD + "seat 1 sits 1000 Anna\nseat 2 sits 1000 Berta\nschlitten blue\nseat 1 banks 10\n"
    "seat 2 banco solo\ncard 9h [lip]\ncard 2d [lip]\ncard Kc [lip]\ncard 4s [lip]\n"
)


def played(text, **how):
    """The verdict on a scenario; skipped where the firmware cannot be built."""
    try:
        return play(GAME, read(GAME, text, "mine"), Playing(**how))
    except ToolsMissing as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("board", ["twin", "emulated"])
def test_hardware_inputs_lamps_digits_tones_alerts_and_events_hold(board):
    """From the wire to the event and back to the lamps, on both boards."""
    verdict = played(
        DEALT
        + "=> lamp 1 on yellow, lamp 2 blink blue, digits 10 10, tone none\n"
        + "lid 2 s => alert lid-stop, alert lid, tone twice\n"
        + "lid ruled nobody touched a card => no alert lid-stop, no alerts\n"
        + 'button carte => journal said {"seat":2,"word":"carte"}, tone beep\n'
        + "button reste => tone twice, events 0\n"
        + "line cut 2 s => board safe, alert device-board\n"
        + "wait 11 s => digits 10 10, no alerts\n",
        board=board,
    )

    assert str(verdict) == "mine: 15 lines played, 17 expectations held."
    assert verdict.holds
    assert not verdict.unread


@pytest.mark.parametrize("board", ["twin", "emulated"])
@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("=> lamp 2 blink red", "lamp 2 blink blue"),
        ("=> lamps 1 on yellow", "lamps 1 on yellow 2 blink blue"),
        ("=> digits 10 20", "digits 10 10"),
        ("=> tone alarm", "tone none"),
        ("=> board safe", "lamps 1 on yellow 2 blink blue"),
    ],
)
def test_a_wrong_lamp_digit_or_tone_is_a_difference(board, line, seen):
    """Both sides are lines of a scenario."""
    verdict = played(DEALT + line, board=board)

    assert not verdict.holds
    assert verdict.difference.seen == (seen,)
    assert verdict.difference.expected == line.removeprefix("=> ")


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ('seat 2 carte => journal said {"seat":3}', 'journal said {"seat":2}'),
        ("seat 2 carte => refused", "journal said"),
        ("seat 1 carte => refused R-99", "refused"),
        ("seat 2 carte => events 7", "events 1"),
        ("seat 2 carte => alert lid", "no alerts"),
        ("lid 2 s => no alerts", "alert lid"),
        ("seat 2 carte => broker card_opened", "broker said"),
        ('lid 2 s => no page "The lid is open."', 'page "The lid is open."'),
    ],
)
def test_what_the_table_says_otherwise_is_a_difference(line, seen):
    """Journal, broker, page, alerts and refusals are compared too."""
    verdict = played(DEALT + line)

    assert verdict.difference.expected == line.partition("=> ")[2]
    assert seen in verdict.difference.seen


def test_a_difference_names_coup_time_the_last_three_lines_and_both_sides():
    """So that nobody has to look for it."""
    said = str(played(DEALT + "seat 2 carte => digits 10 20"))

    assert said == (
        "mine, line 14, coup 1, at 0:09.000: not as expected.\n"
        "  what was said last:\n"
        "    0:07.000 card Kc [lip]\n"
        "    0:08.000 card 4s [lip]\n"
        "    0:09.000 seat 2 carte\n"
        "  expected:\n"
        "    => digits 10 20\n"
        "  seen:\n"
        "    => digits 10 10"
    )


@pytest.mark.parametrize("house", ["zoppot-1934", "punto-banco", "ecarte-nemzeti-1907"])
def test_a_recording_is_replayed_on_the_board_with_every_event_and_picture(tmp_path, house):
    """Promises too, since its key is no secret; what it expects nobody has read."""
    path = tmp_path / "e.jsonl"
    words = ["simulate", "--house", house, "--seed", "3", "--coups", "2", "--out", path]
    CliRunner().invoke(app, [str(word) for word in words])

    verdict = play(*load(path), Playing(board="twin"))

    assert verdict.holds, str(verdict)
    assert verdict.compared > 50
    assert verdict.unread == verdict.compared
    assert any(set(moment.lamps) - {"off"} for moment in verdict.moments)


def test_a_changed_event_of_a_recording_is_a_difference(tmp_path):
    """Also one that is missing: the count tells."""
    path, text = tmp_path / "e.jsonl", tmp_path / "e.scenario"
    CliRunner().invoke(app, ["simulate", "--coups", "2", "--out", str(path)])
    CliRunner().invoke(app, ["scenario", str(path), "--out", str(text)])
    kept = text.read_text()

    for old, new in (('"cagnotte":', '"cagnotte":1'), ("=> events 1", "=> events 2")):
        text.write_text(kept.replace(old, new, 1))
        assert old in kept
        assert not play(*load(text), Playing()).holds


def test_nothing_compared_is_no_success(tmp_path):
    """Exit code 1, for a scenario without expectations and for one that is empty."""
    for content in (DEALT, HEAD):
        path = tmp_path / "a.scenario"
        path.write_text(content)
        result = CliRunner().invoke(app, ["replay", str(path)])

        assert result.exit_code == 1
        assert "nothing was compared" in result.output


def test_verdicts_are_written_for_a_ci_and_for_people(tmp_path):
    """JUnit says which side differs; the page holds every line, and nothing that is markup."""
    path, junit, html = (tmp_path / name for name in ("a.scenario", "v.xml", "v.html"))
    for line, code in (("=> digits 10 10", 0), ("=> digits 10 11", 1)):
        path.write_text(DEALT.replace("Anna", "<b>Anna") + line)
        words = ["replay", path, "--junit", junit, "--html", html, "--json"]
        result = CliRunner().invoke(app, [str(word) for word in words])
        suite, page = Xml.parse(junit).getroot(), html.read_text()

        assert result.exit_code == code
        assert json.loads(result.stdout)["holds"] is not bool(code)
        assert suite.get("failures") == str(code)
        assert bool(suite.findall("testcase/failure")) is bool(code)
        assert "&lt;b&gt;Anna" in page
        assert "<b>Anna" not in page
        assert ("=&gt; digits 10 11" in page) is bool(code)
        assert html.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("house", ["zoppot-1934", "punto-banco"])
def test_a_list_of_cards_is_played_by_people_and_judged_on_the_board(tmp_path, house):
    """One command: both reports, every card in its order, and what the board showed."""
    path, junit, html = (tmp_path / name for name in ("cards.csv", "v.xml", "v.html"))
    given = ["9h", "2d", "Kc", "4s", "7h", "3c", "Td", "5s", "As", "6c", "9d", "8h", "Qd", "2s"]
    path.write_text("card\n" + "\n".join(given))
    words = ["replay", path, "--house", house, "--board", "twin", "--junit", junit, "--html", html]

    result = CliRunner().invoke(app, [str(word) for word in words])

    assert result.exit_code == 0, result.output
    assert Xml.parse(junit).find("testcase").attrib == {
        "classname": "board twin", "name": "cards.csv",
    }  # fmt: skip
    assert re.findall(r"<code>card (..) ", html.read_text()) == given
    assert 'class="lamp on"' in html.read_text()


def test_cards_of_no_list_have_a_house_of_their_own(tmp_path):
    """Said by the option's name."""
    path = tmp_path / "e.jsonl"
    CliRunner().invoke(app, ["simulate", "--coups", "1", "--out", str(path)])

    result = CliRunner().invoke(app, ["replay", str(path), "--house", "modern"])

    assert result.exit_code == 2
    assert "--house is for a CSV of cards" in result.output


def test_it_ends_and_begins_where_it_is_told(tmp_path):
    """After a coup, from a coup, at the first alert."""
    path = tmp_path / "e.jsonl"
    CliRunner().invoke(app, ["simulate", "--coups", "4", "--out", str(path)])
    found = load(path)

    whole, early, late = (play(*found, Playing(**how)) for how in ({}, {"until": 2}, {"since": 3}))
    stopped = played(DEALT + "lid 2 s\nwait 1 s => digits 0 0", break_on_alert=True)

    assert 0 < early.compared < whole.compared
    assert 0 < late.compared < whole.compared
    assert late.inputs == whole.inputs > early.inputs
    assert play(*found, Playing(until=9999)).stopped == (
        "Coup 9999 never came: the last one is coup 4."
    )
    assert early.stopped == "Stopped after coup 2, as asked."
    assert stopped.stopped == "Stopped at line 14, coup 1, 0:09.000: alert lid-stop."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DEALT + "button sold", "no button is wired to 'sold'"),
        (DEALT.replace("carte", "karte"), "no button says 'karte'"),
        (DEALT.replace("zoppot-1934", "atlantis"), "atlantis"),
    ],
)
def test_what_cannot_be_played_is_named(text, why):
    """The thing, the value and what is allowed."""
    with pytest.raises(ScenarioError, match=why):
        played(text)


def test_an_owner_s_lamp_file_is_what_is_compared(tmp_path):
    """The lamp file of a table changed: the scenario notices."""
    own = Path(tmp_path / "own.toml")
    made = (
        Path(part).read_text()
        for part in ("hardware/lamps.toml", "table_controller/engine/chemin_de_fer/lamps.toml")
    )
    own.write_text("\n".join(made).replace('colour = "blue"', 'colour = "magenta"'))

    verdict = played(DEALT.replace("wire 1", f"lamps {own}\nwire 1") + "=> lamp 2 blink blue")

    assert verdict.difference.seen == ("lamp 2 blink magenta",)


def test_a_refusal_that_no_line_expects_is_a_difference():
    """Else a mistyped line, such as seat 99, passes unseen; a line below may expect it."""
    for wanted in ("", " => no alerts"):
        verdict = played(HEAD + f"seat 99 sits 1000 Anna{wanted}\nseat 1 sits 1000 Berta\n")

        assert verdict.difference
        assert verdict.difference.number == 5
        assert "refused ZP-3" in str(verdict)
        assert "=> refused`" in str(verdict)
    for wanted in ("=> refused", "\n=> no alerts\n=> refused", "=> journal refused"):
        assert played(HEAD + f"seat 99 sits 1000 Anna{wanted}\n").holds
