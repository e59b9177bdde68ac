import pytest

from tests.adapters.mqtt.desks import Hall
from tests.brokers import Mosquitto


@pytest.fixture
def mosquitto(tmp_path):
    """A real Mosquitto on a free loopback port, open to all."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def hall():
    return Hall()
