"""The events that can happen at the lip, each with the expected verdict.

The module knows the generator, but no decoder. It is one list for the tests, for the soak run and
for the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from table_controller.engine.seen import Seen, Unknown
from tests.vision.odd import Odd, glaring
from vision.cardstock import Stock
from vision.frame import Frame
from vision.generator import AS_BUILT, Conditions, Slide, film, plan_stocks
from vision.manifest import LabelledCard, Manifest


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens, and the verdicts that must follow, one per passage."""

    name: str
    frames: Iterable[Frame]
    expected: tuple[Seen, ...]


def right(entry: LabelledCard) -> Seen:
    """The verdict on a card that was read, or on the white card."""
    return Seen(card=entry.card, copy=entry.copy, white=entry.card is None)


def scenarios(shoe: Manifest, other: Manifest, seed: int) -> list[Scenario]:
    """Every scenario, with cards drawn from `shoe` by the seed; `other` is of the same house."""
    scene = _Scene(shoe, other, seed)
    return [make(scene) for make in _ALL]


class _Scene:
    """Cards for a scenario, and a good card before and after what happens."""

    def __init__(self, shoe: Manifest, other: Manifest, seed: int) -> None:
        self.seed, self.other = seed, other
        first = seed * 5 % len(shoe.cards)
        cards = [*shoe.cards[first:], *shoe.cards[:first]]
        self.before, self.card, self.second, self.after = cards[::7][:4]
        self.white = shoe.white

    def stock(self, entry: LabelledCard | None = None) -> Odd:
        entry = entry or self.card
        return Odd(entry.card, entry.token)

    def one(self, name: str, odd: Stock, verdict: Seen, *, lamp: bool = False) -> Scenario:
        """A good card, the odd one (a lamp glares on it), a good card."""
        stocks = [self.stock(self.before), odd, self.stock(self.after)]
        slides = plan_stocks(stocks, self.seed)
        frames = glaring(film(slides), slides[1]) if lamp else film(slides)
        return Scenario(name, frames, (right(self.before), verdict, right(self.after)))

    def slides(self, *entries: LabelledCard, conditions: Conditions = AS_BUILT) -> list[Slide]:
        """These cards, one after the other."""
        return plan_stocks([self.stock(entry) for entry in entries], self.seed, conditions)

    def three(self, name: str, way: Sequence[tuple[float, float]], *verdicts: Seen) -> Scenario:
        """A good card, one going its own `way` (from 300 ms on), and then a good card."""
        before, odd, after = self.slides(self.before, self.card, self.after)
        moved = replace(odd, way=tuple((300 + t_ms, place) for t_ms, place in way))
        after = replace(after, way=_from(after, moved.way[-1][0] + 20))
        expected = (right(self.before), *verdicts, right(self.after))
        return Scenario(name, film([before, moved, after]), expected)


def _from(slide: Slide, t_ms: float) -> tuple[tuple[float, float], ...]:
    """Its way, beginning at `t_ms`."""
    return slide.later(t_ms - slide.way[0][0]).way


def _unknown(reason: Unknown) -> Seen:
    return Seen(unknown=reason)


def _no_label(scene: _Scene) -> Scenario:
    return scene.one("no label on the card", Stock(scene.card.card), _unknown(Unknown.NO_READ))


def _half_covered(scene: _Scene) -> Scenario:
    odd = replace(scene.stock(), covered=0.5)
    return scene.one("half the label is covered", odd, _unknown(Unknown.NO_READ))


def _face_down(scene: _Scene) -> Scenario:
    odd = replace(scene.stock(), back=True)
    return scene.one("a card lies the wrong way up", odd, _unknown(Unknown.NO_READ))


def _glare(scene: _Scene) -> Scenario:
    no_read = _unknown(Unknown.NO_READ)
    return scene.one("a lamp glares on the label", scene.stock(), no_read, lamp=True)


def _half_a_card(scene: _Scene) -> Scenario:
    odd = replace(scene.stock(), torn=0.5)
    return scene.one("half a card", odd, _unknown(Unknown.PARTIAL))


def _white(scene: _Scene) -> Scenario:
    return scene.one("the white cut card", scene.stock(scene.white), Seen(white=True))


def _blank(scene: _Scene) -> Scenario:
    return scene.one("a blank card without a label", Stock(), _unknown(Unknown.NO_READ))


def _foreign(scene: _Scene) -> Scenario:
    odd = Stock(scene.card.card, "ZZZZ0000ZZZZ00")
    return scene.one("a token that is not ours", odd, _unknown(Unknown.FOREIGN))


def _other_shoe(scene: _Scene) -> Scenario:
    entry = scene.other.cards[scene.seed % len(scene.other.cards)]
    return scene.one("a card of another shoe", scene.stock(entry), _unknown(Unknown.OTHER_SHOE))


def _two_labels(scene: _Scene) -> Scenario:
    odd = replace(scene.stock(), second=scene.second.token)
    return scene.one("two labels on one card", odd, _unknown(Unknown.TWO_CARDS))


def _same_label_twice(scene: _Scene) -> Scenario:
    odd = replace(scene.stock(), second=scene.card.token)
    return scene.one("one label twice on a card", odd, _unknown(Unknown.DUPLICATE))


def _two_at_once(scene: _Scene) -> Scenario:
    """The second card sticks out 15 mm behind the first, which hides its label."""
    before, upper, after = scene.slides(scene.before, scene.second, scene.after)
    lower = replace(upper, stock=scene.stock(scene.card))
    upper = replace(lower.later(15.0), stock=Stock(scene.second.card), tilt_deg=lower.tilt_deg)
    after = after.later(40.0)
    frames = film([before, upper, lower, after])  # later in the list is nearer the camera
    expected = (right(scene.before), _unknown(Unknown.TWO_CARDS), right(scene.after))
    return Scenario("two cards at once", frames, expected)


def _touching(scene: _Scene) -> Scenario:
    """No gap at all: edge to edge."""
    close = replace(AS_BUILT, gap_ms=(0.0, 0.0))
    frames = film(scene.slides(scene.card, scene.second, conditions=close))
    return Scenario("two cards edge to edge", frames, (_unknown(Unknown.TWO_CARDS),))


def _close_behind(scene: _Scene) -> Scenario:
    cards = (scene.before, scene.card, scene.second, scene.after)
    frames = film(scene.slides(*cards, conditions=replace(AS_BUILT, gap_ms=(25.0, 25.0))))
    return Scenario("cards 25 ms apart", frames, tuple(map(right, cards)))


def _pushed_back(scene: _Scene) -> Scenario:
    way = ((0, -48.0), (90, 42.0), (200, 42.0), (300, -48.0))
    again = (*way, (301, -48.0), (400, 51.0), (470, 111.0))
    verdicts = (_unknown(Unknown.PARTIAL), right(scene.card))
    return scene.three("a card pushed back, then drawn", again, *verdicts)


def _squeezed(scene: _Scene) -> Scenario:
    way = ((0, -48.0), (400, 2.0), (900, 12.0), (1300, 10.0), (2300, 30.0), (2900, 33.0),
           (3400, 60.0), (3600, 120.0))  # fmt: skip
    return scene.three("a slow squeeze out of the shoe", way, right(scene.card))


def _rests(scene: _Scene) -> Scenario:
    way = ((0, -48.0), (70, 22.0), (5070, 22.0), (5170, 122.0))
    return scene.three("a card rests in the lip for 5 s", way, right(scene.card))


def _twenty(scene: _Scene) -> Scenario:
    cards = (scene.before, scene.card, scene.second, scene.after) * 5
    quick = replace(AS_BUILT, gap_ms=(187.0, 187.0))
    frames = film(scene.slides(*cards, conditions=quick))
    return Scenario("20 cards in five seconds", frames, tuple(map(right, cards)))


def _dark_frame(scene: _Scene) -> Scenario:
    """The strobe misses one frame while the card is in the gate."""
    frames = film(scene.slides(scene.card))

    def missing() -> Iterator[Frame]:
        for frame in frames:
            lost = 130 < frame.t_ms < 138 and frame.picture is not None
            yield replace(frame, picture=np.full_like(frame.picture, 20)) if lost else frame

    return Scenario("one frame is dark", missing(), (right(scene.card),))


def _torn_frames(scene: _Scene) -> Scenario:
    """Every second frame is unreadable."""
    frames = film(scene.slides(scene.card, scene.second))
    torn = (
        replace(frame, picture=None, fault="torn") if number % 2 else frame
        for number, frame in enumerate(frames)
    )
    expected = (right(scene.card), right(scene.second))
    return Scenario("every second frame is torn", torn, expected)


def _camera_away(scene: _Scene) -> Scenario:
    """No frame for 300 ms while a card is in the gate: nobody knows what passed."""
    before, odd, after = scene.slides(scene.before, scene.card, scene.after)
    way = ((300.0, -48.0), (380.0, 32.0), (900.0, 32.0), (1000.0, 132.0))
    slides = [before, replace(odd, way=way), replace(after, way=_from(after, 1020.0))]
    frames = (frame for frame in film(slides) if not 450 < frame.t_ms < 750)
    expected = (right(scene.before), _unknown(Unknown.UNSURE), right(scene.after))
    return Scenario("the camera is away while a card is in the gate", frames, expected)


_ALL: tuple[Callable[[_Scene], Scenario], ...] = (
    _no_label, _half_covered, _face_down, _glare, _half_a_card, _white, _blank, _foreign,
    _other_shoe, _two_labels, _same_label_twice, _two_at_once, _touching, _close_behind,
    _pushed_back, _squeezed, _rests, _twenty, _dark_frame, _torn_frames, _camera_away,
)  # fmt: skip
