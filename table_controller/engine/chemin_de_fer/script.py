"""A coup as text: one line an input, behind `=>` what comes of it.

    seat 2 banco solo
    card 7h           => seat 2 closed card

What is written can be read again. Comments begin with `#`; ` [lip]` behind an input names its
actor, where it is not the croupier; a line without `=>` expects nothing in particular. A line that
begins with `?` says nothing to the table: it asks what its screens show now.

    ? payments        => 2:-50, house:2
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import fields, replace

from table_controller.engine.chemin_de_fer import messages as m
from table_controller.engine.chemin_de_fer.state import Table, at, begin
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.commitments import Secret
from table_controller.engine.messages import (
    AlertAcknowledged,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Event,
    Input,
)
from table_controller.engine.table import devices
from table_controller.rules.cards import show as codes
from table_controller.rules.houses import House
from table_controller.rules.money import Chips
from table_controller.rules.tableau import Duty

#: How each input is written: braces hold fields; fields that a line implies stand behind it.
_LINES: tuple[tuple[type[Input], str, dict[str, Any]], ...] = (
    (CardSeen, "card {card}", {}),
    (CardSeen, "card {card} copy {copy}", {}),
    (CardSeen, "card unread {unknown}", {}),
    (CardSeen, "white card", {"white": True}),
    (CardNamed, "named {card}", {}),
    (m.UnreadRuled, "no card left", {}),
    (m.Sits, "seat {seat} sits {chips} {name}", {}),
    (m.Stands, "standing {chips} {name}", {}),
    (m.BuysIn, "seat {seat} buys in {chips}", {}),
    (m.CashesOut, "seat {seat} cashes out {chips}", {}),
    (m.Tips, "seat {seat} tips {chips}", {}),
    (m.Leaves, "seat {seat} leaves", {}),
    (m.Moves, "seat {seat} moves to {to}", {}),
    (m.Swaps, "seat {seat} swaps with {other}", {}),
    (m.Declares, "seat {seat} by the schlitten", {}),
    (m.Declares, "seat {seat} plays free", {"by_schlitten": False}),
    (m.CroupierChanged, "croupier {name}", {}),
    (m.Banks, "seat {seat} banks {chips}", {}),
    (m.OpensBank, "seat {seat} banks open", {}),
    (m.Passes, "seat {seat} passes", {}),
    (m.Raises, "seat {seat} raises {chips}", {}),
    (m.DrawsIn, "seat {seat} draws in", {}),
    (m.Halves, "seat {seat} halves", {}),
    (m.Joins, "seat {seat} joins the bank {chips}", {}),
    (m.Suite, "seat {seat} suite", {}),
    (m.Bids, "seat {seat} bids {chips}", {}),
    (m.Sold, "sold", {}),
    (m.TakesOver, "seat {seat} takes over", {}),
    (m.Banco, "seat {seat} banco solo", {}),
    (m.BancoWithPartner, "seat {seat} banco {chips} with seat {partner}", {}),
    (m.BancoWithTable, "seat {seat} banco {chips} with the table", {}),
    (m.OpenGame, "all may stake", {}),
    (m.Stakes, "seat {seat} stakes {chips}", {}),
    (m.Stakes, "seat {seat} stakes {chips} with consent", {"consent": True}),
    (m.StakesAgain, "the same stakes again", {}),
    (m.Closes, "nichts geht mehr", {}),
    (m.Declines, "seat {seat} declines", {}),
    (m.TakesUp, "seat {seat} takes up", {}),
    (m.Opened, "seat {seat} opens", {}),
    (m.Spoke, "seat {seat} {word}", {}),
    (m.AsksSchlitten, "seat {seat} asks the schlitten", {}),
    (m.Waited, "waited", {}),
    (m.Exposed, "seat {seat} exposed", {}),
    (m.Throws, "seat {seat} throws", {}),
    (m.Misdealt, "misdealt", {}),
    (m.PutRight, "put right", {}),
    (m.BankLoses, "bank loses", {}),
    (m.AdmitsFaux, "seat {seat} admits faux tirage", {}),
    (m.LetStand, "let stand {reason}", {}),
    (m.Prepared, "prepared", {}),
    (m.ThrownAway, "thrown away {reason}", {}),
    (m.Ticked, "tick {line}", {}),
    (m.TakesBack, "take back", {}),
    (m.Corrects, "correct {ordinal} {card} {reason}", {}),
    (m.Transfers, "transfer {chips} from {seat} to {to} {reason}", {}),
    (m.Ruled, "ruled {reason}", {}),
    (m.SchlittenClosed, "schlitten closed", {}),
    (m.SchlittenLoaded, "schlitten {shoe}", {}),
    (m.Paid, "paid", {}),
    (m.StrayRuled, "stray {ruling}", {}),
    (m.WhiteRuled, "white {ruling}", {}),
    (m.Annulled, "annul {reason}", {}),
    (DeviceLost, "lost {device}: {why}", {}),
    (DeviceBack, "back {device}", {}),
    (AlertAcknowledged, "seen {alert}", {}),
    (devices.LidOpened, "lid opens", {}),
    (devices.LidClosed, "lid closes", {}),
    (devices.LidRuled, "lid ruled {reason}", {}),
    (devices.CutCardSensed, "cut card", {}),
    (devices.CutCardSensed, "cut card {ahead} ahead", {}),
    (devices.PowerFailed, "power fails", {}),
    (devices.PowerBack, "power back", {}),
)

#: What may stand for a field; anything for those not named here.
_PATTERNS = {
    "seat": r"\d+",
    "chips": r"\d+",
    "copy": r"\d",
    "to": r"\d+",
    "other": r"\d+",
    "partner": r"\d+",
    "line": r"\d+",
    "ordinal": r"\d+",
    "ahead": r"\d+",
    "card": r"[A2-9TJQK][cdhs]",
    "word": "|".join(m.Word),
    "shoe": r"[a-z0-9_-]+",
    "device": r"[a-z0-9_-]+",
    "alert": r"[a-z0-9_-]+",
    "ruling": r"[a-z_]+",
    "unknown": r"[a-z_]+",
}

_FIELD = re.compile(r"\{(\w+)\}")


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(_FIELD.sub(lambda f: f"(?P<{f[1]}>{_PATTERNS.get(f[1], '.+')})", template))


_READ = tuple((_pattern(template), kind, implied) for kind, template, implied in _LINES)
_WRITE = {
    (kind, frozenset([*_FIELD.findall(template), *implied])): template
    for kind, template, implied in _LINES
}


def parse(line: str) -> Input:
    """Read one input such as `seat 2 carte` or `card 7h [lip]`. Raises ValueError."""
    text, actor = line.strip(), {}
    if text.endswith("]") and " [" in text:
        text, _, name = text[:-1].rpartition(" [")
        actor = {"actor": name}
    for pattern, kind, implied in _READ:
        found = pattern.fullmatch(text)
        if found:
            known: dict[str, Any] = {**found.groupdict(), **implied, **actor}
            try:
                return convert(known, kind, strict=False)
            except ValidationError as error:
                raise ValueError(
                    f"not a line of a coup script: {line.strip()!r}: {error}"
                ) from None
    raise ValueError(f"not a line of a coup script: {line.strip()!r} (e.g. 'seat 2 carte')")


def write(said: Input) -> str:
    """The inverse of `parse`; the prompt is no part of a script.

    Raises ValueError for an input that one line cannot hold.
    """
    known = {
        field.name: getattr(said, field.name)
        for field in fields(said)
        if field.name not in ("actor", "prompt")
        and (field.required or getattr(said, field.name) != field.default)
    }
    template = _WRITE.get((type(said), frozenset(known)))
    line = template.format(**known) if template else ""
    line += f" [{said.actor}]" if said.actor != "croupier" else ""
    if not template or "#" in line or "=>" in line or not _reads_back(line, said):
        raise ValueError(f"an input that no script line can hold: {type(said).__name__}")
    return line


def _reads_back(line: str, said: Input) -> bool:
    try:
        return parse(line) == replace(said, prompt=None)
    except ValueError:
        return False


class Question(Struct, frozen=True):
    """A line `? totals`: what the screens show of that, asked between two inputs."""

    about: str


def read(text: str) -> Iterator[tuple[Input | Question, str | None]]:
    """Lines of a script, each with what is expected of it (None: nothing in particular)."""
    for line in text.splitlines():
        content = line.split("#", 1)[0].strip()
        if content:
            said, arrow, expected = content.partition("=>")
            asked = Question(said[1:].strip()) if said.startswith("?") else parse(said)
            yield asked, expected.strip() if arrow else None


def lines(text: str) -> Iterator[tuple[Input, str | None]]:
    """What a script says to the table, its questions left out."""
    for said, expected in read(text):
        if isinstance(said, Input):
            yield said, expected


def table(house: House, *, chips: int = 1000) -> Table:
    """Where a script begins: a player with `chips` at every seat, a Schlitten ready at seat 1."""
    now = begin(house, Secret(b"script"))
    for seat in range(1, house.seats + 1):
        now, _ = step(now, m.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips)))
    now, _ = step(now, m.SchlittenLoaded(shoe="script"))
    return now


def short(table: Table, left: int) -> Table:
    """The same table with only `left` cards in its Schlitten, as if the others had been dealt."""
    if table.shoe is None:
        return table
    out = table.shoe.cards - left
    return at(table, table.phase, shoe=replace(table.shoe, out=out, ordinal=out))


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `."""
    told = list(events)
    by_hand = {(e.seat, code) for e in told if isinstance(e, m.HandOpened) for code in e.cards}
    bare = {e.ordinal for e in told if isinstance(e, m.CardOpened)}
    parts = []
    for event in told:
        if isinstance(event, m.CardOpened) and (event.seat, event.card) in by_hand:
            continue  # told with its hand
        if isinstance(event, m.CardDrawn) and event.ordinal in bare:
            continue  # told with its face
        parts.append(_SHOW[type(event)](event) if type(event) in _SHOW else "")
    return "; ".join(filter(None, parts))


ADVICE = {
    Duty.DRAW: "he draws",
    Duty.STAND: "he stands",
    Duty.CHOOSE: "as he chooses",
    Duty.NO_INFORMATION: "no information",
}


def _settled(event: m.CoupSettled) -> str:
    match event.winner:
        case None:
            return "en carte"
        case m.Side.POINTEUR if event.forfeit:
            return f"seat {event.pointeur_seat} wins {event.staked} by {event.forfeit}"
        case m.Side.POINTEUR:
            return f"seat {event.pointeur_seat} wins {event.staked}"
        case m.Side.BANK:
            return (
                f"seat {event.banker_seat} wins {event.staked}, "
                f"cagnotte {event.cagnotte}, pot {event.pot_after}"
            )


def _place(seat: int) -> str:
    return f"seat {seat}" if seat else "aside"


_SHOW: dict[type, Callable[[Any], str]] = {
    m.BankPosted: lambda e: f"seat {e.seat}: {e.pot} banco",
    m.SchlittenPassed: lambda e: f"Schlitten passes to seat {e.to}",
    m.SchlittenReady: lambda e: f"Schlitten {e.number} ready, {e.cards} cards",
    m.SeatChanged: lambda e: f"seat {e.seat} is at {e.to}",
    m.BankOpened: lambda e: f"seat {e.seat}: open bank",
    m.PotChanged: lambda e: f"pot {e.pot}, aside {e.aside}",
    m.PartnerJoined: lambda e: f"seat {e.seat} joins, pot {e.pot}",
    m.AuctionBegun: lambda e: f"seat {e.seat} gives up {e.pot}",
    m.BidMade: lambda e: f"seat {e.seat} bids {e.chips}",
    m.BankSold: lambda e: f"seat {e.to} has the bank of seat {e.seat}",
    m.GameOpened: lambda _e: "all may stake",
    m.StakeLaid: lambda e: f"seat {e.seat} has {e.chips}",
    m.StakesClosed: lambda e: f"{e.staked} staked, {e.covered} covered",
    m.PartOffered: lambda e: f"seat {e.seat} is offered {e.chips}",
    m.Answered: lambda e: f"answer: {ADVICE[e.duty]}{', binding' if e.binds else ''}",
    m.HandThrown: lambda e: f"seat {e.seat} has thrown",
    m.FauxTirage: lambda e: f"faux tirage of seat {e.seat}",
    m.ClaimFailed: lambda e: f"claim of seat {e.seat} fails",
    m.Misdeal: lambda _e: "misdeal",
    m.MisdealMended: lambda _e: "put right",
    m.PaymentMade: lambda e: f"line {e.line} paid",
    m.Withdrawn: lambda e: f"withdrawn: {e.said}",
    m.CardCorrected: lambda e: f"card {e.ordinal} corrected",
    m.PointeurNamed: lambda e: f"seat {e.seat} plays {e.stake}",
    m.CardDrawn: lambda e: f"{_place(e.seat)} closed card",
    m.CardUnread: lambda e: f"card unread: {e.reason}",
    m.CardOpened: lambda e: f"{_place(e.seat)} open card {e.card}",
    m.CardRemoved: lambda e: f"card {e.ruling}",
    m.HandOpened: lambda e: f"seat {e.seat} opens {codes(e.cards)}, {e.points} points",
    m.Advised: lambda e: f"advice: {ADVICE[e.duty]}",
    m.WhiteCardOut: lambda e: f"white card at {e.left}",
    m.LastCoup: lambda e: f"last coup: {e.coup}",
    devices.LidNoted: lambda e: f"lid {'open' if e.open else 'closed'}{' in a coup' * e.coup}",
    devices.CutCardNoted: lambda e: f"cut card before {e.behind}",
    devices.PowerNoted: lambda e: f"power {'fails' if e.failing else 'back'}",
    m.CoupSettled: _settled,
    m.CoupAnnulled: lambda e: f"coup annulled: {e.reason}",
    m.SchlittenOver: lambda e: f"Schlitten over, {e.left} left",
    m.SchlittenCounted: lambda e: f"Schlitten closed after {e.coups} coups",
}
