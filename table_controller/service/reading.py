"""Reads the inputs that people and programs send, strictly, with errors that name the remedy.

The module knows only the game's input types. An error never repeats a value of a sealed input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from table_controller.engine.messages import BY, BY_HAND, CardNamed, CardSeen, Input, Phrase
from table_controller.service.errors import BadInput

Fields = Mapping[str, object]
_SEEN = str(CardSeen.__struct_config__.tag)
_NAMED = str(CardNamed.__struct_config__.tag)
#: No input of any game is longer. The limit keeps a hostile sender from filling the journal.
MOST_BYTES = 4096


#: Characters that control a terminal, break a line or reverse the writing direction. Every text
#: from outside is checked here, so that it may be shown anywhere.
COMMANDING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class InputReader:
    """Turns mappings and JSON into inputs of one game."""

    def __init__(self, inputs: Any) -> None:
        kinds: tuple[type[Input], ...] = get_args(inputs) or (inputs,)
        self._kinds = {str(kind.__struct_config__.tag): kind for kind in kinds if not kind.OWN}

    def read(self, said: Input | Mapping[str, object] | bytes, actor: str | None) -> Input:
        """Return the input. `actor`, if given, replaces the actor in it. Raises BadInput."""
        if not isinstance(said, Input):
            said = self._parse(said)
        elif self._kinds.get(str(said.__struct_config__.tag)) is not type(said):
            raise BadInput(f"{type(said).__name__} is no input of this game: {self._allowed()}.")
        return said if actor is None else replace(said, actor=actor)

    def _parse(self, said: Mapping[str, object] | bytes) -> Input:
        fields = _fields(said)
        tag = fields.get("type")
        kind = self._kinds.get(tag) if isinstance(tag, str) else None
        if kind is None:
            raise BadInput(
                f"No input has the type {_short(tag)}: {self._allowed()}.",
                f"No input has this type: {self._allowed()}.",
            )
        strange = sorted(set(fields) - {"type", *kind.__struct_fields__})
        if strange:
            named = "a field" if kind.SEALED else f"the field {_short(strange[0])}"
            known = f"that it does not know; its fields are: {', '.join(kind.__struct_fields__)}."
            raise BadInput(f"{tag} has {named} {known}", f"{tag} has a field {known}")
        try:
            heard = msgspec.convert(fields, kind)
        except msgspec.ValidationError as error:
            raise _wrong(kind, str(error), fields) from None
        for name, value in fields.items():
            sign = COMMANDING.search(value) if isinstance(value, str) else None
            if sign:
                raise BadInput(
                    f"The field {name} of {tag} holds U+{ord(sign[0]):04X}; allowed: a text in one "
                    "line without control characters."
                )
            if isinstance(getattr(heard, name, None), Phrase):  # only the wiring makes one
                raise BadInput(f"The field {name} of {tag} holds a phrase; allowed: a text.")
        return heard

    def _allowed(self) -> str:
        return "allowed are " + ", ".join(sorted(self._kinds))


def by_page(said: Fields, actor: str) -> tuple[Fields, str]:
    """Turn a page's message into an input of the game and that input's actor.

    A typed card becomes an input like a reader's, but its actor says that a person typed the card.
    If nobody has signed in and a name was typed next to the card, that person becomes the actor.
    """
    if said.get("type") == _SEEN:
        return said, f"{BY_HAND}:{actor}"
    if said.get("type") == _NAMED and BY in said:
        kind, _, person = actor.partition(":")
        name = person or " ".join(str(said[BY]).split())
        return {key: value for key, value in said.items() if key != BY}, f"{kind}:{name}"
    return said, actor


def _fields(said: Mapping[str, object] | bytes) -> dict[str, object]:
    """Return the fields of an input.

    Raises BadInput if the input is too long, or cannot be written as JSON.
    """
    if isinstance(said, bytes):
        _check_size(said)
        try:
            return msgspec.json.decode(said, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise BadInput('The input is no JSON object such as {"type": "spoke", …}.') from None
    fields = dict(said)
    try:
        _check_size(msgspec.json.encode(fields))
    except (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError):
        raise BadInput("The input contains something that JSON cannot express.") from None
    return fields


def _check_size(text: bytes) -> None:
    if len(text) > MOST_BYTES:
        raise BadInput(f"The input has {len(text)} bytes; {MOST_BYTES} are allowed.")


def _wrong(kind: type[Input], error: str, fields: Mapping[str, object]) -> BadInput:
    """Return the error. It names the wrong field, its value (unless sealed), and allowed values."""
    tag = str(kind.__struct_config__.tag)
    path = re.search(r"`\$\.(\w+)", error)
    if path is None or path[1] not in kind.__struct_fields__:
        missing = re.search(r"required field `(\w+)`", error)
        lacks = f"{tag} lacks the field {missing[1]}." if missing else f"{tag} is malformed."
        return BadInput(lacks)
    name = path[1]
    field, allowed = f"The field {name} of {tag}", f"allowed: {_wanted(kind, name)}."
    plain = f"{field} holds no allowed value; {allowed}"
    named = plain if kind.SEALED else f"{field} is {_short(fields.get(name))}; {allowed}"
    return BadInput(named, plain)


def _wanted(kind: type[Input], name: str) -> str:
    """Say which values a field accepts, by its type."""
    wanted = next(field.type for field in msgspec.structs.fields(kind) if field.name == name)
    info = msgspec.inspect.type_info(wanted)
    types = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return " or ".join(_named(one) for one in types)


def _named(wanted: msgspec.inspect.Type) -> str:
    match wanted:
        case msgspec.inspect.EnumType(cls=cls):
            values = [str(member.value) for member in cls]
            return ", ".join(values) if len(values) <= 12 else f"one such as {values[0]}"
        case msgspec.inspect.IntType():
            return "a whole number"
        case msgspec.inspect.StrType():
            return "a text"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.NoneType():
            return "nothing"
        case _:
            return type(wanted).__name__.removesuffix("Type").lower()


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 40 else text[:40] + "…"
