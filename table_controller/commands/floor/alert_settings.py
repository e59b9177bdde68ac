"""`alerts.toml` in a floor's folder: who gets which alerts, and by which means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from table_controller.adapters.addresses import is_loopback
from table_controller.floor.alerts import (
    AlertSettings,
    MailSettings,
    OwnSettings,
    PersonSettings,
    RuleSettings,
)
from table_controller.floor.deliver import NotDelivered, deliver
from table_controller.service.errors import ConfigError
from table_controller.wiring.config import secret
from table_controller.wiring.toml_files import converted, cut, line_of, parsed

T = TypeVar("T")
NAME: Final = "alerts.toml"
_SECTIONS: Final = ("mail", "own", "people", "rules")


def settings_in(folder: Path) -> AlertSettings:
    """Return the alert settings in a floor's folder; without the file nobody gets alerts.

    Raises ConfigError.
    """
    path = folder / NAME
    return read(path) if path.exists() else AlertSettings()


def read(path: Path) -> AlertSettings:
    """Read and check an `alerts.toml`. Raises ConfigError."""
    text, values = parsed(path)
    for name in values:
        if name not in _SECTIONS:
            raise _wrong(path, text, [name], f"there is no section {cut(name)}; there are: "
                         f"{', '.join(_SECTIONS)}")  # fmt: skip
    mail = values.get("mail")
    found = AlertSettings(
        people=_each(path, text, values, "people", PersonSettings),
        rules=_each(path, text, values, "rules", RuleSettings),
        mail=converted(path, text, mail, MailSettings, ("mail",)) if mail is not None else None,
        own=converted(path, text, values.get("own", {}), OwnSettings, ("own",)),
    )
    for keys, why in _amiss(found):
        raise _wrong(path, text, keys, why)
    return found


def _each(
    path: Path, text: str, values: dict[str, Any], section: str, kind: type[T]
) -> dict[str, T]:
    """Return the settings in a section by name, each as a `kind`. Raises ConfigError."""
    tables = values.get(section, {})
    if not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
        example = f"[{section}.anna]" if section == "people" else f"[{section}.lids]"
        raise _wrong(path, text, [section], f"want a table for each name, as {example}")
    return {name: converted(path, text, one, kind, (section, name)) for name, one in tables.items()}


def _amiss(found: AlertSettings) -> Iterator[tuple[list[str], str]]:
    """Yield settings that contradict each other: where they are, and why they cannot be used."""
    for name, person in found.people.items():
        where = ["people", name]
        if not person.mail and not person.webhook:
            yield where, "want a `mail` or a `webhook`: nothing can be told to this person"
        if person.mail and "@" not in person.mail:
            yield [*where, "mail"], f"{cut(person.mail)} is no address"
        if person.mail and found.mail is None:
            yield [*where, "mail"], "want a section [mail] with `host` and `sender`"
        if person.webhook and urlsplit(person.webhook).scheme not in ("http", "https"):
            yield [*where, "webhook"], "want an address that begins with https:// or http://"
    for name, rule in found.rules.items():
        where = ["rules", name, "people"]
        if not rule.people:
            yield where, "want at least one name of [people]"
        for one in rule.people:
            if one not in found.people:
                there = ", ".join(found.people) or "none"
                yield where, f"there is no person {cut(one)}; there are: {there}"
    if found.mail:
        yield from _unsafe(found.mail)


def _unsafe(mail: MailSettings) -> Iterator[tuple[list[str], str]]:
    """Yield what is wrong with the mail server's password: others could read it, or we cannot."""
    if mail.password and not mail.password.is_file():
        yield ["mail", "password"], f"there is no file {mail.password}"
    elif mail.password:
        try:
            secret(mail.password)
        except ConfigError as error:
            yield ["mail", "password"], str(error).rstrip(".")
    if mail.username and mail.tls == "none" and not is_loopback(mail.host):
        yield (
            ["mail", "tls"],
            "without TLS the network could read the password: want 'starttls' or 'tls'",
        )


def _wrong(path: Path, text: str, keys: list[str], why: str) -> ConfigError:
    line = line_of(text, keys)
    at = f"{path}, line {line}" if line else str(path)
    return ConfigError(f"{at}: {'.'.join(keys)}: {why}.")


def tried(settings: AlertSettings) -> dict[str, str]:
    """Send everybody a trial alert. Return the failure by name; "" if the trial was sent."""
    found = {}
    for name, person in settings.people.items():
        try:
            deliver(settings.mail, person, "A trial from the floor", "Nothing is amiss.")
        except NotDelivered as error:
            found[name] = str(error)
        else:
            found[name] = ""
    return found
