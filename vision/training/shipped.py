"""Goes on from a net that was trained before: from its weights, or from the ONNX file alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from table_controller.rules.cards import RANKS, SUITS
from vision.training.net import RANK_CLASSES, CornerNet


def load(net: CornerNet, path: Path, crops: Callable[[], torch.Tensor]) -> None:
    """Give the net the weights (.pt), or those of the net (.onnx), in the file.

    An ONNX file's net may have a narrower head; `crops` show how strong each of its channels is.
    """
    if path.suffix == ".onnx":
        _unfold(net, path, crops())
    else:
        net.load_state_dict(torch.load(path, weights_only=True))


def _unfold(net: CornerNet, path: Path, crops: torch.Tensor) -> None:
    """Take the normalisation out of the convolutions, into which the file has it worked.

    So the net answers as the file does, and learns as if it had been trained so far.
    """
    kept = [numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer]
    values = [torch.from_numpy(one.copy()) for one in kept]
    net.eval()
    with torch.no_grad():
        seen = crops
        for block, pooled in net.stages():
            weight, bias = values.pop(0), values.pop(0)
            conv, norm = block[0], block[1]
            assert isinstance(conv, nn.Conv2d)
            assert isinstance(norm, nn.BatchNorm2d)
            assert norm.running_mean is not None
            assert norm.running_var is not None
            conv.weight.copy_(weight)
            made = conv(seen)
            norm.running_mean.copy_(made.mean((0, 2, 3)))
            norm.running_var.copy_(made.var((0, 2, 3)))
            norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
            norm.bias.copy_(bias + norm.running_mean)
            seen = block(seen)
            if pooled:
                seen = nn.functional.max_pool2d(seen, 2)
        _widen(net.head, *values)
    net.train()


def _widen(head: nn.Linear, weight: torch.Tensor, bias: torch.Tensor) -> None:
    """Rows of classes that the file knows are its own; a new one begins small and unlikely."""
    rows = list(range(RANK_CLASSES + len(SUITS) + 1))
    if len(bias) < len(rows):
        head.weight *= 0.1
        head.bias.fill_(float(bias.min()) - 2)
        rows = [*range(len(RANKS)), *range(RANK_CLASSES - 1, len(rows))]
    head.weight[rows] = weight
    head.bias[rows] = bias
