"""Fuzzing both ends of the line: libFuzzer on the firmware's C code, seeded noise on the host."""

from __future__ import annotations

import random
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.barcode_module import BarcodeLines
from firmware_bridge.frames import BadFrame, Splitter, decode
from firmware_bridge.messages import LAYOUTS
from firmware_bridge.reconciler import Reconciler
from firmware_bridge.twin import _stuff, _Unstuffer
from hardware.emulator import FIRMWARE, built

#: What the fuzzers found worth keeping, a folder for each target. To grow it: unpack it, fuzz into
#: the folders, make each as small as `fuzz_<target> -set_cover_merge=1 NEW OLD` does, pack it.
CORPUS = FIRMWARE / "pc" / "corpus.zip"
TARGETS = ("frames", "link")


def fuzz_c(target: str, *, bytes_wanted: int, seed: int, scratch: Path) -> int:
    """Replay the corpus and fuzz on from it; return how many bytes. Raises on a crash or a hang."""
    fuzzer, found = built("fuzz") / f"fuzz_{target}", scratch / "found"
    found.mkdir(exist_ok=True)
    with zipfile.ZipFile(CORPUS) as kept:
        kept.extractall(scratch / "corpus")
    done = 0
    while done < bytes_wanted:
        call = [
            fuzzer,
            f"-seed={seed}",
            "-max_len=160",
            "-timeout=5",
            f"-runs={max(2000, bytes_wanted // 30)}",
            f"-artifact_prefix={scratch}/",
            found,  # what is new goes here
            scratch / "corpus" / target,
        ]
        run = subprocess.run(call, capture_output=True, text=True, errors="replace", check=False)
        if run.returncode:
            raise AssertionError(f"{target}: {run.stderr[-2000:]}")
        done += int(re.search(r"fuzzed (\d+) bytes", run.stdout)[1])
        seed += 1
    return done


def noise(seed: int, bytes_wanted: int) -> Iterator[bytes]:
    """Pieces of a line: noise, frames of any message, and frames with a few bytes changed."""
    luck = random.Random(seed)
    done = 0
    while done < bytes_wanted:
        kind = luck.random()
        if kind < 0.3:
            piece = luck.randbytes(luck.randrange(1, 100))
        else:
            layout = luck.choice(list(LAYOUTS.values()))
            size = layout.size if luck.random() < 0.8 else luck.randrange(58)
            number = bytes([layout.tag, luck.randrange(256)])
            frame = bytearray(_stuff(number + luck.randbytes(size)))
            for _ in range(luck.randrange(4) if kind < 0.7 else 0):
                frame[luck.randrange(len(frame))] = luck.randrange(256)
            piece = bytes(frame)
        done += len(piece)
        yield piece


def fuzz_host(*, bytes_wanted: int, seed: int) -> tuple[int, int]:
    """Feed the host's frames, link and messages; another parser must accept the same frames.

    Returns how many bytes there were, and how many frames were whole.
    """
    splitter, other, host = Splitter(), _Unstuffer(), Reconciler(iter(range(1, 10**9)).__next__)
    total = whole = 0
    for number, piece in enumerate(noise(seed, bytes_wanted)):
        total += len(piece)
        accepted = []
        for frame in splitter.feed(piece):
            try:
                accepted.append(decode(frame))
            except BadFrame:
                continue
        assert accepted == [one for one in map(other.take, piece) if one is not None], piece
        whole += len(accepted)
        host.receive(piece, number * 0.01)
        host.poll(number * 0.01)
    return total, whole


def fuzz_barcodes(*, bytes_wanted: int, seed: int) -> tuple[int, int]:
    """Feed the barcode module's lines; returns bytes, and codes that could be some."""
    luck, lines = random.Random(seed), BarcodeLines()
    total = codes = 0
    alphabet = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:\r\n"
    while total < bytes_wanted:
        size = luck.randrange(1, 120)
        piece = (
            bytes(luck.choices(alphabet, k=size)) if luck.random() < 0.6 else luck.randbytes(size)
        )
        total += size
        for read in lines.feed(piece, total * 0.001):
            assert 1 <= len(read.text) <= 64, read
            assert set(read.text.encode()) <= set(alphabet), read
            codes += 1
    return total, codes
