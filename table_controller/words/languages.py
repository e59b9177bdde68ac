"""The one list of the house's languages: what another one needs besides its catalogue."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Language(StrEnum):
    """A language's code, with what is known about it.

    Attributes:
        called: its own name, as shown in the page's switch.
        thousands: what separates groups of three digits, in numbers of five digits or more.
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
