"""The notation of inputs: every game's inputs as text, one per line, which programs can read back.

    seat 2 sits 100 Anna
    card 7h [lip]

` [lip]` after an input names its actor; without it the actor is the croupier. A line does not
contain the prompt. Each game adds the lines of its own inputs to the lines of this module, which
every table has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from msgspec import ValidationError, convert
from msgspec.structs import fields, replace

from table_controller.engine.messages import (
    AlertAcknowledged,
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
    Restored,
)
from table_controller.engine.table import devices, persons
from table_controller.engine.table import inputs as ti

#: How each input is written, with its fields in braces. The fields that it implies follow the line.
Line = tuple[type[Input], str, dict[str, Any]]

SHARED: tuple[Line, ...] = (
    (CardSeen, "card {card}", {}),
    (CardSeen, "card {card} copy {copy}", {}),
    (CardSeen, "card unread {unknown}", {}),
    (CardSeen, "white card", {"white": True}),
    (CardNamed, "named {card}", {}),
    (ti.UnreadRuled, "no card left", {}),
    (ti.UnreadBurned, "unread burned {reason}", {}),
    (ti.Sits, "seat {seat} sits {chips} {name}", {}),
    (ti.Stands, "standing {chips} {name}", {}),
    (ti.BuysIn, "seat {seat} buys in {chips}", {}),
    (ti.CashesOut, "seat {seat} cashes out {chips}", {}),
    (ti.Tips, "seat {seat} tips {chips}", {}),
    (ti.Leaves, "seat {seat} leaves", {}),
    (ti.Moves, "seat {seat} moves to {to}", {}),
    (ti.Swaps, "seat {seat} swaps with {other}", {}),
    (ti.CroupierChanged, "croupier {name}", {}),
    (ti.Prepared, "prepared", {}),
    (ti.ThrownAway, "thrown away {reason}", {}),
    (ti.TakesBack, "take back", {}),
    (ti.Corrects, "correct {ordinal} {card} {reason}", {}),
    (ti.Transfers, "transfer {chips} from {seat} to {to} {reason}", {}),
    (ti.Ruled, "ruled {reason}", {}),
    (ti.SchlittenClosed, "schlitten closed", {}),
    (ti.SchlittenLoaded, "schlitten {shoe}", {}),
    (
        ti.ReadingCounted,
        "read {shoe}: {passages} {cards} {retries} again {agreed} alike {rejected} not {gaps} gaps",
        {},
    ),
    (ti.StrayRuled, "stray {ruling}", {}),
    (ti.StrayRuled, "stray {ruling} because {reason}", {}),
    (ti.WhiteRuled, "white {ruling}", {}),
    (ti.Annulled, "annul {reason}", {}),
    (Booted, "booted {boot}", {}),
    (Booted, "booted {boot} by {code} as {source} of {stream}", {}),
    (Restored, "restored", {}),
    (DeviceLost, "lost {device}: {why}", {}),
    (DeviceBack, "back {device}", {}),
    (AlertAcknowledged, "seen {alert}", {}),
    *devices.LINES,
    (persons.PersonAdded, "person {name} is {role}", {}),
    (persons.PersonAdded, "person {name} is {role} by {proof}", {}),
    (persons.PersonRemoved, "person {name} goes", {}),
    (persons.AccountAdded, "account {account} of {name} by {proof}", {}),
    (persons.AccountRemoved, "account {account} goes", {}),
    (persons.SignedIn, "signs in", {}),
    (persons.SignInRefused, "sign-in refused", {}),
    (persons.SignInRefused, "sign-in refused {name}", {}),
)

_NUMBER, _ID, _WORD = r"\d+", r"[a-z0-9_-]+", r"[a-z_]+"
#: The pattern of each field; a field not named here may be anything.
_PATTERNS = {
    **dict.fromkeys(("passages", "cards", "retries", "agreed", "rejected", "gaps"), _NUMBER),
    **dict.fromkeys(("seat", "chips", "to", "other", "ordinal", "ahead"), _NUMBER),
    **dict.fromkeys(("shoe", "device", "alert", "account"), _ID),
    **dict.fromkeys(("ruling", "unknown", "role"), _WORD),
    "proof": r"\S+",
    "boot": r"[0-9a-z]+",
    "copy": r"\d",
    "card": r"[A2-9TJQK][cdhs]",
}

_FIELD = re.compile(r"\{(\w+)\}")


class Notation:
    """Reads and writes the inputs of one game as lines of text.

    `own` are the lines of the game's own inputs. `patterns` are the regular expressions of the
    fields that occur only in these lines.
    """

    def __init__(self, *own: Line, patterns: Mapping[str, str]) -> None:
        known = _PATTERNS | dict(patterns)

        def pattern(template: str) -> re.Pattern[str]:
            return re.compile(
                _FIELD.sub(lambda f: f"(?P<{f[1]}>{known.get(f[1], '.+')})", template)
            )

        lines = (*SHARED, *own)
        self._read = tuple((pattern(template), kind, implied) for kind, template, implied in lines)
        self._write = {
            (kind, frozenset([*_FIELD.findall(template), *implied])): template
            for kind, template, implied in lines
        }

    def parse(self, line: str) -> Input:
        """Read one input from a line such as `seat 2 leaves` or `card 7h [lip]`.

        Raises ValueError, which does not quote the line, if it is not an input of this game.
        """
        text, actor = line.strip(), {}
        if text.endswith("]") and " [" in text:
            text, _, name = text[:-1].rpartition(" [")
            actor = {"actor": name}
        for pattern, kind, implied in self._read:
            found = pattern.fullmatch(text)
            if found:
                known: dict[str, Any] = {**found.groupdict(), **implied, **actor}
                try:
                    return convert(known, kind, strict=False)
                except ValidationError as error:
                    raise ValueError(f"not a line of a coup script: {error}") from None
        raise ValueError(f"not a line of a coup script; here could stand {self._near(text)}")

    def _near(self, text: str) -> str:
        """The patterns of lines that are most like `text`, for an error message.

        Patterns of lines that begin with the same word follow. If there is no pattern of either
        kind, the result is an example.
        """
        shown = [_FIELD.sub(lambda f: f[1].upper(), one) for one in self._write.values()]
        first = text.partition(" ")[0]
        alike = get_close_matches(text, shown, n=4, cutoff=0.5)
        alike += [one for one in shown if first and one.partition(" ")[0] == first][:4]
        return " | ".join(dict.fromkeys(alike)) or "e.g. 'seat 2 leaves'"

    def write(self, said: Input) -> str:
        """Write the input as one line, which `parse` reads back.

        Raises ValueError if no line can express the input.
        """
        known = {
            field.name: getattr(said, field.name)
            for field in fields(said)
            if field.name not in ("actor", "prompt")
            and (field.required or getattr(said, field.name) != field.default)
        }
        template = self._write.get((type(said), frozenset(known)))
        line = template.format(**known) if template else ""
        line += f" [{said.actor}]" if said.actor != "croupier" else ""
        if not template or "#" in line or "=>" in line or not self._reads_back(line, said):
            raise ValueError(f"an input that no script line can hold: {type(said).__name__}")
        return line

    def _reads_back(self, line: str, said: Input) -> bool:
        try:
            return self.parse(line) == replace(said, prompt=None)
        except ValueError:
            return False
