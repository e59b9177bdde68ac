"""Judges each passage by its measures, by the usual size of cards here, and by the passage before.

The module knows passages and a lip. It knows no image, and no time but the passages' own.
"""

from __future__ import annotations

from table_controller.engine.seen import Seen
from vision.lip import Lip
from vision.outline import Outline
from vision.travel import LONGEST_MS
from vision.verdict import Passage, entries, same_face, same_label, unseen_so_soon, verdict

LONGEST = 1.12  # of a card; a longer piece of paper must be two cards
QUICK = 1.05  # the same, if both ends were never in sight together
_BEAM = 1.08  # the same, measured by the beam's times


class Judge:
    """Gives each passage its verdict, in order.

    Args:
        lip: the lip's sizes in the frame.
        labels: whether cards have labels. Without labels, the face alone names a card.
    """

    def __init__(self, lip: Lip, *, labels: bool) -> None:
        self._lip, self._labels = lip, labels
        self._outline = Outline(lip)

    def forget(self) -> None:
        """Forget the learnt size of cards. The next Schlitten may have cards of another maker."""
        self._outline = Outline(self._lip)

    @staticmethod
    def is_still(passage: Passage, former: Passage) -> bool:
        """Whether this passage shows the card of the former passage again, as the label says.

        If a face was read and is the same, this passage is also marked as unsure.
        """
        if not unseen_so_soon(passage, former):
            return False
        passage.blind |= same_face(passage, former)
        return same_label(passage, former)

    def judge(self, passage: Passage) -> Seen:
        """Return the verdict on a card that left the Schlitten. If it was read, learn its size."""
        self._weigh_way(passage)
        white = any(entry.card is None for entry in entries(passage, weak=False))
        passage.two |= self._outline.too_large(passage, white=white)
        seen = verdict(passage, self._lip, labels=self._labels)
        if seen.unknown is None:
            self._outline.learn(passage)
        return seen

    def shown(self, passage: Passage) -> Seen:
        """Return the verdict on a card shown again by hand.

        The hand may move the card in any way, so the card's motion and size do not count.
        """
        passage.back = passage.two = passage.blind = False
        passage.whole_px = None
        return verdict(passage, self._lip, labels=self._labels)

    def _weigh_way(self, passage: Passage) -> None:
        """Measure the card by its motion past the gate, in the frames and by the beam.

        If the measured length is more than a card's, there were two cards. If the card was read,
        but passed so quickly that no frame shows both its ends, there may have been two cards. One
        of the two may have stuck out by less than this measurement can show. So the verdict is
        unsure.
        """
        closed_ms = passage.closed_ms or 0.0
        card_px, travel = self._lip.card_px, passage.travel
        if passage.whole_px is not None:
            passage.two |= passage.whole_px > card_px * LONGEST
        else:
            passage.two |= (travel.length_px(closed_ms) or 0.0) > card_px * QUICK
            quick = closed_ms - passage.opened_ms <= LONGEST_MS
            passage.blind |= quick and bool(passage.witnesses) and travel.seen
        if passage.by_beam:
            by_times_px = travel.beam_px(passage.opened_ms, closed_ms) or 0.0
            passage.two |= by_times_px > card_px * (LONGEST if passage.whole_px else _BEAM)
