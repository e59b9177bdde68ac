"""Cards that pass the lip, as views and readings; and the verdicts on them."""

from __future__ import annotations

from vision.gate import View
from vision.witness import Reading, Witness

CLEAR = View(False, 320, 320)
IN_GATE = View(True, 100, 600)
GONE = View(False, 320, 320, ahead_px=40, behind_px=200)
BACK = View(False, 320, 320, ahead_px=200, behind_px=40)


def label(text, witness=Witness.ZXING, at_px=320.0):
    """A code of this text, read in one frame."""
    return Reading(witness, text, at_px=at_px)


def code(entry, witness=Witness.ZXING, at_px=320.0):
    return label(entry.token, witness, at_px)


def slide(passages, start_ms, *readings, last=GONE):
    """A card past the gate in eight frames, read in each; closed 64 ms after its start."""
    for number in range(8):
        passages.view(start_ms + 8 * number, IN_GATE)
        passages.read(start_ms + 8 * number, readings)
    passages.view(start_ms + 64, last)


def pass_by(passages, start_ms, *readings):
    """A card in the gate at `start_ms`, gone 8 ms later."""
    passages.view(start_ms, IN_GATE)
    passages.read(start_ms, readings)
    passages.view(start_ms + 8, GONE)


def opened_ms(passages):
    """Since when a card has been in the gate, or None."""
    return passages._open and passages._open.opened_ms


def verdicts(passages, now_ms=float("inf")):
    return [one.seen for one in passages.due(now_ms)]


def unknown(passages):
    return [seen.unknown for seen in verdicts(passages)]
