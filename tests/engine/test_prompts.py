"""The table's requests. The moments are in prompts.table next to this file."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, OutOfTurn
from tests import tables
from tests.engine.playing import MODERN, NEMZETI, ZOPPOT, deal, play, table

HOUSES = {
    "modern": MODERN,
    "nemzeti": NEMZETI,
    "late": replace(NEMZETI, retablir="third_dealt"),
}
STEPS = ("bank", "stakes", "deal", "the word", "bank opens", "card given", "banker draws?",
         "pointeur opens", "settle", "between")  # fmt: skip


def begun(how, *words):
    """A `table`; one with a `pot` of 100 at seat 1; or one at which four cards are `dealt`."""
    settings = {name: int(n) for name, _, n in (word.partition("=") for word in words) if n}
    now = table(house=HOUSES.get(words[0] if words else "", ZOPPOT), **settings)
    if how == "table":
        return now
    now = play(now, "seat 1 banks 100")
    return play(now, "seat 2 banco solo", *cards(words)) if how == "dealt" else now


def cards(words):
    """Two of the pointeur, two of the banker."""
    return deal(" ".join(words[:2]), " ".join(words[2:]))


def prompt(now):
    """News, question, reason; then the rule, the seats, and the step."""
    picture = snapshot(now, Audience.CROUPIER)
    said = picture.prompt
    seats = " ".join(map(str, said.seats))
    assert picture.step < 0 or str(picture.steps[picture.step]) == STEPS[picture.step]
    about = f"{said.rule} [{seats}] {STEPS[picture.step]}"
    return [str(said.news), str(said.ask), str(said.why), about]


def holds(wanted, sentence):
    """Whether a sentence has the words that a table wants, in their order."""
    if wanted in ("-", "*"):
        return wanted == "*" or not sentence
    return re.search(".*".join(map(re.escape, wanted.split(" … "))), sentence)


@pytest.mark.parametrize("case", tables.cases(Path(__file__).with_name("prompts.table")))
def test_what_the_table_waits_for(case):
    """Its rule, who is asked, in which step; and what the sentences must say."""
    now = None
    for step in case.split(";"):
        line, arrow, wanted = (part.strip() for part in step.partition("=>"))
        word, *rest = line.split()
        if now is None:
            now = begun(word, *rest)
        else:
            now = play(now, *(cards(rest) if word == "cards" else [line]))
        if arrow:
            said = prompt(now)
            *sentences, about = (part.strip() for part in wanted.split("|"))
            assert about in ("*", said[3]), line
            assert all(map(holds, sentences, said[:3])), (line, sentences, said)


def test_no_coup_begins_on_the_battery_with_the_lid_open():
    """R-53: of both, the mains are named."""
    now = play(begun("pot"), "lid opens", "power fails")
    with pytest.raises(OutOfTurn) as no:
        play(now, "seat 2 banco solo")

    assert (str(no.value.why), no.value.rule) == ("The mains are gone.", "R-53")
