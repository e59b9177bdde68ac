"""What follows from each answer to a question that the rules leave to a person."""

from __future__ import annotations

from collections.abc import Callable

from table_controller.engine.ecarte.dealing import to_the_bottom
from table_controller.engine.ecarte.ending import annul, finish, partie_over
from table_controller.engine.ecarte.events import How, QuestionAnswered
from table_controller.engine.ecarte.facts import Deal
from table_controller.engine.ecarte.faults import left, opened, tricks_given, two_marks
from table_controller.engine.ecarte.inputs import Chooses, Option
from table_controller.engine.ecarte.marking import king_shown
from table_controller.engine.ecarte.phases import Asked, LeadDue, Question
from table_controller.engine.ecarte.revoking import reply_mended, restored
from table_controller.engine.ecarte.speaking import mended
from table_controller.engine.ecarte.state import Step, Table, at, for_side, seat_of, the_deal
from table_controller.engine.messages import OutOfTurn, phrase
from table_controller.rules.ecarte.marks import TRICKS

Consequence = Callable[[Table, Asked], Step]


def chooses(table: Table, phase: Asked, said: Chooses) -> Step:
    """The person who was asked chooses an answer, which nobody can take back."""
    if seat_of(table, phase.side) != said.seat or said.option not in phase.options:
        raise OutOfTurn(
            phrase("That is no answer to what is asked."),
            phrase("Who is asked chooses one of the answers."),
            phase.rule,
        )
    told = QuestionAnswered(seat=said.seat, question=phase.question, option=said.option)
    table = at(table, table.phase, asked=table.asked[:-1], undo=None)
    table, more = _ANSWERS[phase.question, said.option](table, phase)
    return table, (told, *more)


def _stands(table: Table, _asked: Asked) -> Step:
    return table, ()


def _annulled(dealer: Callable[[Deal], int]) -> Consequence:
    def answer(table: Table, asked: Asked) -> Step:
        return annul(table, asked.rule, dealer=dealer(the_deal(table)))

    return answer


_AGAIN = _annulled(lambda deal: deal.dealer)
_PASSES = _annulled(lambda deal: deal.elder)


def _back(table: Table, _asked: Asked) -> Step:
    return table, ()  # the card is already the next to be served


def _bottom(table: Table, asked: Asked) -> Step:
    return to_the_bottom(table, asked), ()


def _mended(table: Table, asked: Asked) -> Step:
    return mended(table, asked.about, asked.cards), ()


def _excused(table: Table, asked: Asked) -> Step:
    """The croupier rules that the play counts, because an entry was wrong or it was no revoke."""
    table = for_side(table, asked.about, excused=True)
    if isinstance(table.phase, LeadDue) and len(the_deal(table).tricks) == TRICKS:
        return finish(table)
    return table, ()


def _reply_mended(table: Table, asked: Asked) -> Step:
    return reply_mended(table, asked.about), ()


_ANSWERS: dict[tuple[Question, Option], Consequence] = {
    (Question.PACKETS, Option.KEEP): _stands,
    (Question.PACKETS, Option.ANNUL): _AGAIN,
    (Question.FACED, Option.KEEP): _stands,
    (Question.FACED, Option.ANNUL): _PASSES,
    (Question.EXPOSED, Option.KEEP): _stands,
    (Question.EXPOSED, Option.ANNUL): _PASSES,
    (Question.TWO_TURNED, Option.BACK): _back,
    (Question.TWO_TURNED, Option.BOTTOM): _bottom,
    (Question.TWO_TURNED, Option.ANNUL): _PASSES,
    (Question.DEALER_SHORT, Option.TAKE): _mended,
    (Question.DEALER_SHORT, Option.ANNUL): _PASSES,
    (Question.DEALER_OVER, Option.DRAW): _mended,
    (Question.DEALER_OVER, Option.ANNUL): _PASSES,
    (Question.ELDER_SHORT, Option.TAKE): _mended,
    (Question.ELDER_SHORT, Option.DEAL): _PASSES,
    (Question.ELDER_OVER, Option.PUT_ASIDE): _mended,
    (Question.ELDER_OVER, Option.DEAL): _PASSES,
    (Question.NUMBER, Option.TAKE): _mended,
    (Question.NUMBER, Option.ANNUL): _PASSES,
    (Question.OPEN, Option.DEMAND): lambda table, asked: opened(table, asked.about),
    (Question.OPEN, Option.WAIVE): _stands,
    (Question.SHOW_KING, Option.SHOWN): lambda t, asked: king_shown(t, asked.about, shown=True),
    (Question.SHOW_KING, Option.NOT_SHOWN): lambda t, asked: king_shown(
        t, asked.about, shown=False
    ),
    (Question.REVOKE, Option.RESTORE): lambda table, asked: restored(table, asked.about),
    (Question.REVOKE, Option.MEND): _reply_mended,
    (Question.REVOKE, Option.STANDS): _excused,
    (Question.THROWN, Option.TWO): lambda table, asked: two_marks(table, asked.about),
    (Question.THROWN, Option.TRICKS): lambda table, asked: tricks_given(table, asked.about),
    (Question.LEFT, Option.LOSES): lambda t, asked: left(t, asked.about, Option.LOSES),
    (Question.LEFT, Option.VOID): lambda t, asked: left(t, asked.about, Option.VOID),
    (Question.LEFT, Option.STANDS): lambda t, asked: left(t, asked.about, Option.STANDS),
    (Question.FALSE_CARDS, Option.VOID): lambda t, _asked: partie_over(t, -1, How.VOID),
    (Question.FALSE_CARDS, Option.STANDS): _stands,
}
