import cv2
import pytest

from vision.faces.read import CornerReader


@pytest.fixture(scope="session")
def reader():
    """The net, loaded once."""
    cv2.setNumThreads(1)
    return CornerReader()
