import cv2
import pytest

from tests.vision.decks import glyphs
from vision.faces.read import CornerReader

#: The fonts that cards are drawn with here, from packages that scripts/test installs: the same
#: files in Debian 12 and 13, so that the same cards are drawn whatever else is installed.
FACES = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSerif", "DejaVuSerif-Bold")


@pytest.fixture(autouse=True, scope="package")
def faces():
    """Only fonts that are on every machine; one more would change every draw."""
    faces = [
        path for path in glyphs.fonts() if path.stem in FACES or path.parent.name == "urw-base35"
    ]
    signs = [path for path in glyphs.suit_fonts() if path.stem in FACES]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glyphs, "fonts", lambda: tuple(faces))
        patch.setattr(glyphs, "suit_fonts", lambda: tuple(signs))
        yield


@pytest.fixture(scope="session")
def reader():
    """The net, loaded once."""
    cv2.setNumThreads(1)
    return CornerReader()
