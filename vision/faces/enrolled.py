"""A house's own deck: the net's last layer fitted to looks at its cards, and the deck's file.

The module knows numbers and one file, but no image. A deck belongs to one net, of which the module
knows only the digest.
"""

from __future__ import annotations

import hashlib
import tokenize
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from table_controller.rules.cards import SUITS, Card
from vision.faces import letters
from vision.faces.letters import GLYPHS, Alphabet

Array = NDArray[Any]
#: The shape of the last layer: a row for each letter of an index and for none, then for each suit
#: and none; columns for 320 features and a 1.
SHAPE = (len(GLYPHS) + 1 + len(SUITS) + 1, 321)
VERSION = 2
#: The errors of numpy and zipfile for a file of another kind, or a corrupt file.
_SPOILT = (
    *(ValueError, TypeError, KeyError, AttributeError, EOFError, RuntimeError),
    *(SyntaxError, tokenize.TokenError, zipfile.BadZipFile),
)
#: For fitting: how strongly the layer is pulled to the shipped one, the number of steps, and their
#: size.
HELD, ROUNDS, RATE = 0.1, 150, 0.003


class DeckError(ValueError):
    """A deck file that cannot be used or written. The text names the file and the remedy."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """An enrolled deck: its name, the SHA-256 of its net, the last layer, and its letters.

    The last layer is of size `SHAPE`.
    """

    name: str
    net: str
    heads: Array
    alphabet: Alphabet = letters.USUAL


class Taught(NamedTuple):
    """The corners of one card in one image: for each corner, a row of features and a 1.

    `indexed` says for each corner whether it contains an index. The other corners teach how a place
    without an index looks.
    """

    card: Card
    rows: Array
    indexed: Sequence[bool]


def digest(net: Path) -> str:
    """The net's SHA-256, which identifies the net."""
    return hashlib.sha256(net.read_bytes()).hexdigest()


def fit(heads: Array, taught: Sequence[Taught], alphabet: Alphabet = letters.USUAL) -> Array:
    """Fit the last layer to these looks by gradient descent (Adam), starting from `heads`."""
    rows = np.concatenate([look.rows for look in taught])
    learnt = alphabet.enrolled()
    truth = np.stack(
        [_truth(look.card, index, learnt) for look in taught for index in look.indexed]
    )
    start = heads.astype(np.float64)
    layer, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    for step in range(1, ROUNDS + 1):
        slope = (_shares(rows @ layer.T) - truth).T @ rows / len(rows) + HELD * (layer - start)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        layer -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return layer


def _truth(card: Card, index: bool, learnt: Alphabet) -> Array:
    """The output that the net should give for a corner: its rank and suit, or none.

    `index` says whether the corner contains an index. Without an index, neither rank nor suit is
    right.
    """
    wanted, ranks = np.zeros(SHAPE[0]), len(GLYPHS) + 1
    wanted[GLYPHS.index(learnt.glyph(card[0]) or "") if index else len(GLYPHS)] = 1
    wanted[ranks + (SUITS.index(card[1]) if index else len(SUITS))] = 1
    return wanted


def _shares(logits: Array) -> Array:
    """Turn logits into probabilities of the ranks and of the suits, row by row (softmax)."""
    parts = np.split(logits, [len(GLYPHS) + 1], axis=1)
    powers = [np.exp(part - part.max(1, keepdims=True)) for part in parts]
    return np.column_stack([power / power.sum(1, keepdims=True) for power in powers])


def save(deck: Deck, path: Path) -> None:
    """Write a deck to the file `path`. Raises DeckError."""
    try:
        with path.open("wb") as file:
            np.savez(
                file,
                version=VERSION,
                name=deck.name,
                net=deck.net,
                letters=str(deck.alphabet),
                heads=deck.heads,
            )
    except OSError as error:
        raise DeckError(
            f"cannot write {path}: {error.strerror}; name a file in a folder that exists"
        ) from None


def load(path: Path, net: Path) -> Deck:
    """Read a deck's file. `net` is the net's file, which must be the deck's net.

    Raises DeckError.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            name, ours = str(kept["name"]), str(kept["net"]) == digest(net)
            if int(kept["version"]) == VERSION and ours:
                return _deck(kept)
    except OSError as error:
        raise DeckError(
            f"cannot read {path}: {error.strerror}. Name a deck's file that exists."
        ) from None
    except _SPOILT:
        raise DeckError(
            f"{path} is no deck's file, or it is torn: copy it again, or make it with "
            "`schlitten enrol`."
        ) from None
    raise DeckError(
        f"{path}: the deck {name!r} was enrolled with another version of this program, "
        "whose net read it differently: enrol it again (`schlitten enrol`)."
    )


def _deck(kept: Any) -> Deck:
    """Build the deck from a file's content, if that is sound. Raises ValueError and KeyError."""
    heads = np.asarray(kept["heads"], np.float64)
    if heads.shape != SHAPE or not np.isfinite(heads).all():
        raise ValueError(heads.shape)
    alphabet = letters.parse(str(kept["letters"]))
    return Deck(str(kept["name"]), str(kept["net"]), heads, alphabet)
