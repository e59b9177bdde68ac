import cv2
import pytest

from vision.faces.recognise import Eyes


@pytest.fixture(scope="session")
def eyes():
    """Both nets, loaded once."""
    cv2.setNumThreads(1)
    return Eyes()
