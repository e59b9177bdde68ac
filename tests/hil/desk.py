"""A host and a board on one desk. With the emulated board the whole line repeats to the bit."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from firmware_bridge.messages import (
    OFF,
    SEATS,
    ButtonReport,
    Buzzer,
    Colour,
    Lamp,
    Mode,
    Picture,
    SensorReport,
    Status,
    digits,
)
from firmware_bridge.reconciler import Connected, Lost, News, Reconciler
from hardware.emulator import Shown
from tests.hil.lockstep import Lockstep
from tests.hil.rungs import PortRung, TwinRung

SAFE = ("-" * 8, "-" * 8)
DARK = ("", "")  # while a number changes, and before the first word of the firmware

#: Phases of a lamp's rhythm in which a lamp of a mode is lit: all three kinds, blink, none but on.
_LIT = ({Mode.ON, Mode.BLINK, Mode.PULSE}, {Mode.ON, Mode.BLINK}, {Mode.ON})


def lamp_images(picture: Picture) -> set[str]:
    """Every state that the lamps of `picture` go through, as `Shown.lamps` writes it."""
    return {
        "".join(str(int(lamp.colour)) if lamp.mode in lit else "0" for lamp in picture.lamps)
        for lit in _LIT
    }


def numbers(picture: Picture) -> tuple[str, str]:
    """What both displays show for `picture`."""
    return digits(picture.display_1), digits(picture.display_2)


def random_evening(seed: int, count: int) -> Iterator[tuple[str, Picture]]:
    """Pictures as an evening has them, some of them with numbers that do not fit."""
    luck = random.Random(seed)
    for number in range(count):
        lamps = [
            Lamp(luck.choice(list(Mode)), luck.choice(list(Colour))) if luck.random() < 0.3 else OFF
            for _ in range(SEATS)
        ]
        first, second = (_any_number(luck) for _ in range(2))
        yield f"picture {number}", Picture(tuple(lamps), first, second, luck.choice(list(Buzzer)))


def _any_number(luck: random.Random) -> int | None:
    if luck.random() < 0.1:
        return None
    return luck.choice((1, -1)) * luck.randrange(10 ** luck.randrange(1, 11))


class Desk:
    """The board and its host. `run` lets virtual time pass; everything seen is kept and judged."""

    def __init__(self, board: Lockstep | TwinRung | PortRung, *, session: int = 1) -> None:
        self.board = board
        self._sessions = itertools.count(session * 1000)
        self.host: Reconciler | None = None
        self.news: list[News] = []
        self.asked = {SAFE, DARK}
        self.lamps = {"0" * SEATS}
        self._wanted = Picture()
        self.start_host()

    def start_host(self) -> None:
        """A new host process, which knows what the table wants."""
        self.host = Reconciler(lambda: next(self._sessions))
        self.show(self._wanted)

    def kill_host(self) -> None:
        """The host says nothing any more."""
        self.host = None

    def show(self, picture: Picture) -> None:
        """Wish for `picture`."""
        self._wanted = picture
        self.asked.add(numbers(picture))
        self.lamps |= lamp_images(picture)
        if self.host is not None:
            self.host.show(picture)

    @property
    def now(self) -> float:
        """Virtual seconds since the board was switched on."""
        return self.board.us / 1e6

    def run(self, seconds: float) -> None:
        """Let virtual time pass."""
        end_us = self.board.us + int(seconds * 1e6)
        while self.board.us < end_us:
            self._turn(end_us)

    def run_until_shown(self, limit_s: float = 2.0) -> float:
        """Let time pass until the board acknowledged what is wished for; return how long it took.

        The shows of lamps and digits follow the acknowledgement by less than 2 ms, which pass too.
        """
        begun = self.now
        assert self.host is not None
        while not self.acknowledged:
            assert self.now < begun + limit_s, f"not shown after {limit_s} s: {self.host.refused}"
            self._turn(self.board.us + 10_000)
        self.run(0.002)
        return self.now - begun

    def _turn(self, end_us: int) -> None:
        out, due = b"", end_us
        if self.host is not None:
            out, news = self.host.poll(self.now)
            self.news += news
            due = min(end_us, max(self.board.us + 1, round(self.host.due * 1e6)))
        heard = self.board.run(due - self.board.us, out)
        if self.host is not None:
            self.news += self.host.receive(heard, self.now)

    @property
    def acknowledged(self) -> bool:
        """Whether the board says that it shows what is wished for."""
        return self.host is not None and self.host.shown == self._wanted

    def wrong(self) -> list[Shown]:
        """Everything the board has shown that nobody ever asked for."""
        return [
            seen
            for seen in self.board.history
            if (seen.display_1, seen.display_2) not in self.asked or seen.lamps not in self.lamps
        ]

    def shows(self, picture: Picture) -> bool:
        """Whether a person sees `picture` now."""
        seen = self.board.seen
        if seen is None:  # a real board: believe it, as far as it was asked
            return self.acknowledged or picture != self._wanted
        return (seen.display_1, seen.display_2) == numbers(picture) and seen.lamps in lamp_images(
            picture
        )

    def shows_safe(self) -> bool:
        """Whether the board is dark, with dashes for numbers."""
        seen = self.board.seen
        if seen is None:
            return not self.acknowledged
        return (
            (seen.display_1, seen.display_2) == SAFE
            and set(seen.lamps) == {"0"}
            and not seen.buzzer
        )

    def told(self, kind: type) -> list[News]:
        """All news of one kind."""
        return [one for one in self.news if isinstance(one, kind)]


__all__ = [
    "ButtonReport",
    "Connected",
    "Desk",
    "Lost",
    "SensorReport",
    "Status",
    "lamp_images",
    "numbers",
    "random_evening",
]
