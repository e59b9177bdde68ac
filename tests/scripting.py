"""Coup scripts of any game: one input per line, and after `=>` the events that it causes.

    seat 2 banco solo
    card 7h           => seat 2 closed card
    ? payments        => 2:-50, house:2
    button carte

Comments begin with `#`. A line without `=>` expects nothing in particular. A line that begins with
`?` sends nothing to the table: it asks what the screens show now. `button` presses a button at the
table: the offer of that name, as the croupier's page shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

import msgspec
from msgspec import Struct

from table_controller.engine.messages import Audience, Event, Input
from table_controller.engine.table import devices
from table_controller.engine.table import events as te
from table_controller.engine.table.offers import answering
from table_controller.service.game import Game

Shown = dict[type, Callable[[Any], str]]


class Question(Struct, frozen=True):
    """A line `? totals`: what the screens show of that, asked between two inputs."""

    about: str


class Button(Struct, frozen=True):
    """A line `button carte`: a button at the table that is called so."""

    name: str


def read(game: Game[Any], text: str) -> Iterator[tuple[Input | Question | Button, str | None]]:
    """Lines of a script, each with what is expected of it (None: nothing in particular)."""
    for line in text.splitlines():
        content = line.split("#", 1)[0].strip()
        if content:
            said, arrow, expected = content.partition("=>")
            yield _read(game, said.strip()), expected.strip() if arrow else None


def _read(game: Game[Any], said: str) -> Input | Question | Button:
    if said.startswith("?"):
        return Question(said[1:].strip())
    pressed = said.removeprefix("button ")
    return game.read(said) if pressed == said else Button(pressed.strip())


def pressed(game: Game[Any], state: Any, button: Button) -> Input:
    """What the button says at this table now. Raises ValueError where no such offer is made."""
    picture = game.snapshot(state, Audience.CROUPIER)
    offer = answering(picture, button.name)
    if button.name not in game.buttons or offer is None:
        raise ValueError(f"no button says {button.name!r} now")
    said: Input = msgspec.convert(offer.input | {"actor": "board"}, game.inputs)
    return said


#: The table after an input, and what a script shows of it; a refusal is `refused (its rule)`.
Told = Callable[[Any, Input], tuple[Any, str]]
#: What brings chips to a table, or takes them away.
BRINGS = frozenset({"sits", "stands", "buys_in", "cashes_out", "leaves"})


def played(
    game: Game[Any], now: Any, text: str, told: Told, answer: Callable[[Any, str], str]
) -> Any:
    """The table after a script that plays as written, line by line; its money adds up (R-16)."""
    money = sum(game.money(now).values())
    for number, (line, expected) in enumerate(read(game, text), 1):
        if isinstance(line, Question):
            assert answer(now, line.about) == expected, f"line {number}: ? {line.about}"
            continue
        said = pressed(game, now, line) if isinstance(line, Button) else line
        now, shown = told(now, said)
        if expected is None:
            assert not shown.startswith("refused"), f"line {number}: {said}"
        else:
            assert shown == expected, f"line {number}: {said}"
        lies = sum(game.money(now).values())
        money = lies if said.__struct_config__.tag in BRINGS else money
        assert lies == money, f"line {number}: {said}"
    return now


def show(events: Iterable[Event], own: Shown) -> str:
    """What came of an input, as the croupier would say it; parts divided by `; `."""
    shown = SHOWN | own
    parts = (shown[type(event)](event) for event in events if type(event) in shown)
    return "; ".join(filter(None, parts))


def noted(event: Event) -> str:
    """How a sensor's event reads that has no line of its own below: `tray: open`."""
    told = msgspec.structs.asdict(event).items()
    parts = (name if value is True else f"{name} {value}".lower() for name, value in told)
    return f"{type(event).__name__.removesuffix('Noted').lower()}: {', '.join(parts)}"


def place(seat: int) -> str:
    """A seat, or where nobody's cards lie."""
    return f"seat {seat}" if seat else "aside"


#: How the events of every table read; what is not here is not shown.
SHOWN: Shown = {
    **dict.fromkeys(get_args(devices.Noted), noted),
    te.SchlittenReady: lambda e: f"Schlitten {e.number} ready, {e.cards} cards",
    te.SeatChanged: lambda e: f"seat {e.seat} is at {e.to}",
    te.Withdrawn: lambda e: f"withdrawn: {e.said}",
    te.CardCorrected: lambda e: f"card {e.ordinal} corrected",
    te.CardDrawn: lambda e: f"{place(e.seat)} closed card",
    te.CardUnread: lambda e: f"card unread: {e.reason}",
    te.CardOpened: lambda e: f"{place(e.seat)} open card {e.card}",
    te.CardRemoved: lambda e: f"card {e.ruling}",
    te.CardMoved: lambda e: f"card {e.ordinal} moved to {place(e.seat)}",
    te.WhiteCardOut: lambda e: f"white card at {e.left}",
    te.LastCoup: lambda e: f"last coup: {e.coup}",
    devices.LidNoted: lambda e: f"lid {'open' if e.open else 'closed'}{' in a coup' * e.coup}",
    devices.CutCardNoted: lambda e: f"cut card before {e.behind}",
    devices.PowerNoted: lambda e: f"power {'fails' if e.failing else 'back'}",
    te.CoupAnnulled: lambda e: f"coup annulled: {e.reason}",
    te.SchlittenOver: lambda e: f"Schlitten over, {e.left} left",
    te.SchlittenWithdrawn: lambda e: f"Schlitten {e.shoe} withdrawn",
    te.SchlittenCounted: lambda e: f"Schlitten closed after {e.coups} coups",
}
