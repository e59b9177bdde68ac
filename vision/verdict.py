"""Weighs the witnesses' readings of one passage, and gives the verdict.

Anything that is not one card beyond doubt is unknown, with a reason; the verdict is never a guess.
The module knows no time but the passage's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from table_controller.engine.seen import Seen, Unknown
from table_controller.rules.cards import Card
from vision.lip import Lip
from vision.manifest import LabelledCard, LabelVerdict, Lookup
from vision.travel import Travel

SHORTEST = 0.6  # of a card; less is half a card
_SOON_MS = 300.0  # within this time, a card that nobody saw come may be the card that just passed
_VOTES = 2  # frames in which the same face must be read


@dataclass(slots=True, eq=False)
class Passage:
    """The facts about one passage, collected from views, beam edges and readings."""

    opened_ms: float
    closed_ms: float | None = None
    back: bool = False
    two: bool = False
    twice: bool = False
    came: bool | None = None  # whether its lead was seen coming to the gate; None: no frame yet
    blind: bool = False
    by_beam: bool = False  # whether the exit beam opened and closed it
    whole_px: float | None = None  # the greatest length measured with both ends in the frame
    long_px: float | None = None  # the same to a fraction of a pixel, in the middle of the rows
    wide_px: float | None = None  # the same across, in the middle of the columns
    bands_px: dict[int, float] = field(default_factory=dict)  # the same along, in bands of the rows
    travel: Travel = field(default_factory=Travel)
    found: dict[str, Lookup] = field(default_factory=dict)
    faces: Counter[Card] = field(default_factory=Counter)
    witnesses: set[str] = field(default_factory=set)
    frames: set[float] = field(default_factory=set)

    def holds(self, t_ms: float, skew_ms: float) -> bool:
        """Whether a frame of `t_ms` belongs to this passage.

        `skew_ms` is how far the frame's time may be off.
        """
        end = self.closed_ms if self.closed_ms is not None else float("inf")
        return self.opened_ms - skew_ms <= t_ms < end + skew_ms


def entries(passage: Passage, *, weak: bool) -> list[LabelledCard]:
    """The cards of this Schlitten whose tokens were read or, if `weak`, whose digits were read."""
    found = {lookup.entry for lookup in passage.found.values() if lookup.weak is weak}
    return [entry for entry in found if entry]


def verdict(passage: Passage, lip: Lip, *, labels: bool) -> Seen:
    """Weigh the witnesses' readings. Anything that is not one card beyond doubt is unknown.

    `labels` says whether cards have labels. Without labels, the face alone names a card.
    """
    kinds = {lookup.verdict for lookup in passage.found.values()}
    strong, weak = entries(passage, weak=False), entries(passage, weak=True)
    if passage.back:
        return Seen(unknown=Unknown.PARTIAL)
    if LabelVerdict.FOREIGN in kinds:
        return Seen(unknown=Unknown.FOREIGN)
    if LabelVerdict.OTHER_SHOE in kinds:
        return Seen(unknown=Unknown.OTHER_SHOE)
    if passage.two or len(strong) > 1:
        return Seen(unknown=Unknown.TWO_CARDS)
    if passage.twice:
        return Seen(unknown=Unknown.DUPLICATE)
    if passage.whole_px is not None and passage.whole_px < lip.card_px * SHORTEST:
        return Seen(unknown=Unknown.PARTIAL)
    if passage.blind:
        return Seen(unknown=Unknown.UNSURE)
    return _name(strong, weak, passage.faces, labels=labels)


def _name(
    strong: list[LabelledCard], weak: list[LabelledCard], faces: Counter[Card], *, labels: bool
) -> Seen:
    """The verdict: the card that all witnesses name, or unknown if they do not agree.

    `strong` and `weak` are the cards whose tokens and whose digits were read; `faces` counts
    frames.
    """
    faced = _faced(faces)
    entries = {*strong, *weak}
    named = {entry.card for entry in entries} | set(faced)
    if not named:
        return Seen(unknown=Unknown.UNSURE if faces else Unknown.NO_READ)
    if len(entries) > 1 or len(named) > 1:
        return Seen(unknown=Unknown.DISAGREE)
    if not entries and (labels or len(faces) > 1):
        return Seen(unknown=Unknown.UNSURE)  # a face without a label, or frames that differ
    if not strong and not faced:
        return Seen(unknown=Unknown.UNSURE)  # only digits: a valid checksum proves little
    entry = next(iter(entries), None)
    if entry and entry.card is None:
        return Seen(white=True)
    return Seen(card=entry.card if entry else faced[0], copy=entry.copy if entry else 0)


def _faced(faces: Counter[Card]) -> list[Card]:
    return [card for card, votes in faces.items() if votes >= _VOTES]


def unseen_so_soon(passage: Passage, former: Passage) -> bool:
    """Whether this may be the former card again.

    That is so if the passage follows the former one closely, and no frame showed a card come.
    """
    gone_ms = passage.opened_ms - (former.closed_ms or 0.0)
    return passage.came is False and gone_ms <= _SOON_MS


def same_label(passage: Passage, former: Passage) -> bool:
    """Whether both passages have the same label, and nothing suggests another card."""
    strong = entries(passage, weak=False)
    odd = passage.two or passage.twice or passage.back or passage.blind
    return len(strong) == 1 and not odd and strong == entries(former, weak=False)


def same_face(passage: Passage, former: Passage) -> bool:
    """Whether the same face was read in both passages."""
    return not set(_faced(passage.faces)).isdisjoint(_faced(former.faces))
