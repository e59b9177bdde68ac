import pytest

from table_controller import words


@pytest.fixture(autouse=True)
def _no_unknown_text(monkeypatch):
    """A text without a translation fails the test in which it is asked for."""

    def fail(message, locale, context):
        raise LookupError(f"no {context} of {message!r} in {locale}")

    monkeypatch.setattr(words, "unknown", fail)
