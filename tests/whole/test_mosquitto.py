"""A table, its people and strangers at a Mosquitto with the shipped configuration.

Authority, certificates, passwords and ACL are made as its README says. Only paths and ports are the
test's.
"""

from __future__ import annotations

import asyncio
import datetime
import json
import queue
import ssl
import subprocess
from contextlib import closing

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from typer.testing import CliRunner

from table_controller.adapters.mqtt_link import BrokerAddress
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.cli import app
from table_controller.service.archive import Archive
from table_controller.service.sealing import load_keys, make_key
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings, house
from table_controller.wiring.plan import Plan
from tests.brokers import SHIPPED, Mosquitto, depart, free_port
from tests.limits import PATIENCE_S

ONE, TWO = TableId("casino", "one"), TableId("casino", "two")
SETTINGS = """
[table]
site = "casino"
name = "{1}"
[journal]
path = "{0}/{1}.db"
key = "{0}/{1}.key"
[broker]
kind = "none"
"""
#: Who has a role at which table, and the accounts of each.
PEOPLE = (
    ("one", "Anna", "supervisor", "482913", ("anna", "anna-tablet")),
    ("one", "Béla", "croupier", "730156", ("bela",)),
    ("one", "Gast", "guest", "", ("screen",)),
    ("two", "Dora", "supervisor", "915264", ("dora",)),
)


class House:
    """Two tables' settings, journals and people, and the broker for both."""

    def __init__(self, folder):
        self.folder, self.secrets = folder, {}
        for table in ("one", "two"):
            make_key(folder / f"{table}.key")
            (folder / f"{table}.toml").write_text(SETTINGS.format(folder, table))
        for table, name, role, pin, accounts in PEOPLE:
            self.console(table, "add", name, "--role", role, pin=pin)
            for account in accounts:
                made = self.console(table, "account", name, account, "--json")
                self.secrets[account] = json.loads(made.stdout)["secret"]
        configs = [word for table in ("one", "two") for word in ("--config", self.settings(table))]
        written = CliRunner().invoke(app, ["people", "mosquitto", "--out", str(folder), *configs])
        assert written.exit_code == 0, written.output
        make_ca = ["sh", SHIPPED / "make-ca", folder, "127.0.0.1"]
        for again in ([], ["table-casino-one", "table-casino-two"]):
            subprocess.run([*make_ca, *again], check=True, capture_output=True)
        self.people, self.tables = free_port(), free_port()
        self.broker = Mosquitto(folder)
        (folder / "mosquitto.conf").write_text(self.configuration())

    def settings(self, table):
        return str(self.folder / f"{table}.toml")

    def console(self, table, *words, pin=""):
        line = ["people", *words, "--config", self.settings(table)]
        done = CliRunner().invoke(app, line, input=f"{pin}\n")
        assert done.exit_code == 0, (words, done.output, done.exception)
        return done

    def configuration(self):
        text = (SHIPPED / "mosquitto.conf").read_text()
        for ours, tests in (
            ("/etc/schlitten", str(self.folder)),
            ("listener 8883", f"listener {self.people} 127.0.0.1"),
            ("listener 8884", f"listener {self.tables} 127.0.0.1"),
            ("/var/lib/mosquitto/", f"{self.folder}/"),
            ("log_dest syslog", "log_dest stderr\nuser root"),
            ("log_type error", "log_type all"),
        ):
            assert ours in text
            text = text.replace(ours, tests)
        return text

    def table(self, at=ONE):
        """The table served, with the certificate of its name."""
        user = self.folder / f"table-{at.site}-{at.table}"
        return Service(
            Plan(
                table=at,
                house=house("zoppot-1934"),
                keys=load_keys(self.folder / f"{at.table}.key", {}),
                journal=self.folder / f"{at.table}.db",
                broker=BrokerSettings(kind="mqtt"),
                address=BrokerAddress(
                    port=self.tables,
                    ca=self.folder / "ca.pem",
                    certificate=user.with_suffix(".pem"),
                    key=user.with_suffix(".key"),
                ),
            )
        )

    def client(self, account="", client_id="", *, table="", secret=None):
        """Somebody at the people's port, or with a certificate at the tables'."""
        return Client(self, account, client_id, table, secret)


@pytest.fixture(scope="module")
def casino(tmp_path_factory):
    made = House(tmp_path_factory.mktemp("casino"))
    made.broker.start()
    yield made
    made.broker.stop()


class Client:
    """A client of paho's with its own thread; `heard` fills, waits have a limit."""

    def __init__(self, casino, account, client_id, table, secret):
        self.heard, self.codes, self.lost = queue.Queue(), queue.Queue(), queue.Queue()
        self.done, self.past = queue.Queue(), []
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=paho.MQTTv311,
            reconnect_on_failure=False,
        )  # fmt: skip
        context = ssl.create_default_context(cafile=casino.folder / "ca.pem")
        if table:
            pair = [casino.folder / f"{table}.{end}" for end in ("pem", "key")]
            context.load_cert_chain(*pair)
        self._client.tls_set_context(context)
        if account:
            self._client.username_pw_set(
                account, casino.secrets[account] if secret is None else secret
            )
        self._client.on_connect = lambda _c, _d, _f, code, _p: self.codes.put(str(code))
        self._client.on_subscribe = lambda _c, _d, _m, codes, _p: self.done.put(codes)
        self._client.on_publish = lambda _c, _d, mid, _r, _p: self.done.put(mid)
        self._client.on_disconnect = lambda *_: self.lost.put(True)
        self._client.on_message = lambda _c, _d, m: self.heard.put((m.topic, m.payload))
        self._port = casino.tables if table else casino.people

    def __enter__(self):
        self._client.connect("127.0.0.1", self._port)
        self._client.loop_start()
        self.code = self.codes.get(timeout=PATIENCE_S)
        return self

    def __exit__(self, *_):
        depart(self._client)

    def subscribe(self, *topics):
        self._client.subscribe([(topic, 1) for topic in topics])
        self.done.get(timeout=PATIENCE_S)
        return self

    def say(self, topic, payload, *, retain=False):
        self._client.publish(topic, payload, qos=1, retain=retain)
        self.done.get(timeout=PATIENCE_S)

    def until(self, topic):
        """All topics until this one, whose payload is the second value."""
        topics = []
        while True:
            heard, payload = self.heard.get(timeout=PATIENCE_S)
            self.past.append((heard, payload))
            topics.append(heard)
            if heard == topic:
                return topics, payload

    def ask(self, account, command, request):
        """Ask the table, and wait for its answer."""
        self.say(f"{ONE.root}/request/{account}/{command}", json.dumps(request))
        _, payload = self.until(f"{ONE.root}/response/{account}/{command}")
        return json.loads(payload)["data"]


def request(service, transaction, kind="ruled", *, age_s=0.0, **said):
    moment = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=age_s)
    data = {"boot": service.journal.boot, "prompt": None, "ttl_ms": 20_000,
            "input": said or {"reason": "the light"}}  # fmt: skip
    return {
        "specversion": "1.0", "id": transaction, "source": "/tablet", "type": f"schlitten.{kind}",
        "time": moment.isoformat(), "data": data,
    }  # fmt: skip


def tell(casino, story):
    """Serve table one at the broker, and tell a story beside it in a thread."""

    async def work():
        async with casino.table() as service:
            async with asyncio.timeout(PATIENCE_S):
                await service.publisher.told()
            return await asyncio.to_thread(story, service)

    return asyncio.run(work())


def test_staff_command_through_mosquitto_in_their_own_names(casino):
    """Finding 5: a supervisor's ruling is taken, a croupier's is refused by the table."""

    def story(service):
        answers = {}
        for account in ("anna-tablet", "bela"):
            with casino.client(account) as one:
                one.subscribe(f"{ONE.root}/response/{account}/+")
                answers[account] = one.ask(
                    account, "ruled", request(service, f"command-by-{account}")
                )
        return answers

    answers = tell(casino, story)

    assert answers["anna-tablet"]["ok"], answers
    assert not answers["bela"]["ok"]
    assert answers["bela"]["why"] == "This needs another role: supervisor."
    keys = load_keys(casino.folder / "one.key", {})
    with closing(Archive.read(casino.folder / "one.db", keys)) as archive:
        bodies = [archive.body(row) for row in archive.inputs()]
    assert any(b'"ruled"' in body and b'"actor":"supervisor:Anna"' in body for body in bodies)


def test_a_repeated_an_expired_and_another_starts_command_are_refused(casino):
    def story(service):
        with casino.client("anna") as one:
            one.subscribe(f"{ONE.root}/response/anna/+")
            good = request(service, "transaction-1")
            first = one.ask("anna", "ruled", good)
            again = one.ask("anna", "ruled", good)
            late = one.ask("anna", "ruled", request(service, "transaction-2", age_s=60))
            old = request(service, "transaction-3")
            old["data"]["boot"] = "another"
            return first, again, late, one.ask("anna", "ruled", old)

    first, again, late, old = tell(casino, story)

    assert first["ok"]
    assert again == first  # the answer again; the journal has it once
    assert "after its time" in late["why"]
    assert "earlier start" in old["why"]
    keys = load_keys(casino.folder / "one.key", {})
    with closing(Archive.read(casino.folder / "one.db", keys)) as archive:
        done = [row for row in archive.inputs() if b'"ruled"' in (row.body or b"")]
        by_anna = [row for row in done if b"supervisor:Anna" in row.body]
    assert len(by_anna) <= 2  # this test's, and the one before it


def test_after_a_restart_a_command_of_before_is_refused(casino):
    """Its transaction is journaled, and it was meant for another start."""

    def ask(sent):
        def story(service):
            with casino.client("anna") as one:
                one.subscribe(f"{ONE.root}/response/anna/+")
                sent.append(request(service, "transaction-9"))
                sent[-1]["data"]["boot"] = service.journal.boot
                once = sent[0] | {"data": sent[0]["data"] | {"boot": service.journal.boot}}
                return one.ask("anna", "ruled", sent[0]), one.ask("anna", "ruled", once)

        return story

    sent = []
    before, _ = tell(casino, ask(sent))
    other_start, known = tell(casino, ask(sent))

    assert before["ok"]
    assert "earlier start" in other_start["why"]
    assert "received before" in known["why"]


def test_a_guest_hears_what_is_public_and_commands_nothing(casino):
    """Neither in his own name nor in anybody's; the staff's topics are silent to him."""

    def story(service):
        with casino.client("screen") as guest, casino.client("anna") as anna:
            guest.subscribe(f"{ONE.root}/#", "schlitten/#")
            anna.subscribe(f"{ONE.root}/response/anna/+", f"{ONE.root}/croupier/event/+")
            for account in ("screen", "anna"):
                guest.say(
                    f"{ONE.root}/request/{account}/ruled", json.dumps(request(service, "forged-1"))
                )
            answer = anna.ask("anna", "ruled", request(service, "honest-1"))
            gap = request(service, "gap-00001") | {"data": {"from_seq": 1}}
            guest.say(f"{ONE.root}/request/screen/replay", json.dumps(gap))
            topics, _ = guest.until(f"{ONE.root}/response/screen/replay")
            return answer, topics, dict(service.publisher._desk.counts)

    answer, topics, counts = tell(casino, story)

    assert answer["ok"]
    assert counts == {"answered": 2}  # nothing of the guest's but his replay came to the table
    assert f"{ONE.root}/snapshot" in topics
    assert not [topic for topic in topics if "croupier" in topic or "/anna/" in topic]


@pytest.mark.parametrize(
    "topic", ["state", "snapshot", "event/coup_settled", "response/anna/ruled"]
)
def test_another_table_and_people_of_another_tell_nothing_in_this_ones_name(casino, topic):
    """Its certificate is good, and for its own topics only; so is a guest's, and staff's."""

    def story(service):
        with casino.client("anna") as anna:
            anna.subscribe(f"{ONE.root}/#")
            for who in ({"table": "table-casino-two"}, {"account": "dora"}, {"account": "bela"}):
                with casino.client(**who) as stranger:
                    assert stranger.code == "Success"
                    stranger.say(f"{ONE.root}/{topic}", b"forged", retain=True)
            anna.ask("anna", "ruled", request(service, f"the-end-{topic[-5:]}".replace("/", "-")))
            return [payload for _, payload in anna.past]

    assert b"forged" not in tell(casino, story)


def test_another_table_hears_no_request_of_this_one(casino):
    def story(service):
        with casino.client(table="table-casino-two") as two, casino.client("anna") as anna:
            two.subscribe("schlitten/#")
            anna.subscribe(f"{ONE.root}/response/anna/+")
            anna.ask("anna", "ruled", request(service, "not-for-two"))
            two.say(f"{TWO.root}/state", b"the end")
            heard = []
            while not heard or heard[-1] != (f"{TWO.root}/state", b"the end"):
                heard.append(two.heard.get(timeout=PATIENCE_S))
            return {topic for topic, _ in heard}

    assert not [topic for topic in tell(casino, story) if topic.startswith(ONE.root)]


@pytest.mark.parametrize(
    "who",
    [
        {"account": "screen"},
        {"account": "bela"},
        {"account": "dora"},
        {"table": "table-casino-two"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "stolen", [ONE.client_id, "table-casino-one", "anna"], ids=["publisher", "user", "anna"]
)
def test_a_stolen_client_id_takes_nobodys_place(casino, who, stolen):
    """Finding 4: any user took the table's. The name is the id, whatever a client says."""

    def story(service):
        with casino.client("anna") as anna:
            anna.subscribe(f"{ONE.root}/response/anna/+")
            with casino.client(client_id=stolen, **who) as thief:
                assert thief.code == "Success"
                answer = anna.ask("anna", "ruled", request(service, f"after-the-theft-{len(who)}"))
            alerts = [alert.id for alert in service.table.state.felt.alerts]
            return answer["transaction"], alerts, anna.lost.empty()

    transaction, alerts, stayed = tell(casino, story)

    assert transaction.startswith("after-the-theft")
    assert alerts == []
    assert stayed


def test_one_account_in_two_devices_pushes_itself_out_and_nobody_else(casino):
    """So a second device gets one of its own, and both stay."""
    with casino.client("anna") as first, casino.client("anna-tablet") as other:
        with casino.client("anna"):
            assert first.lost.get(timeout=PATIENCE_S)
        assert other.subscribe(f"{ONE.root}/state")
        assert other.lost.empty()


@pytest.mark.parametrize(
    "who",
    [
        {"account": "anna", "secret": "482913"},
        {"account": "anna", "secret": ""},
        {"account": "table-casino-one", "secret": "x"},
        {},
    ],
    ids=["the PIN", "none", "a table's name", "nobody"],
)
def test_at_the_people_s_port_a_secret_is_needed_and_a_pin_is_none(casino, who):
    with casino.client(**who) as stranger:
        assert stranger.code != "Success"


def test_the_files_hold_no_secret_and_no_pin(casino):
    """And whoever lost his role is in neither, once they are written anew."""
    files = [casino.folder / name for name in ("mosquitto.passwd", "schlitten.acl")]
    text = "".join(file.read_text() for file in files)

    assert [file.stat().st_mode & 0o777 for file in files] == [0o640, 0o640]
    for secret in (*casino.secrets.values(), "482913", "730156"):
        assert secret not in text
    assert "user table-casino-two" in text
    assert len(set(casino.secrets.values())) == len(casino.secrets)
    assert {len(secret) for secret in casino.secrets.values()} == {32}  # 128 bits in hex
