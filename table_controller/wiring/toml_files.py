"""Reads TOML files into settings classes, and changes single settings in such a file.

An error gives the line, the value and what is allowed. The module knows no setting.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from table_controller.service.errors import ConfigError
from table_controller.service.plain_errors import plainly

T = TypeVar("T")

#: This many characters of a name or value are repeated in a sentence.
_SHOWN = 60


def parsed(path: Path) -> tuple[str, dict[str, Any]]:
    """Return a file's text, and its values. Raises ConfigError."""
    try:
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path} is no file that can be read again: name a TOML file.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(
            f"cannot read {path}: {error.strerror}. Name a file that exists and may be read."
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}: byte {error.start} is not UTF-8: this is not a settings file, or it is torn."
        ) from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}.") from None
    except RecursionError:
        raise ConfigError(
            f"{path} is not TOML for people: its brackets are nested too deep."
        ) from None


def converted(
    path: Path, text: str, values: dict[str, Any], kind: type[T], under: tuple[str, ...] = ()
) -> T:
    """Convert the values of a TOML file to settings of class `kind`. Raises ConfigError.

    `values` may be only a part of the file. Then `under` names the TOML tables that contain them,
    from the outermost on.
    """
    strange = sorted(set(values) - set(_names(kind)))
    try:
        if strange:
            raise msgspec.ValidationError(f"unknown field `{strange[0]}`")
        return msgspec.convert(values, kind, dec_hook=_path)
    except msgspec.ValidationError as error:
        ours = isinstance(error.__cause__, ValueError)  # the class itself wrote this sentence
        raise ConfigError(
            _explain(path, text, values, str(error), (kind, under), ours=ours)
        ) from None


def _path(kind: type, value: Any) -> Path:
    """Convert a text to a path.

    TOML has no type for paths, so settings files write them as text.
    """
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError(f"want a path as text, got {type(value).__name__}")  # msgspec says where


def _explain(
    path: Path,
    text: str,
    values: dict[str, Any],
    error: str,
    of: tuple[type, tuple[str, ...]],
    *,
    ours: bool,
) -> str:
    """Return a sentence about msgspec's error, with the line, the value, and what is allowed."""
    kind, under = of
    what, _, where = error.partition(" - at `$")
    keys = [key for key in re.split(r"[.\[\]`]+", where) if key and not key.isdigit()]
    unknown = re.search(r"unknown field `(.+?)`", what)
    if unknown:
        keys.append(unknown[1])
    elif not keys:
        keys = [word for word in what.split() if word in values][:1]
    holder = _holder(kind, keys)
    if unknown:
        what = f"there is no setting {cut(unknown[1])}; there are: {', '.join(_names(holder))}"
    elif what.startswith("Invalid enum value"):
        allowed = _allowed(get_type_hints(holder)[keys[-1]])
        what = f"want one of: {', '.join(one or repr(one) for one in allowed)}"
    elif "matching regex" in what:
        what = "want 1 to 64 of the letters a-z, digits, '_' and '-'"
    elif not ours:
        what = plainly(what)
    value: Any = values
    for key in keys:
        value = value.get(key, "missing") if isinstance(value, dict) else value
    keys = [*under, *keys]
    line = line_of(text, keys)
    at = f"{path}, line {line}" if line else str(path)
    name = ".".join(key if len(key) <= _SHOWN else key[:_SHOWN] + "…" for key in keys)
    return f"{at}: {name} = {cut(value)}: {what}." if name else f"{at}: {what}."


def cut(value: object) -> str:
    """Return a value as text for a sentence.

    If the text is long, only its beginning is returned.
    """
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _allowed(kind: Any) -> list[str]:
    """Return the allowed values of a setting, if its type is a Literal or an enumeration."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(member.value) for member in kind]
    inner = get_args(kind)
    if get_origin(kind) is Literal:
        return [str(value) for value in inner]
    return [value for one in inner for value in _allowed(one)]


def _holder(kind: type, keys: list[str]) -> type:
    """Return the settings class to which the last of `keys` belongs."""
    for key in keys[:-1]:
        kind = get_type_hints(kind)[key]
    return kind


def _names(kind: type) -> list[str]:
    """Return the names of a class's settings, in order."""
    hints = get_type_hints(kind)
    return [name for name, hint in hints.items() if get_origin(hint) is not ClassVar]


def line_of(text: str, keys: list[str]) -> int:
    """Return the line of the setting in a file; 0 if it is not there."""
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[(.+?)\]", line)
        if header:
            table = header[1].strip()
        setting = re.match(r"\s*\"?([\w-]+)\"?\s*=", line)
        name = f"{table}.{setting[1]}" if setting and table else setting[1] if setting else table
        if keys and (name == ".".join(keys) or (not setting and table == ".".join(keys))):
            return number
    return 0


def changed(text: str, table: str, values: Mapping[str, str | int | None]) -> str:
    """Return the text of a TOML file with these values in one of its tables.

    None removes a setting. All other text stays, including comments. A setting that is changed must
    be on one line.
    """
    lines, left = text.splitlines(), dict(values)
    headers = [n for n, line in enumerate(lines) if re.match(r"\s*\[", line)]
    begin = next((n for n in headers if lines[n].split("#")[0].strip() == f"[{table}]"), None)
    if begin is None:
        lines += ["", f"[{table}]"]
        begin = len(lines) - 1
    end = next((n for n in headers if n > begin), len(lines))
    kept = []
    for line in lines[begin + 1 : end]:
        setting = re.match(r"\s*([\w-]+)\s*=", line)
        if setting and setting[1] in left:
            if (value := left.pop(setting[1])) is not None:
                kept.append(f"{setting[1]} = {_written(value)}")
        else:
            kept.append(line)
    more = [f"{name} = {_written(value)}" for name, value in left.items() if value is not None]
    return "\n".join([*lines[: begin + 1], *more, *kept, *lines[end:]]) + "\n"


def _written(value: str | int) -> str:
    """Return a text or a number in the form of TOML, which is that of JSON."""
    return msgspec.json.encode(value).decode()
