"""One word, one thing. A public class name that occurs twice is listed here with its reason."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = ("table_controller", "vision", "firmware_bridge")
#: What one game calls a thing, and what another game calls its own, is one word of the trade.
GAMES = ("chemin_de_fer", "punto_banco", "ecarte")

#: Of the others: two layers' view of one thing, or two words of two trades that never meet.
TWICE = {
    "Ask": "what a road would get next: as the rules count it, as the page draws it",
    "Bench": "the technician's bench: what the page asks of it, and what answers",
    "Capture": "a camera, opened: of libcamera, of Video4Linux",
    "Cell": "a square: of a road as the rules count it, of any table that the page draws",
    "Colour": "of a road's sign; of a lamp, by the board's own bits",
    "House": "what every house sets, and what one of each game sets besides",
    "Laid": "what lies on the felt of any game, and what a coup of chemin de fer has laid",
    "Mode": "how a partie is staked; the rhythm of a lamp",
    "NoSchlitten": "no Schlitten is loaded: at any table, and at écarté, where one waits meanwhile",
    "Person": "whom the house knows; who sits at a place, as the staff's page shows him",
    "Players": "simulated ones: of any game, and of each",
    "Result": "who won a coup; a finished coup as a screen shows it",
    "Stake": "as a screen shows it, and as each game's rules count it",
    "Table": "a game's whole state; the service's table, which steps it and keeps its journal",
}


def public_classes() -> dict[str, list[str]]:
    """By name, the files that define one of it."""
    found = defaultdict(list)
    for folder in OURS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(name)
    return found


def alike(files: list[str]) -> bool:
    """Whether each is of another game."""
    games = [[game for game in GAMES if f"/{game}/" in file] for file in files]
    return all(games) and len({game for one in games for game in one}) == len(files)


def test_a_public_class_name_stands_once_or_is_listed_with_its_reason():
    """A reader who finds one of two takes it for the other."""
    twice = {
        name: files
        for name, files in public_classes().items()
        if len(files) > 1 and not alike(files)
    }

    assert sorted(twice) == sorted(TWICE), {n: f for n, f in twice.items() if n not in TWICE}
    assert all(TWICE.values())
