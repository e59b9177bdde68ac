"""What the net that spots indices takes and gives: sizes and units, for reading and for training.

Of a picture of WIDE x HIGH it gives, for each cell of CELL x CELL pixels, how likely an index
stands there, and the card on which this index stands upright: from the cell's middle to its top
left corner, its top side and its left side, as three vectors in units of UNIT pixels.
"""

WIDE, HIGH = 640, 480
CELL = 8
UNIT = 64.0
CHANNELS = 7  # likelihood (logit), then corner x y, top side x y, left side x y
