"""What can be seen at a table after a line of a scenario, to compare with what the line expects.

Knows a served table and a board's rung. Each observation is itself written as an expectation, so
that both sides of a difference read as lines of a scenario.
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
from table_controller.service import scenario_forms as forms
from table_controller.service.recording import KEYED
from table_controller.service.table import Told
from table_controller.wiring.app import Service
from table_controller.words import text

#: The length of a lamp's rhythm, in microseconds, and how long a lamp of each mode is lit in it.
RHYTHM_US: Final = 1_024_000
_LIT_US: Final = {0: Mode.OFF, 256_000: Mode.PULSE, 512_000: Mode.BLINK, RHYTHM_US: Mode.ON}
_SLACK_US: Final = 20_000
_TONES: Final = ("none", "beep", "twice", "alarm")
#: Expectations that only a board can answer.
OF_A_BOARD: Final = forms.Lit | forms.AllLit | forms.Digits | forms.Tone | forms.Safe


class Watched(Struct, frozen=True):
    """What a person saw on the board in one rhythm; each lamp in words, such as `blink blue`."""

    lamps: tuple[str, ...]
    first: str
    second: str
    tone: str


def look(rung: Rung, since_us: int, begun_us: int, asked: Picture | None) -> Watched:
    """Return what was seen since `since_us`, one rhythm ago, and the tones since `begun_us`.

    `asked` is the picture that the board acknowledged: a real board is trusted to show it.
    """
    if rung.seen is None:
        wanted = asked or Picture()
        lamps = tuple(_word(lamp.mode, lamp.colour) for lamp in wanted.lamps)
        tone = _TONES[wanted.buzzer]
        return Watched(lamps, digits(wanted.display_1), digits(wanted.display_2), tone)
    first, second = rung.seen.display_1, rung.seen.display_2
    if isinstance(rung, TwinRung):
        return Watched(rung.lamps, first, second, _TONES[rung.tone(begun_us)])
    return Watched(_rhythms(rung, since_us), first, second, _TONES[_tones(rung, begun_us)])


def _spans(rung: Rung, since_us: int) -> Iterator[tuple[Shown, int]]:
    """Each thing shown since then, and for how many microseconds."""
    seen = [Shown(), *rung.history]
    for now, after in zip(seen, [*(one.us for one in seen[1:]), rung.us], strict=True):
        lasted = min(after, rung.us) - max(now.us, since_us)
        if lasted > 0:
            yield now, lasted


def _rhythms(rung: Rung, since_us: int) -> tuple[str, ...]:
    lit: list[dict[str, int]] = [{} for _ in range(SEATS)]
    for shown, lasted in _spans(rung, since_us):
        for seat, colour in enumerate(shown.lamps):
            if colour != "0":
                lit[seat][colour] = lit[seat].get(colour, 0) + lasted
    return tuple(map(_rhythm, lit))


def _rhythm(lit: dict[str, int]) -> str:
    if not lit:
        return "off"
    colour, us = max(lit.items(), key=lambda one: one[1])
    for wanted, mode in _LIT_US.items():
        if len(lit) == 1 and abs(us - wanted) <= _SLACK_US:
            return _word(mode, Colour(int(colour)))
    return f"uneven {Colour(int(colour)).name.lower()}"


def _word(mode: Mode, colour: Colour) -> str:
    return "off" if mode is Mode.OFF else f"{mode.name.lower()} {colour.name.lower()}"


def _tones(rung: Rung, begun_us: int) -> int:
    """How often the buzzer began to sound since then, as a tone's number."""
    sounding, times = False, 0
    for shown in rung.history:
        if shown.buzzer and not sounding and shown.us >= begun_us:
            times += 1
        sounding = shown.buzzer
    return min(times, int(Buzzer.ALARM))


def of_board(wanted: forms.Expectation, seen: Watched) -> forms.Expectation:
    """What the board shows where `wanted` was expected; equal to `wanted` if that holds."""
    match wanted:
        case forms.Lit(seat=seat):
            mode, _, colour = seen.lamps[seat - 1].partition(" ")
            return forms.Lit(seat, mode, colour)
        case forms.AllLit():
            lit = (f"{n} {lamp}" for n, lamp in enumerate(seen.lamps, 1) if lamp != "off")
            found, asked = " ".join(lit), wanted.lamps
            return wanted if _apart(found) == _apart(asked) else forms.AllLit(found)
        case forms.Digits(second=second):
            shown = _figure(seen.first), _figure(seen.second) if second else ""
            return forms.Digits(*shown)
        case forms.Tone():
            return forms.Tone(seen.tone)
        case _:
            safe = set(seen.lamps) == {"off"} and {seen.first, seen.second} == {"-" * 8}
            return wanted if safe else of_board(forms.AllLit("?"), seen)


def _apart(lamps: str) -> set[tuple[str, ...]]:
    words = lamps.split()
    return {tuple(words[at : at + 3]) for at in range(0, len(words), 3)}


def _figure(shown: str) -> str:
    return shown.strip() or "dark"


def of_table(
    wanted: forms.Expectation, service: Service, told: Sequence[Told], *, keyed: bool
) -> Sequence[forms.Expectation]:
    """What is found where `wanted` was expected; `(wanted,)` if that holds.

    `told` are the events of the line that no earlier expectation has taken; `keyed`: whether
    promises can be compared.
    """
    alerts = sorted(alert.id for alert in service.game.alerts(service.table.state))
    match wanted:
        case forms.Journaled(type=type_, fields=fields) | forms.Sent(type=type_, fields=fields):
            public = isinstance(wanted, forms.Sent)
            if taken(wanted, told, keyed=keyed) is not None:
                return (wanted,)
            likes = [one for one in told if _tag(one.event) == type_] or told
            return [_as_line(one.event, public=public, like=fields) for one in likes[:3]] or (
                forms.Count(0),
            )
        case forms.Count():
            return (forms.Count(len(told)),)
        case forms.RefusedBy(rule=rule):
            found = [one.event.rule for one in told if isinstance(one.event, Refused)]
            held = found and rule in ("", found[0])
            return (wanted,) if held else tuple(map(forms.RefusedBy, found)) or _lines(told)
        case forms.Alarmed(id=id_):
            return (wanted,) if id_ in alerts else _alarmed(alerts)
        case forms.Calm(id=id_):
            return _alarmed(alerts) if (id_ in alerts if id_ else alerts) else (wanted,)
        case forms.OnPage(text=sentence) | forms.NotOnPage(text=sentence):
            there = sentence in (shown := page(service))
            if there is isinstance(wanted, forms.OnPage):
                return (wanted,)
            return (forms.OnPage(sentence),) if there else tuple(map(forms.OnPage, shown[:4]))
    raise TypeError(f"nobody looks for {wanted!r}")


def taken(wanted: forms.Journaled | forms.Sent, told: Sequence[Told], *, keyed: bool) -> int | None:
    """The index among `told` of the event that is expected; None if it is not there."""
    public = isinstance(wanted, forms.Sent)
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
    """The event's fields as they stand in the journal."""
    return msgspec.json.decode(msgspec.json.encode(event), type=dict[str, Any])


def _alarmed(alerts: Iterable[str]) -> tuple[forms.Expectation, ...]:
    return tuple(map(forms.Alarmed, alerts)) or (forms.Calm(),)


def _lines(told: Sequence[Told]) -> tuple[forms.Expectation, ...]:
    return tuple(_as_line(one.event, public=False, like="{}") for one in told[:3]) or (
        forms.Count(0),
    )


def _as_line(event: Event, *, public: bool, like: str) -> forms.Expectation:
    """An event as an expectation, with the fields that `like` names."""
    asked = msgspec.json.decode(like, type=dict[str, Any])
    fields = _fields(event)
    tag = fields.pop("type")
    shown = {name: value for name, value in fields.items() if name in asked}
    line = msgspec.json.encode(shown).decode()
    return forms.Sent(tag, line) if public else forms.Journaled(tag, line)


def _tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


def sealed_types(service: Service) -> frozenset[str]:
    """The types of events that nobody may see: no line of a scenario compares them."""
    kinds = msgspec.inspect.type_info(service.game.events)
    found = kinds.types if isinstance(kinds, msgspec.inspect.UnionType) else (kinds,)
    return frozenset(
        str(kind.tag)
        for kind in found
        if isinstance(kind, msgspec.inspect.StructType)
        and getattr(kind.cls, "audience", None) is Audience.SEALED
    )


def page(service: Service) -> list[str]:
    """Every sentence that the croupier's page shows now, in English, the prompt's first."""
    picture = service.hub.snapshot(Audience.CROUPIER)
    first = (picture.prompt.ask, picture.prompt.news, picture.prompt.why)
    found = [*first, *(alert.what for alert in picture.alerts), *_phrases(picture)]
    return [said for said in dict.fromkeys(text(one, "en") for one in found if one) if said]


def _phrases(thing: object) -> Iterator[Phrase]:
    if isinstance(thing, Phrase):
        yield thing
    elif isinstance(thing, Struct):
        for name in thing.__struct_fields__:
            yield from _phrases(getattr(thing, name))
    elif isinstance(thing, tuple | list):
        for one in thing:
            yield from _phrases(one)
