"""Names and reasons that contain markup or orders to a terminal are printed as plain text."""

import sys

import pytest

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands import cli, simulate
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from tests.engine import script
from tests.whole.commands import Said

#: A closing tag without its opening one, which stops Rich; the stroke makes a folder of it.
NAME = "[/nope] [bold]x:key:"
REASON = "[/nope] \x1b[2J [red] x"
SHOWN = r"[/nope] \x1b[2J [red] x"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a hostile name with a key, settings, a recording, a journal with a reason."""
    folder = tmp_path_factory.mktemp("hostile") / NAME
    folder.mkdir(parents=True)
    make_key(folder / "table.key")
    (folder / "table.toml").write_text(
        f"[journal]\npath = '{folder}/table.db'\nkey = '{folder}/table.key'\n"
        "[broker]\nkind = 'none'\n[page]\nport = 0\n"
    )
    service = Service(
        Plan(
            table=TableId("hostile", "table-1"),
            house=config.house("zoppot-1934"),
            keys=load_keys(folder / "table.key", {}),
            journal=folder / "table.db",
        )
    )
    lines = [
        "seat 1 sits 100 [/nope] x",
        "seat 2 sits 100 x",
        "schlitten blue-1",
        "seat 1 banks 10",
    ]
    for line in [*lines, "seat 2 banco solo", "card 2h", f"annul {REASON}"]:
        service.table.take(script.parse(line), 1)
    service.journal.close()
    simulate.record(
        folder / "evening.jsonl", config.house("zoppot-1934"), seed=1, coups=1, faults=""
    )
    return folder


@pytest.fixture
def schlitten(monkeypatch, capsys):
    """Run the command in this process; its code, and what it printed on either side."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["schlitten", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            sys.exit(cli.main())
        said = capsys.readouterr()
        return Said(ended.value.code or 0, said.out, said.err)

    return run


def test_recall_shows_a_reason_as_it_was_typed(place, schlitten):
    """Its title is the journal's name."""
    said = schlitten("recall", place / "table.db")

    assert (said.code, said.errors) == (0, "")
    text = "".join(said.out.split())
    assert "".join(SHOWN.split()) in text.replace("│", "").replace("┃", "")
    assert "\x1b" not in said.out
    assert _named(said.out)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("check-config", "table.toml"), 0),
        (("doctor", "--config", "table.toml"), 0),
        (("simulate", "--coups", "1", "--out", "w.jsonl"), 0),
        (("verify", "evening.jsonl"), 0),
        (("verify", "table.db"), 0),
        (("replay", "evening.jsonl"), 0),
        (("export", "table.db", "--key", "table.key", "--everything", "--out", "x.jsonl"), 0),
        (("manifest", "blue-1", "--key", "shoe.key", "--new-key", "--out", "blue.manifest"), 0),
        (("recall", "nowhere.db"), 2),
        (("check-config", "nowhere.toml"), 2),
        (("verify", "nowhere.db"), 2),
        (("replay", "nowhere.jsonl"), 2),
        (("simulate", "--house", "nowhere.toml", "--out", "y.jsonl"), 2),
        (("recognise", "nowhere.png"), 1),
        (("labels", "nowhere.manifest", "--out", "z.pdf"), 2),
        (("enrol", "mine", "nowhere"), 2),
        (("run", "--config", "nowhere.toml"), 2),
    ],
    ids=lambda words: " ".join(words[:2]) if isinstance(words, tuple) else "",
)
def test_a_file_may_be_called_anything(place, schlitten, words, code):
    """Whatever the command says of it, well or ill."""
    files = (".toml", ".db", ".jsonl", ".key", ".png", ".manifest", ".pdf", "nowhere")
    said = schlitten(*(place / word if word.endswith(files) else word for word in words))

    assert "Traceback" not in said.errors
    assert said.code == code, said.errors
    if words[0] not in ("doctor", "verify", "replay") or code:
        assert _named(said.out + said.errors)


def _named(printed: str) -> bool:
    """Whether the name stands there as it is; a long path is broken over lines."""
    return "".join(NAME.rpartition("/")[2].split()) in "".join(printed.split())


@pytest.mark.parametrize(
    "words",
    [
        ("rule", NAME),
        ("tableau", "--house", NAME),
        ("simulate", "--game", NAME, "--out", "x"),
        ("demo", "--speed", NAME),
        (NAME,),
    ],
)
def test_a_word_of_the_command_line_may_be_anything(schlitten, words):
    said = schlitten(*words)

    assert "Traceback" not in said.errors
    assert said.code in (1, 2)
    assert "[bold]x:key:" in said.errors
