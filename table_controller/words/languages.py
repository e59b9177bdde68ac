"""The list of the program's languages, with the facts that each needs besides its catalogue."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Language(StrEnum):
    """A language's code, and the facts about the language.

    Attributes:
        called: its own name, as shown in the page's switch.
        thousands: the separator of groups of three digits, in numbers of five digits or more.
        letters: the rows of its keyboard, without digits.
    """

    called: str
    thousands: str
    letters: tuple[str, ...]

    def __new__(cls, code: str, called: str, thousands: str, letters: str) -> Self:
        language = str.__new__(cls, code)
        language._value_ = code
        language.called, language.thousands = called, thousands
        language.letters = tuple(letters.split())
        return language

    EN = "en", "English", ",", "qwertyuiop asdfghjkl zxcvbnm áàäåçéèíñóöü"
    DE = "de", "Deutsch", ".", "qwertzuiopü asdfghjklöä yxcvbnmß"
    FR = "fr", "Français", "\u202f", "azertyuiop qsdfghjklm wxcvbnéèç àâêëîïôùûœ"
    SV = "sv", "Svenska", "\u00a0", "qwertyuiopå asdfghjklöä zxcvbnm"
    HU = "hu", "Magyar", "\u00a0", "qwertzuiopőú asdfghjkléáű íyxcvbnmöüó"
