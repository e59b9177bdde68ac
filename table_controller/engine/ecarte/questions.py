"""Asks a question that the rules leave to a player or to the croupier, with the rule's id."""

from __future__ import annotations

from table_controller.engine.ecarte.events import QuestionAsked
from table_controller.engine.ecarte.inputs import Option
from table_controller.engine.ecarte.phases import Asked, Question
from table_controller.engine.ecarte.state import Step, Table, at, seat_of


def ask(
    table: Table,
    question: Question,
    side: int,
    by: str,
    *options: Option,
    about: int = -1,
    cards: int = 0,
) -> Step:
    """Ask `side` (-1: the croupier) this question. The table waits for the answer.

    `by` is the rule's id, `about` the side that the question is about. `cards` is the number of
    cards, or the ordinal of the one card, that it is about.
    """
    asked = Asked(question, side, options, by, about, cards)
    told = QuestionAsked(seat=seat_of(table, side), question=question, rule=by)
    return at(table, table.phase, asked=(*table.asked, asked), undo=None), (told,)
