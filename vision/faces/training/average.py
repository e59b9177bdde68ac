"""The mean of two nets: `python -m vision.faces.training.average ONE.pt TWO.pt OUT.onnx`.

Where the second was trained on from the first, the mean is steadier than either.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from vision.faces.training.net import CornerNet


def main() -> None:
    """Read the command line, average and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=Path)
    parser.add_argument("two", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    one, two = (torch.load(path, weights_only=True) for path in (given.one, given.two))
    mean = {name: ((one[name].float() + two[name].float()) / 2).to(one[name].dtype) for name in one}
    net = CornerNet()
    net.load_state_dict(mean)
    net.export(given.out, batch=2)


if __name__ == "__main__":
    main()
