"""An independent reading of the rules: the results that a Schlitten of chemin de fer must have.

It is written from the rules alone, as plainly as possible. A test can compare it with the results
of the engine, the camera or the broker for the same cards. It knows ZP, ZX, Z and R. It must not
know the engine: it imports cards and nothing else of ours. Sums are in smallest chips.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table_controller.rules.cards import Card

#: ZP-4: seven cards lie behind the white card.
BEHIND_WHITE = 7

#: ZX-1.
PIPS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9} | dict.fromkeys(
    "TJQK", 0
)

#: ZX-2 with R-1, one line per banker's total: the third cards given on which he must draw.
MUST_DRAW = {
    0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {1, 2, 3, 4, 5, 6, 7, 0},
    4: {2, 3, 4, 5, 6, 7},
    5: {5, 6, 7},
    6: {6, 7},
    7: set(),
}


def points(cards: Iterable[Card]) -> int:
    """ZX-1: only the units count."""
    return int(str(sum(PIPS[card.value[0]] for card in cards))[-1])


def pointeur_by_custom(_coup: int, held: int) -> str:
    """ZP-7, ZP-8, ZP-11; on 5, where he may choose (ZP-10), he stays."""
    return "schlag" if held >= 8 else "carte" if held < 5 else "reste"


def banker_by_custom(_coup: int, held: int, given: int | None) -> bool:
    """ZX-2; where it leaves him free he stands, and after "reste" (R-2) he draws up to 5."""
    return held <= 5 if given is None else given in MUST_DRAW[held]


def the_least_pot(_coup: int, _seat: int) -> int:
    """ZP-5."""
    return 10


def the_prime(_coup: int, _bank_seat: int) -> int | None:
    """R-10: whoever sits next after the banker."""
    return None


@dataclass(frozen=True)
class Players:
    """What the people say. A coup is meant by its number, 1 for the Schlitten's first.

    `pointeur(coup, his points)` is "schlag", "carte" or "reste"; `banker(coup, his points, pips
    given or None)` is whether he draws, asked only where nobody has shown a Schlag;
    `posts(coup, seat)` is the pot of a new bank; `plays(coup, banker)` the seat of the pointeur
    (None: the prime, R-10).
    """

    pointeur: Callable[[int, int], str] = pointeur_by_custom
    banker: Callable[[int, int, int | None], bool] = banker_by_custom
    posts: Callable[[int, int], int] = the_least_pot
    plays: Callable[[int, int], int | None] = the_prime


@dataclass(frozen=True)
class CoupResult:
    """What one coup came to. `winner` is "bank", "pointeur" or None on a tie (*en carte*)."""

    bank_seat: int
    pointeur_seat: int
    bank_cards: tuple[Card, ...]
    pointeur_cards: tuple[Card, ...]
    bank: int  # points
    pointeur: int  # points
    winner: str | None
    pot: int
    stake: int
    cagnotte: int
    pot_after: int
    last: bool  # the Schlitten's last coup


@dataclass(frozen=True)
class Ending:
    """How things stand after the last coup."""

    bank_seat: int  # who banks next
    pot: int | None  # None: he has yet to put one up
    replay_with: int | None  # the pointeur of a tie that is still to be replayed
    won: int  # what the bank won in that coup, net (Z-25)


def evening(
    cards: Sequence[Card],
    decisions: Players | None = None,
    *,
    seats: Sequence[int] = tuple(range(1, 10)),
    bank_seat: int = 1,
    pot: int | None = None,
    rate_bp: int = 500,
    white_at_once: bool = False,
) -> list[CoupResult]:
    """Every coup that a Schlitten of `cards` (the white one not among them) gives at `seats`.

    `seats` are the occupied ones; the bank is first at `bank_seat` with `pot` (None: what he
    `posts`); `rate_bp` is the cagnotte in basis points. Every coup is Banco solo (ZP-15 I).
    The white card comes out when the first card behind it is wanted, or, with `white_at_once`,
    right after the last card before it, while that card's coup is still under way.
    """
    return whole(
        cards,
        decisions,
        seats=seats,
        bank_seat=bank_seat,
        pot=pot,
        rate_bp=rate_bp,
        white_at_once=white_at_once,
    )[0]


def whole(
    cards: Sequence[Card],
    decisions: Players | None = None,
    *,
    seats: Sequence[int] = tuple(range(1, 10)),
    bank_seat: int = 1,
    pot: int | None = None,
    rate_bp: int = 500,
    white_at_once: bool = False,
) -> tuple[list[CoupResult], Ending]:
    """`evening`, and how things stand after its last coup."""
    says, rest, results = decisions or Players(), list(cards), list[CoupResult]()
    replay_with, won, last = None, 0, False
    while not last:
        coup = len(results) + 1
        stake = pot = says.posts(coup, bank_seat) if pot is None else pot  # ZP-15 I: the whole pot
        his_seat = replay_with or says.plays(coup, bank_seat) or next_seat(bank_seat, seats)
        his, banks = deal(rest, coup, says)
        # a coup that takes any card from behind the white one is the last, whether the white
        # card came out before it (its first card is one of the seven) or during it; so is one
        # during which the white card came out as soon as it could.
        last = len(rest) < BEHIND_WHITE + white_at_once
        winner = better(points(his), points(banks))
        due = stake * rate_bp // 10_000 if winner == "bank" else 0
        won = stake - due if winner == "bank" else 0
        after = 0 if winner == "pointeur" else pot + won
        results.append(
            CoupResult(
                bank_seat=bank_seat,
                pointeur_seat=his_seat,
                bank_cards=banks,
                pointeur_cards=his,
                bank=points(banks),
                pointeur=points(his),
                winner=winner,
                pot=pot,
                stake=stake,
                cagnotte=due,
                pot_after=after,
                last=last,
            )
        )
        replay_with = his_seat if winner is None else None
        pot = after
        if winner == "pointeur":  # ZP-19
            bank_seat, pot = next_seat(bank_seat, seats), None
    return results, Ending(bank_seat, pot, replay_with, won)


def deal(rest: list[Card], coup: int, says: Players) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Take one coup's cards off the top of `rest`: the pointeur's and the banker's."""
    his, banks = [rest.pop(0)], [rest.pop(0)]  # ZP-6: pointeur, banker, pointeur, banker
    his.append(rest.pop(0))
    banks.append(rest.pop(0))
    word = says.pointeur(coup, points(his))
    if word == "schlag" or points(banks) >= 8:  # ZP-7, ZP-8: a Schlag ends it
        return tuple(his), tuple(banks)
    given = None
    held = points(banks)
    if word == "carte":  # ZP-8, ZP-12: the pointeur's third card comes before the banker's
        his.append(rest.pop(0))
        given = points(his[2:])
    if says.banker(coup, held, given):
        banks.append(rest.pop(0))
    return tuple(his), tuple(banks)


def better(his: int, banks: int) -> str | None:
    """ZP-9, R-3: the higher points; none where they are equal."""
    if his == banks:
        return None
    return "pointeur" if his > banks else "bank"


def next_seat(seat: int, seats: Sequence[int]) -> int:
    """ZP-19, R-10: the next occupied seat, after the highest the lowest."""
    higher = [other for other in sorted(seats) if other > seat]
    return higher[0] if higher else min(seats)


def settlement(
    pot: int,
    stakes: Mapping[int, int],
    *,
    holder: int,
    around: Sequence[int],
    tied: Mapping[int, int] | None = None,
    latest: int = 0,
) -> list[tuple[int, int]]:
    """Who has how much at risk, in the order in which the croupier collects and pays.

    `around` is the prime and the seats in turn; places over 100 stand; `tied` is what was left
    standing of a tie's stakes, place by place (R-36); `latest` the latest banker (Z-26).
    """
    tied = tied or {}
    standing = sorted((seat for seat in stakes if seat > 100), key=lambda s: (stakes[s], s))
    seated = [seat for seat in around if seat in stakes and seat != latest]
    seated += [seat for seat in around if seat in stakes and seat == latest]
    covered: dict[int, int] = defaultdict(int)
    # who holds the cards, the seated, the standing; R-36: what stands of the tie before all.
    turn = [holder, *(seat for seat in (*seated, *standing) if seat != holder)]
    for part in (tied, {seat: stakes[seat] - tied.get(seat, 0) for seat in stakes}):
        for seat in turn:
            chips = min(part.get(seat, 0), pot)
            pot -= chips
            covered[seat] += chips
    # the highest stake, the prime and round the table, the standing, the latest banker.
    most = max(stakes.values())
    highest = [seat for seat in (holder, *around, *standing) if stakes.get(seat) == most][:1]
    order = [*highest, *(seat for seat in (*seated, *standing) if seat not in highest)]
    order = [seat for seat in order if seat != latest] + [latest] * (latest in order)
    first = [seat for seat in order if tied.get(seat)]  # of the tie first
    order = first + [seat for seat in order if seat not in first]
    return [(seat, covered[seat]) for seat in order if covered[seat]]


# The same form, from what a table told the public.


def told(events: Iterable[Mapping[str, Any]]) -> list[CoupResult]:
    """The settled coups in a stream of public events (as dicts, with their `type`).

    What was opened in an annulled coup counts for nothing; nor does what was burned.
    """
    results = list[CoupResult]()
    hands: dict[int, list[Card]] = defaultdict(list)
    last_coup = 0
    for event in events:
        match event["type"]:
            case "card_opened":
                hands[event["seat"]].append(Card(event["card"]))
            case "hand_opened":  # in the order dealt
                hands[event["seat"]] = [Card(card) for card in event["cards"]]
            case "last_coup":
                last_coup = event["coup"]
            case "coup_annulled":
                hands.clear()
            case "coup_settled":
                banks, his = hands[event["banker_seat"]], hands[event["pointeur_seat"]]
                hands.clear()
                results.append(
                    CoupResult(
                        bank_seat=event["banker_seat"],
                        pointeur_seat=event["pointeur_seat"],
                        bank_cards=tuple(banks),
                        pointeur_cards=tuple(his),
                        bank=event["banker"],
                        pointeur=event["pointeur"],
                        winner=event["winner"],
                        pot=event["pot"],
                        stake=event["staked"],
                        cagnotte=event["cagnotte"],
                        pot_after=event["pot_after"],
                        last=event["coup"] == last_coup,
                    )
                )
    return results


def words_told(events: Iterable[Mapping[str, Any]]) -> Players:
    """The decisions in a stream of public events: who took the cards, what was put up and said.

    With these, `evening` of the same cards must come to what `told` reads in the same stream. A
    settled coup counts; what was said in an annulled one does not.
    """
    coups: list[dict[str, Any]] = [{}]
    for event in events:
        match event["type"]:
            case "bank_posted":
                coups[-1]["pot"] = event["pot"]
            case "pointeur_named":
                coups[-1]["seat"] = event["seat"]
            case "said" if event["word"] in ("carte", "reste", "schlag"):
                coups[-1]["pointeur"] = event["word"]
            case "said":
                coups[-1]["banker"] = event["word"] == "draws"
            case "coup_settled":
                coups.append({})
    return Players(
        pointeur=lambda coup, _held: coups[coup - 1]["pointeur"],
        banker=lambda coup, _held, _given: coups[coup - 1]["banker"],
        posts=lambda coup, _seat: coups[coup - 1]["pot"],
        plays=lambda coup, _seat: coups[coup - 1].get("seat"),
    )
