"""Trains the corner net: `python -m workshop.training.train_corners OUT.onnx --steps N`.

With `--whole`, it trains the net that sees whole cards. Two processes draw crops, and this process
learns from them. Each has one thread. The same seed on the same machine gives the same net. No
photo is read, as the pool contains only artwork and our own drawing.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing.queues import Queue
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn.functional import cross_entropy

from workshop.training import crops, shipped, wholes
from workshop.training.learn import Batch, batches, learn, tensor
from workshop.training.net import RANK_CLASSES, CornerNet

BATCH, RENEWED = 128, 6  # crops in a batch, and cards redrawn after each


def draw(pool: crops.Pool, count: int) -> Batch:
    """Draw `count` crops and their labels from the pool."""
    pairs = [pool.crop() for _ in range(count)]
    return np.stack([crop for crop, _ in pairs]), np.array([label for _, label in pairs], np.int64)


def _drawing(queue: Queue[Batch], count: int, seed: list[int], own: int, view: crops.View) -> None:
    cv2.setNumThreads(1)
    pool = crops.Pool(np.random.default_rng(seed), own=own, nothing=own // 2, view=view)
    for _ in range(count):
        queue.put(draw(pool, BATCH))
        pool.renew(RENEWED)


def loss_of(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The loss of rank and suit, equally weighted."""
    rank = cross_entropy(logits[:, :RANK_CLASSES], labels[:, 0])
    return rank + cross_entropy(logits[:, RANK_CLASSES:], labels[:, 1])


def right(net: CornerNet, batch: Batch) -> tuple[float, float]:
    """The share of the batch that the net reads right, for all crops and for those with an index.

    Right means both rank and suit.
    """
    net.eval()
    with torch.no_grad():
        parts = [net(tensor(batch[0][at : at + 256])) for at in range(0, len(batch[0]), 256)]
    net.train()
    logits = torch.cat(parts)
    rank, suit = logits[:, :RANK_CLASSES].argmax(1), logits[:, RANK_CLASSES:].argmax(1)
    labels = torch.from_numpy(batch[1])
    good = ((rank == labels[:, 0]) & (suit == labels[:, 1])).float()
    return good.mean().item(), good[labels[:, 0] < RANK_CLASSES - 1].mean().item()


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=3000, help=f"of {BATCH} crops")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--own", type=int, default=3000, help="cards of our own drawing kept at a time"
    )
    parser.add_argument("--stop", type=int, help="end after so many steps of the plan for all")
    parser.add_argument("--start", type=Path, help="weights (.pt), or a net (.onnx), to go on from")
    parser.add_argument("--fastest", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--whole", action="store_true", help="whole cards, not their corners")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(given.seed + 1)
    view = wholes.crop if given.whole else crops.crop
    held_out = draw(crops.Pool(rng, own=400, nothing=100, held_out=True, view=view), 2000)
    net = CornerNet()
    if given.start:
        shipped.load(net, given.start, lambda: tensor(held_out[0][:512]))
    source = batches(_drawing, given.seed, given.own, view, steps=given.steps)
    for step, told in learn(net, source, loss_of, steps=given.steps, fastest=given.fastest):
        if step % 200 == 0 or step == given.steps:
            every, index = right(net, held_out)
            sys.stdout.write(
                f"{told}; held-out decks: {every:.4f} of crops, {index:.4f} of indices\n"
            )
            sys.stdout.flush()
            torch.save(net.state_dict(), given.out.with_suffix(".pt"))
        if step == given.stop:
            break
    net.export(given.out, batch=1)


if __name__ == "__main__":
    main()
