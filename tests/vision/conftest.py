import pytest

from vision import manifest

KEY = bytes(range(32))


@pytest.fixture(scope="session")
def shoe():
    """The manifest of one shoe of six packs."""
    return manifest.make("blue-1", KEY)


@pytest.fixture(scope="session")
def other_shoe():
    """Another shoe of the same house."""
    return manifest.make("red-2", KEY)
