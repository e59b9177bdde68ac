"""The published description of the topics: AsyncAPI 3 and JSON Schema, made from the code.

Knows topics, envelopes and the types that travel in them; the games' events and inputs are
handed in. Sealed events are in no document, since they are in no message.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from table_controller.adapters.mqtt_messages import (
    CloudEvent,
    Health,
    Info,
    Picture,
    PublicAlert,
    ReadingQuality,
    State,
)
from table_controller.adapters.mqtt_names import VERSION
from table_controller.adapters.mqtt_requests import Asked, CommandAsked, ReplayAsked
from table_controller.engine.messages import Audience, Event, Input
from table_controller.engine.views import AlertView

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


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Content of `response/<user>/<command>`; `transaction` is the id of the request.

    Attributes:
        boot: id of this start of the table.
        ok: whether it was done; if not, `why` and `remedy` are sentences.
        said: what the table made of the input.
        events: a page of what `replay` asked for, of one `audience`.
        next: where the next page begins, or null.
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
    """One topic, what is in it, and how it is sent."""

    key: str
    address: str
    content: type[Struct]
    kind: str  # ends the CloudEvents type
    retain: bool = False
    qos: int = 1
    asked: bool = False  # by others, of the table


def _channels(events: Any, inputs: Any, commands: Iterable[str]) -> list[_Channel]:
    channels = [
        _Channel("state", "state", State, "state", retain=True),
        _Channel("info", "info", Info, "info", retain=True),
        _Channel("snapshot", "snapshot", Picture, "snapshot", retain=True),
        _Channel("alert", "alert/{alert}", PublicAlert, "alert", retain=True),
        _Channel(
            "croupier_alert", "croupier/alert/{alert}", AlertView, "croupier_alert", retain=True
        ),
        _Channel(
            "croupier_reading", "croupier/reading", ReadingQuality, "croupier_reading", retain=True
        ),
        _Channel("health", "health", Health, "health", qos=0),
    ]
    for event in _members(events):
        if event.audience is not Audience.SEALED:
            name = _tag(event)
            above = "croupier/" if event.audience is Audience.CROUPIER else ""
            channels.append(_Channel(f"event_{name}", f"{above}event/{name}", event, name))
    channels.append(
        _Channel("request_replay", "request/{user}/replay", ReplayAsked, "replay", asked=True)
    )
    wanted = set(commands)
    channels += [
        _Channel(f"request_{name}", f"request/{{user}}/{name}", said, name, asked=True)
        for said in _members(inputs)
        if (name := _tag(said)) in wanted
    ]
    channels.append(_Channel("response", "response/{user}/{command}", Answer, "response"))
    return channels


def asyncapi(events: Any, inputs: Any, commands: Iterable[str], *, version: str) -> dict[str, Any]:
    """Return the AsyncAPI 3 document, seen from the table.

    `events` and `inputs` are unions of the games' types (or one type); `commands` are the tags
    of the inputs that may come over the broker; `version` is the program's.
    """
    channels = _channels(events, inputs, commands)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Schlitten: a card table over MQTT",
            "version": version,
            "description": "What a smart card table tells the world, and what may be asked of it. "
            "docs/TOPICS.md explains it.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "embedded": {
                "host": "127.0.0.1:1883",
                "protocol": "mqtt",
                "protocolVersion": "3.1.1",
                "description": "the broker in the table's own process, for this machine only",
            }
        },
        "channels": {channel.key: _channel(channel) for channel in channels},
        "operations": {channel.key: _operation(channel) for channel in channels},
        "components": {
            "messages": {channel.key: _message(channel) for channel in channels},
            "schemas": _schemas(channels, "#/components/schemas/{name}"),
        },
    }


def json_schemas(events: Any, inputs: Any, commands: Iterable[str]) -> dict[str, Any]:
    """Return one JSON Schema with a definition for everything that travels as `data`."""
    channels = _channels(events, inputs, commands)
    return {
        "$schema": DRAFT,
        "$id": "urn:schlitten:messages",
        "title": "Contents of the messages of a Schlitten table",
        "$defs": _schemas(channels, "#/$defs/{name}"),
    }


def documents(
    events: Any, inputs: Any, commands: Iterable[str], *, version: str
) -> dict[str, bytes]:
    """Return the files' contents by name, as they lie in docs/."""
    wanted = frozenset(commands)
    return {
        "asyncapi.json": _text(asyncapi(events, inputs, wanted, version=version)),
        "schemas.json": _text(json_schemas(events, inputs, wanted)),
    }


def _text(document: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _members(union: Any) -> list[type[Any]]:
    """Return the types of a union, one type, or none, by their tags."""
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
    envelope = Asked if channel.asked else CloudEvent
    content: dict[str, Any] = {"$ref": f"#/components/schemas/{channel.content.__name__}"}
    if issubclass(channel.content, Input):
        command = {"$ref": f"#/components/schemas/{CommandAsked.__name__}"}
        content = {"allOf": [command, {"properties": {"input": content}}]}
    properties: dict[str, Any] = {"data": content}
    if not channel.asked:
        properties["type"] = {"const": f"schlitten.{channel.kind}"}
    return {
        "name": channel.kind,
        "summary": _summary(channel.content),
        "contentType": "application/json",
        "payload": {
            "allOf": [
                {"$ref": f"#/components/schemas/{envelope.__name__}"},
                {"type": "object", "properties": properties},
            ]
        },
    }


def _schemas(channels: list[_Channel], template: str) -> dict[str, Any]:
    kinds = [CloudEvent, Asked, CommandAsked, *(channel.content for channel in channels)]
    _, schemas = msgspec.json.schema_components(kinds, ref_template=template)
    for channel in channels:
        if issubclass(channel.content, Input):
            _leave_out(schemas[channel.content.__name__], "type", "actor", "prompt")
    return dict(sorted(schemas.items()))


def _leave_out(schema: dict[str, Any], *fields: str) -> None:
    """Take away what does not stand in a request's `input`: topic and envelope have it."""
    for field in fields:
        schema["properties"].pop(field, None)
    schema["required"] = [field for field in schema["required"] if field not in fields]


def _summary(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]
