"""Every text of the page is made here: sentences in its language, figures as it groups them.

Knows phrases and how figures are written; knows no page.
"""

from __future__ import annotations

from table_controller.words import LOCALES, figure, text
from table_controller.words.languages import Language

__all__ = ["LOCALES", "NAMES", "figure", "say"]

#: The languages by their own names, for the page's switch.
NAMES = {language.value: language.called for language in Language}

say = text
