"""The count of the Schlitten's cards: which cards have left, and whether a reading can be true.

The module knows no game. A Schlitten is loaded with some packs of 52 or of 32 cards. The white cut
card is not one of these cards (R-6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from table_controller.rules.cards import PACK, PACKS, Card

#: A card's index in the counts. It is the same for every pack, so that a saved count stays
#: readable.
_INDEX = {card: index for index, card in enumerate(PACK)}
#: The same, but only for the cards of each pack.
_INDEX_IN = {pack: {card: _INDEX[card] for card in cards} for pack, cards in PACKS.items()}


class Dealt(Struct, frozen=True, gc=False):
    """A card that left the Schlitten in its `ordinal`-th passage, counted from 1.

    `copy` is the number on the card's label; 0 means that no label gave a number. `attempt` is the
    number of corrections of the reading; each correction has its own promise. `boot` is the start
    of the service that made the promise.
    """

    ordinal: int
    card: Card
    copy: int = 0
    attempt: int = 0
    boot: str = ""


class Shoe(Struct, frozen=True, gc=False):
    """A loaded Schlitten and its count of cards.

    Attributes:
        id: the name of the Schlitten's manifest, the list of its cards' labels.
        packs: the number of packs that were loaded.
        out: the number of cards that left, read or unread.
        ordinal: the number of the last passage. The number is never used again, even if a card was
            put back: two cards with the same nonce would reveal the first one.
        labelled: one bit per card and copy; 1 means that this copy was read.
        plain: four bits per card: how often the card was read without the number of its copy.
        white_out: the number of cards that were left when the white card left; None before.
        pack: the kind of pack, by its number of cards: 52 or 32.
        cut_sensed: the number of cards behind the white card as the sensor reported it; None before
            the report.
        over: cards and copies that were read more often than the Schlitten can have contained them.
            Nothing shows this before the Schlitten is counted, because the equal cards may be
            closed (R-17).
    """

    id: str
    packs: int
    out: int = 0
    ordinal: int = 0
    labelled: int = 0
    plain: int = 0
    white_out: int | None = None
    pack: int = 52
    cut_sensed: int | None = None
    over: tuple[tuple[Card, int], ...] = ()

    @property
    def cards(self) -> int:
        """The number of cards that were loaded."""
        return self.pack * self.packs

    @property
    def left(self) -> int:
        """The number of cards still in the Schlitten."""
        return self.pack * self.packs - self.out


def passed(shoe: Shoe, cards: int = 1) -> Shoe:
    """The Schlitten after a passage of `cards` cards."""
    return replace(shoe, out=shoe.out + cards, ordinal=shoe.ordinal + cards)


def put_back(shoe: Shoe, cards: int = 1) -> Shoe:
    """The count after a correction: `cards` cards did not leave after all, or were put back."""
    return replace(shoe, out=shoe.out - cards)


def without(shoe: Shoe, card: Card, copy: int, cards: int = 0) -> Shoe | None:
    """The count after `card` was read as it left; None if the card cannot have left.

    The card cannot have left if the pack has no such card, if the same copy has left before, or if
    all equal cards have left. `cards` is the number of cards that pass now and are not yet counted
    by `passed`.
    """
    index, packs, plain = _INDEX_IN[shoe.pack].get(card), shoe.packs, shoe.plain
    if index is None:
        return None
    place = 4 * index
    if (_gone(shoe, index) if shoe.labelled else plain >> place & 15) >= packs:
        return None
    out, ordinal = shoe.out + cards, shoe.ordinal + cards
    if not copy:
        return replace(shoe, out=out, ordinal=ordinal, plain=plain + (1 << place))
    if not 0 < copy <= packs or shoe.labelled & (bit := 1 << (index * packs + copy - 1)):
        return None
    return replace(shoe, out=out, ordinal=ordinal, labelled=shoe.labelled | bit)


def leaving(
    shoe: Shoe, card: Card, copy: int, closed: Callable[[], Iterable[Dealt]], *, cards: int = 0
) -> Shoe | None:
    """The count after `card` was read as it left; None if the open cards contradict the reading.

    A reading that only the `closed` cards contradict is accepted, because a refusal would reveal
    the closed cards (R-13, R-17). The contradiction shows when the Schlitten is counted. `cards` is
    the number of cards that pass now and are not yet counted.
    """
    known = without(shoe, card, copy, cards=cards)
    if known is not None:
        return known
    bare = shoe
    for dealt in closed():
        bare = restored(bare, dealt)
    return None if without(bare, card, copy) is None else _over(passed(shoe, cards), card, copy)


def _over(shoe: Shoe, card: Card, copy: int) -> Shoe:
    return replace(shoe, over=(*shoe.over, (card, copy)))


def restored(shoe: Shoe, dealt: Dealt) -> Shoe:
    """The inverse of `without`: the count with the card in the Schlitten again."""
    if shoe.over:
        return _restored_one_over(shoe, dealt)
    index = _INDEX[dealt.card]
    if not dealt.copy:
        return replace(shoe, plain=shoe.plain - (1 << 4 * index))
    return replace(shoe, labelled=shoe.labelled & ~(1 << (index * shoe.packs + dealt.copy - 1)))


def _restored_one_over(shoe: Shoe, dealt: Dealt) -> Shoe:
    """The same as `restored`, for a Schlitten of which some card was read too often.

    Equal cards are interchangeable, so a card that was one too many before may be possible now.
    """
    over, back = list(shoe.over), (dealt.card, dealt.copy)
    if back in over:
        over.remove(back)
        return replace(shoe, over=tuple(over))
    shoe = restored(replace(shoe, over=()), dealt)
    for card, copy in over:
        shoe = without(shoe, card, copy) or _over(shoe, card, copy)
    return shoe


def gone(shoe: Shoe, card: Card) -> int:
    """How many cards equal to `card` were read as they left."""
    return _gone(shoe, _INDEX[card])


def _gone(shoe: Shoe, index: int) -> int:
    plain = shoe.plain >> 4 * index & 15
    if not shoe.labelled:
        return plain
    labelled = shoe.labelled >> index * shoe.packs & ((1 << shoe.packs) - 1)
    return labelled.bit_count() + plain


def remaining(shoe: Shoe) -> dict[Card, int]:
    """For each card of the pack, how many copies were not read as they left.

    These copies are in the Schlitten, or left in unread passages. The number is negative if the
    card was read more often than the Schlitten can have contained it.
    """
    over = [card for card, _ in shoe.over]
    return {card: shoe.packs - gone(shoe, card) - over.count(card) for card in PACKS[shoe.pack]}
