"""The film that the lab's camera shows: a whole Schlitten of one pack, six pictures a second.

`python -m tests.lab.film FILE` draws it before the lab's machine starts, which is slow. Its cards
move as slowly as its pictures come. At a twentieth of a metre a second, each card is in as many
pictures as at a metre with 120.
"""

import sys
from pathlib import Path

import numpy as np

from vision import manifest
from vision.generator import Conditions, mixed, schlitten

SEED, FPS = 7, 6.0
WIDE, HIGH = 640, 192
SHOE = manifest.make("lab", bytes(range(32)), 1)
SLOW = Conditions(fps=FPS, speed_mps=(0.05, 0.05), gap_ms=(800.0, 2500.0))
WHERE = Path("/srv/film.npy")


def order():
    """The cards in the order in which they leave, the white card among them (None)."""
    return [entry.card for entry in mixed(SHOE, SEED)]


if __name__ == "__main__":
    np.save(sys.argv[1], np.stack([frame.picture for frame in schlitten(SHOE, SEED, SLOW)]))
