"""Stakes at écarté: how they are laid, made equal on two sides, covered by a bank, and shared.

Every sum is in smallest chips. The module knows no order of players and no card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from table_controller.rules.money import NONE, Chips


@dataclass(frozen=True, slots=True)
class Stake:
    """The stake of the player at `place`, a seat or a standing player's number."""

    place: int
    chips: Chips


Stakes = tuple[Stake, ...]


def total(stakes: Iterable[Stake]) -> Chips:
    """The sum of these stakes."""
    return Chips(sum(stake.chips for stake in stakes))


def laid(stakes: Stakes, place: int) -> Chips:
    """The sum that the player at `place` has laid, 0 if none."""
    return total(stake for stake in stakes if stake.place == place)


def lays(stakes: Stakes, place: int, chips: Chips) -> Stakes:
    """The stakes after the player at `place` laid `chips` more. He keeps his place in their order.

    Raises ValueError if `chips` is not positive.
    """
    if chips <= 0:
        raise ValueError(f"a stake is more than nothing, not {chips}")
    if not any(stake.place == place for stake in stakes):
        return (*stakes, Stake(place, chips))
    return tuple(
        Stake(place, Chips(stake.chips + chips)) if stake.place == place else stake
        for stake in stakes
    )


def draws_back(stakes: Stakes, place: int) -> Stakes:
    """The stakes without those of the player at `place`."""
    return tuple(stake for stake in stakes if stake.place != place)


def short(left: Stakes, right: Stakes) -> tuple[int, Chips]:
    """The side that has staked less, and the difference.

    0 is the first side, 1 the second. À deux côtés a partie begins only with equal sums. Source:
    E07-60, E00-58.
    """
    missing = total(right) - total(left)
    return (0, Chips(missing)) if missing >= 0 else (1, Chips(-missing))


def cut_down(stakes: Stakes, most: Chips) -> Stakes:
    """The stakes cut down to a sum of `most`. The last stakes are cut first. Source: ER-27."""
    kept, room = [], most
    for stake in stakes:
        taken = min(stake.chips, room)
        if taken:
            kept.append(Stake(stake.place, Chips(taken)))
        room = Chips(room - taken)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Covered:
    """The stakes against a bank, in order: the parts that it covers, and the parts left out."""

    standing: Stakes
    left_out: Stakes


def covered(stakes: Stakes, bank: Chips) -> Covered:
    """The stakes that a bank of this sum covers, in their order.

    Source: E07-61, EDE-0, ER-28, ER-41.
    """
    standing = cut_down(stakes, bank)
    over = (Stake(s.place, Chips(s.chips - laid(standing, s.place))) for s in stakes)
    return Covered(standing, tuple(stake for stake in over if stake.chips))


def lets_in(stakes: Covered, host: int, chips: Chips) -> Covered:
    """The stakes after the player `host` gave `chips` of his stake to another player.

    The other is the first of the players whose stakes the bank leaves out, wholly or in part. The
    sum that the bank covers stays the same. Raises ValueError if there is no such player, or if
    `chips` exceeds the host's stake or the part left out. Source: E07-61.
    """
    if not stakes.left_out:
        raise ValueError("nobody is left out")
    first, *others = stakes.left_out
    most = min(first.chips, laid(stakes.standing, host))
    if first.place == host or not 0 < chips <= most:
        raise ValueError(f"place {host} may let place {first.place} share in 1 to {most}")
    given = (replace(s, chips=Chips(s.chips - (chips if s.place == host else 0)))
             for s in stakes.standing)  # fmt: skip
    standing = lays(tuple(stake for stake in given if stake.chips), first.place, chips)
    left = Chips(first.chips - chips)
    return Covered(standing, ((replace(first, chips=left),) if left else ()) + tuple(others))


def stays_out(stakes: Covered) -> Covered:
    """The stakes after the first player who was left out declined a part of another's stake.

    The next player is then the first. Source: E07-61.
    """
    return replace(stakes, left_out=stakes.left_out[1:])


def most_let_in(stakes: Covered, host: int) -> Chips:
    """How much of his stake the player `host` may give to the first player who is left out.

    Source: E07-61.
    """
    if not stakes.left_out or stakes.left_out[0].place == host:
        return NONE
    return min(stakes.left_out[0].chips, laid(stakes.standing, host))


@dataclass(frozen=True, slots=True)
class Beside:
    """A stake outside the bank: the player at `place` bets that the giver wins or loses.

    `holder` bets against him. The stake is settled separately. It belongs neither to the bank nor
    to the stakes against it. Source: E07-62.
    """

    place: int
    holder: int
    chips: Chips
    on_giver: bool


def beside(stakes: Sequence[Beside], bet: Beside) -> tuple[Beside, ...]:
    """The stakes outside the bank, with one more.

    Raises ValueError if a player bets against himself. Source: E07-62.
    """
    if bet.place == bet.holder or bet.chips <= 0:
        raise ValueError(f"place {bet.holder} cannot hold {bet.chips} from place {bet.place}")
    return (*stakes, bet)
