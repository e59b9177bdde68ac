"""What the table says it waits for, whole: news, sentence, reason, rule, who acts, which step."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from tests.engine.playing import ZOPPOT, deal, play, table

STEPS = ("bank", "stakes", "deal", "the word", "bank opens", "card given", "banker draws?",
         "pointeur opens", "settle", "between")  # fmt: skip


def prompt(now: Table) -> list[str]:
    """News, sentence, reason; the rule; the seats; the step."""
    picture = snapshot(now, Audience.CROUPIER)
    said = picture.prompt
    seats = " ".join(map(str, said.seats))
    assert picture.step < 0 or str(picture.steps[picture.step]) == STEPS[picture.step]
    about = f"{said.rule} [{seats}] {STEPS[picture.step]}"
    return [str(said.news), str(said.ask), str(said.why), about]


def pot(*lines: str, house=ZOPPOT, **settings) -> Table:
    """A pot of 100 at seat 1, and what comes next."""
    return play(table(house=house, **settings), "seat 1 banks 100", *lines)


def dealt(pointeur: str, banker: str, *lines: str) -> Table:
    """Seat 2 plays alone against it, and four cards lie."""
    return pot("seat 2 banco solo", *deal(pointeur, banker), *lines)
