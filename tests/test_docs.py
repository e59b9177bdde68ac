"""The pages for people are complete and true: commands, options, settings, examples, links."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import msgspec
import pytest
import typer
from typer.testing import CliRunner

from table_controller.commands.cli import app
from table_controller.rules import houses
from table_controller.wiring import config, games
from tests.every_game import GAMES

DOCS = Path(__file__).parents[1] / "docs"
README = DOCS.parent / "README.md"
CONTRIBUTING = README.parent / "CONTRIBUTING.md"
PAGES = [
    README,
    CONTRIBUTING,
    README.with_name("CHANGELOG.md"),
    README.with_name("SECURITY.md"),
    *sorted(
        page
        for folder in ("docs", "hardware", "systemd", "vision", "workshop")
        for page in (README.parent / folder).rglob("*.md")
    ),
]


def commands() -> dict[str, list[str]]:
    """Every command by its full name, with its options."""

    def walk(command, name):
        if below := getattr(command, "commands", None):
            for word, one in below.items():
                yield from walk(one, f"{name} {word}".strip())
        elif not command.hidden:
            options = [word for param in command.params for word in param.opts]
            yield name, [option for option in options if option.startswith("-")]

    return dict(walk(typer.main.get_command(app), ""))


def sections(page: str) -> dict[str, str]:
    """The second-level sections of a page, by their heading."""
    _, *parts = re.split(r"^## ", (DOCS / page).read_text(), flags=re.MULTILINE)
    return {part.partition("\n")[0].strip(): part for part in parts}


def rows(section: str) -> set[str]:
    """What the first column of a section's tables names, in backquotes."""
    cells = re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"`(.+?)`", cell)}


def anchors(page: Path) -> set[str]:
    """What a link to a section of the page may be called: its heading, small, with dashes."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_command_has_its_section_and_no_other_is_there():
    assert sections("COMMANDS.md").keys() == commands().keys()


def test_the_table_at_the_head_leads_to_every_command():
    head = (DOCS / "COMMANDS.md").read_text().partition("\n## ")[0]

    assert set(re.findall(r"\[([\w -]+)\]\(#", head)) == commands().keys()


@pytest.mark.parametrize("name", commands())
def test_every_option_of_a_command_is_explained_and_no_other(name):
    assert rows(sections("COMMANDS.md")[name]) == set(commands()[name])


@pytest.mark.parametrize(
    "field",
    [field for field in msgspec.structs.fields(config.Config) if field.name != "buttons"],
    ids=lambda f: f.name,
)
def test_every_setting_of_a_table_is_explained_with_its_default(field):
    """By the table of its section; a default that is none is left out or said in words."""
    section = sections("SETTINGS.md")[f"[{field.name}]"]
    told = {
        row[0].strip("`"): row[1]
        for row in re.findall(r"^\| (`[^|]+`) \|([^|]*)\|", section, flags=re.MULTILINE)
    }
    settings = msgspec.structs.fields(field.type)

    assert told.keys() == {setting.name for setting in settings}
    for setting in settings:
        default = setting.default
        if default is not msgspec.NODEFAULT and default not in (None, "", ()):
            written = list(default) if isinstance(default, tuple) else default  # as TOML has it
            wanted = str(written).lower() if isinstance(default, bool) else str(written)
            assert f"`{wanted}`" in told[setting.name], setting.name


@pytest.mark.parametrize("name", games.DOORS)
def test_every_name_that_a_button_may_have_is_in_the_games_list_and_no_other(name):
    listed = sections("SETTINGS.md")["[buttons]"].partition(f"- `{name}`:")[2].partition("\n- ")[0]

    assert set(re.findall(r"`([^`]+)`", listed)) == set(games.game(name).buttons)


#: Where a game's own settings are explained; chemin de fer's stand with those of every house.
OWN = {"punto-banco": "### Punto banco"}


@pytest.mark.parametrize("game", ["chemin-de-fer", *OWN])
def test_every_setting_of_a_house_is_explained_and_no_other(game):
    """In the table of every house, and in the game's own."""
    section = sections("SETTINGS.md")["House files"]
    first, *others = re.split(r"^(?=### )", section, flags=re.MULTILINE)
    shared = houses.House.__dataclass_fields__.keys()
    names = GAMES[game].house.__dataclass_fields__.keys()
    part = next((part for part in others if part.startswith(OWN.get(game, "no"))), first)

    assert names - shared <= rows(part) <= {*names}


def test_every_shipped_house_is_named():
    """With what people play, where they choose one."""
    section = sections("FIRST_EVENING.md")["3. Set the table up"]

    assert {*re.findall(r"\| `([a-z0-9-]+)` \|$", section, re.MULTILINE)} == {*config.houses()}


def test_the_examples_of_commands_run(tmp_path, monkeypatch):
    """Every `$ schlitten …` line of the page, one after the other, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^\$ schlitten (.+)$", (DOCS / "COMMANDS.md").read_text(), re.MULTILINE)
    runner = CliRunner()

    assert len(lines) > 8
    for line in lines:
        result = runner.invoke(app, shlex.split(line))
        assert result.exit_code == 0, f"{line}: {result.output} {result.exception}"


def lines_in_blocks(page: Path) -> list[str]:
    """The lines in a page's blocks of code, without comments; one that goes on is put together."""
    blocks = re.findall(r"^```.*\n([^`]*?)^```$", page.read_text(), re.MULTILINE)
    told = "\n".join(blocks).replace("\\\n", " ")
    begun = (re.sub(r"^\s*(\$ )?(sudo )?", "", line) for line in told.splitlines())
    return [line.partition(" # ")[0].strip() for line in begun]


#: Lines that begin like commands: of a coup's script, and of a list of folders.
NO_COMMANDS = ("schlitten blue", "scripts/ ")


def at_fault(line: str, known: dict[str, list[str]]) -> str:
    """What is wrong with a line that calls the program, or one of our scripts; "" if nothing."""
    ours = line.startswith(("schlitten ", "scripts/", ".venv/bin/schlitten "))
    if not ours or line.startswith(NO_COMMANDS):
        return ""
    words = shlex.split(line)
    program = words[0].removeprefix(".venv/bin/")
    if program.startswith("scripts/"):
        script = README.parent / program
        return "" if script.is_file() and script.stat().st_mode & 0o111 else "no such script"
    name = next((" ".join(words[1:at]) for at in (3, 2) if " ".join(words[1:at]) in known), None)
    if name is None:
        return "no such command" if not words[1:2] or not words[1].startswith("-") else ""
    asked = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    return ", ".join(sorted(asked - {*known[name], "--help"}))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(README.parent)))
def test_every_command_in_a_block_can_be_given(page):
    """Each names a command or a script that there is, with options that it has."""
    known = commands()

    wrong = {line: why for line in lines_in_blocks(page) if line and (why := at_fault(line, known))}

    assert wrong == {}


def test_a_command_that_cannot_be_given_is_found():
    """By its name, its option, its script."""
    known = commands()

    assert at_fault("schlitten dance", known) == "no such command"
    assert at_fault("schlitten people add Anna --rank 3", known) == "--rank"
    assert at_fault("scripts/dance --high", known) == "no such script"
    assert at_fault("schlitten rule banker --json", known) == ""


@pytest.mark.parametrize("number", [0, 1])
def test_the_examples_of_settings_are_sound(tmp_path, number):
    """A table's settings and a house, copied out of the page."""
    examples = re.findall(
        r"^```toml\n(.*?)^```", (DOCS / "SETTINGS.md").read_text(), re.DOTALL | re.MULTILINE
    )
    file = tmp_path / "example.toml"
    file.write_text(examples[number])

    assert len(examples) == 2
    assert isinstance(config.check(file), (config.Config, houses.House)[number])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(README.parent)))
def test_no_link_leads_nowhere(page):
    """Links between the pages, and to their sections; those to the world are not tried."""
    for target, section in re.findall(r"\]\(([^)#:]*)(?:#([^):]*))?\)", page.read_text()):
        to = page.parent / target if target else page

        assert to.exists(), target
        assert not section or section in anchors(to), f"{target}#{section}"


def test_every_file_that_the_how_tos_name_is_there():
    """A placeholder stands for one that there is: chemin de fer, its house, German."""
    for_instance = {"<game>": "chemin_de_fer", "<house>": "modern", "<code>": "de"}
    text = (DOCS / "ADDING.md").read_text()
    text = text.replace("<what happens>", "suite").replace("<panel>", "foot")
    text = text.replace("asyncapi-<game>", "asyncapi-chemin-de-fer")
    for placeholder, one in for_instance.items():
        text = text.replace(placeholder, one)
    named = re.findall(r"`((?:\w[\w-]*/)+[\w.*-]*)`", text)

    assert len(named) > 40
    assert [name for name in named if not list(README.parent.glob(name))] == []


#: What installs our own name from an index, which has no such name; and an address without an end.
NOBODYS_COMMAND = re.compile(
    r"""pip install\s+(-\S+\s+)*["']?schlitten\b(?!-)|install schlitten\[|git clone https://…"""
)
TOLD = [
    *PAGES,
    *(
        file
        for folder in ("table_controller", "vision", "firmware_bridge", "hardware")
        for kind in ("py", "html", "js")
        for file in (README.parent / folder).rglob(f"*.{kind}")
    ),
]


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("pip install 'schlitten[hil]'", True),
        ("pip install schlitten", True),
        ("pip install --user schlitten[parquet]", True),
        ("install schlitten[floor]", True),
        ("git clone https://… schlitten", True),
        ("pip install './schlitten-0.1.0-py3-none-any.whl[floor]'", False),
        ("pip install -e '.[hil]'", False),
        ("sudo dpkg -i schlitten_0.1.0-1_arm64.deb", False),
    ],
)
def test_what_nobodys_command_is(command, found):
    assert bool(NOBODYS_COMMAND.search(command)) == found


def test_no_printed_command_installs_our_name_from_an_index():
    """No index has it: a command works in a clone, or with a release's file."""
    assert [str(file) for file in TOLD if NOBODYS_COMMAND.search(file.read_text())] == []
