"""The numbers of BUILD.md, which follow from the lip, the Schlitten's plan and a card's speed."""

from __future__ import annotations

from typing import Final

from vision import limits
from vision.lip import Lip
from workshop.board import wiring
from workshop.schlitten import plan

FAST_MM_PER_MS: Final = 1.0  # a card that is drawn quickly: 1 m/s

Row = tuple[str, str, str]


def numbers_table(lip: Lip) -> str:
    """A table of the building plan's arithmetic."""
    rows = [*_picture(lip), *_speeds(lip), *_sizes()]
    return wiring.table("what | how much | from", rows)


def _picture(lip: Lip) -> list[Row]:
    """The sizes in a picture."""
    module_px = lip.module_mm * lip.px_per_mm
    return [
        ("picture", f"{lip.width_px} x {lip.height_px} px", "camera"),
        ("scale", f"{lip.px_per_mm:g} px/mm", "chosen"),
        (
            "window",
            f"{lip.width_px / lip.px_per_mm:g} x {lip.height_px / lip.px_per_mm:g} mm",
            "picture / scale",
        ),
        ("one module of the code", f"{lip.module_mm:g} mm = {module_px:g} px", "module x scale"),
        ("label with its white border", f"{lip.label_mm:g} mm", "(21 + 2 x 4) modules"),
    ]


def _speeds(lip: Lip) -> list[Row]:
    """How long a fast card takes to pass, and up to which speeds cards can be read."""
    module_px = lip.module_mm * lip.px_per_mm
    px_per_ms = FAST_MM_PER_MS * lip.px_per_mm
    exposure_ms = module_px / px_per_ms
    seen_ms = 2 * lip.reach_px / px_per_ms
    return [
        ("fastest card", f"{FAST_MM_PER_MS:g} m/s = {px_per_ms:g} px/ms", "speed x scale"),
        (
            "longest exposure",
            f"{exposure_ms:g} ms",
            f"blur of one module: {module_px:g} px / {px_per_ms:g} px/ms",
        ),
        (
            "a label can be read for",
            (
                f"{seen_ms:g} ms: {int(seen_ms * 0.06)} pictures at 60 a second, "
                f"{int(seen_ms * 0.12)} at 120"
            ),
            f"2 x {lip.reach_px} px / {px_per_ms:g} px/ms",
        ),
        (
            "a card is in the beam for",
            f"{lip.card_mm[0] / FAST_MM_PER_MS:g} ms",
            "card / speed; the board waits 1 ms until the beam has settled",
        ),
        *(
            (
                f"greatest speed at which two cards are recognised as two, {fps} pictures/s",
                f"{limits.pairs_mps(lip, fps):.2g} m/s",
                "one picture must show both ends: `vision/limits.py`",
            )
            for fps in (60, 90, 120)
        ),
    ]


def _sizes() -> list[Row]:
    """The sizes of the Schlitten, and the pull of its cord."""
    return [
        (
            "lens to card, folded",
            f"{plan.lens_mm():.0f} mm",
            "2.8 mm lens, 3 µm a pixel, the scale",
        ),
        (
            "lip over the cloth",
            f"{plan.fold().height:.0f} mm",
            "mirror at 40°; without a mirror 146 mm",
        ),
        (
            "mirror",
            f"{plan.fold().length:.0f} mm up the slope x {2 * plan.fold().half_width:.0f} across",
            "where the outermost rays meet it",
        ),
        (
            "sharp",
            f"up to {plan.sharp_mm():.0f} mm before and behind the card",
            "f/2.2, one pixel of blur",
        ),
        (
            "pane of polycarbonate",
            "{:.1f} x {:.1f} mm".format(*plan.pane()),
            "its seat, less a gap for the glue",
        ),
        ("foot of wood under the bed", f"{plan.foot_mm():.0f} mm", "at the bed's far end"),
        ("bed for 312 labelled cards", f"{plan.bed_mm(312, 0.4):.0f} mm", "or 416 plain cards"),
        (
            "pull of the wedge's cord, with 312 and with 416 cards",
            f"at least {_pull(312)}, and at least {_pull(416)}",
            "calculated from the cards' lean and a weight of 2.2 g a card, without friction",
        ),
    ]


def _pull(cards: int) -> str:
    """The cord's pull for so many cards, in newtons and as a spring scale shows it."""
    newton = plan.wedge_newton(cards)
    return f"{newton:.1f} N ({newton / 0.00981:.0f} g)"
