"""Judging one passage after the other: what each measured, how large cards are here, the last one.

Knows passages and a lip; no picture, and of time only the passages' own.
"""

from __future__ import annotations

from table_controller.engine.seen import Seen
from vision.lip import Lip
from vision.outline import Outline
from vision.travel import LONGEST_MS
from vision.verdict import Passage, entries, same_face, same_label, unseen_so_soon, verdict

LONGEST = 1.12  # of a card: more paper in one piece is two cards
_QUICK = 1.08  # of a card whose ends were not in sight together


class Judge:
    """Gives each passage its verdict, in their order.

    Args:
        lip: sizes in the picture.
        labels: whether cards have labels; faces stand alone where they have none.
    """

    def __init__(self, lip: Lip, *, labels: bool) -> None:
        self._lip, self._labels = lip, labels
        self._outline = Outline(lip)

    def forget(self) -> None:
        """Another Schlitten: its cards may be of another maker."""
        self._outline = Outline(self._lip)

    @staticmethod
    def is_still(passage: Passage, former: Passage) -> bool:
        """Whether it is the last one's card, come to light again; of a face that is not sure."""
        if not unseen_so_soon(passage, former):
            return False
        passage.blind |= same_face(passage, former)
        return same_label(passage, former)

    def judge(self, passage: Passage, *, by_beam: bool) -> Seen:
        """The verdict on a card that left the shoe; its size is learnt where it was read."""
        self._weigh_way(passage, by_beam=by_beam)
        length, width = self._outline.length, self._outline.width
        white = any(entry.card is None for entry in entries(passage, weak=False))
        passage.two |= length.too_long(passage.long_px, white=white)
        passage.two |= width.too_long(passage.wide_px, white=white)
        seen = verdict(passage, self._lip, labels=self._labels)
        if seen.unknown is None:
            length.learn(passage.long_px)
            width.learn(passage.wide_px)
        return seen

    def shown(self, passage: Passage) -> Seen:
        """The verdict on a card that a hand shows again: any way, and the hand is light too."""
        passage.back = passage.two = passage.blind = False
        passage.whole_px = None
        return verdict(passage, self._lip, labels=self._labels)

    def _weigh_way(self, passage: Passage, *, by_beam: bool) -> None:
        """Its way past the gate, by the pictures and the beam: more than a card's is two cards.

        What was seen to pass so quickly that no picture tells how long it was may have been two.
        """
        closed_ms = passage.closed_ms or 0.0
        ways = [passage.whole_px or passage.travel.length_px(closed_ms)]
        if ways == [None] and passage.witnesses and closed_ms - passage.opened_ms <= LONGEST_MS:
            passage.blind |= passage.travel.quick
        if by_beam:
            ways.append(passage.travel.beam_px(passage.opened_ms, closed_ms))
        longest = self._lip.card_px * (LONGEST if passage.whole_px else _QUICK)
        passage.two |= any(way is not None and way > longest for way in ways)
