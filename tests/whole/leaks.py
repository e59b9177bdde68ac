"""Finds text that names a card that is not open: in messages, pages, logs, and the board's bytes.

The module knows how a card may be spelled and which events the public got. It must not know the
sender. It is stricter than "no closed card": only open cards may be named, so a card still in the
box counts too.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cobs import cobs

from table_controller.rules.cards import PACK

SUITS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
SIGNS = dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True))
RANKS = {str(n): str(n) for n in range(2, 10)} | {"10": "T"} | {r: r for r in "ATJQK"}
WORDS = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SPOKEN = (
    {name: "A23456789T"[n] for n, name in enumerate(WORDS)}
    | {"jack": "J", "queen": "Q", "king": "K"}
    | {name.lower(): rank for name, rank in RANKS.items()}
)
_RANK = "10|[2-9ATJQK]"

#: `7h`, but not in a word, a number or a hash; "As he chooses" is no ace of spades.
#: Its first letter comes first, so that the search skips to it.
CODE = re.compile(
    r"[2-9TJQKA](?<![0-9A-Za-z.#-].)"
    r"(?:(?<=A)[sh](?! [a-z])|(?<=A)[cd]|(?<!A)[cdhs])(?![0-9A-Za-z])"
)
SIGNED = re.compile(rf"(?<![0-9A-Za-z])({_RANK})\s?([♣♦♥♠♧♢♡♤])\ufe0e?")
SIGNED_FIRST = re.compile(rf"([♣♦♥♠♧♢♡♤])\ufe0e?\s?({_RANK})(?![0-9A-Za-z])")
SAID = re.compile(rf"\b({'|'.join(SPOKEN)}) of ({'|'.join(SUITS)})\b", re.IGNORECASE)
DRAWN = re.compile(
    rf'<text class="rank[^>]*>\s*({_RANK})\s*</text>\s*'
    rf'<use href="#suit-(c|d|h|s|{"|".join(SUITS)})"'
)
NONCE = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
BARE = {hashlib.sha256(card.encode()).hexdigest(): card.value for card in PACK}


class Leak(AssertionError):
    """Something named a card that nobody may know yet."""


def named(text: str) -> Iterator[Counter[str]]:
    """The cards that a text names, by every way of naming one."""
    yield Counter(CODE.findall(text))
    if any(sign in text for sign in SIGNS):
        yield Counter(RANKS[rank] + SIGNS[sign] for rank, sign in SIGNED.findall(text))
        yield Counter(RANKS[rank] + SIGNS[sign] for sign, rank in SIGNED_FIRST.findall(text))
    said = SAID.findall(text) if " of " in text.lower() else ()
    yield Counter(SPOKEN[rank.lower()] + SUITS[suit.lower()] for rank, suit in said)
    yield Counter(RANKS[rank] + SUITS.get(suit, suit) for rank, suit in DRAWN.findall(text))
    yield Counter(BARE[found] for found in HASH.findall(text) if found in BARE)


class Detector:
    """Hears what the public is told, and looks at what else can be seen meanwhile."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.places: Counter[str] = Counter()
        self.looked: Counter[str] = Counter()
        self._begin()

    def _begin(self) -> None:
        self._open: Counter[str] = Counter()
        self._before: Counter[str] = Counter()
        self._promises: dict[int, str] = {}
        self._over = self._counted = False

    def hear(self, event: Mapping[str, Any]) -> None:
        """Note what now lies open. The hands of a coup lie there until the next one is dealt."""
        match event["type"]:
            case "card_drawn":
                if event["seat"] and self._over:
                    self._before, self._open, self._over = self._open, Counter(), False
                self._promises[event["ordinal"]] = event["commitment"]
            case "card_opened":
                self._promises.pop(event["ordinal"], None)
                self._open[event["card"]] += 1
            case "coup_settled" | "coup_annulled":
                self._over = True
            case "schlitten_counted":
                self._counted = True
            case "schlitten_ready":
                self._begin()

    def look(self, where: str, text: str, *, late: bool = False) -> None:
        """Note it if `text` names a card that does not lie open, or more often than it does.

        `late`: it may be on its way since the coup before, and show that one's hands.
        """
        self.looked[where] += 1
        if self._counted:
            return
        for cards in named(text):
            for card, count in cards.items():
                most = max(self._open[card], self._before[card] if late else 0)
                if count > most:
                    self._find(where, f"names {card}, {most} of it open", text)
        self._look_for_proofs(where, text)

    def _look_for_proofs(self, where: str, text: str) -> None:
        """A nonce that proves a promise names its card in 52 tries."""
        closed = set(self._promises.values())
        for nonce in map(bytes.fromhex, set(NONCE.findall(text)) if closed else ()):
            for card in PACK:
                if hashlib.sha256(nonce + card.encode()).hexdigest() in closed:
                    self._find(where, f"holds the nonce of a closed {card}", text)

    def look_at_page(self, where: str, html: str, *, late: bool = False) -> None:
        """The same for a page, where the trays, and what is read aloud, name a card once."""
        for piece in re.split(r'(?= id=")', html):
            self.look(where, piece, late=late)

    def _find(self, where: str, what: str, text: str) -> None:
        self.places[where] += 1
        self.found.append(f"{where} {what}: {text[:300]}")

    def verdict(self) -> None:
        """Raise Leak if anything was found."""
        if self.found:
            places = ", ".join(f"{where} ({times})" for where, times in self.places.items())
            raise Leak(f"closed cards in {places}; the first: {self.found[0]}")


def pictures_sent(stream: bytes) -> Iterator[bytes]:
    """The pictures in the bytes that went to a board, repeats included."""
    for frame in stream.split(b"\0"):
        if frame:
            content = cobs.decode(frame)
            if content[0] == 0x10:
                yield content[2:-2]


def look_at_board(stream: bytes, told: Iterable[bytes]) -> int:
    """Raise Leak unless the board was shown just what the public pictures say, in their order.

    `told` are those pictures as a board gets them. Returns how many different ones it was sent.
    """
    wanted, at, sent, last = list(told), 0, 0, b""
    for picture in pictures_sent(stream):
        if picture == last:
            continue
        try:
            at = wanted.index(picture, at)
        except ValueError:
            raise Leak(
                f"the board was sent {picture.hex()}, which no public picture says"
            ) from None
        last, sent = picture, sent + 1
    return sent
