"""The rulebook as text for a terminal or data for a program. The module itself prints nothing."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Final

from table_controller.rules.rulebook import MEANING, Rule, Treatment, held_by, kept_by, rule, rules

_WIDTH = 88
#: The name of each kind of code.
CODE: Final = {"handlers": "Handlers", "offers": "Offers", "others": "Other code"}


def as_text(ids: Iterable[str]) -> str:
    """These rules as text for a terminal, in the order of `ids`.

    Raises UnknownRule if there is no rule with one of the ids.
    """
    return "\n\n".join(_entry(rule(rule_id)) for rule_id in ids)


def as_json(ids: Iterable[str]) -> str:
    """These rules as JSON: a list of id, text, treatment, how, code, tests. Raises UnknownRule."""
    found = [_fields(rule(rule_id)) for rule_id in ids]
    return json.dumps(found, ensure_ascii=False, indent=2)


def saying(words: Iterable[str]) -> list[Rule]:
    """The rules with all of these words in `text` or `how`, at least as beginnings of words.

    Small and capital letters make no difference.
    """
    begun = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words]
    return [each for each in rules() if all(one.search(f"{each.text} {each.how}") for one in begun)]


def as_list(found: Iterable[Rule], words: Iterable[str]) -> str:
    """One line for each rule: its id, and its sentence that contains the first of `words`."""
    first = re.compile(rf"\b{re.escape(next(iter(words)))}", re.IGNORECASE)
    return "\n".join(f"{each.id:8}{_sentence(each, first)}" for each in found)


def _sentence(each: Rule, word: re.Pattern[str]) -> str:
    sentences = re.split(r"(?<=[.!?:])\s+", f"{each.text} {each.how}".replace("\n", " "))
    said = next((one for one in sentences if word.search(one)), sentences[0])
    return textwrap.shorten(said, _WIDTH - 8, placeholder=" …")


def _entry(each: Rule) -> str:
    paragraphs = [*each.text.split("\n\n"), f"{meant(each.treatment)} {each.how}"]
    lines = [each.id]
    for paragraph in paragraphs:
        lines += [*textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False), ""]
    for kind, places in kept_by(each.id).items():
        lines += [f"{CODE[kind]}:", *_indented(places)]
    return "\n".join([*lines, "Tests:", *_indented(held_by(each.id) or ["none yet"])])


def _indented(places: Iterable[str]) -> list[str]:
    return [f"  {place}" for place in places]


def meant(treatment: Treatment) -> str:
    """The meaning of the treatment, as a sentence."""
    meaning = MEANING[treatment]
    return f"{meaning[0].upper()}{meaning[1:]}."


def _fields(each: Rule) -> dict[str, object]:
    return {
        "id": each.id,
        "text": each.text,
        "treatment": each.treatment.value,
        "how": each.how,
        **{kind: list(kept_by(each.id).get(kind, ())) for kind in CODE},
        "tests": list(held_by(each.id)),
    }
