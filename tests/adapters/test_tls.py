"""TLS with real certificates over real sockets. A peer that cannot prove its name is refused."""

import asyncio
import ssl
import urllib.error
import urllib.request

import pytest

from table_controller.adapters.mqtt_link import BrokerAddress, LinkLost, connect
from table_controller.adapters.mqtt_messages import TableState, state_message
from table_controller.adapters.web.app import app
from table_controller.adapters.web.serve import Server
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.config import PageSettings, house
from tests.adapters.mqtt.kit import BOOT, TABLE
from tests.adapters.web.test_serve import table
from tests.brokers import Mosquitto
from tests.certificates import Authority
from tests.service.evenings import KEYS

#: How the certificate of the other side is wrong, and what is said of it.
WRONG = [
    ({"hours": -1}, "certificate has expired"),
    ({"address": "127.0.0.2"}, "IP address mismatch"),
]


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


@pytest.fixture
def other(tmp_path):
    """An authority that nobody trusts here."""
    (tmp_path / "other").mkdir()
    return Authority(tmp_path / "other")


@pytest.fixture
def broker(tmp_path):
    """Start a Mosquitto with this certificate, and return its port."""
    started = []

    def start(certificate, key):
        lines = f"allow_anonymous true\ncertfile {certificate}\nkeyfile {key}"
        started.append(Mosquitto(tmp_path, lines))
        started[-1].start()
        return started[-1].port

    yield start
    for one in started:
        one.stop()


def link_to(port, **how):
    """Connect to a broker as a table does, and leave again. Raises LinkLost."""

    async def work():
        link = await connect(
            BrokerAddress(port=port, **how), "x", state_message(TableState.LOST, BOOT, TABLE),
            lambda *_: None, lambda _: None,
        )  # fmt: skip
        link.close()

    asyncio.run(work())


def test_a_broker_is_talked_to_that_shows_a_good_certificate(authority, broker):
    link_to(broker(*authority.sign("broker", "broker")), ca=authority.own)


@pytest.mark.parametrize(("how", "said"), WRONG)
def test_a_broker_with_a_wrong_certificate_is_not_talked_to(authority, broker, how, said):
    """Over its time, or made out to another address."""
    port = broker(*authority.sign("broker", "broker", **how))

    with pytest.raises(LinkLost, match=f"cannot be reached: .*{said}"):
        link_to(port, ca=authority.own)


def test_a_broker_of_an_authority_that_nobody_knows_is_not_talked_to(authority, other, broker):
    port = broker(*other.sign("broker", "broker"))

    with pytest.raises(LinkLost, match="certificate verify failed"):
        link_to(port, ca=authority.own)


def test_a_broker_that_wants_tls_is_not_talked_to_without(authority, broker):
    port = broker(*authority.sign("broker", "broker"))

    with pytest.raises(LinkLost):
        link_to(port)


def test_a_certificate_with_the_key_of_another_is_said(authority, broker):
    """Before anything is sent."""
    port = broker(*authority.sign("broker", "broker"))
    certificate, _ = authority.sign("table", "table")
    _, key = authority.sign("stray", "stray")

    with pytest.raises(LinkLost, match=r"its certificates cannot be used: .*KEY_VALUES_MISMATCH"):
        link_to(port, ca=authority.own, certificate=certificate, key=key)


def look_at_a_page(certificate, key, ca):
    """Serve a page and look at it as a browser that trusts `ca`; what it answers."""

    async def work():
        server = Server(app(table()), port=0, certificate=certificate, key=key)
        await server.start()
        trust = ssl.create_default_context(cafile=ca)
        try:
            return await asyncio.to_thread(_get, f"{server.url}/public", trust)
        finally:
            await server.stop()

    return asyncio.run(work())


def _get(url, trust):
    with urllib.request.urlopen(url, timeout=20, context=trust) as answer:
        return url[:8], answer.status


def test_a_page_with_a_certificate_is_served_by_tls(authority):
    certificate, key = authority.sign("page", "page")

    assert look_at_a_page(certificate, key, authority.own) == ("https://", 200)


@pytest.mark.parametrize(("how", "said"), WRONG)
def test_a_page_with_a_wrong_certificate_is_not_believed(authority, how, said):
    """It shows the very certificate that it was given, not one of its own making."""
    certificate, key = authority.sign("page", "page", **how)

    with pytest.raises(urllib.error.URLError, match=said):
        look_at_a_page(certificate, key, authority.own)


def test_a_page_of_another_authority_is_not_believed(authority, other):
    certificate, key = other.sign("page", "page")

    with pytest.raises(urllib.error.URLError, match="certificate verify failed"):
        look_at_a_page(certificate, key, authority.own)


def missing(authority):
    certificate, key = authority.sign("page", "page")
    certificate.unlink()
    return certificate, key


def strange(authority):
    certificate, key = authority.sign("page", "page")
    certificate.write_text("a letter to the croupier")
    return certificate, key


def another_key(authority):
    return authority.sign("page", "page")[0], authority.sign("stray", "stray")[1]


@pytest.mark.parametrize("make", [missing, strange, another_key])
def test_a_page_without_a_usable_certificate_is_an_alert_and_is_tried_again(
    authority, tmp_path, monkeypatch, make
):
    """The files are named, the table is served, and the page comes once they are there."""
    monkeypatch.setattr("table_controller.wiring.tasks.AGAIN_S", 0.01)
    certificate, key = make(authority)
    plan = Plan(
        table=TABLE,
        house=house("zoppot-1934"),
        keys=KEYS,
        journal=tmp_path / "table.db",
        page=PageSettings(port=0, certificate=certificate, key=key),
    )

    async def alerts(service, *, there):
        async with asyncio.timeout(20):
            while bool(service.table.state.felt.alerts) != there:
                await asyncio.sleep(0.005)
        return [str(alert.remedy) for alert in service.table.state.felt.alerts]

    async def work():
        async with Service(plan) as service:
            (said,) = await alerts(service, there=True)
            good = authority.sign("good", "page")
            for file, new in zip((certificate, key), good, strict=True):
                new.replace(file)
            await alerts(service, there=False)
            async with asyncio.timeout(20):
                while not service.url:
                    await asyncio.sleep(0.005)
            return said, service.url

    said, url = asyncio.run(work())

    assert f"the certificate {certificate} and the key {key} cannot be used" in said
    assert "give it a certificate and the key that belongs to it" in said
    assert url.startswith("https://")
