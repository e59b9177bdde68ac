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
QUICK = 1.05  # of a card whose ends were not in sight together
_BEAM = 1.08  # of one that the beam's times measure


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
        white = any(entry.card is None for entry in entries(passage, weak=False))
        passage.two |= self._outline.too_large(passage, white=white)
        seen = verdict(passage, self._lip, labels=self._labels)
        if seen.unknown is None:
            self._outline.learn(passage)
        return seen

    def shown(self, passage: Passage) -> Seen:
        """The verdict on a card that a hand shows again: any way, and the hand is light too."""
        passage.back = passage.two = passage.blind = False
        passage.whole_px = None
        return verdict(passage, self._lip, labels=self._labels)

    def _weigh_way(self, passage: Passage, *, by_beam: bool) -> None:
        """Its way past the gate, by the pictures and the beam: more than a card's is two cards.

        What was read, and passed so quickly that no picture shows both its ends, may have been two
        of which one stuck out by less than its way can tell: that is unsure.
        """
        closed_ms = passage.closed_ms or 0.0
        card_px, travel = self._lip.card_px, passage.travel
        if passage.whole_px is not None:
            passage.two |= passage.whole_px > card_px * LONGEST
        else:
            passage.two |= (travel.length_px(closed_ms) or 0.0) > card_px * QUICK
            quick = closed_ms - passage.opened_ms <= LONGEST_MS
            passage.blind |= quick and bool(passage.witnesses) and travel.seen
        if by_beam:
            by_times_px = travel.beam_px(passage.opened_ms, closed_ms) or 0.0
            passage.two |= by_times_px > card_px * (LONGEST if passage.whole_px else _BEAM)
