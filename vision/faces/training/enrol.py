"""Whether enrolling a house's deck pays: `python -m vision.faces.training.enrol`.

Decks kept from training are shown card by card, several looks each; from these the net's last
layer is fitted anew, or their features are kept as prototypes. Other looks of the same cards are
then read by the net as shipped and by both, at the shipped thresholds. Prints one table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from table_controller.rules.cards import PACK, RANKS, SUITS, Card
from vision.faces import rectify, window
from vision.faces.read import NET, Corner, judge
from vision.faces.training import art, crops, deck, proof

Array = NDArray[Any]
Reads = Callable[[Array], list[Corner]]
#: Of the last layer's fitting: how strongly it is held to the shipped one, and how long it goes on.
HELD, ROUNDS, RATE = 0.02, 150, 0.003
#: Of the prototypes: how sharply the nearest is preferred, and their weight against the net.
SHARP, WEIGHT = 12.0, 0.5
_NONE = (len(RANKS), len(SUITS))


class Look(NamedTuple):
    """One card once before the camera: what it is, and the features of its corners in sight."""

    card: Card
    corners: Array  # one row each
    indexed: list[bool]  # which of them hold an index


class Net:
    """The shipped net in two: what it sees of a crop, and its last layer."""

    def __init__(self) -> None:
        model = onnx.load(NET)
        last = model.graph.node[-1]
        kept = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
        self.weight, self.bias = (kept[name].astype(np.float64) for name in last.input[1:])
        model.graph.node.remove(last)
        size = [1, self.weight.shape[1]]
        seen = onnx.helper.make_tensor_value_info(last.input[0], onnx.TensorProto.FLOAT, size)
        model.graph.output[0].CopyFrom(seen)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "body.onnx")
            onnx.save(model, path)
            self._body = cv2.dnn.readNetFromONNX(str(path))

    def features(self, four: list[Array]) -> Array:
        """One row for each crop."""
        rows = []
        for crop in four:
            size = (window.WIDE, window.HIGH)
            self._body.setInput(cv2.dnn.blobFromImage(crop, 1 / 255, size, (127.5,) * 3))
            rows.append(self._body.forward()[0].astype(np.float64))
        return np.stack(rows)


def looks(shown: crops.Shown, net: Net, rng: np.random.Generator, count: int) -> Iterator[Look]:
    """The card before the camera `count` times, as hard to read as in `proof`."""
    rank, suit = shown.label
    for _ in range(count):
        picture, found = proof.picture(shown, rng)
        seen = [
            (n, crop) for n, crop in enumerate(rectify.crops(picture, found)) if crop is not None
        ]
        index = [n in {0, 2} or shown.four for n, _ in seen]
        yield Look(Card(RANKS[rank] + SUITS[suit]), net.features([crop for _, crop in seen]), index)


def decks(count: int, rng: np.random.Generator) -> Iterator[list[crops.Shown]]:
    """Packs kept from training: half of our own drawing, half of artwork."""
    sheets = art.sheets(held_out=True)
    for n in range(count):
        if n % 2:
            sheet = sheets[n // 2 % len(sheets)]
            four = sheet.name in crops.ART_FOUR
            boxes = ((0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 1.0))
            yield [
                crops.Shown(crops.lay(face, rng), crops.label(code), four, crops.ART_LETTER, boxes)
                for code, face in sheet.faces.items()
            ]
        else:
            style = deck.style(rng, held_out=True)
            yield [_drawn(style, code, rng) for code in PACK]


def _drawn(style: deck.Style, code: str, rng: np.random.Generator) -> crops.Shown:
    card = deck.face(style, code[0], code[1], rng)
    boxes = deck.index(style, code[0])
    return crops.Shown(crops.lay(card, rng), crops.label(code), style.four, style.rank_h, boxes)


def _taught(enrolled: list[Look]) -> tuple[Array, Array, Array]:
    """Rows of features, and their ranks and suits; a corner without an index is none."""
    rows = np.concatenate([look.corners for look in enrolled])
    pairs = [
        crops.label(look.card) if index else _NONE for look in enrolled for index in look.indexed
    ]
    ranks, suits = np.array(pairs).T
    return rows, ranks, suits


def fitted(net: Net, enrolled: list[Look]) -> Reads:
    """The last layer fitted to the looks by gradient, held to what it was."""
    rows, ranks, suits = _taught(enrolled)
    heads = len(RANKS) + 1
    truth = np.zeros((len(rows), heads + len(SUITS) + 1))
    truth[np.arange(len(rows)), ranks] = 1
    truth[np.arange(len(rows)), heads + suits] = 1
    start = np.column_stack([net.weight, net.bias])
    rows = np.column_stack([rows, np.ones(len(rows))])
    layer, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, ROUNDS + 1):  # Adam
        share = _shares(rows @ layer.T)
        slope = (share - truth).T @ rows / len(rows) + HELD * (layer - start)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        layer -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return lambda seen: [_corner(row) for row in _shares(seen @ layer[:, :-1].T + layer[:, -1])]


def prototypes(net: Net, enrolled: list[Look]) -> Reads:
    """The net's word mixed with that of the looks most like the crop, by the angle between them."""
    rows, ranks, suits = _taught(enrolled)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    heads = len(RANKS) + 1

    def read(seen: Array) -> list[Corner]:
        net_says = _shares(seen @ net.weight.T + net.bias)
        near = seen / np.linalg.norm(seen, axis=1, keepdims=True) @ rows.T
        says = np.zeros_like(net_says)
        weight = np.exp(SHARP * 4 * (near - near.max(1, keepdims=True)))
        for n, row in enumerate(weight / weight.sum(1, keepdims=True)):
            np.add.at(says[n], ranks, row)
            np.add.at(says[n], heads + suits, row)
        return [_corner(row) for row in (1 - WEIGHT) * net_says + WEIGHT * says]

    return read


def shipped(net: Net, _enrolled: list[Look]) -> Reads:
    """The net as it is."""
    return lambda seen: [_corner(row) for row in _shares(seen @ net.weight.T + net.bias)]


def _shares(logits: Array) -> Array:
    """Softmax of the ranks and of the suits, row by row."""
    parts = np.split(logits, [len(RANKS) + 1], axis=1)
    powers = [np.exp(part - part.max(1, keepdims=True)) for part in parts]
    return np.column_stack([power / power.sum(1, keepdims=True) for power in powers])


def _corner(share: Array) -> Corner:
    rank, suit = share[: len(RANKS)], share[len(RANKS) + 1 : -1]
    card = Card(RANKS[int(rank.argmax())] + SUITS[int(suit.argmax())])
    return Corner(card, float(rank.max() * suit.max()))


def main() -> None:
    """Print how many looks each way answers, and how many wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=4)
    parser.add_argument("--shown", type=int, default=3, help="looks of each card at enrolment")
    parser.add_argument("--asked", type=int, default=3, help="other looks of each, then read")
    parser.add_argument("--seed", type=int, default=601)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    rng, net = np.random.default_rng(given.seed), Net()
    ways = {"as shipped": shipped, "last layer fitted": fitted, "prototypes": prototypes}
    right, wrong = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0)
    count = 0
    for pack in decks(given.decks, rng):
        enrolled = [look for card in pack for look in looks(card, net, rng, given.shown)]
        asked = [look for card in pack for look in looks(card, net, rng, given.asked)]
        count += len(asked)
        for name, way in ways.items():
            read = way(net, enrolled)
            answers = [(look.card, judge(read(look.corners)).card) for look in asked]
            right[name] += sum(card == answer for card, answer in answers)
            wrong[name] += sum(answer not in {None, card} for card, answer in answers)
    rows = [
        f"| {name} | {right[name]} ({right[name] / count:.1%}) | {wrong[name]} |" for name in ways
    ]
    head = [f"| {given.shown} looks a card, {count} read | right | wrong |", "|---|---|---|"]
    sys.stdout.write("\n".join([*head, *rows]) + "\n")


if __name__ == "__main__":
    main()
