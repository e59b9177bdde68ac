import asyncio
import contextlib
import os
import tty
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.barcode_module import (
    BarcodeLines,
    BarcodeModule,
    ModuleConnected,
    ModuleLost,
)
from tests import tables

codes = st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", min_size=1, max_size=64)


def texts(reads):
    return [read.text for read in reads]


class Module:
    """What a module says, as its lines are read."""

    def __init__(self):
        self.lines = BarcodeLines()

    def hear(self, now, *parts):
        data = b""
        for part in map(str, parts):
            sign, _, count = part.partition("*")
            data += sign.encode().decode("unicode_escape").encode("latin-1") * int(count or 1)
        return [f"{read.text}@{read.at_s:g}" for read in self.lines.feed(data, now)]

    def kept(self):
        return len(self.lines._line)


@pytest.mark.parametrize("case", tables.cases(Path(__file__).with_name("barcodes.table")))
def test_codes_at_their_limits(case):
    """Of time and length, each met exactly and missed by a little."""
    tables.play(case, Module())


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
