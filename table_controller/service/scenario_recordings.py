"""Turns a recording into a scenario, and back, with the same inputs, events and times.

The module knows both notations, but no board and no table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import to_builtins

from table_controller.engine.messages import Audience, Event, Input, Refused
from table_controller.service.errors import UNREADABLE
from table_controller.service.game import Game
from table_controller.service.recording import Happened, Heard, Recorder, Recording, header
from table_controller.service.scenario import Cue, Preamble, Scenario, ScenarioError
from table_controller.service.scenario_lines import Count, Journaled


def from_recording(recording: Recording, game: Game[Any], name: str) -> Scenario:
    """Turn a recording into a scenario. Each line with expectations is marked as unchecked.

    Raises RecordingError at a broken line.
    """
    kept, found = recording.header, list(recording)
    begins = found[0].t_ms if found else 0
    head = Preamble(
        game=game.name,
        house=kept.house,
        key=kept.key or "",
        begins=begins,
        code=kept.code,
        manifest=_json(kept.manifest),
        state=_json(kept.state),
        people=kept.people,
    )
    return Scenario(head, as_cues(found, begins), name)


def _json(value: dict[str, Any] | None) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def as_cues(found: Sequence[Heard | Happened], begins: int) -> tuple[Cue, ...]:
    """Return the lines of a recording as lines of a scenario. Lines with expectations are `unread`.

    `begins` is the time 0:00.000 of the scenario, in milliseconds since 1970.
    """
    told = any(not isinstance(one, Heard) for one in found)
    lines: list[Cue] = []
    for place, one in enumerate(found):
        at_ms = one.t_ms - begins
        if isinstance(one, Heard):
            count = (Count(_open_after(found, place)),) if told else ()
            lines.append(Cue(at_ms=at_ms, said=one.input, expects=count, unread=bool(count)))
        else:
            fields: dict[str, Any] = to_builtins(one.event)
            tag = fields.pop("type")
            event = Journaled(tag, msgspec.json.encode(fields).decode())
            same = place and found[place - 1].t_ms == one.t_ms
            time = None if same else at_ms
            lines.append(Cue(at_ms=time, expects=(event,), unread=True))
    return tuple(lines)


def _open_after(found: Sequence[Any], place: int) -> int:
    """Count the events between the input at `place` and the next input, without sealed events."""
    count = 0
    for one in found[place + 1 :]:
        if isinstance(one, Heard):
            break
        count += one.event.audience is not Audience.SEALED
    return count


def to_recording(scenario: Scenario, game: Game[Any], path: Path, *, code: str) -> int:
    """Write a scenario's inputs and events as a recording. Return the recording's number of lines.

    `code` is the program's version, for a scenario that does not name one. Raises ScenarioError for
    a line that a recording cannot contain: hardware, or expectations that are not whole events.
    """
    head = scenario.head
    first = header(
        game=head.game,
        house=head.house,
        code=head.code or code,
        manifest=msgspec.json.decode(head.manifest) if head.manifest else None,
        key=head.key or None,
        state=msgspec.json.decode(head.state) if head.state else None,
        people=head.people,
    )
    event = msgspec.json.Decoder(game.events | Refused).decode
    with Recorder(path, first) as recorder:
        t_ms = head.begins
        for line, at_ms in timed(scenario):
            t_ms = head.begins + at_ms
            if isinstance(line.said, Input):
                recorder.input(t_ms, line.said)
            elif line.said is not None:
                raise _none(scenario, line, "it moves hardware")
            for one in line.expects:
                if not isinstance(one, Count):
                    recorder.event(t_ms, _event(scenario, line, one, event))
    return recorder.count


def timed(scenario: Scenario, pace_ms: int = 1000) -> list[tuple[Cue, int]]:
    """Return the lines with their times in milliseconds since the beginning of the scenario.

    A line without a time happens `pace_ms` after the line before. A line that only expects
    something happens at the same time as the line before.
    """
    found: list[tuple[Cue, int]] = []
    now = 0
    for line in scenario.cues:
        if line.at_ms is not None:
            now = line.at_ms
        elif line.said is not None and found:
            now += pace_ms
        found.append((line, now))
    return found


def _event(scenario: Scenario, line: Cue, one: object, decode: Any) -> Event:
    if not isinstance(one, Journaled):
        raise _none(scenario, line, "it expects what no recording holds")
    fields = msgspec.json.decode(one.fields, type=dict[str, Any])
    try:
        event: Event = decode(msgspec.json.encode({"type": one.type, **fields}))
    except UNREADABLE:
        raise _none(scenario, line, f"a whole {one.type} has other fields") from None
    return event


def _none(scenario: Scenario, line: Cue, why: str) -> ScenarioError:
    return ScenarioError(
        f"{scenario.name}, line {line.number}: a recording cannot contain it, because {why}. "
        "Play the scenario itself with `schlitten replay`, or delete the line."
    )
