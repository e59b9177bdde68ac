"""The bar patterns of labels, as black and white cells. It knows no paper, image or card."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import segno
import zxingcpp

Modules = npt.NDArray[np.bool_]
"""True is black. The quiet zone is not included."""


def qr(token: str) -> Modules:
    """QR-M version 1 of a token: 21 by 21 modules."""
    code = segno.make_qr(token, version=1, error="m", mode="alphanumeric", boost_error=False)
    return np.array(code.matrix, dtype=np.bool_)


def code128(digits: str) -> Modules:
    """Code 128 of 8 digits: one row of 79 modules."""
    code = zxingcpp.create_barcode(digits, zxingcpp.BarcodeFormat.Code128)
    picture = np.asarray(code.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8)
    return np.equal(picture[:1], 0)
