"""The scripts of écarté's stakes: each plays as written in every house that it names.

A line `! seat 1 loses` plays the partie to its end. Events about cards are left out.
"""

from pathlib import Path

import pytest

from table_controller.engine.ecarte.inputs import NOTATION
from table_controller.engine.ecarte.state import lies, players, the_partie
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Refusal
from tests.engine.ecarte_staking import E00, E07, EDE, changes, over, table
from tests.engine.ecarte_staking_told import SHOWN

COUPS = sorted(Path(__file__).parents[1].joinpath("coups_ecarte_stakes").glob("*.coup"))
HOUSES = {"e07": E07, "e00": E00, "ede": EDE}


def houses_of(path):
    """Those that the line `# houses …` names."""
    [line] = [x for x in path.read_text().splitlines() if x.startswith("# houses ")]
    return line.split()[2:]


PLAYED = [(path, name) for path in COUPS for name in houses_of(path)]


def answer(now, about):
    """What a question asks: what each has won, what the bank holds, who has the hand, a list."""
    if about.startswith("list "):
        return " ".join(map(str, now.bets.orders[int(about[5:])].players))
    return {
        "won": lambda: " ".join(map(str, changes(now))),
        "bank": lambda: str(lies(now.bets)),
        "hand": lambda: str(players(now.bets)[1]),
    }[about]()


def heard(now, line):
    """The table after a line, and what is told of it."""
    try:
        now, events = step(now, NOTATION.parse(line))
    except Refusal:
        return now, "refused"
    return now, "; ".join(SHOWN[type(x)](x) for x in events if type(x) in SHOWN)


@pytest.mark.parametrize(
    ("path", "name"), PLAYED, ids=[f"{path.stem}-{name}" for path, name in PLAYED]
)
def test_script(path, name):
    """Line by line, as a croupier reads it."""
    now = table(HOUSES[name])
    for line in path.read_text().splitlines():
        content, _, wanted = (part.strip() for part in line.split("#")[0].partition("=>"))
        if content.startswith("!"):
            loser = the_partie(now).seats.index(int(content.split()[2]))
            now = over(now, loser, held=False)
        elif content.startswith("?"):
            assert answer(now, content[1:].strip()) == wanted, line
        elif content:
            now, told = heard(now, content)
            assert told == wanted or (not wanted and told != "refused"), f"{line}: {told}"


def test_the_worked_examples_of_stakes_are_there():
    """X22 to X24 concern them, and an auctioned chouette."""
    text = "\n".join(path.read_text() for path in COUPS)

    assert all(f"X{number}" in text for number in (22, 23, 24))
