"""An independent reading of punto banco: the results that a Schlitten and its bets must have.

It is written from the text of PB-1 to PB-14 alone, as plainly as possible. A test can compare it
with the game's results for the same cards. It must not know the game: it imports nothing of ours,
and reads cards as their codes. Sums are in smallest chips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

#: PB-7: by Banker's points on two cards, the third cards of Player's on which he draws.
DRAWS_TO = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


def pips(card: str) -> int:
    """PB-1: ace one, ten and court cards nothing."""
    return "-A23456789".find(card[0]) if card[0] in "A23456789" else 0


def total(cards: Sequence[str]) -> int:
    """PB-1: the last digit of the sum."""
    return int(str(sum(pips(card) for card in cards))[-1])


@dataclass
class Coup:
    """Two hands as they lie at the end."""

    player: list[str]
    banker: list[str]

    @property
    def won_by(self) -> str:
        """PB-8: P, B or T."""
        ahead = total(self.player) - total(self.banker)
        return "T" if ahead == 0 else "P" if ahead > 0 else "B"

    @property
    def used(self) -> int:
        """How many cards it took."""
        return len(self.player + self.banker)

    @property
    def natural(self) -> bool:
        """PB-5: it ended with two cards a side, one of them making 8 or 9."""
        return self.used == 4 and bool({8, 9} & {total(self.player), total(self.banker)})


def deal(cards: Sequence[str]) -> Coup | None:
    """PB-4 to PB-7, from the top of these cards; None where they do not last (PB-25)."""
    stack = list(cards)
    coup = Coup([], [])
    try:
        for hand in (coup.player, coup.banker) * 2:
            hand.append(stack.pop(0))
        if coup.natural:
            return coup
        held = total(coup.banker)
        if total(coup.player) in (6, 7):
            banker_draws = held <= 5
        else:
            coup.player.append(stack.pop(0))
            banker_draws = str(pips(coup.player[2])) in DRAWS_TO[held]
        if banker_draws:
            coup.banker.append(stack.pop(0))
    except IndexError:
        return None
    return coup


@dataclass
class Dealt:
    """A Schlitten to its end: what was burned, the coups, and what is left in it."""

    burned: list[str]
    coups: list[Coup]
    left: list[str]


def schlitten(
    cards: Sequence[str], *, cut_at: int = 14, one_more: bool = True, burn: int | None = None
) -> Dealt:
    """PB-2 and PB-3: every coup that is dealt from these cards.

    `burn` is the fixed number, None where a first card is turned and its value says it.
    """
    number = 1 + (pips(cards[0]) or 10) if burn is None else burn
    burned, left = list(cards[:number]), list(cards[number:])
    coups: list[Coup] = []
    more = None  # how many coups may yet be begun, once the cut card is out
    while more != 0:
        if more is None and len(left) <= cut_at:
            more = 1  # the cut card comes as the first card of a coup
        coup = deal(left)
        if coup is None:
            break
        coups.append(coup)
        left = left[coup.used :]
        if more is not None:
            more -= 1
        elif len(left) < cut_at:
            more = 1 if one_more and len(left) >= 12 else 0
    return Dealt(burned, coups, left)


@dataclass
class House:
    """The settings that decide what a bet is paid (PB-9 to PB-12)."""

    commission_bp: int = 500
    without_commission: str = ""  # "", "half on six" or "push on seven"
    tie: str = "8:1"
    chip: int = 1
    side: Mapping[str, str] | None = None


@dataclass
class Outcome:
    """What becomes of a stake: `comes` is what the house pays beside it, before `commission`."""

    how: str  # "lost", "stays", "won"
    comes: int = 0
    commission: int = 0


def outcome(coup: Coup, bet: str, stake: int, house: House) -> Outcome:
    """PB-9 to PB-12: what a stake on `bet` comes to."""
    won = coup.won_by
    if bet == "tie":
        return _paid(stake, house.tie, house) if won == "T" else Outcome("lost")
    if bet == "player":
        if won == "T":
            return Outcome("stays")
        return _paid(stake, "1:1", house) if won == "P" else Outcome("lost")
    if bet == "banker":
        return _on_banker(coup, stake, house)
    step = _steps(coup)[bet]
    odds = (house.side or {})[bet].split()
    return _paid(stake, odds[step - 1], house) if step else Outcome("lost")


def _on_banker(coup: Coup, stake: int, house: House) -> Outcome:
    if coup.won_by == "T":
        return Outcome("stays")
    if coup.won_by == "P":
        return Outcome("lost")
    if house.without_commission == "half on six" and total(coup.banker) == 6:
        return _paid(stake, "0.5:1", house)
    if house.without_commission == "push on seven" and (
        total(coup.banker) == 7 and len(coup.banker) == 3
    ):
        return Outcome("stays")
    paid = _paid(stake, "1:1", house)
    if not house.without_commission:
        exact = Fraction(paid.comes * house.commission_bp, 10_000)
        paid.commission = min(_up(exact, house.chip), paid.comes)
    return paid


def _paid(stake: int, odds: str, house: House) -> Outcome:
    """PB-10: down to the smallest chip."""
    exact = stake * Fraction(odds.split(":", maxsplit=1)[0])
    return Outcome("won", exact // house.chip * house.chip)


def _up(exact: Fraction, chip: int) -> int:
    whole = exact // chip * chip
    return whole if whole == exact else whole + chip


def _steps(coup: Coup) -> dict[str, int]:
    """PB-12: which of its odds each side bet is paid by, 0 where it is lost."""
    pair = [hand[0][0] == hand[1][0] for hand in (coup.player, coup.banker)]
    perfect = [hand[0] == hand[1] for hand in (coup.player, coup.banker)]
    points = {"P": total(coup.player), "B": total(coup.banker), "T": -1}[coup.won_by]
    cards = {"P": len(coup.player), "B": len(coup.banker), "T": 0}[coup.won_by]
    result = (coup.won_by, points)
    return {
        "player_pair": int(pair[0]),
        "banker_pair": int(pair[1]),
        "either_pair": int(any(pair)),
        "perfect_pair": perfect.count(True),
        "dragon_7": int((*result, cards) == ("B", 7, 3)),
        "panda_8": int((*result, cards) == ("P", 8, 3)),
        "super_6": int(result == ("B", 6)),
        "lucky_6": {2: 1, 3: 2}[cards] if result == ("B", 6) else 0,
        "big": int(coup.used in (5, 6)),
        "small": int(coup.used == 4),
    }


def order(stakes: Sequence[tuple[int, str]], coup: Coup, house: House, *, side_first: bool = True):
    """PB-14: places and bets in the order in which a dealer takes and pays them.

    Losing ones from the last place to the first, then winning ones from the first to the last,
    Tie and side bets before Banker and Player.
    """
    lost = [(place, bet) for place, bet in stakes if outcome(coup, bet, 1, house).how == "lost"]
    won = [(place, bet) for place, bet in stakes if outcome(coup, bet, 1, house).how == "won"]

    def rank(entry: tuple[int, str]) -> tuple[bool, int]:
        main = entry[1] in ("player", "banker")
        return (main if side_first else not main, entry[0])

    return [*sorted(lost, key=lambda entry: -entry[0]), *sorted(won, key=rank)]
