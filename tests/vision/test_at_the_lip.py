"""Passages at their limits, and moments that nobody saw.

The cases are in the tables next to this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.rules.cards import Card
from tests import tables
from tests.vision import passing
from tests.vision.passing import CLEAR, GONE, IN_GATE, pass_by
from vision import timeline
from vision.gate import View
from vision.passage import Passages
from vision.witness import Reading, Witness

HERE = Path(__file__).parent
VIEWS = {
    "clear": CLEAR,
    "gate": IN_GATE,
    "gone": GONE,
    "back": passing.BACK,
    "past": View(False, 320, 320, ahead_px=240),
    "night": View(False, 320, 320, dark=True),
}
_PAPER = re.compile(r"(\|?)([\d.]+?)\.\.([\d.]+)(\|?)")
_NEAR = re.compile(r"(?:ahead(\d+))?(?:behind(\d+))?")
_CODE = re.compile(r"(face:)?(\w+?)(/z)?(?:@([\d.]+))?")
UNSEEN = {getattr(timeline, name): name for name in
          ("COVERED", "DARK", "DROPPED", "GAP", "SLOW", "STILL", "UNLIT")}  # fmt: skip


def view(said: str) -> View:
    """A name; or `20..412`, with a bar where the paper is cut; or what is near the clear gate."""
    if said in VIEWS:
        return VIEWS[said]
    if paper := _PAPER.fullmatch(said):
        tail_cut, tail, lead, lead_cut = paper.groups()
        return View(True, float(tail), float(lead), bool(tail_cut), bool(lead_cut))
    near = [float(px or "inf") for px in _NEAR.fullmatch(said).groups()]
    return View(False, 320, 320, ahead_px=near[0], behind_px=near[1])


def views(said: tuple[str, ...]) -> Iterator[View]:
    """Of words such as `gate*3`, each so often."""
    for one in said:
        word, _, count = one.partition("*")
        yield from [view(word)] * int(count or 1)


class Lip:
    """A lip; by the times that are given, or by a clock of its own at 120 pictures a second."""

    def __init__(self, shoe, other):
        self._shoe, self._other, self._told = shoe, other, []
        self._t_ms, self._period_ms = 0.0, 1000 / 120
        self._tokens = {str(entry.card): entry.token for entry in reversed(shoe.cards)} | {
            "white": shoe.white.token, "theirs": other.cards[0].token, "foreign": "FOREIGN0000000"
        }  # fmt: skip

    # -- which lip it is

    def slow(self):
        """By the picture alone; at one picture a second no pause is a gap."""
        self.passages = Passages(lambda text: self._shoe.lookup(text, [self._other]), fps=1)

    def beamed(self):
        self.passages = Passages(self._shoe.lookup, beam=True, fps=1)

    def faces(self):
        self.passages = Passages(None)

    def lip(self, *words):
        """Its gate has been clear for ten pictures; `beam`, or how many pictures a second."""
        self.unopened(*words)
        self.show("clear*10")

    def unopened(self, *words):
        """No picture came yet."""
        rates = [word for word in words if word != "beam"]
        how = {"fps": int(rates[0])} if rates else {}
        self.passages = Passages(self._shoe.lookup, beam="beam" in words, **how)

    def rate(self, fps, comes):
        """Set to so many pictures a second; a hundred come, at another rate."""
        self.unopened(fps)
        self.pictures(comes)
        self.show("clear*100")
        self._t_ms -= self._period_ms / 2

    # -- what happens, by the given time

    def by(self, t_ms, *said):
        """A card in the gate, gone 8 ms later."""
        pass_by(self.passages, t_ms, *map(self._reading, said))

    def slide(self, t_ms, *said):
        """In the gate for eight frames, gone or `back` after 64 ms."""
        last = passing.BACK if said[-1:] == ("back",) else GONE
        readings = [self._reading(one) for one in said if one != "back"]
        passing.slide(self.passages, t_ms, *readings, last=last)

    def view(self, t_ms, said):
        self.passages.view(t_ms, view(said))

    def read(self, t_ms, *said):
        self.passages.read(t_ms, [self._reading(one) for one in said])

    def run(self, t_ms, said, *of):
        """Pictures 8 ms apart, the same thing read in each."""
        for number, one in enumerate(views(of)):
            self.passages.view(t_ms + 8 * number, one)
            self.read(t_ms + 8 * number, said)

    def rest(self, t_ms, until_ms, each_ms, said):
        """A card in the gate; whether each of its frames was wanted."""
        wanted = []
        while t_ms < until_ms:
            self.view(t_ms, "gate")
            wanted.append(self.wanted(t_ms))
            self.read(t_ms, said)
            t_ms += each_ms
        return all(wanted)

    def dark(self, t_ms):
        self.passages.edge(t_ms, blocked=True)

    def light(self, t_ms):
        self.passages.edge(t_ms, blocked=False)

    def away(self, why):
        self.passages.beam_away(why)

    def line(self, t_ms, said=""):
        self.passages.line(t_ms, self._tokens.get(said, said.removeprefix("'")))

    # -- what happens, one picture after another

    def show(self, of, said=None):
        for one in views((of,)):
            self.passages.view(self._t_ms, one)
            self.passages.read(self._t_ms, [self._reading(said)] if said else [])
            self._told += filter(None, [self.passages.take_unseen()])
            self._t_ms += self._period_ms

    def pictures(self, rate):
        """From the last one on so many a second."""
        self._t_ms += 1000 / rate - self._period_ms
        self._period_ms = 1000 / rate

    def tremble(self, times, here, there):
        """To and fro: three pictures here, four there."""
        for _ in range(int(times)):
            self.show(f"{here}*3")
            self.show(f"{there}*4")

    def flicker(self, times, light, dark):
        """The beam sees it too."""
        for _ in range(int(times)):
            self.edge("light")
            self.show(light)
            self.edge("dark")
            self.show(dark)

    def slowly(self, *cards):
        """Each in the gate for one picture."""
        for said in cards:
            self.show("clear")
            self.show("gate", said)
            self.show("past")
            self.show("clear")

    def card(self, said=None):
        self.show("gate*6", said)
        self.show("past")
        self.show("clear*4")

    def none(self, periods):
        """No picture for so many periods after the last one."""
        self._t_ms += (periods - 1) * self._period_ms

    def edge(self, how, later_ms=0.0):
        self.passages.edge(self._t_ms + later_ms, blocked=how == "dark")

    def again(self, on):
        """A hand shows a card again."""
        self.passages.again = on == "on"

    # -- what is found

    def wanted(self, t_ms):
        return self.passages.wanted(t_ms)

    def due(self, t_ms):
        return [one.due_ms for one in self.passages.due(t_ms)]

    def next(self):
        return self.passages.next_due_ms

    def open(self):
        return passing.opened_ms(self.passages)

    def fault(self):
        return self.passages.beam_fault

    def end(self):
        return [f"{one.due_ms:g}:{_seen(one.seen)}" for one in self.passages.end()]

    def seen(self):
        return [_seen(seen) for seen in passing.verdicts(self.passages)]

    def take(self):
        self._taken = self.passages.take_quality()

    def count(self, *names):
        quality = getattr(self, "_taken", self.passages.quality)
        return [tables.shown(getattr(quality, name)) for name in names]

    def told(self):
        """What nobody saw, so far."""
        told, self._told = self._told, []
        return [UNSEEN[why] for why in told]

    def gaps(self):
        """How many, if there was nothing else."""
        told = self.told()
        return len(told) if set(told) == {"GAP"} else told

    def still(self, later_ms=0.0):
        why = self.passages.still(self._t_ms + later_ms)
        return "unknown" if why is None else UNSEEN.get(why, why)

    def _reading(self, said):
        face, name, zbar, at_px = _CODE.fullmatch(said).groups()
        place = {"at_px": float(at_px or 320)}
        if face:
            return Reading(Witness.FACE, card=Card(name), **place)
        return Reading(Witness.ZBAR if zbar else Witness.ZXING, self._tokens[name], **place)


def _seen(seen) -> str:
    """The card and its copy, the cut card, or what is not known."""
    if seen.card:
        return f"{seen.card}{seen.copy or ''}"
    return "white" if seen.white else seen.unknown.name


@pytest.mark.parametrize("case", tables.cases(HERE / "passages.table"))
def test_a_passage_at_its_limits(shoe, other_shoe, case):
    """Each met exactly and missed by a little."""
    tables.play(case, Lip(shoe, other_shoe))


@pytest.mark.parametrize("case", tables.cases(HERE / "unseen.table"))
def test_what_nobody_saw(shoe, other_shoe, case):
    """Gaps in the pictures' time, dark pictures, a tail that trembles at the gate."""
    tables.play(case, Lip(shoe, other_shoe))
