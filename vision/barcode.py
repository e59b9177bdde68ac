"""Reads QR codes in the lip's region of a frame, with two independent decoders.

Only QR codes are enabled: with every kind enabled, zbar was seen to report codes that were not
there. The module knows no manifest and no passage: other modules decide what a code means, and
whether the code is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp
from pyzbar import pyzbar

from vision.frame import Pixels
from vision.lip import Lip
from vision.witness import Witness


@dataclass(frozen=True, slots=True)
class Code:
    """One code in one frame. `x` and `y` are its centre, in pixels of that frame."""

    decoder: Witness
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderSettings:
    """How to decode. The figures were tuned on generated frames.

    Attributes:
        decoders: the decoders to ask, in this order.
        zxing_smooth: how much to smooth before zxing (sigma in px, along and across the motion).
            Across it is more, because along its direction the motion has already blurred the frame.
        zbar_smooth: how much to smooth before zbar. Both directions are smoothed alike, because
            zbar fails on frames smoothed in only one.
        sharpen: how much motion blur to remove before zxing tries again, if zxing finds nothing.
    """

    decoders: tuple[Witness, ...] = (Witness.ZXING, Witness.ZBAR)
    zxing_smooth: tuple[float, float] = (0.5, 1.2)
    zbar_smooth: tuple[float, float] = (0.7, 0.7)
    sharpen: float = 1.0


AS_SHIPPED = DecoderSettings()
_NEAR = 0.75  # of a label's side, from its centre: contains the label at any angle
_SMEAR_PX = 5  # the longest smear that sharpening can undo; must be odd

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
_Read = tuple[str, float, float]  # text, x, y in the region


def decode(picture: Pixels, lip: Lip, settings: DecoderSettings = AS_SHIPPED) -> tuple[Code, ...]:
    """Return the QR codes that each decoder finds in the lip's region of a grey frame.

    If the first decoder found a label, the second decoder looks only at that place, which is four
    times as fast. If the first decoder found none, the second decoder searches the whole region.
    """
    rows, columns = lip.rows(picture.shape[0]), lip.columns()
    places = [(rows, columns)]
    found: list[Code] = []
    for decoder in settings.decoders:
        found += [
            Code(decoder, text, across.start + x, down.start + y)
            for down, across in places
            for text, x, y in _DECODERS[decoder](
                np.ascontiguousarray(picture[down, across]), settings
            )
        ]
        reach = round(lip.label_px * _NEAR)
        places = [
            (_around(code.y, reach, rows), _around(code.x, reach, columns)) for code in found
        ] or places
    return tuple(found)


def _around(middle: float, reach: int, within: slice) -> slice:
    return slice(max(within.start, round(middle) - reach), min(within.stop, round(middle) + reach))


def _zxing(region: Pixels, settings: DecoderSettings) -> list[_Read]:
    smooth = _smoothed(region, settings.zxing_smooth)
    return _zxing_raw(smooth) or (
        _zxing_raw(_sharpened(smooth, settings.sharpen)) if settings.sharpen else []
    )


def _zxing_raw(picture: Pixels) -> list[_Read]:
    codes = zxingcpp.read_barcodes(
        picture,
        formats=_QR,
        try_rotate=False,  # a QR code is found at any angle without it
        try_downscale=False,
        try_invert=False,
    )
    return [(code.text, *_middle(code.position)) for code in codes if code.valid]


def _middle(corners: zxingcpp.Position) -> tuple[float, float]:
    four = (corners.top_left, corners.top_right, corners.bottom_left, corners.bottom_right)
    return sum(corner.x for corner in four) / 4, sum(corner.y for corner in four) / 4


def _zbar(region: Pixels, settings: DecoderSettings) -> list[_Read]:
    smooth = _smoothed(region, settings.zbar_smooth)
    return [
        (
            code.data.decode("utf-8", "replace"),
            code.rect.left + code.rect.width / 2,
            code.rect.top + code.rect.height / 2,
        )
        for code in pyzbar.decode(smooth, symbols=[pyzbar.ZBarSymbol.QRCODE])
    ]


_DECODERS: dict[Witness, Callable[[Pixels, DecoderSettings], list[_Read]]] = {
    Witness.ZXING: _zxing,
    Witness.ZBAR: _zbar,
}


def _smoothed(picture: Pixels, sigma: tuple[float, float]) -> Pixels:
    along, across = (max(side, 0.01) for side in sigma)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), along, sigmaY=across), dtype=np.uint8)


def _sharpened(picture: Pixels, amount: float) -> Pixels:
    """Return the frame with `amount` of its motion blur removed (unsharp mask along the motion)."""
    smeared = cv2.blur(picture, (_SMEAR_PX, 1))
    return np.asarray(cv2.addWeighted(picture, 1 + amount, smeared, -amount, 0), dtype=np.uint8)
