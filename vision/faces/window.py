"""Which part of a card the net reads, with how many pixels, and in which order.

Reading and training share this module, so that both crop alike. The module knows geometry only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The share of a card's width and height in one crop. The largest indices fit.
SHARE = 0.42
#: Pixels of a crop.
WIDE, HIGH = 96, 144
#: The crop's own corners, clockwise from top left. Its four source points are mapped to them.
TARGET = np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float32)


def corners(share: float = SHARE) -> NDArray[Any]:
    """The corners of a card's four crops on a card of size 1, as (4, 4, 2): x right, y down.

    The first two crops are at the card's top left and top right. The other two are at the bottom
    right and bottom left, and are cut out turned round. So an index is upright in each crop that
    contains one. `share` is the crop's side as a share of the card's side.
    """
    c = share
    return np.array(
        [
            [(0, 0), (c, 0), (c, c), (0, c)],
            [(1 - c, 0), (1, 0), (1, c), (1 - c, c)],
            [(1, 1), (1 - c, 1), (1 - c, 1 - c), (1, 1 - c)],
            [(c, 1), (0, 1), (0, 1 - c), (c, 1 - c)],
        ],
        np.float32,
    )
