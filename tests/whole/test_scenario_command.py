"""`schlitten scenario`: each format turns into the other, and nothing is overwritten."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_controller.commands.cli import app
from table_controller.commands.hil.scenarios import load
from table_controller.service.scenario import ScenarioError, read
from table_controller.service.scenario_lines import EXPECTATIONS, STEPS
from table_controller.wiring.games import game

DOC = Path(__file__).parents[2] / "docs" / "SCENARIOS.md"


def call(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_recording_becomes_a_scenario_and_a_recording_again(tmp_path):
    """By the command, to the byte; what it expects is marked, and the file is the owner's only."""
    one, text, two = tmp_path / "a.jsonl", tmp_path / "a.scenario", tmp_path / "b.jsonl"
    call("simulate", "--seed", 5, "--coups", 3, "--out", one)

    told = json.loads(call("scenario", one, "--out", text, "--json").output)
    back = call("scenario", text, "--out", two)

    marked = [line for line in text.read_text().splitlines() if line.startswith("~ ")]
    assert told == {"written": str(text), "kind": "scenario", "lines": told["lines"],
                    "unread": len(marked)}  # fmt: skip
    assert len(marked) > 40
    assert text.stat().st_mode & 0o777 == 0o600
    assert back.exit_code == 0
    assert two.read_bytes() == one.read_bytes()


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    """It may be somebody's work."""
    one, text = tmp_path / "a.jsonl", tmp_path / "a.scenario"
    call("simulate", "--coups", 1, "--out", one)
    text.write_text("mine")

    assert call("scenario", one, "--out", text).exit_code != 0
    assert text.read_text() == "mine"


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"schlitten":"film"}\n', b"\xff\xfe"])
def test_what_is_neither_is_named_as_such(tmp_path, content):
    """Cut files, other files, other encodings."""
    path = tmp_path / "x"
    path.write_bytes(content)

    with pytest.raises(ScenarioError, match="neither a scenario nor a recording"):
        load(path)


def test_the_example_of_the_page_is_a_scenario_and_every_line_is_explained():
    """Each form of the tables stands in the page; each that the page shows is read."""
    text = DOC.read_text()
    example = re.search(r"```\n(# R-51.*?)```", text, re.DOTALL)[1]
    shown = re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)))

    def words(template):
        return re.sub(r"\{.*", "", template).strip()

    assert len(read(game("chemin-de-fer"), example).cues) == 8
    for _, template, _ in (*STEPS, *EXPECTATIONS):
        assert any(one.startswith(words(template)) for one in shown), template
