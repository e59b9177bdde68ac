"""A card that passes the lip, said in pictures and readings; and what came of it."""

from __future__ import annotations

from vision.gate import View
from vision.passage import Reading, Witness

CLEAR = View(False, 320, 320)
IN_GATE = View(True, 100, 600)
GONE = View(False, 320, 320, ahead_px=40, behind_px=200)
BACK = View(False, 320, 320, ahead_px=200, behind_px=40)


def code(entry, witness=Witness.ZXING, at_px=320.0):
    return Reading(witness, entry.token, at_px=at_px)


def pass_by(passages, start_ms, *readings):
    """A card in the gate at `start_ms`, gone 8 ms later."""
    passages.view(start_ms, IN_GATE)
    passages.read(start_ms, readings)
    passages.view(start_ms + 8, GONE)


def verdicts(passages):
    return [one.seen for one in passages.due(float("inf"))]


def unknown(passages):
    return [seen.unknown for seen in verdicts(passages)]
