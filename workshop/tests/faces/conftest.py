from tests.vision.faces.conftest import faces, reader  # noqa: F401 - fixtures
