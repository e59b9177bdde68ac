import pytest

from vision import manifest
from vision.passage import Passages

KEY = bytes(range(32))


@pytest.fixture(scope="session")
def shoe():
    """The manifest of one shoe of six packs."""
    return manifest.make("blue-1", KEY)


@pytest.fixture(scope="session")
def other_shoe():
    """Another shoe of the same house."""
    return manifest.make("red-2", KEY)


@pytest.fixture
def passages(shoe, other_shoe):
    """By the picture alone; set to one picture a second, so that no pause is a gap."""
    return Passages(lambda text: shoe.lookup(text, [other_shoe]), fps=1)


@pytest.fixture
def beamed(shoe):
    """With an exit beam."""
    return Passages(shoe.lookup, beam=True, fps=1)
