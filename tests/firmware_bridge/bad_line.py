"""A host and the twin, joined by a line that loses and flips bytes; no time really passes."""

from __future__ import annotations

import itertools
import random

from firmware_bridge.reconciler import Reconciler
from firmware_bridge.twin import BoardTwin

STEP_S = 0.005


class BadLine:
    """`run` lets time pass; `news` is what the host heard, `seen` what the board showed."""

    def __init__(self, seed: int = 0, *, lost: float = 0.0, flipped: float = 0.0) -> None:
        self.luck = random.Random(seed)
        self.lost, self.flipped = lost, flipped
        self.now = 0.0
        self.sessions = itertools.count(1)
        self.host = Reconciler(lambda: next(self.sessions))
        self.boots = 1
        self.board, self.started = BoardTwin(1), 0.0
        self.news, self.seen = [], []

    @property
    def ms(self) -> int:
        """Milliseconds on the board's clock."""
        return round((self.now - self.started) * 1000)

    def restart_board(self) -> None:
        """Somebody presses its reset button."""
        self.boots += 1
        self.board, self.started = BoardTwin(self.boots, cause=2), self.now

    def run(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            out, news = self.host.poll(self.now)
            self.news += news
            self.board.receive(self._carry(out), self.ms)
            back = self._carry(self.board.poll(self.ms))
            self.news += self.host.receive(back, self.now)
            self.seen.append(self.board.shown())

    def told(self, kind: type) -> list:
        """All news of one kind."""
        return [one for one in self.news if isinstance(one, kind)]

    def _carry(self, data: bytes) -> bytes:
        kept = bytearray()
        for byte in data:
            if self.luck.random() < self.lost:
                continue
            flip = 1 << self.luck.randrange(8) if self.luck.random() < self.flipped else 0
            kept.append(byte ^ flip)
        return bytes(kept)
