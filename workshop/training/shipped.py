"""Resumes training from an earlier net: from its weights, or from the ONNX file alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from workshop.training.net import CornerNet

#: Spreads three weights in a row over five, since crops have grown from 64 pixels to 96.
FINER = torch.tensor([[1, 0, 0], [2, 0, 0], [0, 2, 0], [0, 1, 1], [0, 0, 2]]) / 3


def load(net: CornerNet, path: Path, crops: Callable[[], torch.Tensor]) -> None:
    """Load the weights in `path` into `net`. The file has weights (.pt) or a finished net (.onnx).

    The net in an ONNX file may have fewer channels, and may have used coarser crops. `crops` serve
    to measure the strength of each channel.
    """
    if path.suffix == ".onnx":
        _unfold(net, path, crops())
    else:
        net.load_state_dict(torch.load(path, weights_only=True))


def _unfold(net: CornerNet, path: Path, crops: torch.Tensor) -> None:
    """Load the net from the file, and separate the batch normalisation from the convolutions.

    In the file the two are folded into one. Afterwards `net` answers like the file's net, and
    learns as if the training of that net went on.
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
            known = len(bias)
            _take(conv.weight, _finer(weight, conv.kernel_size[0]))
            made = conv(seen)
            norm.running_mean.copy_(made.mean((0, 2, 3)))
            norm.running_var.copy_(made.var((0, 2, 3)))
            strong = torch.sqrt(norm.running_var + norm.eps)
            norm.weight[:known] = strong[:known]
            norm.bias[:known] = bias + norm.running_mean[:known]
            seen = block(seen)
            if pooled:
                seen = nn.functional.max_pool2d(seen, 2)
        for mine, theirs in zip(
            net.head.weight.chunk(2, 1), values.pop(0).chunk(2, 1), strict=True
        ):
            _take(mine, theirs)
        net.head.bias.copy_(values.pop())
    net.train()


def _take(mine: torch.Tensor, theirs: torch.Tensor) -> None:
    """Copy the weights between channels that the old net has.

    The weights from the new channels to these become 0, so that the new channels do not change the
    answers.
    """
    known, before = theirs.shape[:2]
    mine[:known] = 0
    mine[:known, :before] = theirs


def _finer(weight: torch.Tensor, side: int) -> torch.Tensor:
    """Adapt a convolution that learnt from coarser crops, so that it answers the same for finer.

    `side` is the new kernel's side.
    """
    return weight if weight.shape[-1] == side else FINER @ weight @ FINER.T
