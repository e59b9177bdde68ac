"""The name on a ruling. The issue wants rulings with name and reason."""

from __future__ import annotations

import pytest

from table_controller.engine.messages import Role
from table_controller.engine.punto_banco.state import on_felt
from table_controller.engine.table.roles import NotAllowed, Person
from tests.engine.punto_banco.playing import game, played, step, table, told

STRAY = ("free coup", "card 2h", "card Kd", "card 4s", "card 7d", "card 5h")
RULED = "stray kept because nobody saw it"


@pytest.mark.parametrize(
    ("actor", "by"),
    [
        ("supervisor:Berta", "berta"),
        ("croupier:Carla", "carla"),
        ("croupier", "anna"),
        ("button:board-3", "anna"),
        ("console", "console"),
    ],
)
def test_a_ruling_bears_the_name_of_who_ruled(actor, by):
    """PB-21: his own, or of who leads the table: a button has no name."""
    now = played(table(), "croupier Anna", *STRAY)

    _, shown = told(now, f"{RULED} [{actor}]")

    assert shown == f"card kept; PB-21 by {by}: nobody saw it"


@pytest.mark.parametrize("actor", ["croupier", "button:board-3"])
def test_where_nobody_has_a_name_the_croupier_ruled(actor):
    """PB-21: at a table without people, that nobody leads by name, the record says his office."""
    assert told(played(table(), *STRAY), f"{RULED} [{actor}]")[1].startswith(
        "card kept; PB-21 by croupier: "
    )


def test_where_there_are_people_nobody_rules_without_a_name():
    """PB-21: once somebody has a role, a word without a person's name is refused."""
    now = on_felt(played(table(), *STRAY), persons=(Person("Anna", Role.CROUPIER),))

    with pytest.raises(NotAllowed):
        step(now, game.read(f"{RULED} [croupier]"))
    assert told(now, f"{RULED} [croupier:anna]")[1] == "card kept; PB-21 by anna: nobody saw it"
