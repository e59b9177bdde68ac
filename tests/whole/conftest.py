import pytest

from tests.brokers import Mosquitto


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory):
    """A real Mosquitto, open to all on loopback; its port."""
    broker = Mosquitto(tmp_path_factory.mktemp("broker"))
    broker.start()
    yield broker
    broker.stop()
