"""A table joins by a code, once; a removed one is out within seconds, its neighbours stay."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import ssl
from contextlib import AsyncExitStack

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from table_controller.adapters import enrolling
from table_controller.adapters.enrolling import NotEnrolled, digest_of, read_code
from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_messages import Info, Message, current
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.cli import app
from table_controller.commands.floor.page import ShownAt, paged
from table_controller.floor import enrol, people
from table_controller.floor.certificates import ready
from table_controller.floor.enrol import VALID_MS, NotServed, ServedAt
from table_controller.floor.floor import Floor, database
from table_controller.floor.people import Did
from table_controller.floor.store import Store
from tests.limits import PATIENCE_S

ONE, TWO = TableId("casino", "one"), TableId("casino", "two")
NOON = 1_700_000_000_000
#: An authority that is not the floor's.
OTHER = "A" * 26


class House:
    """A served floor of one machine, with its page, and tables that join."""

    def __init__(self, folder):
        self.folder = folder

    async def __aenter__(self):
        self.stack = AsyncExitStack()
        shown = ShownAt("127.0.0.1", (), ready(self.folder, ("127.0.0.1",)))
        self.floor = await self.stack.enter_async_context(
            Floor(self.folder, port=0, served=shown.certificates.served)
        )
        url = await self.stack.enter_async_context(paged(self.floor, 0, shown=shown))
        self.page_port = int(url.rpartition(":")[2])
        ServedAt("127.0.0.1", self.page_port, self.floor.broker.port).write(self.folder)
        return self

    async def __aexit__(self, *_):
        await self.stack.aclose()

    async def code(self, at):
        return await asyncio.to_thread(
            enrol.make, self.floor.store, self.folder, at, "console", people.now_ms()
        )

    async def joined(self, at):
        """What a table gets that joins by a fresh code, and the code."""
        code = await self.code(at)
        root = await asyncio.to_thread(enrolling.authority, code)
        return code, root, await asyncio.to_thread(enrolling.enrol, code, root)

    async def link(self, joined, root):
        """The connection of a table that has joined."""
        ca = self.folder / "as-the-table-has-it.pem"
        ca.write_bytes(root)
        address = BrokerAddress(
            host="127.0.0.1", port=joined.port, username=joined.username,
            password=joined.password, ca=ca,
        )  # fmt: skip
        return await connect(address, "any", None, lambda *_: None, lambda _: None)


def info(at):
    said = Info(
        version="0.1.0", house="zoppot-1934", game="chemin-de-fer", capabilities=(),
        configuration="", boot="b",
    )  # fmt: skip
    return current("info", said, at)


def run(folder, story):
    async def work():
        async with asyncio.timeout(PATIENCE_S), House(folder) as house:
            return await story(house)

    return asyncio.run(work())


def test_a_table_joins_over_tls_and_has_arrived_once_its_info_was_read(tmp_path):
    async def story(house):
        code, root, joined = await house.joined(ONE)
        link = await house.link(joined, root)
        before = await asyncio.to_thread(enrolling.arrived, code, root)
        link.publish(info(ONE))
        while not await asyncio.to_thread(enrolling.arrived, code, root):
            await asyncio.sleep(0.1)
        link.close()
        plain = BrokerAddress(port=joined.port, username=joined.username, password=joined.password)
        with pytest.raises(LinkLost):  # the port speaks TLS only
            await connect(plain, "any", None, lambda *_: None, lambda _: None)
        return joined, before, people.noted(house.floor.store)

    joined, before, noted = run(tmp_path, story)

    assert (joined.site, joined.table, joined.username) == ("casino", "one", "table-casino-one")
    assert not before
    assert [(row.actor, row.did, row.about) for row in reversed(noted)] == [
        ("console", Did.CODE_MADE, "casino/one"),
        ("table:casino/one", Did.ENROLLED, "casino/one"),
        ("floor", Did.ARRIVED, "casino/one"),
    ]


def test_a_code_works_once_and_guessing_is_slowed_down(tmp_path):
    async def story(house):
        code, root, _ = await house.joined(ONE)
        told = []
        for secret in (code.secret, "B" * 16, "C" * 16, "D" * 16):
            guess = replace(code, secret=secret)
            with pytest.raises(NotEnrolled) as no:
                await asyncio.to_thread(enrolling.enrol, guess, root)
            told.append(str(no.value))
        return told

    told = run(tmp_path, story)

    assert all("it was used, it is older than 15 minutes" in why for why in told[:3])
    assert told[3] == "Too many wrong codes came from there: wait 5 s."


def test_a_code_of_another_floor_is_not_told_the_secret(tmp_path):
    """The secret is told only to the floor that the code names."""

    async def story(house):
        code = replace(await house.code(ONE), root=OTHER)
        with pytest.raises(NotEnrolled, match="Another program than the floor of this code"):
            await asyncio.to_thread(enrolling.authority, code)

    run(tmp_path, story)


def test_an_authority_added_on_the_way_is_not_trusted(tmp_path, monkeypatch):
    """Its digest is in no code: the table keeps the one certificate that the code names."""
    folders = tmp_path / "own", tmp_path / "other"
    for one in folders:
        one.mkdir()
    own, other = (ready(one, ("127.0.0.1",)).root for one in folders)
    both = own.read_bytes() + other.read_bytes()
    monkeypatch.setattr(enrolling, "_asked", lambda *_: both)
    code = enrolling.EnrolmentCode("127.0.0.1", 8090, digest_of(own.read_bytes()), "S" * 16)

    assert enrolling.authority(code) == own.read_bytes()


def test_a_removed_table_is_out_and_its_neighbour_stays(tmp_path):
    """Mosquitto reads the accounts again: the present connection ends too."""

    async def story(house):
        _, root, first = await house.joined(ONE)
        _, _, second = await house.joined(TWO)
        one, two = await house.link(first, root), await house.link(second, root)
        began = asyncio.get_running_loop().time()
        known = await asyncio.to_thread(enrol.remove, house.floor.store, ONE, "console")
        await asyncio.shield(one.lost)
        took = asyncio.get_running_loop().time() - began
        two.publish(info(TWO))
        while TWO not in house.floor.live.tables:
            await asyncio.sleep(0.05)
        with pytest.raises(LinkLost, match="refused us"):
            await house.link(first, root)
        stays = not two.lost.done()
        two.close()
        return known, took, stays

    known, took, stays = run(tmp_path, story)

    assert known
    assert stays
    assert took < 5


def test_a_table_is_out_once_the_accounts_can_be_written_again(tmp_path, monkeypatch):
    """A full disk: the floor goes on, and looks again."""

    async def story(house):
        _, root, first = await house.joined(ONE)
        one, broker = await house.link(first, root), house.floor.broker
        writes, failed = broker.admit, []

        def full(tables):
            if failed:
                return writes(tables)
            failed.append(tables)
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(broker, "admit", full)
        await asyncio.to_thread(enrol.remove, house.floor.store, ONE, "console")
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.shield(one.lost)
        return failed

    assert run(tmp_path, story)


def test_a_table_that_writes_as_another_changes_nothing(tmp_path):
    """The broker acknowledges and drops what the ACL denies."""

    async def story(house):
        _, root, first = await house.joined(ONE)
        await house.joined(TWO)
        link = await house.link(first, root)
        lie = info(TWO)
        link.publish(lie)
        link.publish(Message(f"{TWO.root}/state", b"", retain=True))
        link.publish(Message("schlitten/2/casino/one/request/floor/replay", b"{}"))
        link.publish(info(ONE))
        while ONE not in house.floor.live.tables:
            await asyncio.sleep(0.05)
        link.close()
        return set(house.floor.live.tables)

    assert run(tmp_path, story) == {ONE}


def test_a_code_expires_and_a_new_one_ends_the_older(tmp_path):
    store = Store(database(tmp_path))
    ready(tmp_path, ("192.168.1.4",))
    ServedAt("192.168.1.4", 8090, 8883).write(tmp_path)
    first = enrol.make(store, tmp_path, ONE, "console", NOON)
    second = enrol.make(store, tmp_path, ONE, "console", NOON)
    third = enrol.make(store, tmp_path, TWO, "console", NOON)

    assert enrol.use(store, first.secret, 8883, NOON) is None
    assert enrol.use(store, second.secret, 8883, NOON + VALID_MS) is None
    assert enrol.use(store, second.secret, 8883, NOON + VALID_MS - 1)
    assert enrol.remove(store, TWO, "console")
    assert enrol.use(store, third.secret, 8883, NOON) is None
    assert not enrol.remove(store, TWO, "console")
    store.close()


def test_neither_the_secret_nor_the_password_is_on_the_floors_disk(tmp_path):
    store = Store(database(tmp_path))
    ready(tmp_path, ("192.168.1.4",))
    ServedAt("192.168.1.4", 8090, 8883).write(tmp_path)
    code = enrol.make(store, tmp_path, ONE, "console", NOON)
    joined = enrol.use(store, code.secret, 8883, NOON)
    store.close()
    with sqlite3.connect(tmp_path / "floor.db") as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())

    assert code.secret.encode() not in kept
    assert joined.password.encode() not in kept
    assert code.secret not in repr(code)


def test_a_code_is_read_as_people_type_it_and_a_wrong_one_is_named(tmp_path):
    ready(tmp_path, ("192.168.1.4",))
    root = digest_of((tmp_path / "floor-root.pem").read_bytes())
    written = f"192.168.1.4:8090/{root}/ABCDEFGHIJKLMNOP"

    code = read_code(f"  {written.lower()} ")

    assert (code.host, code.port, code.root, code.secret) == (
        "192.168.1.4", 8090, root, "ABCDEFGHIJKLMNOP",
    )  # fmt: skip
    assert str(code) == written
    for wrong in ("", "192.168.1.4:8090", f"192.168.1.4/{root}/ABCDEFGHIJKLMNOP", written[:-1]):
        with pytest.raises(NotEnrolled, match="is no code of a floor"):
            read_code(wrong)


def test_no_code_before_the_floor_was_served(tmp_path):
    store = Store(database(tmp_path))
    with pytest.raises(NotServed, match="has not been served yet"):
        enrol.make(store, tmp_path, ONE, "console", NOON)
    store.close()


def test_the_certificate_follows_the_address_and_the_authority_stays(tmp_path):
    """What tables have learned goes on; only the address is signed again."""
    first = ready(tmp_path, ("192.168.1.4",))
    root, served = first.root.read_bytes(), first.served.read_bytes()

    again = ready(tmp_path, ("192.168.1.4",)).served.read_bytes()
    moved = ready(tmp_path, ("192.168.1.5", "floor.example"))

    assert again == served
    assert moved.served.read_bytes() != served
    assert moved.root.read_bytes() == root
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {
        "floor-root.pem": 0o644, "floor-root.key": 0o600, "floor.pem": 0o600,
    }  # fmt: skip
    context = ssl.create_default_context(cafile=moved.root)
    context.load_cert_chain(moved.served)
    assert json.dumps(context.cert_store_stats()["x509_ca"]) == "1"


def test_a_table_at_a_broker_elsewhere_is_removed_there(tmp_path):
    (tmp_path / "floor.toml").write_text('[broker]\nhosts = ["127.0.0.1", "127.0.0.2"]\n')

    done = CliRunner().invoke(app, ["floor", "remove", "casino", "one", "--folder", str(tmp_path)])

    assert done.exit_code == 2
    assert "delete the table's line in accounts.conf at each node" in " ".join(done.output.split())
