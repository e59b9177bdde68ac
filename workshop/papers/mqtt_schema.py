"""The published description of the topics: AsyncAPI 3 and JSON Schema, made from the code.

The module knows topics, envelopes and the types of their content. The games' events and inputs are
passed in. Sealed events are in no document, since they are in no message. Each game has its own
AsyncAPI document. The schemas are in one file, to which all these documents refer.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct

from table_controller.adapters.mqtt_messages import (
    ChainedSnapshot,
    CloudEvent,
    Health,
    Info,
    PublicAlert,
    ReadingQuality,
    StaffPicture,
    State,
)
from table_controller.adapters.mqtt_names import VERSION, Request
from table_controller.adapters.mqtt_requests import CommandAsked, ReplayAsked
from table_controller.engine.messages import Audience, Event, Input
from table_controller.engine.views import AlertView

SCHEMAS = "schemas.json"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
ROOT = f"schlitten/{VERSION}/{{site}}/{{table}}"
_NAME = "of a-z, 0-9, '_' and '-'"
PARAMETERS = {
    "site": f"the house or room, {_NAME}",
    "table": f"the table in it, {_NAME}",
    "alert": "the alert's id",
    "user": "the user of the broker who asks, and who alone reads the answer",
    "command": "what was asked",
}


class Spoken(NamedTuple):
    """What one game sends and accepts.

    These are unions of its events and inputs, and the tags of allowed requests.
    """

    game: str
    events: Any
    inputs: Any
    commands: frozenset[str]


class Response(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Content of `response/<user>/<command>`. `transaction` is the id of the request.

    Attributes:
        boot: id of this start of the table.
        ok: whether the request was carried out. If not, `why` and `remedy` are sentences.
        said: the events that the input caused.
        events: a page of the events that `replay` asked for, of one `audience`.
        next: the beginning of the next page, or null.
    """

    boot: str
    transaction: str
    ok: bool
    why: str = ""
    remedy: str = ""
    said: Any = None
    audience: Audience = Audience.PUBLIC
    events: tuple[CloudEvent, ...] = ()
    next: int | None = None


class _Channel(Struct, frozen=True):
    """One topic, its content, and how the content is sent."""

    key: str
    address: str
    content: type[Struct]
    kind: str  # the last part of the CloudEvents type
    retain: bool = False
    qos: int = 1
    asked: bool = False  # whether others send it to the table


def _channels(spoken: Spoken) -> list[_Channel]:
    channels = [
        _Channel("state", "state", State, "state", retain=True),
        _Channel("info", "info", Info, "info", retain=True),
        _Channel("snapshot", "snapshot", ChainedSnapshot, "snapshot", retain=True),
        _Channel("alert", "alert/{alert}", PublicAlert, "alert", retain=True),
        _Channel(
            "croupier_alert", "croupier/alert/{alert}", AlertView, "croupier_alert", retain=True
        ),
        _Channel(
            "croupier_reading", "croupier/reading", ReadingQuality, "croupier_reading", retain=True
        ),
        _Channel(
            "croupier_picture",
            "croupier/picture",
            StaffPicture,
            "croupier_picture",
            retain=True,
        ),
        _Channel("health", "health", Health, "health", qos=0),
    ]
    for event in _members(spoken.events):
        if event.audience is not Audience.SEALED:
            name = _tag(event)
            above = "croupier/" if event.audience is Audience.CROUPIER else ""
            channels.append(_Channel(f"event_{name}", f"{above}event/{name}", event, name))
    channels.append(
        _Channel("request_replay", "request/{user}/replay", ReplayAsked, "replay", asked=True)
    )
    channels += [
        _Channel(f"request_{name}", f"request/{{user}}/{name}", said, name, asked=True)
        for said in _members(spoken.inputs)
        if (name := _tag(said)) in spoken.commands
    ]
    channels.append(_Channel("response", "response/{user}/{command}", Response, "response"))
    return channels


def asyncapi(spoken: Spoken, *, version: str) -> dict[str, Any]:
    """Return the AsyncAPI 3 document of one game, from the table's point of view.

    The document refers to the schemas' file and repeats none of it. `version` is the program's.
    """
    channels = _channels(spoken)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": f"Schlitten: a table of {spoken.game} over MQTT",
            "version": version,
            "description": "What a smart card table tells the world, and what may be asked of it. "
            f"docs/TOPICS.md explains it; {SCHEMAS} beside this file has the contents.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "embedded": {
                "host": "127.0.0.1:1883",
                "protocol": "mqtt",
                "protocolVersion": "3.1.1",
                "description": "the broker that the table begins itself, for this machine only",
            }
        },
        "channels": {channel.key: _channel(channel) for channel in channels},
        "operations": {channel.key: _operation(channel) for channel in channels},
        "components": {
            "messages": {channel.key: _message(channel) for channel in channels},
        },
    }


def json_schemas(games: Iterable[Spoken]) -> dict[str, Any]:
    """Return one JSON Schema with a definition for everything that travels as `data`.

    Raises ValueError if two games use one name for different types.
    """
    channels = [channel for spoken in games for channel in _channels(spoken)]
    return {
        "$schema": DRAFT,
        "$id": "urn:schlitten:messages",
        "title": "Contents of the messages of a Schlitten table",
        "$defs": _schemas(channels),
    }


def documents(games: Iterable[Spoken], *, version: str) -> dict[str, bytes]:
    """Return the files' contents by their names in docs/."""
    spoken = tuple(games)
    return {
        f"asyncapi-{one.game}.json": _text(asyncapi(one, version=version)) for one in spoken
    } | {SCHEMAS: _text(json_schemas(spoken))}


def _text(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _members(union: Any) -> list[type[Any]]:
    """Return the types of a union, sorted by their tags. `union` may also be one type, or None."""
    found = get_args(union) or ((union,) if union is not None else ())
    return sorted(found, key=_tag)


def _tag(kind: type[Event] | type[Input]) -> str:
    return str(kind.__struct_config__.tag)


def _channel(channel: _Channel) -> dict[str, Any]:
    address = f"{ROOT}/{channel.address}"
    return {
        "address": address,
        "parameters": {
            name: {"description": text}
            for name, text in PARAMETERS.items()
            if f"{{{name}}}" in address
        },
        "messages": {channel.key: {"$ref": f"#/components/messages/{channel.key}"}},
    }


def _operation(channel: _Channel) -> dict[str, Any]:
    return {
        "action": "receive" if channel.asked else "send",
        "channel": {"$ref": f"#/channels/{channel.key}"},
        "summary": _summary(channel.content),
        "bindings": {"mqtt": {"qos": channel.qos, "retain": channel.retain}},
        "messages": [{"$ref": f"#/channels/{channel.key}/messages/{channel.key}"}],
    }


def _message(channel: _Channel) -> dict[str, Any]:
    envelope = Request if channel.asked else CloudEvent
    content = _reference(channel.content)
    if issubclass(channel.content, Input):
        content = {"allOf": [_reference(CommandAsked), {"properties": {"input": content}}]}
    properties: dict[str, Any] = {"data": content}
    if not channel.asked:
        properties["type"] = {"const": f"schlitten.{channel.kind}"}
    return {
        "name": channel.kind,
        "summary": _summary(channel.content),
        "contentType": "application/json",
        "payload": {
            "allOf": [
                _reference(envelope),
                {"type": "object", "properties": properties},
            ]
        },
    }


def _reference(kind: type[Struct]) -> dict[str, Any]:
    return {"$ref": f"{SCHEMAS}#/$defs/{_name(kind.__module__, kind.__name__)}"}


def _name(module: str, name: str) -> str:
    """Return a type's name in the schemas, from its module and its own name.

    The game's name comes before it, except for the first game.
    """
    match module.split("."):
        case ["table_controller", "engine", game, _] if game not in ("table", "chemin_de_fer"):
            return "".join(word.capitalize() for word in game.split("_")) + name
    return name


def _schemas(channels: list[_Channel]) -> dict[str, Any]:
    travels: list[type[Struct]] = [
        CloudEvent,
        Request,
        CommandAsked,
        *(channel.content for channel in channels),
    ]
    kinds = list(dict.fromkeys(travels))
    parts, schemas = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    names = {name: _name(*name.rpartition(".")[::2]) for name in schemas}
    for part, kind in zip(parts, kinds, strict=True):
        told = part["$ref"].rpartition("/")[2]
        names[told] = _name(kind.__module__, kind.__name__)
        if issubclass(kind, Input):
            _leave_out(schemas[told], "type", "actor", "prompt")
    if twice := [name for name, n in Counter(names.values()).items() if n > 1]:
        raise ValueError(f"two types of what travels are called {', '.join(sorted(twice))}")
    found: dict[str, Any] = _renamed(
        {names[name]: schema for name, schema in schemas.items()}, names
    )
    return {name: _plain(found[name]) for name in sorted(found)}


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    """Return the schema with its references renamed."""
    if isinstance(schema, dict):
        return {
            key: f"#/$defs/{names[part.rpartition('/')[2]]}"
            if key == "$ref"
            else _renamed(part, names)
            for key, part in schema.items()
        }
    return [_renamed(part, names) for part in schema] if isinstance(schema, list) else schema


def _plain(schema: Any) -> Any:
    """Return the schema as plain JSON Schema, the same for every Python version.

    OpenAPI's `discriminator` is dropped, as JSON Schema has none and AsyncAPI's is different.
    Docstrings lose their indentation, as Python itself strips it from 3.13 on.
    """
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: inspect.cleandoc(part)
        if name == "description" and isinstance(part, str)
        else _plain(part)
        for name, part in schema.items()
        if name != "discriminator"
    }


def _leave_out(schema: dict[str, Any], *fields: str) -> None:
    """Remove the fields that a request's `input` lacks because topic and envelope contain them."""
    for field in fields:
        schema["properties"].pop(field, None)
    schema["required"] = [field for field in schema["required"] if field not in fields]


def _summary(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]
