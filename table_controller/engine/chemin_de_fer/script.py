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

from table_controller.engine.chemin_de_fer import events as ev
from table_controller.engine.chemin_de_fer import inputs as i
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
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import show as codes
from table_controller.rules.chemin_de_fer.house import House
from table_controller.rules.chemin_de_fer.tableau import Duty
from table_controller.rules.money import Chips

#: How each input is written: braces hold fields; fields that a line implies stand behind it.
_LINES: tuple[tuple[type[Input], str, dict[str, Any]], ...] = (
    (CardSeen, "card {card}", {}),
    (CardSeen, "card {card} copy {copy}", {}),
    (CardSeen, "card unread {unknown}", {}),
    (CardSeen, "white card", {"white": True}),
    (CardNamed, "named {card}", {}),
    (ti.UnreadRuled, "no card left", {}),
    (ti.Sits, "seat {seat} sits {chips} {name}", {}),
    (ti.Stands, "standing {chips} {name}", {}),
    (ti.BuysIn, "seat {seat} buys in {chips}", {}),
    (ti.CashesOut, "seat {seat} cashes out {chips}", {}),
    (ti.Tips, "seat {seat} tips {chips}", {}),
    (ti.Leaves, "seat {seat} leaves", {}),
    (ti.Moves, "seat {seat} moves to {to}", {}),
    (ti.Swaps, "seat {seat} swaps with {other}", {}),
    (i.Declares, "seat {seat} by the schlitten", {}),
    (i.Declares, "seat {seat} plays free", {"by_schlitten": False}),
    (ti.CroupierChanged, "croupier {name}", {}),
    (i.Banks, "seat {seat} banks {chips}", {}),
    (i.OpensBank, "seat {seat} banks open", {}),
    (i.Passes, "seat {seat} passes", {}),
    (i.Raises, "seat {seat} raises {chips}", {}),
    (i.DrawsIn, "seat {seat} draws in", {}),
    (i.Halves, "seat {seat} halves", {}),
    (i.Joins, "seat {seat} joins the bank {chips}", {}),
    (i.Suite, "seat {seat} suite", {}),
    (i.Bids, "seat {seat} bids {chips}", {}),
    (i.Sold, "sold", {}),
    (i.TakesOver, "seat {seat} takes over", {}),
    (i.Banco, "seat {seat} banco solo", {}),
    (i.BancoWithPartner, "seat {seat} banco {chips} with seat {partner}", {}),
    (i.BancoWithTable, "seat {seat} banco {chips} with the table", {}),
    (i.OpenGame, "all may stake", {}),
    (i.Stakes, "seat {seat} stakes {chips}", {}),
    (i.Stakes, "seat {seat} stakes {chips} with consent", {"consent": True}),
    (i.StakesAgain, "the same stakes again", {}),
    (i.Closes, "nichts geht mehr", {}),
    (i.Declines, "seat {seat} declines", {}),
    (i.TakesUp, "seat {seat} takes up", {}),
    (i.Opened, "seat {seat} opens", {}),
    (i.Spoke, "seat {seat} {word}", {}),
    (i.AsksSchlitten, "seat {seat} asks the schlitten", {}),
    (i.Waited, "waited", {}),
    (i.Exposed, "seat {seat} exposed", {}),
    (i.Throws, "seat {seat} throws", {}),
    (i.Misdealt, "misdealt", {}),
    (i.PutRight, "put right", {}),
    (i.BankLoses, "bank loses", {}),
    (i.AdmitsFaux, "seat {seat} admits faux tirage", {}),
    (i.LetStand, "let stand {reason}", {}),
    (ti.Prepared, "prepared", {}),
    (ti.ThrownAway, "thrown away {reason}", {}),
    (i.Ticked, "tick {line}", {}),
    (ti.TakesBack, "take back", {}),
    (ti.Corrects, "correct {ordinal} {card} {reason}", {}),
    (ti.Transfers, "transfer {chips} from {seat} to {to} {reason}", {}),
    (ti.Ruled, "ruled {reason}", {}),
    (ti.SchlittenClosed, "schlitten closed", {}),
    (ti.SchlittenLoaded, "schlitten {shoe}", {}),
    (i.Paid, "paid", {}),
    (ti.StrayRuled, "stray {ruling}", {}),
    (ti.WhiteRuled, "white {ruling}", {}),
    (ti.Annulled, "annul {reason}", {}),
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
    "word": "|".join(i.Word),
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
        now, _ = step(now, ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips)))
    now, _ = step(now, ti.SchlittenLoaded(shoe="script"))
    return now


def short(table: Table, left: int) -> Table:
    """The same table with only `left` cards in its Schlitten, as if the others had been dealt."""
    if table.felt.shoe is None:
        return table
    out = table.felt.shoe.cards - left
    return at(
        table,
        table.phase,
        felt=replace(table.felt, shoe=replace(table.felt.shoe, out=out, ordinal=out)),
    )


def show(events: Iterable[Event]) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `."""
    told = list(events)
    by_hand = {(e.seat, code) for e in told if isinstance(e, ev.HandOpened) for code in e.cards}
    bare = {e.ordinal for e in told if isinstance(e, te.CardOpened)}
    parts = []
    for event in told:
        if isinstance(event, te.CardOpened) and (event.seat, event.card) in by_hand:
            continue  # told with its hand
        if isinstance(event, te.CardDrawn) and event.ordinal in bare:
            continue  # told with its face
        parts.append(_SHOW[type(event)](event) if type(event) in _SHOW else "")
    return "; ".join(filter(None, parts))


ADVICE = {
    Duty.DRAW: "he draws",
    Duty.STAND: "he stands",
    Duty.CHOOSE: "as he chooses",
    Duty.NO_INFORMATION: "no information",
}


def _settled(event: ev.CoupSettled) -> str:
    match event.winner:
        case None:
            return "en carte"
        case ev.Side.POINTEUR if event.forfeit:
            return f"seat {event.pointeur_seat} wins {event.staked} by {event.forfeit}"
        case ev.Side.POINTEUR:
            return f"seat {event.pointeur_seat} wins {event.staked}"
        case ev.Side.BANK:
            return (
                f"seat {event.banker_seat} wins {event.staked}, "
                f"cagnotte {event.cagnotte}, pot {event.pot_after}"
            )


def _place(seat: int) -> str:
    return f"seat {seat}" if seat else "aside"


_SHOW: dict[type, Callable[[Any], str]] = {
    ev.BankPosted: lambda e: f"seat {e.seat}: {e.pot} banco",
    ev.SchlittenPassed: lambda e: f"Schlitten passes to seat {e.to}",
    te.SchlittenReady: lambda e: f"Schlitten {e.number} ready, {e.cards} cards",
    te.SeatChanged: lambda e: f"seat {e.seat} is at {e.to}",
    ev.BankOpened: lambda e: f"seat {e.seat}: open bank",
    ev.PotChanged: lambda e: f"pot {e.pot}, aside {e.aside}",
    ev.PartnerJoined: lambda e: f"seat {e.seat} joins, pot {e.pot}",
    ev.AuctionBegun: lambda e: f"seat {e.seat} gives up {e.pot}",
    ev.BidMade: lambda e: f"seat {e.seat} bids {e.chips}",
    ev.BankSold: lambda e: f"seat {e.to} has the bank of seat {e.seat}",
    ev.GameOpened: lambda _e: "all may stake",
    ev.StakeLaid: lambda e: f"seat {e.seat} has {e.chips}",
    ev.StakesClosed: lambda e: f"{e.staked} staked, {e.covered} covered",
    ev.PartOffered: lambda e: f"seat {e.seat} is offered {e.chips}",
    ev.Answered: lambda e: f"answer: {ADVICE[e.duty]}{', binding' if e.binds else ''}",
    ev.HandThrown: lambda e: f"seat {e.seat} has thrown",
    ev.FauxTirage: lambda e: f"faux tirage of seat {e.seat}",
    ev.ClaimFailed: lambda e: f"claim of seat {e.seat} fails",
    ev.Misdeal: lambda _e: "misdeal",
    ev.MisdealMended: lambda _e: "put right",
    ev.PaymentMade: lambda e: f"line {e.line} paid",
    te.Withdrawn: lambda e: f"withdrawn: {e.said}",
    te.CardCorrected: lambda e: f"card {e.ordinal} corrected",
    ev.PointeurNamed: lambda e: f"seat {e.seat} plays {e.stake}",
    te.CardDrawn: lambda e: f"{_place(e.seat)} closed card",
    te.CardUnread: lambda e: f"card unread: {e.reason}",
    te.CardOpened: lambda e: f"{_place(e.seat)} open card {e.card}",
    te.CardRemoved: lambda e: f"card {e.ruling}",
    ev.HandOpened: lambda e: f"seat {e.seat} opens {codes(e.cards)}, {e.points} points",
    ev.Advised: lambda e: f"advice: {ADVICE[e.duty]}",
    te.WhiteCardOut: lambda e: f"white card at {e.left}",
    te.LastCoup: lambda e: f"last coup: {e.coup}",
    devices.LidNoted: lambda e: f"lid {'open' if e.open else 'closed'}{' in a coup' * e.coup}",
    devices.CutCardNoted: lambda e: f"cut card before {e.behind}",
    devices.PowerNoted: lambda e: f"power {'fails' if e.failing else 'back'}",
    ev.CoupSettled: _settled,
    te.CoupAnnulled: lambda e: f"coup annulled: {e.reason}",
    te.SchlittenOver: lambda e: f"Schlitten over, {e.left} left",
    te.SchlittenCounted: lambda e: f"Schlitten closed after {e.coups} coups",
}
