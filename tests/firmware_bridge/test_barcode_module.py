import asyncio
import contextlib
import os
import tty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.barcode_module import (
    BarcodeLines,
    BarcodeModule,
    BarcodeRead,
    ModuleConnected,
    ModuleLost,
)

codes = st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", min_size=1, max_size=64)


def texts(reads):
    return [read.text for read in reads]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_each_line_is_a_code(end):
    """CR, LF or both end a code; an empty line is nothing."""
    lines = BarcodeLines()

    assert lines.feed(b"ABC123" + end + end + b"XYZ" + end, 1.0) == [
        BarcodeRead("ABC123", 1.0),
        BarcodeRead("XYZ", 1.0),
    ]


@given(st.lists(codes, max_size=5, unique=True), st.data())
def test_codes_are_whole_however_they_arrive(sent, data):
    """Split anywhere."""
    line = "".join(f"{code}\r\n" for code in sent).encode()
    lines, found, now = BarcodeLines(), [], 0.0
    while line:
        size = data.draw(st.integers(1, len(line)))
        found += lines.feed(line[:size], now)
        line, now = line[size:], now + 0.01

    assert texts(found) == sent


def test_half_a_code_is_not_glued_to_the_next():
    """What stopped in the middle is damage, whatever comes after the pause."""
    lines = BarcodeLines()
    lines.feed(b"ABC", 0.0)

    assert texts(lines.feed(b"DEF\r", 0.2)) == ["DEF"]


def test_a_card_that_stays_is_read_once():
    """Doubled lines are one read; after a pause the same code is news again."""
    lines = BarcodeLines()
    reads = (
        lines.feed(b"ABC\r\nABC\r\n", 0.0) + lines.feed(b"ABC\r", 0.4) + lines.feed(b"ABC\r", 0.8)
    )

    assert reads == [BarcodeRead("ABC", 0.0)]
    assert texts(lines.feed(b"ABC\r", 1.4)) == ["ABC"]


@pytest.mark.parametrize("line", [b"AB\xff12\r", b"abc\r", b"A\x00B\r", b"A" * 65 + b"\r"])
def test_noise_is_thrown_away_not_mended(line):
    """A line with a byte that no code holds, or too long, gives nothing; the next is read."""
    lines = BarcodeLines()

    assert texts(lines.feed(line + b"GOOD\r", 0.0)) == ["GOOD"]


def test_a_code_of_64_signs_is_whole_and_one_of_65_is_noise():
    """No line without an end grows for ever; the longest that is heard is heard whole."""
    assert [read.text for read in BarcodeLines().feed(b"A" * 64 + b"\n", 1.0)] == ["A" * 64]
    assert BarcodeLines().feed(b"A" * 65 + b"\n", 1.0) == []


@given(st.lists(st.binary(max_size=100), max_size=20))
def test_any_bytes_give_only_possible_codes(noise):
    """Never an empty one, never a long one, never other characters; and memory stays small."""
    lines = BarcodeLines()
    for now, data in enumerate(noise):
        for read in lines.feed(data, now * 0.01):
            assert 1 <= len(read.text) <= 64
            assert read.text.isascii()
            assert read.text == read.text.upper()
    assert len(lines._line) <= 65


def test_a_module_is_heard_over_a_port_and_missed_when_it_is_pulled(tmp_path):
    """Connected, noise, a split and a doubled line, lost: each told once."""
    name = tmp_path / "usb-module"

    async def listen():
        told = asyncio.Queue()
        module = BarcodeModule(str(name), told.put_nowait, back_off_s=(0.01,))
        running = asyncio.create_task(module.run())
        async with asyncio.timeout(10):
            missing = await told.get()
            master, slave = os.openpty()
            tty.setraw(slave)
            name.symlink_to(os.ttyname(slave))
            heard = [await told.get()]
            for data in (b"\xff\xfe\r", b"CARD", b"17\r\n", b"CARD17\r\nCARD18\r"):
                os.write(master, data)
            heard += [await told.get(), await told.get()]
            name.unlink()
            os.close(slave)
            os.close(master)
            lost = await told.get()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        return missing, heard, lost, told.qsize()

    missing, heard, lost, more = asyncio.run(listen())

    assert isinstance(missing, ModuleLost)
    assert heard[0] == ModuleConnected()
    assert texts(heard[1:]) == ["CARD17", "CARD18"]
    assert isinstance(lost, ModuleLost)
    assert more == 0
