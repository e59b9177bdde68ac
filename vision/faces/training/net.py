"""The two nets: corners (a crop in, rank and suit out), spots (a picture in, indices out)."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from table_controller.rules.cards import RANKS, SUITS
from vision.faces import spotgrid, window
from vision.faces.training.onnxfile import Writer

#: Output: logits of 13 ranks and none, then of 4 suits and none.
RANK_CLASSES, SUIT_CLASSES = len(RANKS) + 1, len(SUITS) + 1
#: Channels of each 3x3 convolution, its stride, and whether a 2x2 maximum follows.
LAYERS = (
    (16, 2, False),
    (32, 1, True),
    (40, 1, False),
    (56, 1, True),
    (80, 1, False),
    (112, 1, True),
    (128, 1, False),
)


def block(
    before: int, after: int, stride: int = 1, dilation: int = 1, size: int = 3
) -> nn.Sequential:
    """Convolution, normalisation, rectifier."""
    conv = nn.Conv2d(before, after, size, stride, dilation * (size // 2), dilation, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU(inplace=True))


class CornerNet(nn.Module):
    """Seven small convolutions, mean and maximum over the crop, one linear layer."""

    def __init__(self) -> None:
        super().__init__()
        befores = [3, *(channels for channels, _, _ in LAYERS)]
        self.blocks = nn.ModuleList(
            block(before, channels, stride)
            for before, (channels, stride, _) in zip(befores, LAYERS, strict=False)
        )
        self.drop = nn.Dropout(0.15)
        self.head = nn.Linear(2 * LAYERS[-1][0], RANK_CLASSES + SUIT_CLASSES)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        seen = crops
        for layer, (_, _, pooled) in zip(self.blocks, LAYERS, strict=True):
            seen = layer(seen)
            if pooled:
                seen = nn.functional.max_pool2d(seen, 2)
        return self.head(self.drop(torch.cat([seen.mean((2, 3)), seen.amax((2, 3))], 1)))

    def export(self, path: Path, *, batch: int) -> None:
        """Write the net as ONNX for crops in batches of `batch`."""
        self.eval()
        file, last = Writer(), "crops"
        for layer, (_, _, pooled) in zip(self.blocks, LAYERS, strict=True):
            last = file.conv(last, layer)
            if pooled:
                last = file.add("MaxPool", [last], kernel_shape=[2, 2], strides=[2, 2])
        both = [file.add("GlobalAveragePool", [last]), file.add("GlobalMaxPool", [last])]
        flat = file.add("Flatten", [file.add("Concat", both, axis=1)], axis=1)
        inputs = [flat, file.keep(self.head.weight), file.keep(self.head.bias)]
        logits = file.add("Gemm", inputs, transB=1)
        size = [batch, RANK_CLASSES + SUIT_CLASSES]
        file.save(path, ("crops", [batch, 3, window.HIGH, window.WIDE]), (logits, size))


class SpotNet(nn.Module):
    """Down to sixteenths of the picture to see whole cards, back up to eighths to point."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(
            block(3, 12, 2), block(12, 24, 2), block(24, 24), block(24, 48, 2), block(48, 48)
        )
        self.deep = nn.Sequential(
            block(48, 64, 2), block(64, 64), block(64, 64, 1, 2), block(64, 64, 1, 4)
        )
        self.join = nn.Sequential(block(112, 48, size=1), block(48, 48))
        self.head = nn.Conv2d(48, spotgrid.CHANNELS, 1)
        with torch.no_grad():
            assert self.head.bias is not None
            self.head.bias[0] = -4.0  # most of a picture is no index

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        near = self.down(pictures)
        far = nn.functional.interpolate(self.deep(near), scale_factor=2.0, mode="nearest")
        return self.head(self.join(torch.cat([near, far], 1)))

    def export(self, path: Path) -> None:
        """Write the net as ONNX for one picture at a time."""
        self.eval()
        file, last = Writer(), "picture"
        for layer in self.down:
            last = file.conv(last, layer)
        near = last
        for layer in self.deep:
            last = file.conv(last, layer)
        scales = file.keep(torch.tensor([1.0, 1.0, 2.0, 2.0]))
        far = file.add(
            "Resize",
            [last, "", scales],
            mode="nearest",
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )
        last = file.add("Concat", [near, far], axis=1)
        for layer in self.join:
            last = file.conv(last, layer)
        inputs = [last, file.keep(self.head.weight), file.keep(self.head.bias)]
        spots = file.add("Conv", inputs, kernel_shape=[1, 1])
        taken = [1, 3, spotgrid.HIGH, spotgrid.WIDE]
        given = [
            1,
            spotgrid.CHANNELS,
            spotgrid.HIGH // spotgrid.CELL,
            spotgrid.WIDE // spotgrid.CELL,
        ]
        file.save(path, ("picture", taken), (spots, given))
