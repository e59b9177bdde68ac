"""Observes a table after a line of a scenario, to compare the effects with the expectations.

The module knows a table and a board's rung. Each observation is itself written as an expectation,
so that both sides of a difference can be read as lines of a scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from firmware_bridge.messages import SEATS, Buzzer, Colour, Mode, Picture, digits
from hardware.emulator import Shown
from hardware.rungs import Rung, TwinRung
from table_controller.engine.messages import Audience, Event, Phrase, Refused
from table_controller.service import scenario_lines as lines
from table_controller.service.recording import KEYED
from table_controller.service.table import Told
from table_controller.wiring.app import Service
from table_controller.words import text

#: A lamp's rhythm, in microseconds; the times for which a lamp of each mode is lit, dark, lit, … in
#: a rhythm; and the length of a tone.
RHYTHM_US: Final = 1_024_000
_LIT_US: Final = {
    Mode.PULSE: (128_000, 128_000, 128_000, 640_000),
    Mode.BLINK: (512_000, 512_000),
    Mode.ON: (RHYTHM_US,),
}
_TONE_US: Final = 128_000
_SLACK_US: Final = 20_000
#: How long a lamp answers a press, at least and at most: 0.6 s, and what a line may do to it. A
#: lamp that blinks is lit for less.
_FLASH_US: Final = (550_000, 900_000)
_TONES: Final = ("none", "beep", "twice", "alarm")
#: Expectations that only a board can answer.
OF_A_BOARD: Final = (
    lines.Lit | lines.AllLit | lines.Flashed | lines.Digits | lines.Tone | lines.Safe
)


class Watched(Struct, frozen=True):
    """What a person sees on the board during one rhythm; each lamp in words, such as `blink blue`.

    `flashes` are the colours in which each lamp answered a press since the line was played.
    """

    lamps: tuple[str, ...]
    first: str
    second: str
    tone: str
    flashes: tuple[frozenset[str], ...] = (frozenset(),) * SEATS


def look(rung: Rung, since_us: int, begun_us: int, asked: Picture | None) -> Watched:
    """Return the board's lamps and displays since `since_us`, and the tones since `begun_us`.

    Times are in microseconds. `asked` is the picture that the board acknowledged. A real board
    cannot be observed, so we assume that it shows this picture.
    """
    if rung.seen is None:
        return as_asked(asked or Picture())
    first, second = rung.seen.display_1, rung.seen.display_2
    if isinstance(rung, TwinRung):
        lamps, tone = rung.lamps, _TONES[rung.tone(begun_us)]
    else:
        lamps, tone = _rhythms(rung, since_us), _tone(rung, begun_us)
    return Watched(lamps, first, second, tone, _flashes(rung, begun_us))


def as_asked(wanted: Picture) -> Watched:
    """Return what a person sees on a board that shows this `Picture`."""
    lamps = tuple(_word(lamp.mode, lamp.colour) for lamp in wanted.lamps)
    return Watched(lamps, digits(wanted.display_1), digits(wanted.display_2), _TONES[wanted.buzzer])


def _spans(rung: Rung, since_us: int) -> Iterator[tuple[Shown, int]]:
    """Yield each state that the board showed since `since_us`, and for how many microseconds."""
    seen = [Shown(), *rung.history]
    for now, after in zip(seen, [*(one.us for one in seen[1:]), rung.us], strict=True):
        lasted = min(after, rung.us) - max(now.us, since_us)
        if lasted > 0:
            yield now, lasted


def _rhythms(rung: Rung, since_us: int) -> tuple[str, ...]:
    """Return each seat's lamp in words, from its colours and the time for which each was shown."""
    return tuple(map(_rhythm, _runs(rung, since_us)))


def _flashes(rung: Rung, begun_us: int) -> tuple[frozenset[str], ...]:
    """Return, for each seat, the colours in which its lamp answered a press since `begun_us`."""
    return tuple(
        frozenset(
            Colour(int(colour, 16) & 7).name.lower()
            for colour, lasted in run
            if colour != "0" and _FLASH_US[0] <= lasted <= _FLASH_US[1]
        )
        for run in _runs(rung, begun_us)
    )


def _runs(rung: Rung, since_us: int) -> list[list[tuple[str, int]]]:
    """Return, for each seat, its lamp's colours since `since_us`, and the microseconds of each."""
    runs: list[list[tuple[str, int]]] = [[] for _ in range(SEATS)]
    for shown, lasted in _spans(rung, since_us):
        for run, colour in zip(runs, shown.lamps, strict=True):
            if run and run[-1][0] == colour:
                lasted_before = run.pop()[1]
                run.append((colour, lasted_before + lasted))
            else:
                run.append((colour, lasted))
    return runs


def _rhythm(run: list[tuple[str, int]]) -> str:
    """Return a lamp's rhythm in words; `uneven` if the board has no such rhythm."""
    colours = {colour for colour, _ in run} - {"0"}
    if not colours:
        return "off"
    colour = Colour(int(min(colours), 16) & 7)
    glares = "glaring " if int(min(colours), 16) & 8 else ""
    if run[0][0] == run[-1][0] and len(run) > 1:  # the window began in mid-rhythm
        run = [(run[0][0], run[-1][1] + run[0][1]), *run[1:-1]]
    times = [us for _, us in run]
    turned = (times[at:] + times[:at] for at, (lit, _) in enumerate(run) if lit != "0")
    for one in turned if len(colours) == 1 else ():
        for mode, wanted in _LIT_US.items():
            if len(one) == len(wanted) and all(
                abs(us - due) <= _SLACK_US for us, due in zip(one, wanted, strict=True)
            ):
                return glares + _word(mode, colour)
    return f"{glares}uneven {colour.name.lower()}"


def _word(mode: Mode, colour: Colour) -> str:
    return "off" if mode is Mode.OFF else f"{mode.name.lower()} {colour.name.lower()}"


def _tone(rung: Rung, begun_us: int) -> str:
    """Return the tones of the buzzer since `begun_us`; `uneven` if a tone has a wrong length."""
    began, lengths = None, []
    for shown in rung.history:
        if shown.buzzer and began is None and shown.us >= begun_us:
            began = shown.us
        elif not shown.buzzer and began is not None:
            lengths.append(shown.us - began)
            began = None
    times = len(lengths) + (began is not None)
    if any(abs(us - _TONE_US) > _SLACK_US for us in lengths):
        return "uneven"
    return _TONES[min(times, int(Buzzer.ALARM))]


def of_board(wanted: lines.Expectation, seen: Watched) -> lines.Expectation:
    """Return the board's state as an expectation like `wanted`; equal to it if `wanted` is met."""
    match wanted:
        case lines.Lit(seat=seat):
            mode, _, colour = seen.lamps[seat - 1].partition(" ")
            return lines.Lit(seat, mode, colour)
        case lines.AllLit():
            lit = (f"{n} {lamp}" for n, lamp in enumerate(seen.lamps, 1) if lamp != "off")
            found, asked = " ".join(lit), wanted.lamps
            return wanted if _apart(found) == _apart(asked) else lines.AllLit(found)
        case lines.Flashed(seat=seat, colour=colour):
            flashes = seen.flashes[seat - 1]
            if colour in flashes or not flashes:
                return wanted if flashes else of_board(lines.Lit(seat, ""), seen)
            return lines.Flashed(seat, min(flashes))
        case lines.Digits(second=second):
            shown = _figure(seen.first), _figure(seen.second) if second else ""
            return lines.Digits(*shown)
        case lines.Tone():
            return lines.Tone(seen.tone)
        case _:
            if set(seen.lamps) != {"off"}:
                return of_board(lines.AllLit("?"), seen)
            if {seen.first, seen.second} != {"-" * 8}:
                return lines.Digits(_figure(seen.first), _figure(seen.second))
            return wanted if seen.tone == "none" else lines.Tone(seen.tone)


def _apart(lamps: str) -> set[tuple[str, ...]]:
    words = lamps.split()
    return {tuple(words[at : at + 3]) for at in range(0, len(words), 3)}


def _figure(shown: str) -> str:
    return shown.strip() or "dark"


def of_table(
    wanted: lines.Expectation, service: Service, told: Sequence[Told], *, keyed: bool
) -> Sequence[lines.Expectation]:
    """Return the table's state as expectations like `wanted`; `(wanted,)` if `wanted` is met.

    `told` are the events of the line that no earlier expectation has used. `keyed` says whether
    promises can be compared, which needs the table's key.
    """
    alerts = sorted(alert.id for alert in service.game.alerts(service.table.state))
    match wanted:
        case lines.Journaled(type=type_, fields=fields) | lines.Sent(type=type_, fields=fields):
            public = isinstance(wanted, lines.Sent)
            if taken(wanted, told, keyed=keyed) is not None:
                return (wanted,)
            likes = [one for one in told if _tag(one.event) == type_] or told
            return [_as_line(one.event, public=public, like=fields) for one in likes[:3]] or (
                lines.Count(0),
            )
        case lines.Count():
            return (lines.Count(len(told)),)
        case lines.RefusedBy(rule=rule):
            found = [one.event.rule for one in told if isinstance(one.event, Refused)]
            held = found and rule in ("", found[0])
            return (wanted,) if held else tuple(map(lines.RefusedBy, found)) or _lines(told)
        case lines.Alarmed(id=id_):
            return (wanted,) if id_ in alerts else _alarmed(alerts)
        case lines.Calm(id=id_):
            return _alarmed(alerts) if (id_ in alerts if id_ else alerts) else (wanted,)
        case lines.OnPage(text=sentence) | lines.NotOnPage(text=sentence):
            there = sentence in (shown := page(service))
            if there is isinstance(wanted, lines.OnPage):
                return (wanted,)
            return (lines.OnPage(sentence),) if there else tuple(map(lines.OnPage, shown[:4]))
    raise TypeError(f"nobody looks for {wanted!r}")


def taken(wanted: lines.Journaled | lines.Sent, told: Sequence[Told], *, keyed: bool) -> int | None:
    """Return the index in `told` of the expected event; None if it is not there."""
    public = isinstance(wanted, lines.Sent)
    fields = _plain(msgspec.json.decode(wanted.fields, type=dict[str, Any]), keyed=keyed)
    for place, (event, _) in enumerate(told):
        if _tag(event) != wanted.type or (public and event.audience is not Audience.PUBLIC):
            continue
        own = _plain(_fields(event), keyed=keyed)
        if all(name in own and own[name] == value for name, value in fields.items()):
            return place
    return None


def _plain(fields: dict[str, Any], *, keyed: bool) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if keyed or name not in KEYED}


def _fields(event: Event) -> dict[str, Any]:
    """Return the event's fields as the journal contains them."""
    return msgspec.json.decode(msgspec.json.encode(event), type=dict[str, Any])


def _alarmed(alerts: Iterable[str]) -> tuple[lines.Expectation, ...]:
    return tuple(map(lines.Alarmed, alerts)) or (lines.Calm(),)


def _lines(told: Sequence[Told]) -> tuple[lines.Expectation, ...]:
    return tuple(_as_line(one.event, public=False, like="{}") for one in told[:3]) or (
        lines.Count(0),
    )


def _as_line(event: Event, *, public: bool, like: str) -> lines.Expectation:
    """Return an event as an expectation, with the fields that `like` names."""
    asked = msgspec.json.decode(like, type=dict[str, Any])
    fields = _fields(event)
    tag = fields.pop("type")
    shown = {name: value for name, value in fields.items() if name in asked}
    line = msgspec.json.encode(shown).decode()
    return lines.Sent(tag, line) if public else lines.Journaled(tag, line)


def _tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


def sealed_types(service: Service) -> frozenset[str]:
    """Return the types of sealed events. No line of a scenario compares these."""
    kinds = msgspec.inspect.type_info(service.game.events)
    found = kinds.types if isinstance(kinds, msgspec.inspect.UnionType) else (kinds,)
    return frozenset(
        str(kind.tag)
        for kind in found
        if isinstance(kind, msgspec.inspect.StructType)
        and getattr(kind.cls, "audience", None) is Audience.SEALED
    )


def page(service: Service) -> list[str]:
    """Return every sentence that the croupier's page shows now, in English.

    The prompt's sentences come first.
    """
    picture = service.hub.snapshot(Audience.CROUPIER)
    game = picture.game
    first = (picture.prompt.ask, picture.prompt.news, picture.prompt.why)
    found = [*first, *(alert.what for alert in picture.alerts), *_phrases(picture)]
    return [said for said in dict.fromkeys(text(one, "en", game) for one in found if one) if said]


def asked(service: Service) -> str:
    """Return the request that the croupier's page shows now, in English; "" if there is none."""
    picture = service.hub.snapshot(Audience.CROUPIER)
    return text(picture.prompt.ask, "en", picture.game) if picture.prompt.ask else ""


def _phrases(thing: object) -> Iterator[Phrase]:
    if isinstance(thing, Phrase):
        yield thing
    elif isinstance(thing, Struct):
        for name in thing.__struct_fields__:
            yield from _phrases(getattr(thing, name))
    elif isinstance(thing, tuple | list):
        for one in thing:
            yield from _phrases(one)
