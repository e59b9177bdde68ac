"""The shipped hex files are what the sources build."""

import pytest

from hardware import shipped
from workshop.board import firmware


def test_they_are_what_the_sources_build():
    """To the byte, by the compiler that made them."""
    if firmware.compiler() != shipped.note().compiler:
        pytest.skip(f"no avr-gcc {shipped.note().compiler} here, which made them")
    stale = [path.name for path, made in firmware.made().items() if path.read_bytes() != made]

    assert stale == [], "run scripts/generate where avr-gcc is"
