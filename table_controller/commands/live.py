"""Runs a live table, and plays recordings.

The module is part of the wiring, as app.py is. It prints through functions that are passed in. It
makes the sentences about the addresses to open, but does not know how to print them.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from dataclasses import replace as replaced
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from msgspec import convert, json, to_builtins
from msgspec.structs import replace

from table_controller.adapters.broker_rules import BrokerAccount, BrokerRole
from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Audience, Event, Restored
from table_controller.engine.sheet import Sheet
from table_controller.service import copies
from table_controller.service.archive import Archive
from table_controller.service.recording import KEYED, Heard, Recording, compare, is_recording
from table_controller.service.sealing import Keys, load_keys
from table_controller.wiring import config, machine
from table_controller.wiring.app import Service
from table_controller.wiring.devices import Wired
from table_controller.wiring.games import game
from table_controller.wiring.page_addresses import PageAddresses, page_addresses
from table_controller.wiring.plan import Plan, own_account, own_address
from table_controller.wiring.shoe import taping
from table_controller.wiring.shoe.labels import ScannedLabels, manifests
from table_controller.wiring.shoe.taping import TapePlan
from table_controller.wiring.supervision import supervised

Say = Callable[[str], None]
Line = Callable[[dict[str, Any]], None]


def where(service: Service, accounts: Sequence[BrokerAccount]) -> str:
    """Return sentences about pages, broker and journal, for the person who started the table.

    `accounts` are those made for one evening, with their secrets. Leave them out for a log.
    """
    plan = service.plan
    parts = [f"The table is served; Ctrl-C ends it.  Journal {plan.journal}"]
    parts += _pages(service)
    broker = service.broker
    if broker and broker.serves and not accounts:
        parts.append(
            f"  broker           {broker.host}:{broker.port}, topics {plan.table.root}/#; "
            "`schlitten people account` lets a device in"
        )
    told = {} if service.accounts else {BrokerRole.STAFF: "croupier/event/+"}
    for role, topics in (told | {BrokerRole.GUEST: "event/+"}).items():
        one = next((a for a in accounts if a.user.role is role), None)
        if broker and broker.serves and one:
            parts.append(
                f"  broker           mosquitto_sub -p {broker.port} -u {one.user.name} "
                f"-P {one.secret} -v -t '{plan.table.root}/{topics}'"
            )
    return "\n".join(parts)


def _pages(service: Service) -> Iterator[str]:
    """Yield lines with the addresses of the pages: of this machine, and of other screens."""
    found = _opened(service)
    if not found:
        return
    screens = [*found.others] or [found.own]
    yield from (f"  croupier's page  {one}/" for one in screens)
    yield from (f"  public page      {one}/public" for one in screens)
    if not found.others:
        yield "  Only this machine can open these pages (docs/TABLET.md: how to let others in)."
    elif found.own not in found.others:
        yield f"  on this machine  {found.own}/"


def _opened(service: Service) -> PageAddresses | None:
    """Return the addresses of the pages, or None if they are not served."""
    port, page = urlsplit(service.url).port, service.plan.page
    return page_addresses(page, port) if port and page else None


def planned(settings: config.Config, say: Say, *, record: Path | None = None) -> Plan:
    """Return the parts of a live table, by its settings. Raises ConfigError, ServiceError.

    `record` is the folder of its tapes, if the table is recorded from the start.
    """
    table, broker = settings.table, settings.broker
    name = TableId(table.site, table.name)
    accounts = (own_account(name),) if broker.kind == "embedded" else ()
    house = config.house(table.house, table.game)
    lamps = config.lamp_language(house, settings.board.lamps)
    return Plan(
        table=name,
        house=house,
        keys=load_keys(settings.journal.key, os.environ),
        journal=settings.journal.path,
        board=settings.board.port,
        lamps=lamps,
        broker=broker,
        accounts=accounts,
        address=own_address(accounts) if accounts else _address(broker),
        page=settings.page,
        voice=settings.voice,
        reads=settings.shoe.reader != "none",
        labels=ScannedLabels(manifests(settings.shoe, house)),
        wired=Wired(
            buttons=settings.buttons,
            pins=settings.pins.driver,
            uses=settings.pins.uses,
            cut_card_ahead=settings.shoe.cut_card_ahead,
        ),
        tape=TapePlan(
            folder=record or taping.folder(settings),
            budget_mib=settings.tape.budget_mib,
            begins=record is not None or settings.tape.record,
            about=taping.about(house, lamps, settings.shoe),
        ),
        warn=say,
    )


def facts(service: Service) -> dict[str, Any]:
    """Return the facts of `where`, for a program. A part that is not served is null."""
    plan, broker, found = service.plan, service.broker, _opened(service)
    return {
        "table": plan.table.root,
        "journal": str(plan.journal),
        "page": f"{found.own}/" if found else None,
        "public": f"{found.own}/public" if found else None,
        "others": [f"{one}/" for one in found.others] if found else [],
        "broker": f"{broker.host}:{broker.port}" if broker and broker.serves else None,
    }


async def run_table(
    settings: config.Config, say: Say, line: Line | None = None, *, record: Path | None = None
) -> None:
    """Serve a live table by its settings. `line` gets the facts about its addresses.

    `record` is the folder of its tapes. Raises ServiceError if the table fails.
    """
    plan = planned(settings, say, record=record)
    async with Service(plan) as service, supervised(service):
        reads = settings.shoe.reader != "none"
        lip = service.lip(settings.shoe) if reads else None  # refused before the addresses are told
        if line:
            line(facts(service))
        say(where(service, ()))
        if settings.metrics.port is not None:
            service.start("metrics", partial(machine.serve, service, settings.metrics.port))
        if lip:
            service.start("reading", lip.run, ends=True)
        await service.served()


def put_back(copy: Path, settings: config.Config) -> dict[str, Any]:
    """Replace the table's journal with a copy. Report this to the table (R-54). Return facts.

    Raises ConfigError, ServiceError.
    """
    plan = planned(settings, lambda _: None)
    plan = replaced(plan, broker=None, page=None, board="", tape=None)
    stream = token_hex(8)

    def ready(part: Path) -> None:
        service = Service(replaced(plan, journal=part, stream=stream))
        try:
            service.table.take(Restored(actor="service"), plan.clock())
        finally:
            service.journal.close()

    kept = copies.put_back(copy, plan.journal, plan.keys, ready)
    return {"journal": str(plan.journal), "stream": stream, "kept": str(kept or "")}


def _address(broker: config.BrokerSettings) -> BrokerAddress:
    password = config.secret(broker.password) if broker.password else ""
    return convert(replace(broker, password=password), BrokerAddress, from_attributes=True)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of playing a recording.

    `difference` describes the first event that is not as expected; "" if there is none.
    """

    inputs: int
    events: int
    sealed: int
    seconds: float
    difference: str
    compared: bool

    @property
    def text(self) -> str:
        """The result in one sentence."""
        rate = self.inputs / self.seconds if self.seconds else 0
        verdict = (
            "nothing to compare with"
            if not self.compared
            else "not as expected"
            if self.difference
            else "all as expected"
        )
        return (
            f"{self.inputs} inputs, {self.events} events ({self.sealed} sealed) in "
            f"{self.seconds:.2f} s ({rate:,.0f} inputs/s): {verdict}"
        )


def play(path: Path, *, speed: float, expect: Path | None, told: Line | None) -> Played:
    """Play a recording of the game that its header names, and compare its events.

    With `speed` 0 there are no pauses. `expect` is another recording to compare with. `told` gets a
    line for each event that is not sealed. Raises RecordingError, and ConfigError if there is no
    such game or house.
    """
    played = game(Recording(path).header.game)
    recording = Recording(path, played)
    key, state = recording.header.key, recording.header.state
    keys = Keys.derive(bytes.fromhex(key) if key else os.urandom(32))
    began = time.perf_counter()
    with TemporaryDirectory(prefix="schlitten-replay-") as folder:
        plan = Plan(
            table=TableId("replay", "table-1"),
            house=config.house(recording.header.house, played.name),
            keys=keys,
            journal=Path(folder) / "replay.db",
            durable=False,
            starts=False,
            promises=keys.commit if key else None,
            state=json.encode(state) if state else b"",
        )
        service = Service(plan)
        try:
            inputs, got = _play(service, recording, speed, told)
            rows = Counter(row.audience for row in service.journal.archive.events())
        finally:
            service.journal.close()
    seconds = time.perf_counter() - began
    wanted = _told_in(Recording(expect, played) if expect else recording)
    ignore = frozenset[str]() if key else KEYED
    difference = compare(got, wanted, ignore=ignore) if wanted or expect else None
    return Played(
        inputs=inputs,
        events=rows.total(),
        sealed=rows[Audience.SEALED],
        seconds=seconds,
        difference=str(difference or ""),
        compared=bool(wanted or expect),
    )


def _play(
    service: Service, recording: Recording, speed: float, told: Line | None
) -> tuple[int, list[Event]]:
    """Play the inputs. Return their number, and all events that are not sealed."""
    inputs, got, last = 0, [], 0
    for line in recording:
        if not isinstance(line, Heard):
            continue
        if speed:
            time.sleep(max(0, line.t_ms - last) / 1000 / speed)
        inputs, last = inputs + 1, line.t_ms
        for event, row in service.table.take(line.input, line.t_ms):
            got.append(event)
            if told:
                who, fields = row.audience, to_builtins(event)
                told({"t_ms": row.t_ms, "audience": who, "seq": row.seq, "event": fields})
    return inputs, got


def recalled(path: Path, count: int) -> Sheet:
    """Return the last coups of a journal or of a recording. Raises JournalError, RecordingError.

    The coups come from public events only, so no closed card is among them.
    """
    if not is_recording(path):
        with closing(Archive.read(path)) as archive:
            bodies = (json.decode(row.body or b"{}") for row in archive.public())
            return game(archive.header.game).recall(bodies).last(count)
    played = game(Recording(path).header.game)
    events = Recording(path, played).events()
    public = (to_builtins(event) for event in events if event.audience is Audience.PUBLIC)
    return played.recall(public).last(count)


def _told_in(recording: Recording) -> list[Event]:
    """Return the recorded events that are not sealed. A recording may contain no events."""
    return [event for event in recording.events() if event.audience is not Audience.SEALED]
