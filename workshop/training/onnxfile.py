"""Writes trained convolutions as a plain ONNX file, node by node. It knows no card."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn


def folded(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> tuple[torch.Tensor, torch.Tensor]:
    """The weight and bias of a convolution with its batch normalisation folded in."""
    assert norm.running_var is not None
    assert norm.running_mean is not None
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    weight = conv.weight * factor[:, None, None, None]
    return weight.detach(), (norm.bias - norm.running_mean * factor).detach()


class Writer:
    """Collects a graph's nodes and weights.

    Each method that adds a node or a weight returns the name of its result.
    """

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []

    def add(self, kind: str, inputs: list[str], **settings: object) -> str:
        """Add one node of this `kind`. Return its result's name."""
        name = f"{kind.lower()}{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], name, **settings))
        return name

    def keep(self, value: torch.Tensor) -> str:
        """Add one constant. Return its name."""
        name = f"w{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(value.detach().float().numpy(), name))
        return name

    def conv(self, source: str, parts: nn.Sequential) -> str:
        """Add a convolution with its normalisation and its rectifier. Return the result's name."""
        layer, norm = parts[0], parts[1]
        assert isinstance(layer, nn.Conv2d)
        assert isinstance(norm, nn.BatchNorm2d)
        weight, bias = folded(layer, norm)
        made = self.add(
            "Conv",
            [source, self.keep(weight), self.keep(bias)],
            kernel_shape=list(layer.kernel_size),
            pads=[*layer.padding, *layer.padding],
            strides=list(layer.stride),
            dilations=list(layer.dilation),
        )
        return self.add("Relu", [made])

    def save(self, path: Path, taken: tuple[str, list[int]], given: tuple[str, list[int]]) -> None:
        """Check the graph and write it.

        `taken` and `given` are the name and size of input and output.
        """
        ends = [
            helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, size)
            for name, size in (taken, given)
        ]
        graph = helper.make_graph(self._nodes, path.stem, ends[:1], ends[1:], self._weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        onnx.checker.check_model(model)
        path.write_bytes(model.SerializeToString())
