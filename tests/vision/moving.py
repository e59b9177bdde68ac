"""Cards that move past the lip, and when the beam's edges and the pictures are reported."""

from __future__ import annotations

from itertools import pairwise

from vision.gate import View

CARD_MM, SIGHT_MM, REACH_MM, PX = 63.0, 40.0, 25.0, 8.0
_STEP_MS = 0.25


def drawn(start_ms, mps=1.0, stop_mm=500.0):
    """A leading end (mm past the gate) by ms: at the gate at `start_ms`, at rest at `stop_mm`."""
    return lambda t_ms: min((t_ms - start_ms) * mps, stop_mm)


def way(*points):
    """A leading end that goes from one (ms, mm) to the next, and rests at the last."""

    def at(t_ms):
        for (from_ms, from_mm), (to_ms, to_mm) in pairwise(points):
            if t_ms < to_ms:
                return from_mm + (to_mm - from_mm) * (t_ms - from_ms) / (to_ms - from_ms)
        return points[-1][1]

    return at


def view(cards, t_ms):
    """What a picture of that moment shows of them."""
    leads = [card(t_ms) for card in cards]
    within = [lead for lead in leads if lead - CARD_MM <= 0 < lead]
    if within:
        tail, lead = min(within) - CARD_MM, max(within)
        cut = {"tail_cut": tail <= -SIGHT_MM, "lead_cut": lead >= SIGHT_MM}
        return View(True, _px(max(tail, -SIGHT_MM)), _px(min(lead, SIGHT_MM)), **cut)
    ahead = [lead - CARD_MM for lead in leads if 0 < lead - CARD_MM < SIGHT_MM]
    behind = [-lead for lead in leads if -SIGHT_MM < lead <= 0]
    far = float("inf")
    return View(
        False,
        320,
        320,
        ahead_px=min(ahead, default=far) * PX,
        behind_px=min(behind, default=far) * PX,
    )


def _px(mm):
    return (SIGHT_MM + mm) * PX


def edges(cards, until_ms):
    """When the beam becomes dark and light again."""
    dark, told = False, []
    for step in range(int(until_ms / _STEP_MS)):
        t_ms = step * _STEP_MS
        now = any(0 < card(t_ms) <= CARD_MM for card in cards)
        if now is not dark:
            dark = now
            told.append((t_ms, now))
    return told


def play(passages, cards, until_ms, *, fps=120, phase_ms=0.0, late_ms=0.0, edge_ms=3.0, read=None):
    """The verdicts on them; pictures are reported `late_ms` after they were taken, edges `edge_ms`.

    `read`: what is read in a picture, by the card whose middle is near the gate.
    """
    news = [(t_ms + edge_ms, 0, t_ms, dark) for t_ms, dark in edges(cards, until_ms)]
    times = (phase_ms + number * 1000 / fps for number in range(int(until_ms * fps / 1000)))
    news += [(t_ms + late_ms, 1, t_ms, None) for t_ms in times]
    seen = []
    for now, _, t_ms, dark in sorted(news, key=lambda one: one[:3]):
        if dark is not None:
            passages.edge(t_ms, blocked=dark)
        else:
            passages.view(t_ms, view(cards, t_ms))
            near = [card for card in cards if abs(card(t_ms) - CARD_MM / 2) < REACH_MM]
            passages.read(t_ms, [read[card] for card in near] if read else [])
        seen += [one.seen for one in passages.due(now)]
    return seen + [one.seen for one in passages.end()]
