"""Averages nets: `python -m workshop.training.average ONE.pt TWO.pt … OUT.onnx`.

If one net was trained from another, the mean of both is steadier than either. A net named twice
counts twice. A net that exists only as ONNX is loaded as for training (`shipped`). The mean's
weights are also written to OUT.pt, from which training can go on. A net that has learnt for a short
time only is less sure than it should be, so `--sharper` can multiply the last layer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from workshop.training import crops, shipped
from workshop.training.learn import tensor
from workshop.training.net import CornerNet
from workshop.training.train_corners import draw


def weights(path: Path) -> dict[str, torch.Tensor]:
    """Read a net's weights, from their file (.pt) or from the net itself (.onnx)."""
    net = CornerNet()
    shipped.load(net, path, _crops)
    return dict(net.state_dict())


def _crops() -> torch.Tensor:
    seen, _ = draw(crops.Pool(np.random.default_rng(3), own=200, nothing=80), 512)
    return tensor(seen)


def main() -> None:
    """Read the command line, average and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--sharper", type=float, default=1.0, help="of the net's logits")
    given = parser.parse_args()
    torch.manual_seed(1)  # for channels that a file lacks
    nets = [weights(path) for path in given.nets]
    mean = {
        name: (sum(net[name].float() for net in nets) / len(nets)).to(value.dtype)
        for name, value in nets[0].items()
    }
    for name in ("head.weight", "head.bias"):
        mean[name] = mean[name] * given.sharper
    net = CornerNet()
    net.load_state_dict(mean)
    torch.save(mean, given.out.with_suffix(".pt"))
    net.export(given.out, batch=1)


if __name__ == "__main__":
    main()
