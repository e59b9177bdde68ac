"""The dimensions of the Schlitten's lip: scale, gate, label, card.

The module knows no image and no device. The labels, the generator, the decoded region and the
building plan all take their dimensions from here, so they always agree. The camera looks up at the
card's face through the lip's window. The card slides along the frame's rows, from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass

MODULES = 21  # QR version 1
SIDES_MM = 6.0  # of lip beyond a card's long edges, both together, needed to see these edges
QUIET = 4  # modules of white that the standard requires around the code


@dataclass(frozen=True, slots=True, kw_only=True)
class Lip:
    """The geometry of one lip, as built or as calibrated.

    The gate is the column in the middle of the window, where the exit beam is. Without a beam, the
    frames show when the gate is blocked. A label is in the middle of its card. So a label within
    `reach_px` of the gate belongs to the card in the gate, whichever way round the card is.

    Attributes:
        width_px, height_px: the size of the frame to which the other numbers refer.
        px_per_mm: the scale of the frame.
        module_mm: the side of one QR module; 0.5 mm is 4 px.
        card_mm: the card's side along the motion, then across it (63 x 88 is poker size).
        reach_px: the greatest distance of a label's centre from the gate when it is read.
        across_px: the greatest distance of the label's centre from the middle row.
        paper_level: a grey level that paper exceeds, but the empty lip does not.
        whole: whether the whole card is in sight, as reading faces requires. Paper is then sought
            in all rows of the card and not only in the label's, because without a label the middle
            of a court card may be as dark as the lip.
    """

    width_px: int = 640
    height_px: int = 480
    px_per_mm: float = 8.0
    module_mm: float = 0.5
    card_mm: tuple[float, float] = (63.0, 88.0)
    reach_px: int = 200
    across_px: int = 24
    paper_level: int = 60
    whole: bool = False

    @property
    def gate_px(self) -> int:
        """The column of the gate."""
        return self.width_px // 2

    @property
    def label_mm(self) -> float:
        """The side of a label with its quiet zone, the white border: 14.5 mm as shipped."""
        return (MODULES + 2 * QUIET) * self.module_mm

    @property
    def label_px(self) -> float:
        """The side of a label in the frame: 116 px as shipped."""
        return self.label_mm * self.px_per_mm

    @property
    def card_px(self) -> float:
        """The card's side along the motion: 504 px as shipped."""
        return self.card_mm[0] * self.px_per_mm

    @property
    def sides(self) -> bool:
        """Whether the frame is high enough to show both long edges of a card."""
        return not self.whole and self.height_px >= (self.card_mm[1] + SIDES_MM) * self.px_per_mm

    def rows(self, height: int) -> slice:
        """The rows that can contain a label in a frame of `height` rows, cropped or not."""
        half = int(self.label_px * 0.55) + self.across_px + 4  # 0.55 allows a turn of 5 degrees
        return _within(height // 2, half, height)

    def paper_rows(self, height: int) -> slice:
        """The rows in which paper is sought."""
        if not self.whole:
            return self.rows(height)
        return _within(height // 2, int(self.card_mm[1] * self.px_per_mm / 2), height)

    def columns(self) -> slice:
        """The columns of labels whose centre is within `reach_px` of the gate."""
        half = int(self.label_px * 0.55) + self.reach_px
        return _within(self.gate_px, half, self.width_px)


def _within(middle: int, half: int, end: int) -> slice:
    """The range from `half` before `middle` to `half` after it, cut to 0 … `end`."""
    return slice(max(0, middle - half), min(end, middle + half))


#: The lip of the building plan.
SHIPPED = Lip()
