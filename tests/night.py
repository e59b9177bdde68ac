"""Which tests are the gate's, which a contributor runs, and which the night's.

The night's tests take long, or need programs that a contributor seldom has: compilers, a second
browser engine, PostgreSQL. Without `--part`, pytest runs both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from hypothesis import settings

TESTS: Final = Path(__file__).parent
PARTS: Final = ("gate", "night")
#: The night's: files, and folders with a slash at the end.
NIGHT: Final = (
    # The board's firmware, compiled and emulated
    "hil/", "firmware_bridge/test_against_c.py", "hardware/test_emulated_board.py",
    "hardware/test_emulator.py", "hardware/test_scenarios.py", "hardware/test_shipped.py",
    "hardware/test_slips_of_firmware.py", "hardware/test_generated.py",
    # Whole tables: everything but one evening of each game
    "whole/",
    # Slips in the code and the long programs
    "of_programs/", "service/test_power.py",
    # Cards as cameras and decks show them
    "vision/faces/", "vision/test_filmed.py", "vision/test_soak.py", "vision/test_v4l2.py",
    # Pages in several engines and at every size; programs beside them
    "adapters/test_voice.py", "adapters/mqtt/test_shipped.py", "adapters/web/test_browsers.py",
    "adapters/web/test_page_fingers.py", "adapters/web/test_page_forms.py",
    "adapters/web/test_page_keyboard.py", "adapters/web/test_page_left.py",
    "adapters/web/test_page_looks.py", "adapters/web/test_page_overlaps.py",
    "adapters/web/test_page_readers.py", "adapters/web/test_proxied.py",
    "adapters/web/test_webkit.py",
)  # fmt: skip
#: Of the night's, what the gate runs nevertheless: an evening of each game in Chromium. The first
#: one is filmed, so its cards are read.
EVENINGS: Final = (
    "whole/test_schlitten.py",
    "whole/test_punto_banco_page.py",
    "whole/test_ecarte_page.py::test_a_partie_at_nemzeti_a_deux_cotes",
)


def part_of(item: str) -> str:
    """The part of a test, by its file below tests/, `::` and its name."""
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
        of = part_of(f"{item.path.relative_to(TESTS).as_posix()}::{name}")
        (kept if ("night" if _on_postgresql(item) else of) == part else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _on_postgresql(item: Any) -> bool:
    params = getattr(item, "callspec", None)
    stores = {params.params.get(name) for name in ("databases", "shared_url")} if params else set()
    return "postgresql" in stores or "postgres" in item.fixturenames
