"""The net: takes a crop, gives a rank and a suit, each of which may be "none"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import nn

from table_controller.rules.cards import SUITS
from vision.faces import window
from vision.faces.letters import GLYPHS
from workshop.training.onnxfile import Writer

#: Output: logits of all figures and letters and none, then of 4 suits and none.
RANK_CLASSES, SUIT_CLASSES = len(GLYPHS) + 1, len(SUITS) + 1
#: For each convolution: channels, kernel side, stride, and whether a 2x2 maximum follows.
LAYERS = (
    (32, 5, 3, False),
    (32, 3, 1, True),
    (40, 3, 1, False),
    (56, 3, 1, True),
    (88, 3, 1, False),
    (128, 3, 1, True),
    (160, 3, 1, False),
)


def block(before: int, after: int, size: int, stride: int) -> nn.Sequential:
    """Make one stage of the net: convolution, normalisation, rectifier.

    `before` and `after` are the numbers of channels before and after the stage. `size` is the
    kernel's side.
    """
    conv = nn.Conv2d(before, after, size, stride, size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU(inplace=True))


class CornerNet(nn.Module):
    """Seven small convolutions, mean and maximum over the crop, one linear layer."""

    def __init__(self) -> None:
        super().__init__()
        befores = [3, *(channels for channels, *_ in LAYERS)]
        self.blocks = nn.ModuleList(
            block(before, channels, size, stride)
            for before, (channels, size, stride, _) in zip(befores, LAYERS, strict=False)
        )
        self.drop = nn.Dropout(0.15)
        self.head = nn.Linear(2 * LAYERS[-1][0], RANK_CLASSES + SUIT_CLASSES)

    def stages(self) -> Iterator[tuple[nn.Sequential, bool]]:
        """Yield each convolution, and whether a maximum (pooling) follows."""
        for layer, (*_, pooled) in zip(self.blocks, LAYERS, strict=True):
            assert isinstance(layer, nn.Sequential)
            yield layer, pooled

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        seen = crops
        for layer, pooled in self.stages():
            seen = layer(seen)
            if pooled:
                seen = nn.functional.max_pool2d(seen, 2)
        return self.head(self.drop(torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)))

    def export(self, path: Path, *, batch: int) -> None:
        """Write the net as ONNX for crops in batches of `batch`."""
        self.eval()
        file, last = Writer(), "crops"
        for layer, pooled in self.stages():
            last = file.conv(last, layer)
            if pooled:
                last = file.add("MaxPool", [last], kernel_shape=[2, 2], strides=[2, 2])
        both = [file.add("GlobalAveragePool", [last]), file.add("GlobalMaxPool", [last])]
        flat = file.add("Flatten", [file.add("Concat", both, axis=1)], axis=1)
        inputs = [flat, file.keep(self.head.weight), file.keep(self.head.bias)]
        logits = file.add("Gemm", inputs, transB=1)
        size = [batch, RANK_CLASSES + SUIT_CLASSES]
        file.save(path, ("crops", [batch, 3, window.HIGH, window.WIDE]), (logits, size))
