"""Puts things in front of the lip as cheats and accidents do.

None of them may be taken for a card.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import zxingcpp

from table_controller.engine.seen import Seen
from table_controller.engine.shoe import Shoe, without
from tests.vision.odd import Odd
from vision import manifest
from vision.barcode import decode
from vision.cardstock import PAPER, Stock, label_picture
from vision.frame import Frame, Pixels
from vision.generator import AS_BUILT, film, plan_stocks
from vision.lip import SHIPPED
from vision.manifest import LabelledCard, LabelVerdict, Manifest
from vision.reader import Reader, Sight

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def frames(shoe: Manifest, wanted: int) -> dict[str, Counter[str]]:
    """Film at least `wanted` frames with paper in the gate, spread over every attack.

    An attack counts as accepted if the verdict is a card that could still leave this Schlitten by
    the count. Return the counts for each attack.
    """
    each = -(-wanted // len(_ATTACKS))
    return {name: _attack(make, shoe, each) for name, make in _ATTACKS.items()}


Attack = Callable[[Manifest, random.Random], Sequence[Stock]]


def _attack(make: Attack, shoe: Manifest, wanted: int) -> Counter[str]:
    luck, found = random.Random(f"attack {make.__name__}"), Counter[str]()
    other = manifest.make("other", bytes(32))
    while found["frames"] < wanted:
        stocks = make(shoe, luck)
        slides = plan_stocks(stocks, luck.randrange(1 << 30), replace(AS_BUILT, gap_ms=(25, 40)))
        counted = _counting(film(slides), found)
        reader = Reader(counted, Sight(manifest=shoe, others=[other]))
        count = _before(make, stocks, shoe)
        for _due, seen in reader.passages():
            found["passages"] += 1
            found[str(seen.unknown)] += 1
            found["accepted"] += _takes(count, seen)
    return found


def _before(make: Attack, stocks: Sequence[Stock], shoe: Manifest) -> Shoe:
    """The count when the attack begins.

    A card that the attack repeats has already left the Schlitten.
    """
    count = Shoe("soak", shoe.packs)
    if make is _repeated:
        entry = shoe.lookup(str(stocks[0].label)).entry
        if entry and entry.card:
            count = without(count, entry.card, entry.copy) or count
    return count


def _takes(count: Shoe, seen: Seen) -> bool:
    """Whether this card could still leave the Schlitten, by the count."""
    if seen.white:
        return True
    return seen.card is not None and without(count, seen.card, seen.copy) is not None


def _counting(source: Iterator[Frame], found: Counter[str]) -> Iterator[Frame]:
    for frame in source:
        if frame.picture is not None and frame.picture[:, 300:340].mean() > 60:
            found["frames"] += 1
        yield frame


def _foreign(_shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """QR codes from anywhere in the world."""
    texts = ["HTTPS://EXAMPLE.ORG", "7H", "KS", "WIFI:S:CASINO", "0", str(luck.random())[2:16]]
    return [Stock(None, luck.choice(texts)) for _ in range(6)]


def _forged(shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """Forged tokens of the right form, and true tokens with one character changed."""
    forged = ["".join(luck.choices(_ALPHABET, k=14)) for _ in range(3)]
    for _ in range(3):
        token, place = luck.choice(shoe.entries).token, luck.randrange(14)
        forged.append(token[:place] + _another(token[place], luck) + token[place + 1 :])
    return [Stock(None, text) for text in forged]


def _another(letter: str, luck: random.Random) -> str:
    return luck.choice([other for other in _ALPHABET if other != letter])


def _other_key(_shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """Another house's labels for a Schlitten of the same name."""
    theirs = manifest.make("soak", luck.randbytes(32))
    return [_of(luck.choice(theirs.entries)) for _ in range(6)]


def _other_shoe(_shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    theirs = manifest.make("other", bytes(32))
    return [_of(luck.choice(theirs.entries)) for _ in range(6)]


def _covered(shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """A finger or a patch over 40 to 60 % of a true label."""
    return [
        replace(_of(luck.choice(shoe.entries)), covered=luck.uniform(0.4, 0.6)) for _ in range(6)
    ]


def _torn(shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """A card torn through its label."""
    return [replace(_of(luck.choice(shoe.cards)), torn=luck.uniform(0.42, 0.55)) for _ in range(6)]


def _two_labels(shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """A second true label next to the first."""
    pairs = [luck.sample(shoe.cards, 2) for _ in range(6)]
    return [replace(_of(one), second=other.token) for one, other in pairs]


def _same_twice(shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """A copy of the label next to the label."""
    cards = luck.sample(shoe.cards, 6)
    return [replace(_of(one), second=one.token) for one in cards]


def _repeated(shoe: Manifest, luck: random.Random) -> Sequence[Stock]:
    """A card whose label has left before: the card put back, or another with a copied label."""
    return [_of(luck.choice(shoe.cards))] * 6


def _of(entry: LabelledCard) -> Odd:
    return Odd(entry.card, entry.token)


_ATTACKS: dict[str, Attack] = {
    "foreign codes": _foreign,
    "forged tokens": _forged,
    "the same shoe by another key": _other_key,
    "cards of another shoe": _other_shoe,
    "half-covered labels": _covered,
    "torn labels": _torn,
    "two labels on one card": _two_labels,
    "one label twice on a card": _same_twice,
    "a card repeated": _repeated,
}


def pictures(shoe: Manifest, wanted: int) -> Counter[str]:
    """Show pictures without a card to read, each kind in turn. Count the decoders' results."""
    luck, found = random.Random("pictures"), Counter[str]()
    for number in range(wanted):
        picture = _PICTURES[number % len(_PICTURES)](luck)
        noise = np.random.default_rng(number).normal(0, luck.uniform(6, 12), picture.shape)
        seen = np.clip(picture * luck.uniform(0.7, 1.3) + noise, 0, 255).astype(np.uint8)
        kinds = {shoe.lookup(code.text).verdict for code in decode(seen, SHIPPED)}
        found["pictures"] += 1
        found["accepted"] += LabelVerdict.KNOWN in kinds
        found["foreign"] += LabelVerdict.FOREIGN in kinds
    return found


def _felt(luck: random.Random) -> Pixels:
    """Draw cloth: grain at several scales, folds, chips."""
    made = np.random.default_rng(luck.randrange(1 << 30))
    cloth = np.full((192, 640), float(luck.randrange(50, 130)))
    for size in (1, 3, 9, 40):
        grain = made.normal(0, 18, (192 // size + 1, 640 // size + 1)).astype(np.float32)
        cloth += cv2.resize(grain, (640, 192))
    picture = np.clip(cloth, 0, 255).astype(np.uint8)
    for _ in range(luck.randrange(4)):
        centre, radius = (luck.randrange(640), luck.randrange(192)), luck.randrange(30, 90)
        for ring in range(radius, 5, -luck.randrange(6, 20)):
            cv2.circle(picture, centre, ring, luck.randrange(256), -1, cv2.LINE_AA)
    return picture


def _back(luck: random.Random) -> Pixels:
    """Draw a card's back, turned, in any place."""
    back = Odd(back=True).picture(SHIPPED)
    turn = cv2.getRotationMatrix2D((252, 352), luck.uniform(-180, 180), luck.uniform(0.8, 1.2))
    turn[0, 2] += luck.uniform(-100, 250)
    turn[1, 2] -= luck.uniform(150, 350)
    return np.asarray(cv2.warpAffine(back, turn, (640, 192), borderValue=28), dtype=np.uint8)


def _hand(luck: random.Random) -> Pixels:
    """Draw fingers over a blank card."""
    picture = np.full((192, 640), PAPER, np.uint8)
    for finger in range(luck.randrange(2, 5)):
        x, y = 100 + finger * luck.randrange(80, 130), luck.randrange(40, 150)
        tone = luck.randrange(80, 170)
        cv2.ellipse(picture, (x, y), (90, 38), luck.uniform(-30, 30), 0, 360, tone, -1, cv2.LINE_AA)
        cv2.ellipse(picture, (x + 55, y), (25, 20), 0, 0, 360, min(255, tone + 40), -1)
        for crease in range(3):
            cv2.line(picture, (x - 20 + crease * 6, y - 25), (x - 22 + crease * 6, y + 25), 60, 2)
    return np.asarray(cv2.GaussianBlur(picture, (5, 5), 0), dtype=np.uint8)


def _print(luck: random.Random) -> Pixels:
    """Draw a page of text, and boxes that look like finder patterns."""
    picture = np.full((192, 640), PAPER, np.uint8)
    for line in range(12, 192, luck.randrange(12, 24)):
        text = "".join(luck.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789", k=60))
        cv2.putText(picture, text, (luck.randrange(20), line), cv2.FONT_HERSHEY_SIMPLEX,
                    luck.uniform(0.3, 0.7), 40, 1, cv2.LINE_AA)  # fmt: skip
    for _ in range(luck.randrange(2, 9)):
        x, y, side = luck.randrange(600), luck.randrange(150), luck.randrange(3, 6)
        for reach, tone in ((7, 40), (5, PAPER), (3, 40)):
            inset = (7 - reach) * side // 2
            start = (x + inset, y + inset)
            end = (x + inset + reach * side, y + inset + reach * side)
            cv2.rectangle(picture, start, end, tone, -1)
    return picture


def _other_codes(luck: random.Random) -> Pixels:
    """Draw Code 128, Data Matrix, Aztec, PDF417 and foreign QR codes, in any place."""
    picture = np.full((192, 640), PAPER, np.uint8)
    kinds = ("Code128", "DataMatrix", "Aztec", "PDF417", "QRCode")
    for place in (40, 340):
        kind = getattr(zxingcpp.BarcodeFormat, luck.choice(kinds))
        text = "".join(luck.choices(_ALPHABET, k=luck.randrange(6, 15)))
        code = np.asarray(zxingcpp.create_barcode(text, kind).to_image(scale=luck.randrange(2, 5)))
        high, wide = min(code.shape[0], 180), min(code.shape[1], 280)
        picture[6 : 6 + high, place : place + wide] = np.minimum(code[:high, :wide], PAPER)
    return picture


def _scraps(luck: random.Random) -> Pixels:
    """Draw the torn pieces of a label, scattered: every module is there, but not in its place."""
    picture = np.full((192, 640), PAPER, np.uint8)
    label = label_picture("".join(luck.choices(_ALPHABET, k=14)), SHIPPED)
    side = label.shape[0] // 3
    for row in range(3):
        for column in range(3):
            x, y = luck.randrange(640 - side), luck.randrange(192 - side)
            piece = label[row * side : (row + 1) * side, column * side : (column + 1) * side]
            picture[y : y + side, x : x + side] = np.rot90(piece, luck.randrange(4))
    return picture


_PICTURES: tuple[Callable[[random.Random], Pixels], ...] = (
    _felt, _back, _hand, _print, _other_codes, _scraps,
)  # fmt: skip
