"""Reads faces by their letters: the houses' decks, untrained kinds of deck, and strangers.

`scripts/soak --only letters` runs it, and `python -m workshop.soak.accuracy --only letters`
writes the figures down. Each picture of a deck is read with the deck's own letters and with every
other house's letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import cv2
import numpy as np

from vision.faces.letters import HOUSES, USUAL
from vision.faces.read import CornerReader
from workshop.training import houses

#: The whole run, half an hour of one core: pictures of each deck, without a card, and of courts.
LOCAL, UNSEEN, NO_CARDS, COURTS = 100, 200, 5_000, 400
#: Seeds that were not used while the nets, their thresholds and the finder were made.
SEEDS = (2101, 2102, 2103, 2104)
ALPHABETS = (USUAL, *HOUSES)


def run(share: float) -> list[tuple[str, str]]:
    """Return rows of name and finding. A share of 1.0 is the whole."""
    cv2.setNumThreads(1)
    local, unseen, none, courts = (
        max(1, round(share * whole)) for whole in (LOCAL, UNSEEN, NO_CARDS, COURTS)
    )
    one, two, three, four = (np.random.default_rng(seed) for seed in SEEDS)
    readers = {alphabet: CornerReader(alphabet=alphabet) for alphabet in ALPHABETS}
    accepted = list(houses.no_cards(none, three, readers))
    found = houses.courts_found(courts, four)
    return [
        *_rows("with local letters", houses.local(one), local, readers[USUAL], one),
        *_rows("never trained on", houses.unseen(two), unseen, readers[USUAL], two),
        (
            f"{none:,} pictures without a card, two of five with foreign signs or German suits",
            f"{len(accepted)} accepted" + "".join(f"; {each}" for each in accepted[:5]),
        ),
        (
            f"{courts:,} courts of the Paris pattern, each in a whole picture",
            f"{found / courts:.1%} found",
        ),
    ]


def _rows(
    what: str, packs: list[houses.Pack], count: int, reader: CornerReader, rng: np.random.Generator
) -> Iterator[tuple[str, str]]:
    """Yield a row for each pack and one for all packs.

    Then yield rows about the same pictures, read with the letters of other houses.
    """
    every, fine, under_others = Counter[str](), Counter[str](), Counter[str]()
    for pack in packs:
        own = Counter[str]()
        for shot in houses.shots(pack, count, reader, rng):
            own[shot.said(pack.alphabet)] += 1
            others = [each for each in ALPHABETS if each != pack.alphabet]
            under_others.update(shot.said(each) for each in others)
        every += own
        if pack.kind not in houses.COARSE:
            fine += own
        yield f"{pack.kind}: {pack.source}, {pack.alphabet}", _score(own)
    yield f"**{len(packs)} decks {what}, their letters set**", _score(every)
    if fine != every:
        decks = sum(pack.kind not in houses.COARSE for pack in packs)
        yield f"{decks} of these, all but the coarse pictures", _score(fine)
    yield (
        "the same pictures with each house's letters set but theirs",
        f"{under_others.total():,} readings, {under_others['wrong']} wrong",
    )


def _score(said: Counter[str]) -> str:
    answered = said["right"] + said["wrong"]
    return (
        f"{said.total():,} pictures, {answered / said.total():.1%} answered, {said['wrong']} wrong"
    )
