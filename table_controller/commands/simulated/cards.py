"""The cards of a Schlitten: shuffled with a seed, or read from a file.

The module knows files, but no table.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter, deque
from pathlib import Path
from typing import Final

from table_controller.commands.players import Box
from table_controller.commands.simulated.lip import Physical
from table_controller.engine.messages import CardNamed, CardSeen
from table_controller.engine.table.inputs import SchlittenClosed
from table_controller.rules.cards import PACKS, Card, spelled
from table_controller.rules.houses import House
from table_controller.service.errors import ConfigError
from table_controller.service.recording import Heard, Recording, is_recording
from table_controller.wiring.games import game

_WHITE: Final = "white"
#: The cards of each Schlitten, in their order.
Stream = tuple[tuple[Physical, ...], ...]
#: A card and the line of its file. A line without a card means that another Schlitten begins.
_Named = list[tuple[int, Card | str | None]]
_NEXT: Final = "next"


class Schlitten:
    """The cards of one evening in their order, Schlitten after Schlitten.

    Attributes:
        number: the Schlitten in use, from 1.
        out: the cards that have left this Schlitten, without the white card.
    """

    def __init__(self, house: House, seed: int, stream: Stream | None = None) -> None:
        self._house, self._seed, self._stream = house, seed, stream
        self.number = 0
        self._rest: deque[Physical] = deque()
        self.out: list[tuple[Card, int]] = []

    def load(self, number: int) -> None:
        """Load Schlitten `number`. If the cards come from a file, there may be none left."""
        if number == self.number:
            return
        self.number, self.out = number, []
        if self._stream is not None:
            self._rest = deque(self._stream[number - 1] if number <= len(self._stream) else ())
            return
        house = self._house
        box = Box(self._seed, number, packs=house.packs, pack=house.pack, white_at=house.white_at)
        self._rest = deque(card for card in box.cards if card or house.white_at)

    def draw(self) -> Physical | str:
        """Draw the next card; "" if there is no card."""
        if not self._rest:
            return ""
        top = self._rest.popleft()
        if top:
            self.out.append(top)
        return top

    def put_back(self) -> None:
        """Put the last card back on top: it left, and a person ruled that it goes back."""
        if self.out:
            self._rest.appendleft(self.out.pop())

    def put_back_white(self) -> None:
        """Put the white card back on top: it left, and nobody knows it yet."""
        self._rest.appendleft(None)

    @property
    def next(self) -> Physical | str:
        """The card on top; "" if there is no card. None is the white card."""
        return self._rest[0] if self._rest else ""

    def count(self) -> Counter[str]:
        """Return how many of each card have left the Schlitten."""
        return Counter(card.value for card, _ in self.out)

    def skip_white(self) -> None:
        """Let the white card leave unseen, if it is on top."""
        if self._rest and self._rest[0] is None:
            self._rest.popleft()


def stream(path: Path, house: House) -> Stream:
    """Read the cards of a CSV file or of a recording. Raises ConfigError, RecordingError."""
    named = _recorded(path, house) if is_recording(path) else _listed(path)
    if not named:
        raise ConfigError(
            f"{path} contains no card: write one card a line, such as 9h, or `white`."
        )
    seen: Counter[Card] = Counter()
    found: list[list[Physical]] = [[]]
    for line, card in named:
        if card is None:
            found[-1].append(None)
            continue
        if isinstance(card, str) and not isinstance(card, Card):
            seen.clear()
            found.append([])
            continue
        seen[card] += 1
        if card not in PACKS[house.pack] or seen[card] > house.packs:
            raise ConfigError(
                f"{path}, line {line}: {card.value} comes {seen[card]} times, and the house "
                f"{house.id} plays with {house.packs} x {house.pack} cards."
            )
        found[-1].append((card, seen[card]))
    return tuple(tuple(one) for one in found if one)


def _recorded(path: Path, house: House) -> _Named:
    """Yield the cards in a recording that the reader read, and those that two people named."""
    record = Recording(path, game(house.game))
    if record.header.game != house.game:
        raise ConfigError(
            f"{path} is a recording of {record.header.game}, and the house {house.id} plays "
            f"{house.game}: name a house of that game with --house."
        )
    found: _Named = []
    named: Card | None = None
    for line, one in enumerate(record, 2):
        said = one.input if isinstance(one, Heard) else None
        if isinstance(said, SchlittenClosed):
            found.append((line, _NEXT))
        elif isinstance(said, CardSeen) and said.white:
            found.append((line, None))
        elif isinstance(said, CardSeen) and said.card:
            found.append((line, said.card))
        elif isinstance(said, CardNamed):
            found += [(line, said.card)] if named is said.card else []
            named = None if named is said.card else said.card
    return found


def _listed(path: Path) -> _Named:
    """Read a list of cards, as spreadsheets and people write it. Raises ConfigError."""
    found: _Named = []
    for line, row in enumerate(_rows(_text(path)), 1):
        for text in filter(None, row):
            try:
                found.append((line, None if text.lower() == _WHITE else spelled(text)))
            except ValueError:
                raise ConfigError(
                    f"{path}, line {line}: {text[:20]!r} is no card: want a rank and a suit, such "
                    "as 9h, Td or As, or `white`. If there are other columns, name the cards' "
                    "column `card` in line 1."
                ) from None
    return found


def _rows(text: str) -> list[list[str]]:
    """The cells of each line that name cards: none of a comment, or of the columns' names."""
    lines = (re.split(r"[,;\t]", line) for line in text.splitlines())
    rows = [[cell.strip(" \"'") for cell in cells] for cells in lines]
    head = [cell.lower() for cell in rows[0]] if rows else []
    column = next((at for at, cell in enumerate(head) if cell in ("card", "cards")), None)
    rows = [[] if row[0].startswith("#") else row for row in rows]
    if column is None:
        return rows
    return [[], *(row[column : column + 1] for row in rows[1:])]


def _text(path: Path) -> str:
    """Return the text of a file, in UTF-8 or UTF-16. Raises ConfigError."""
    try:
        data = path.read_bytes()
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot read {path} as a list of cards: {error.strerror}.") from None
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ConfigError(f"{path} is no text: a list of cards has one card a line, such as 9h.")
    return text
