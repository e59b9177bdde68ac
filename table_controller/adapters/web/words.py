"""Every text of the page goes through here, so that translations have one place.

Knows phrases and how figures are written; knows no page.
"""

from __future__ import annotations

from table_controller.engine.messages import Phrase

NARROW_SPACE = "\u202f"


def say(phrase: Phrase, locale: str) -> str:  # noqa: ARG001  # the catalogues are not there yet
    """Return the sentence in the language of `locale`."""
    return str(phrase)


def figure(number: int) -> str:
    """Write a number as people read it: from five digits on in groups of three."""
    if abs(number) < 10_000:
        return str(number)
    return f"{number:,}".replace(",", NARROW_SPACE)
