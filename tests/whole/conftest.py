import pytest

from tests.brokers import Mosquitto
from tests.whole.commands import short_film


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory):
    """A real Mosquitto, open to all on loopback; its port."""
    broker = Mosquitto(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return short_film(tmp_path_factory.mktemp("film") / "short.film")
