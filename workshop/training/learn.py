"""The common part of the training programs: drawing in separate processes, and learning."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from multiprocessing.queues import Queue
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

Batch = tuple[NDArray[np.uint8], NDArray[Any]]
DRAWING = 2  # processes


def batches(draw: Callable[..., None], seed: int, *given: object, steps: int) -> Iterator[Batch]:
    """Yield `steps` batches, drawn in turn by `DRAWING` processes, as drawing is the slower part.

    Each process runs `draw(queue, count, [seed, its number], *given)`, which fills the queue.
    """
    context = multiprocessing.get_context("spawn")
    queues: list[Queue[Batch]] = [context.Queue(maxsize=8) for _ in range(DRAWING)]
    count = -(-steps // DRAWING)
    drawing = [
        context.Process(target=draw, args=(queue, count, [seed, number], *given), daemon=True)
        for number, queue in enumerate(queues)
    ]
    for one in drawing:
        one.start()
    for step in range(steps):
        yield queues[step % DRAWING].get()
    for one in drawing:
        one.terminate()


def tensor(pictures: NDArray[np.uint8]) -> torch.Tensor:
    """Turn pictures into the nets' input: -0.5 to 0.5, channels first, blue green red."""
    seen = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255 - 0.5
    return seen.contiguous(memory_format=torch.channels_last)


def learn(
    net: nn.Module,
    source: Iterator[Batch],
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    *,
    steps: int,
    fastest: float,
) -> Iterator[tuple[int, str]]:
    """Let the net learn from each batch once.

    Yield (step, progress) every 100 steps and at the end. `fastest` is the highest learning rate.
    """
    net.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=fastest, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, fastest, total_steps=steps, pct_start=0.08
    )
    start, lost = time.monotonic(), []
    for step, (pictures, answers) in enumerate(source, 1):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            given = net(tensor(pictures))
        value = loss(given.float(), torch.from_numpy(answers))
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
        schedule.step()
        lost.append(value.item())
        if step % 100 == 0 or step == steps:
            yield (
                step,
                f"step {step}, {time.monotonic() - start:.0f} s, loss {np.mean(lost[-100:]):.4f}",
            )
