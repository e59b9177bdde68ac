"""Imports go one way: which module may import which, read from the source."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

OURS = ("table_controller", "vision", "hardware", "firmware_bridge")
#: What of ours each package may import, by prefix. What is not listed here may import nothing.
ALLOWED = {
    "table_controller.testing": OURS,  # it plays whole tables, and nothing imports it
    "table_controller.rules": ("table_controller.rules",),
    "table_controller.engine": ("table_controller.rules", "table_controller.engine"),
    "table_controller.words": (
        "table_controller.rules.cards",
        "table_controller.engine.messages",
        "table_controller.service.logs",
        "table_controller.words",
    ),
    "table_controller.service": (
        "table_controller.rules",
        "table_controller.engine",
        "table_controller.service",
    ),
    "table_controller.adapters": (
        "table_controller.rules",
        "table_controller.engine",
        "table_controller.service",
        "table_controller.adapters",
        "table_controller.words",
        "firmware_bridge.messages",
        "firmware_bridge.trouble",
    ),
    "table_controller.wiring": (
        "table_controller.rules",
        "table_controller.engine",
        "table_controller.service",
        "table_controller.adapters",
        "table_controller.words",
        "table_controller.wiring",
        "vision",
        "hardware",
        "firmware_bridge",
    ),
    "table_controller.floor": (
        "table_controller.rules",
        "table_controller.engine.messages",
        "table_controller.engine.pieces",
        "table_controller.engine.table.persons",  # who signs in: the gate is the table's
        "table_controller.engine.table.roles",
        "table_controller.engine.table.evening",  # one list for a table's record and the floor's
        "table_controller.engine.views",
        "table_controller.service",
        "table_controller.adapters",
        "table_controller.words",
        "firmware_bridge.trouble",  # why its broker does not serve, as the broker itself says it
        "table_controller.floor",
    ),
    "table_controller.commands": OURS,
    "vision": (
        "table_controller.rules",
        "table_controller.engine.seen",
        "firmware_bridge.trouble",  # why a camera gives no pictures, for pages to translate
        "vision",
    ),
    "hardware": (
        "table_controller.rules",
        "table_controller.engine.seen",
        "table_controller.engine.messages",
        "firmware_bridge",
        "hardware",
    ),
    "firmware_bridge": ("firmware_bridge",),
}
RULES = sorted((ROOT / "table_controller/rules").rglob("*.py"))
SOURCES = [path for name in OURS for path in sorted((ROOT / name).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Full names of what a file imports, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", SOURCES, ids=module)
def test_arrows_run_one_way(path):
    """A lower layer knows nothing of a higher one; only the wiring knows everything."""
    layer = next((name for name in ALLOWED if module(path).startswith(name)), None)
    if layer is None:
        assert path.name in ("__init__.py", "__main__.py")
        assert path.parent == ROOT / "table_controller"
        return

    ours = {name for name in imported(path) if name.split(".")[0] in OURS}

    assert {name for name in ours if not name.startswith(ALLOWED[layer])} == set()


def test_the_product_and_its_tests_need_nothing_of_the_workshop():
    """A table is built, and tested, without what makes its nets, papers and drawings."""
    tests = [*(ROOT / "tests").rglob("*.py"), ROOT / "conftest.py"]
    needing = {
        module(path)
        for path in (*SOURCES, *tests)
        for name in imported(path)
        if name.startswith("workshop")
    }

    assert needing == set()


#: The games: each has a package among the engine's, with a door.
GAMES = {path.parent.name for path in (ROOT / "table_controller/engine").glob("*/game.py")}


def test_a_games_files_know_their_own_game_only_and_the_doors_all():
    """A second game adds files; what lies above the engine knows a game by its door."""
    knows = {
        module(path): games
        for path in SOURCES
        if (games := {game for name in imported(path) for game in GAMES & {*name.split(".")}})
        and games != GAMES & {*path.relative_to(ROOT).parts}
    }

    assert knows.pop("table_controller.wiring.games") == GAMES
    assert knows == {}


def test_nobody_but_a_game_says_banker_pointeur_or_pot():
    """Its words stand in its files, in its houses, which are data, and in the catalogues."""
    its = re.compile(r"\b(banker|pointeur|pot)\b", re.IGNORECASE)
    games = {path.parent.name for path in (ROOT / "table_controller/rules").glob("*/__init__.py")}
    rooms = ("table_controller", "hardware", "firmware_bridge", "vision", "systemd")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.*")]
    said = {
        str(path.relative_to(ROOT))
        for path in files
        if path.suffix in (".py", ".html", ".css", ".js", ".toml", ".c", ".h")
        and not {"houses", *games} & {*path.parts}
        and its.search(path.read_text())
    }

    assert said <= {"table_controller/wiring/games.py"}


def test_the_top_shows_the_rooms_and_nothing_else():
    """Who opens the folder sees what there is, not seventeen loose modules."""
    shown = {path.name for path in (ROOT / "table_controller").iterdir()} - {"__pycache__"}

    assert shown == {
        *("rules", "engine", "service", "adapters", "wiring", "commands", "words", "houses"),
        *("floor", "testing"),
        *("__init__.py", "__main__.py", "py.typed"),
    }


def test_nobody_imports_in_a_circle():
    """Also not inside functions: what needs itself cannot be read from one end."""
    modules = {module(path).removesuffix(".__init__"): path for path in SOURCES}
    needs = {name: {*_modules(imported(path), modules)} - {name} for name, path in modules.items()}
    while free := {name for name, others in needs.items() if not others & needs.keys()}:
        needs = {name: others for name, others in needs.items() if name not in free}

    assert needs == {}


def _modules(names: set[str], known: dict[str, Path]) -> set[str]:
    """The modules that these imported names lie in."""
    return {found for name in names if (found := _module(name, known))}


def _module(name: str, known: dict[str, Path]) -> str:
    return name if not name or name in known else _module(name.rpartition(".")[0], known)


@pytest.mark.parametrize("path", RULES, ids=module)
def test_rules_need_the_standard_library_only(path):
    """The rules can be read, and run, without anything installed."""
    import sys

    foreign = {name.split(".")[0] for name in imported(path)} - {"table_controller"}

    assert foreign <= set(sys.stdlib_module_names) | {"__future__"}


@pytest.mark.parametrize(
    "path",
    [*sorted((ROOT / "table_controller/engine").rglob("*.py")), *RULES],
    ids=module,
)
def test_no_clock_chance_log_or_device_in_rules_and_engine(path):
    """`step` is a function of its arguments, or replay would not be recovery."""
    banned = {"time", "datetime", "random", "secrets", "logging", "structlog", "os", "socket"}

    assert {name.split(".")[0] for name in imported(path)} & banned == set()


def test_only_the_wiring_imports_a_camera_library():
    """The service without a camera must not carry OpenCV: its memory has a budget."""
    below = [
        path for path in SOURCES if "vision" not in path.parts and "hardware" not in path.parts
    ]

    for path in below:
        heavy = {"cv2", "numpy", "pyzbar", "zxingcpp"}
        if "floor" in path.parts:  # no table loads it (tests/test_imports.py)
            heavy.remove("numpy")
        assert {name.split(".")[0] for name in imported(path)} & heavy == set(), path


def test_a_function_fits_a_screen():
    """A file is one concept, however long; nobody follows a function of a hundred lines."""
    long = {
        f"{path.relative_to(ROOT)}::{node.name}": lines
        for path in SOURCES
        if "migrations" not in path.parts  # what they did is done
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > 60
    }

    assert long == {}
