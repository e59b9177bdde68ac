"""The languages of the house, once: what a further one needs besides its catalogue."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Language(StrEnum):
    """A language's code, and what is said of it.

    Attributes:
        called: its own name, as the page's switch shows it.
        thousands: what stands between groups of three figures, from five figures on.
    """

    called: str
    thousands: str

    def __new__(cls, code: str, called: str, thousands: str) -> Self:
        language = str.__new__(cls, code)
        language._value_ = code
        language.called, language.thousands = called, thousands
        return language

    EN = "en", "English", ","
    DE = "de", "Deutsch", "."
    FR = "fr", "Français", "\u202f"
    SV = "sv", "Svenska", "\u00a0"
    HU = "hu", "Magyar", "\u00a0"
