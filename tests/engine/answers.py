"""The questions of a coup script about the screens between inputs: `? payments => 2:50, 4:30`.

They are answered from the croupier's picture alone, in a few words that a person writes by hand.
"""

from __future__ import annotations

from collections.abc import Callable

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.pieces import Hand
from table_controller.engine.views import Offer, Snapshot
from tests.engine.pictured import balances, figure, values


def answer(now: Table, about: str) -> str:
    """The answer to one question. Raises KeyError for one that no script may ask."""
    picture = snapshot(now, Audience.CROUPIER)
    what, _, rest = about.partition(" ")
    if what not in _ANSWERS:
        raise KeyError(f"no script asks {what!r}; there are: {', '.join(sorted(_ANSWERS))}")
    return _ANSWERS[what](picture, rest)


def _payments(now: Snapshot, _rest: str) -> str:
    """`2:-50, house:2`: in their order, collected sums negative, a `*` behind what is ticked."""
    return ", ".join(
        f"{line.seat or 'house'}:{'-' if line.text.text == 'collect' else ''}{line.chips}"
        f"{'*' if line.done else ''}"
        for line in now.payments
    )


def _totals(now: Snapshot, rest: str) -> str:
    """`? totals evening`: `3 coups: bank 1, pointeur 1, en carte 1; staked 90, cagnotte 2`."""
    [total] = [total for total in now.totals if total.of == rest]
    of = values(total.figures)
    return (
        f"{of['coups']} coups: bank {of['bank']}, pointeur {of['pointeur']}, "
        f"en carte {of['ties']}; staked {of['staked']}, cagnotte {of['cagnotte']}"
    )


def _seat(now: Snapshot, rest: str) -> str:
    """`? seat 3`: `950, stake 50, pointeur, Kd -- 7h, 7 points, prime`; what is not is left out."""
    [seat] = [seat for seat in now.seats if seat.seat == int(rest)]
    held = [hand for hand in now.hands if hand.seat == seat.seat]
    told = [str(balances(now)[seat.seat]) if seat.taken else "free"]
    told += [f"stake {stake.chips}" for stake in now.stakes if stake.seat == seat.seat]
    told += [part for hand in held for part in _of_hand(hand)]
    told += [mark.name for mark in seat.marks]
    return ", ".join([*told, *(hand.outcome.name for hand in held if hand.outcome)])


def _of_hand(hand: Hand) -> list[str]:
    told = [hand.name]
    told += [" ".join(card or "--" for card in hand.cards)] if hand.cards else []
    return [*told, *([f"{hand.count} points"] if hand.count is not None else [])]


def _pot(now: Snapshot, _rest: str) -> str:
    """`100 against 80`."""
    return f"{figure(now, 'pot')} against {figure(now, 'against')}"


def _beside(now: Snapshot, _rest: str) -> str:
    """What is shown beside the pot: `seat 1: aside 100, seat 3: at stake 40`."""
    aside = [f"{one.label} {one.value}" for one in now.till if one.name == "aside"]
    plays = [f"seat {one.seat}: {one.label} {one.value}" for one in now.figures if one.seat]
    return ", ".join((*aside, *plays))


def _awaits(now: Snapshot, _rest: str) -> str:
    """The one sentence, and behind it the rule in brackets."""
    return f"{now.prompt.ask} ({now.prompt.rule})" if now.prompt.rule else str(now.prompt.ask)


def _why(now: Snapshot, _rest: str) -> str:
    """The reason that stands beside the one sentence."""
    return str(now.prompt.why)


def _news(now: Snapshot, _rest: str) -> str:
    """What just happened, as the headline says it."""
    return str(now.prompt.news)


def _kept(now: Snapshot, _rest: str) -> str:
    """How many cards are kept for the next deal (Z-13)."""
    return str(now.shoe.kept) if now.shoe else "no Schlitten"


def _croupier(now: Snapshot, _rest: str) -> str:
    """Who leads the table."""
    return now.croupier or "nobody"


def _alerts(now: Snapshot, _rest: str) -> str:
    """`card_unread stop, device_lost warning seen`."""
    return ", ".join(
        f"{alert.code} {alert.severity}{' seen' if alert.acknowledged else ''}"
        for alert in now.alerts
    )


def _told(now: Snapshot, _rest: str) -> str:
    """The open alerts in words, for the staff."""
    return " ".join(str(alert.what) for alert in now.alerts)


def _step(now: Snapshot, _rest: str) -> str:
    """The present one of the coup's steps."""
    return str(now.steps[now.step]) if now.step >= 0 else "between"


def _offers(now: Snapshot, rest: str) -> str:
    """`? offers main`: labels of the group's buttons, `(hold)` behind one that must be held."""
    return ", ".join(map(_offer, (offer for offer in now.offers if offer.group == rest)))


def _offer(offer: Offer) -> str:
    return f"{offer.label}{' (hold)' if offer.hold else ''}"


_ANSWERS: dict[str, Callable[[Snapshot, str], str]] = {
    "payments": _payments,
    "totals": _totals,
    "seat": _seat,
    "pot": _pot,
    "beside": _beside,
    "awaits": _awaits,
    "why": _why,
    "news": _news,
    "kept": _kept,
    "croupier": _croupier,
    "alerts": _alerts,
    "told": _told,
    "step": _step,
    "offers": _offers,
}
