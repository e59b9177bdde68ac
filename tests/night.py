"""Which tests are the gate's, which a contributor runs, and which the night's.

The night's tests take long, or need programs that a contributor seldom has: compilers, a second
browser engine, PostgreSQL. Without `--part`, pytest runs both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from hypothesis import settings

ROOT: Final = Path(__file__).parents[1]
PARTS: Final = ("gate", "night")
#: The night's: files, and folders with a slash at the end.
NIGHT: Final = (
    # The board's firmware, compiled and emulated
    "tests/hil/",
    "tests/firmware_bridge/test_against_c.py",
    "tests/hardware/test_emulator.py",
    "tests/hardware/test_pins.py",
    "tests/hardware/test_scenarios.py",
    "tests/hardware/test_shipped.py",
    "tests/hardware/test_slips_of_firmware.py",
    "workshop/tests/test_emulated_board.py",
    "workshop/tests/test_firmware.py",
    # Whole tables: everything but one evening of each game
    "tests/whole/",
    "workshop/tests/test_brokers_that_die.py",
    "workshop/tests/test_floods.py",
    "workshop/tests/test_power.py",
    # Slips in the code and the long programs
    "workshop/tests/test_at_random.py",
    "workshop/tests/test_mutations.py",
    "workshop/tests/test_passages.py",
    "workshop/tests/test_slips.py",
    "workshop/tests/test_soak_report.py",
    "workshop/tests/test_soak_vision.py",
    # Cards as cameras and decks show them
    "tests/vision/faces/",
    "tests/vision/test_v4l2.py",
    "workshop/tests/faces/",
    "workshop/tests/test_filmed.py",
    # Pages in several engines and at every size; programs beside them
    "tests/adapters/mqtt/test_shipped.py",
    "tests/adapters/test_voice.py",
    "tests/adapters/web/test_browsers.py",
    "tests/adapters/web/test_page_fingers.py",
    "tests/adapters/web/test_page_forms.py",
    "tests/adapters/web/test_page_keyboard.py",
    "tests/adapters/web/test_page_left.py",
    "tests/adapters/web/test_page_looks.py",
    "tests/adapters/web/test_page_overlaps.py",
    "tests/adapters/web/test_page_still.py",
    "tests/adapters/web/test_page_readers.py",
    "tests/adapters/web/test_proxied.py",
    "tests/adapters/web/test_webkit.py",
)
#: Of the night's, what the gate runs nevertheless: an evening of each game in Chromium. The first
#: one is filmed, so its cards are read.
EVENINGS: Final = (
    "tests/whole/test_schlitten.py",
    "tests/whole/test_punto_banco_page.py",
    "tests/whole/test_ecarte_page.py::test_a_partie_at_nemzeti_a_deux_cotes",
)


def part_of(item: str) -> str:
    """The part of a test, by its file, `::` and its name."""
    file, _, name = item.partition("::")
    if {file, f"{file}::{name.partition('[')[0]}"} & {*EVENINGS}:
        return "gate"
    return "night" if file in NIGHT or file.startswith(_FOLDERS) else "gate"


_FOLDERS: Final = tuple(one for one in NIGHT if one.endswith("/"))


def add_option(parser: Any) -> None:
    """Add `--part`."""
    parser.addoption("--part", choices=PARTS, help="the gate's tests alone, or the night's")


def draw_examples(config: Any) -> None:
    """Let two people run the same gate. A night draws its examples (`--hypothesis-seed`)."""
    settings.register_profile("schlitten", deadline=None)
    settings.register_profile("gate", deadline=None, derandomize=True)
    settings.load_profile("gate" if config.getoption("--part") == "gate" else "schlitten")


def choose(config: Any, items: list[Any]) -> None:
    """Leave out the tests of the other part. The gate's floor is on SQLite alone."""
    part = config.getoption("--part")
    if not part:
        return
    kept, left = list[Any](), list[Any]()
    for item in items:
        _, _, name = item.nodeid.partition("::")
        of = part_of(f"{item.path.relative_to(ROOT).as_posix()}::{name}")
        (kept if ("night" if _on_postgresql(item) else of) == part else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _on_postgresql(item: Any) -> bool:
    params = getattr(item, "callspec", None)
    stores = {params.params.get(name) for name in ("databases", "shared_url")} if params else set()
    return "postgresql" in stores or "postgres" in item.fixturenames
