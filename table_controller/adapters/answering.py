"""Answers a press with lamps and a tone, which for a moment replace the board's picture.

The module makes pictures for a board, and knows for how long an answer is shown. A function that is
passed in sends each picture. The module knows no table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_bridge.messages import Buzzer, Colour, Lamp, Mode, Picture
from table_controller.service.debouncing import Later, Timer, later

#: Seconds for which a lamp and a tone answer a press, and the pause before the tone if another tone
#: is sounding.
ANSWER_S, GAP_S = 0.6, 0.15
ANSWERED: Final = Lamp(Mode.ON, Colour.WHITE)


class Answering:
    """Has the board show a `Picture`, with the answer to a press on top of it for a moment."""

    def __init__(self, show: Callable[[Picture], None], later: Later = later) -> None:
        self._put, self._later = show, later
        self._picture = Picture()
        self._answer: tuple[frozenset[int], Buzzer] | None = None
        self._hushed: Buzzer | None = None  # the board's pattern, if an answer cut it short
        self._steps: list[Timer] = []

    def show(self, picture: Picture) -> None:
        """Show `picture` from now on."""
        self._picture = picture
        if picture.buzzer is not self._hushed:
            self._hushed = None
        self.again()

    def again(self) -> None:
        """Send the present picture once more, for a board that has just connected."""
        picture = self._picture
        if self._hushed is not None:
            picture = replace(picture, buzzer=Buzzer.OFF)
        if self._answer:
            seats, tone = self._answer
            lamps = enumerate(picture.lamps, 1)
            lit = tuple(ANSWERED if seat in seats else lamp for seat, lamp in lamps)
            picture = replace(picture, lamps=lit, buzzer=tone)
        self._put(picture)

    def answer(self, seats: frozenset[int] | None) -> None:
        """Light the lamps of `seats` with a tone, to show that the table accepted a press.

        If `seats` is None, the table did not accept the press; the answer is then two tones and no
        lamp. If a tone is sounding already, that tone is first cut short.
        """
        tone, seats = (Buzzer.TWICE, frozenset()) if seats is None else (Buzzer.BEEP, seats)
        self.close()
        sounding = self._answer is not None or self._picture.buzzer is not Buzzer.OFF
        if self._picture.buzzer is not Buzzer.OFF:
            self._hushed = self._picture.buzzer
        gap = GAP_S if sounding else 0.0
        self._set((seats, Buzzer.OFF if sounding else tone))
        self._steps = [self._later(gap + ANSWER_S, lambda: self._set(None))]
        if sounding:
            self._steps.append(self._later(gap, lambda: self._set((seats, tone))))

    def _set(self, answer: tuple[frozenset[int], Buzzer] | None) -> None:
        self._answer = answer
        self.again()

    def close(self) -> None:
        """Stop answering. The board keeps its present picture."""
        for step in self._steps:
            step.cancel()
