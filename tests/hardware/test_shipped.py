"""The files that `schlitten board flash` writes: shipped, or built from changed sources."""

import os
import shutil
from hashlib import sha256

import pytest

from hardware import board_tool, emulator, shipped
from hardware.board_tool import BoardToolError

MEND = "run scripts/generate where avr-gcc is"


def test_the_shipped_files_are_of_the_present_sources():
    """Seen without a compiler: a change of the firmware that was not built anew."""
    known = shipped.note()

    assert known.sources == shipped.sources(), MEND
    for lamps in ("hc595", "apa102"):
        path = shipped.hexfile(lamps)
        assert path.parent == shipped.SHIPPED
        assert sha256(path.read_bytes()).hexdigest() == known.sha256[path.name], MEND


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine with an avrdude that notes how it is called, and no compiler."""
    avrdude = tmp_path / "bin" / "avrdude"
    avrdude.parent.mkdir()
    avrdude.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/called\n')
    avrdude.chmod(0o755)
    monkeypatch.setitem(os.environ, "PATH", str(avrdude.parent))
    monkeypatch.setattr(emulator, "_need_tools", lambda: pytest.fail("a compiler is asked for"))
    return tmp_path


@pytest.mark.parametrize("lamps", ["hc595", "apa102"])
def test_a_board_is_flashed_without_a_compiler(bare, lamps):
    """For avrdude: the shipped file of the build that was asked for."""
    board_tool.flash("/dev/board", lamps=lamps)

    called = (bare / "called").read_text()
    assert f"flash:w:{shipped.SHIPPED}/board-{lamps}.hex:i" in called
    assert "-P /dev/board -b 115200" in called


def test_a_damaged_file_is_never_flashed(bare, monkeypatch):
    """One byte is another."""
    damaged = bare / "shipped"
    shutil.copytree(shipped.SHIPPED, damaged)
    spoiled = damaged / "board-hc595.hex"
    spoiled.write_bytes(spoiled.read_bytes().replace(b"0", b"1", 1))
    monkeypatch.setattr(shipped, "SHIPPED", damaged)

    with pytest.raises(BoardToolError, match=r"board-hc595.hex is damaged or missing: install"):
        board_tool.flash("/dev/board", lamps="hc595")
    assert not (bare / "called").exists()


def test_whoever_changed_the_sources_gets_what_they_build(tmp_path, monkeypatch):
    """Not the shipped file, which is another program."""
    if not shutil.which("avr-gcc"):
        pytest.skip("no avr-gcc here")
    copy = tmp_path / "firmware"
    shutil.copytree(emulator.FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    text = (copy / "show.c").read_text()
    (copy / "show.c").write_text(text.replace("phase < PHASES / 2", "phase < PHASES / 4"))
    monkeypatch.setattr(emulator, "FIRMWARE", copy)
    monkeypatch.setattr(shipped, "FIRMWARE", copy)

    found = shipped.hexfile("hc595")

    assert found.is_relative_to(copy / "build")
    records = found.read_text().splitlines()
    assert sum(int(one[1:3], 16) for one in records if one[7:9] == "00") > 4_000
