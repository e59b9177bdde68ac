"""A floor's own settings: the TOML file `floor.toml` in its folder. One machine needs none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from table_controller.adapters.addresses import is_loopback
from table_controller.adapters.broker_rules import FLOOR
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.service.errors import ConfigError
from table_controller.wiring.config import secret
from table_controller.wiring.toml_files import converted, parsed

NAME = "floor.toml"


class DatabaseSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[database]`: where the floor's events are stored."""

    url: str = ""  # postgresql://user@host/name; empty: floor.db in the folder


class ClusterSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """`[broker]`: the hosts of a broker elsewhere.

    Without hosts, the floor starts its own broker.
    """

    hosts: tuple[str, ...] = ()
    port: Annotated[int, Meta(ge=1, le=65535)] = 8883
    username: str = FLOOR
    password: Path | None = None  # a file, mode 0600
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


class FloorSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a floor's settings file."""

    database: DatabaseSettings = DatabaseSettings()
    broker: ClusterSettings = ClusterSettings()

    def cluster(self) -> BrokerAddress | None:
        """The address of the broker elsewhere; None if there is none. Raises ConfigError."""
        said = self.broker
        if not said.hosts:
            return None
        return BrokerAddress(
            host=said.hosts[0], hosts=said.hosts[1:], port=said.port, username=said.username,
            password=secret(said.password) if said.password else "",
            ca=said.ca, certificate=said.certificate, key=said.key,
        )  # fmt: skip


def read(folder: Path) -> FloorSettings:
    """Read the settings in a floor's folder. Without a file, return the defaults.

    Raises ConfigError.
    """
    path = folder / NAME
    if not path.exists():
        return FloorSettings()
    said = converted(path, *parsed(path), FloorSettings)
    broker = said.broker
    if (broker.certificate is None) != (broker.key is None):
        raise ConfigError(f"{path}: broker.certificate and broker.key go together: set both.")
    afar = [host for host in broker.hosts if not is_loopback(host)]
    if afar and broker.ca is None:
        raise ConfigError(
            f"{path}: broker.hosts = {afar!r}: without TLS the network could read and write there: "
            "set broker.ca."
        )
    return said
