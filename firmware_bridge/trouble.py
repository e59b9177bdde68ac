"""Why a device does not answer: a sentence for people that can still be translated.

The module knows no language but English, and no device.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


class Trouble(str):
    """An English sentence that remembers its template and the values that fill the template.

    Code that only prints the sentence uses the `Trouble` as a plain text. A page in another
    language finds the translation by the template. A value that is a `Trouble` is translated too.
    The translation tools find all templates by the calls of this class.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, str | int]

    def __new__(cls, template: str, /, **values: str | int) -> Self:
        """Fill the template with the values, as `str.format` does."""
        made = super().__new__(cls, template.format(**values))
        made.template, made.values = template, values
        return made


class TroubleError(Exception):
    """A device or a part of the program cannot be used. `why` is the reason and the remedy."""

    def __init__(self, why: Trouble) -> None:
        super().__init__(why)
        self.why = why
