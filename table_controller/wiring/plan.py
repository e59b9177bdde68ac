"""The plan of one table: its parts. The module knows settings and ports, and starts nothing."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_bridge.messages import Lamp
from firmware_bridge.port import Board
from firmware_bridge.reconciler import News
from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole, User, table_user
from table_controller.adapters.mosquitto import new_secret
from table_controller.adapters.mqtt_link import BrokerAddress, Connects
from table_controller.adapters.mqtt_names import TableId
from table_controller.adapters.web.scanned import Labels, no_labels
from table_controller.engine.promises import SecretKey
from table_controller.rules.houses import House
from table_controller.service.archive import Archive
from table_controller.service.game import Game
from table_controller.service.sealing import Keys
from table_controller.service.writer_thread import Pen
from table_controller.wiring.config import BrokerSettings, PageSettings, VoiceSettings
from table_controller.wiring.devices import Wired
from table_controller.wiring.shoe.taping import TapePlan


def promising(keys: Keys, journal: Archive | str) -> SecretKey:
    """Return the key with which one journal's promises are made. No other journal has the same key.

    `journal` is the journal, or its id.
    """
    id_ = journal if isinstance(journal, str) else journal.header.journal
    return SecretKey(hmac.digest(keys.commit.value, id_.encode(), "sha256"))


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The parts of one table.

    Attributes:
        game: the game played; None for the house's game.
        durable: whether the journal is flushed; False only if it is thrown away (a replay).
        lamps: the lamp language of the board; None for the house's.
        makes_board: makes the board at that port. A scenario's board is in a separate world.
        connects: opens the connection to the broker; None for paho. A simulation's broker is in a
            separate world.
        pen: writes the journal. If it is None, a `durable` journal gets a thread.
        accounts: the broker's accounts. Accounts of the staff may send inputs.
        address: the broker's address, with our user and password; needed if `broker` does not
            contain all of these.
        voice: speaks the table's news aloud; None for a silent table.
        reads: whether a reader of cards is set up. Otherwise people type the cards.
        labels: looks up the card whose label a scanner typed on the page.
        clock: returns milliseconds since 1970.
        starts: whether the start is journaled; False if every input comes from a recording.
        stream: the id of the new stream, for a journal restored from a copy; "" if the old stream
            goes on.
        promises: the key of the cards' promises; None for the journal's own key.
        wired: sensors, buttons and the Pi's pins (`devices.py`).
        warn: gets sentences about devices, for the terminal.
        tape: where the table's tapes are; None if it makes none.
        state: the table at the beginning, as a game's `save` writes it; b"" for an empty table.
    """

    table: TableId
    house: House
    keys: Keys
    journal: Path
    game: Game[Any] | None = None
    board: str = ""
    makes_board: Callable[[str, Callable[[News], None]], Board] = Board
    connects: Connects | None = None
    lamps: Mapping[str, Lamp] | None = None
    broker: BrokerSettings | None = None
    accounts: tuple[BrokerAccount, ...] = ()
    address: BrokerAddress | None = None
    page: PageSettings | None = None
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    reads: bool = True
    labels: Labels = no_labels
    durable: bool = True
    pen: Pen | None = None
    starts: bool = True
    stream: str = ""
    promises: SecretKey | None = None
    clock: Callable[[], int] = now_ms
    wired: Wired = field(default_factory=Wired)
    tape: TapePlan | None = None
    state: bytes = b""
    warn: Callable[[str], None] = field(default=lambda _: None)


def own_account(table: TableId) -> BrokerAccount:
    """Return the table's own account at an embedded broker, made for one evening."""
    return BrokerAccount(User(table_user(table), BrokerRole.TABLE, table), new_secret())


def evening_accounts(table: TableId) -> tuple[BrokerAccount, ...]:
    """Return accounts at an embedded broker for one evening: the table first, then staff, guests.

    The staff's account is valid only as long as nobody has a role.
    """
    names = (("staff", BrokerRole.STAFF), ("guest", BrokerRole.GUEST))
    others = (BrokerAccount(User(name, role, table), new_secret()) for name, role in names)
    return (own_account(table), *others)


def own_address(accounts: Sequence[BrokerAccount]) -> BrokerAddress:
    """Return the address and account with which the table itself uses the embedded broker."""
    return BrokerAddress(username=accounts[0].user.name, password=accounts[0].secret)
