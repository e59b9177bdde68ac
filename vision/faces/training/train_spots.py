"""Train the spot net: `python -m vision.faces.training.train_spots OUT.onnx --steps N --seed S`.

Scenes are drawn by lot from artwork and our own decks; no photo is read.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing.queues import Queue
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn.functional import logsigmoid, smooth_l1_loss

from vision.faces.training import scenes
from vision.faces.training.learn import Batch, batches, learn
from vision.faces.training.net import SpotNet

BATCH, KEPT = 12, 80


def draw(source: scenes.Scenes, count: int) -> Batch:
    """`count` scenes and what the net should say of them."""
    made = [source.scene() for _ in range(count)]
    return np.stack([seen for seen, _ in made]), np.stack(
        [scenes.targets(spots) for _, spots in made]
    )


def _drawing(queue: Queue[Batch], count: int, seed: int, own: int) -> None:
    cv2.setNumThreads(1)
    source = scenes.Scenes(np.random.default_rng(seed), own=own, grounds=160)
    for n in range(count):
        queue.put(draw(source, BATCH))
        if n % 5 == 4:
            source.renew(own // 100)


def loss_of(given: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Focal loss of the dots (CornerNet's form), and the distance of the six numbers near them."""
    logit, dots = given[:, 0], wanted[:, 0]
    sure = torch.sigmoid(logit)
    hit = (dots == 1).float()
    missed = -((1 - sure) ** 2) * logsigmoid(logit) * hit
    false = -((1 - dots) ** 4) * sure**2 * logsigmoid(-logit) * (1 - hit)
    dots_lost = (missed.sum() + false.sum()) / hit.sum().clamp(min=1)
    weight = wanted[:, 7:8]
    away = smooth_l1_loss(given[:, 1:] * weight, wanted[:, 1:7] * weight, reduction="sum", beta=0.1)
    return dots_lost + 2 * away / weight.sum().clamp(min=1)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=1500, help=f"of {BATCH} pictures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--own", type=int, default=1200, help="cards of our own drawing kept at a time"
    )
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = SpotNet()
    source = batches(_drawing, given.seed, given.own, steps=given.steps, kept=KEPT, seed=given.seed)
    for _, told in learn(net, source, loss_of, steps=given.steps, fastest=2e-3):
        sys.stdout.write(told + "\n")
        sys.stdout.flush()
        torch.save(net.state_dict(), given.out.with_suffix(".pt"))
    net.export(given.out)


if __name__ == "__main__":
    main()
