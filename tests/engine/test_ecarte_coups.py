"""The scripts of écarté: each plays as written in every house that it names.

A line `! deal N / D / T` deals those hands and that turn-up, elder's first. With a fourth part `/
bought`, each hand's last card is bought in a first exchange (the books' "Exchange: yes").
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.engine.ecarte import game
from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.partie import may_mark_king, may_say_king
from table_controller.engine.ecarte.state import Table, talon
from table_controller.engine.ecarte.step import last_word, step
from table_controller.engine.ecarte.view import snapshot
from table_controller.engine.ecarte.words import awaited
from table_controller.engine.messages import Audience, CardSeen, Refusal
from table_controller.engine.table.undo import may_take_back
from table_controller.rules.cards import PACK_32, Card, hand
from tests import scripting
from tests.engine.ecarte_playing import E00, E07, EDE, LEFT, RIGHT, said, shuffled, started
from tests.engine.ecarte_script import show
from tests.scripting import Question

COUPS = sorted(Path(__file__).parent.parent.joinpath("coups_ecarte").glob("*.coup"))
HOUSES = {"e07": E07, "e00": E00, "ede": EDE}


def houses_of(text: str) -> list[str]:
    """Those that the line `# houses …` names."""
    [line] = [line for line in text.splitlines() if line.startswith("# houses ")]
    return line.split()[2:]


PLAYED = [(path, name) for path in COUPS for name in houses_of(path.read_text())]


def dealt(now: Table, line: str) -> Table:
    """The table after the deal that a line `! deal` names."""
    elder, dealer, turned, *bought = (part.strip() for part in line.split("/"))
    hands = [list(hand(elder)), list(hand(dealer))]
    turn = hand(turned)[0]
    last = [cards.pop() for cards in hands]
    if bought:
        filler = [c for c in PACK_32 if c not in (*hands[0], *hands[1], *last, turn)]
        first = filler[:2]
    else:
        first = last
    deal = now.deal
    assert deal is not None
    assert now.partie is not None
    full = [[*hands[0], first[0]], [*hands[1], first[1]]]
    n = deal.first
    order = [*full[0][:n], *full[1][:n], *full[0][n:], *full[1][n:], turn]
    now = said(now, *(CardSeen(card=card) for card in order))
    if bought:
        seats = now.partie.seats
        one, two = seats[deal.elder], seats[deal.dealer]
        now = said(
            now, i.Proposes(seat=one), i.Accepts(seat=two), i.Discards(seat=one, cards=1),
            CardSeen(card=last[0]), i.Discards(seat=two, cards=1), CardSeen(card=last[1]),
        )  # fmt: skip
    return now


def scored(now: Table, score: str) -> Table:
    """The table at such a score, for `! score 3-3`."""
    left, right = map(int, score.split("-"))
    assert now.partie is not None
    return replace(now, partie=replace(now.partie, score=(left, right)))


def answer(now: Table, about: str) -> str:
    """What a question asks.

    The score, the talon, who deals, who may say le roi, who has said it where everybody sees it,
    what can be taken back, and what the table awaits.
    """
    partie = now.partie
    assert partie is not None
    return {
        "score": lambda: f"{partie.score[0]}-{partie.score[1]}",
        "talon": lambda: str(talon(now)),
        "deals": lambda: str(partie.seats[partie.dealer]),
        "phase": lambda: type(now.phase).__name__,
        "awaits": lambda: f"{awaited(now).ask} ({awaited(now).rule})",
        "notes": lambda: "; ".join(
            str(one.text) for one in snapshot(now, Audience.CROUPIER).notes if one.rule == "E00-18"
        ),
        "options": lambda: " ".join(now.asked[-1].options),
        "king": lambda: (
            " ".join(
                str(partie.seats[side])
                for side in (0, 1)
                if may_say_king(now, side) or may_mark_king(now, side)
            )
            or "nobody"
        ),
        "said": lambda: (
            " ".join(
                str(seat.seat)
                for seat in snapshot(now, Audience.PUBLIC).seats
                if any(mark.name == "king" for mark in seat.marks)
            )
            or "nobody"
        ),
        "back": lambda: str(last_word(now)) if may_take_back(now) else "nothing",
    }[about]()


@pytest.mark.parametrize(
    ("path", "name"), PLAYED, ids=[f"{path.stem}-{name}" for path, name in PLAYED]
)
def test_script(path, name):
    """Line by line, as a croupier reads it."""
    text = path.read_text()
    now = shuffled(HOUSES[name]) if "# begins with the shuffle" in text else started(HOUSES[name])
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{path.name}, line {number} ({name}): {line}"
        content = line.split("#", 1)[0].strip()
        if content.startswith("! deal"):
            now = dealt(now, content.removeprefix("! deal"))
            continue
        if content.startswith("! score"):
            now = scored(now, content.removeprefix("! score").strip())
            continue
        for word, expected in scripting.read(game, content):
            if isinstance(word, Question):
                assert answer(now, word.about) == expected, where
                continue
            try:
                now, events = step(now, word)
                shown = show(events)
            except Refusal as refusal:
                shown = f"refused ({refusal.rule})"
            if expected is None:
                assert not shown.startswith("refused"), f"{where}: {shown}"
            else:
                assert shown == expected, where


def test_there_are_scripts():
    """Each of the 25 worked examples has one that names it; X22 to X24 are the betting's."""
    text = "\n".join(path.read_text() for path in COUPS)

    assert not [n for n in (*range(1, 22), 25) if f"example X{n}" not in text]


def test_both_seats_are_used():
    """The scripts' seats are those of the table that they begin at."""
    assert {LEFT, RIGHT} == {3, 9}
    assert isinstance(started(E07).phase, p.Dealing)
    assert Card("Kh") in PACK_32
