"""What people at the table may say at any time: seats, money, declarations, who leads.

Knows nothing of cards.
"""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer import phases as p
from table_controller.engine.chemin_de_fer import state as s
from table_controller.engine.chemin_de_fer.offering import (
    MOST_BROUGHT,
    NAME,
    Offers,
    amount,
    holding,
    offer,
    one_of,
)
from table_controller.engine.chemin_de_fer.seating import in_play, may_declare
from table_controller.engine.messages import phrase
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import places, player
from table_controller.engine.table.people import MOST_STANDING
from table_controller.engine.views import STANDING, Text

_NAME = Text(label=phrase("name"), name="name", most=NAME)


def people(table: s.Table) -> Offers:
    """One tap away, under "people at the table"."""
    everybody = list(places(table.felt))
    standing = sum(who is not None for who in table.felt.standing)
    bought = amount(1, MOST_BROUGHT, 10 * table.house.least_pot)
    held = holding(table, everybody)
    most = max((most or 0 for _, most in held.values()), default=0)
    come: Offers = () if isinstance(s.foremost(table), p.PlayersDue) else sits(table, "people")
    if standing < MOST_STANDING:
        come += offer(ti.Stands, phrase("comes, standing"), _NAME, bought, group="people")
    return (
        *offer(ti.BuysIn, phrase("buys in"), one_of(table, everybody), bought, group="people"),
        *offer(
            ti.CashesOut,
            phrase("cashes out"),
            one_of(table, held),
            amount(1, most),
            group="people",
        ),
        *offer(ti.Tips, phrase("tips"), one_of(table, held), amount(1, most), group="people"),
        *come,
        *_goings(table, everybody),
        *_declarations(table, everybody),
        *offer(ti.CroupierChanged, phrase("change of croupier"), _NAME, group="people"),
    )


def sits(table: s.Table, group: str) -> Offers:
    """A player takes a free seat."""
    return offer(
        ti.Sits,
        phrase("takes a seat"),
        one_of(table, _free(table)),
        _NAME,
        amount(0, MOST_BROUGHT, 10 * table.house.least_pot),
        group=group,
    )


def _free(table: s.Table) -> list[int]:
    return [seat for seat, who in enumerate(table.felt.seats, 1) if who is None]


def _goings(table: s.Table, everybody: list[int]) -> Offers:
    """Who has no money in play may leave, and between coups move and swap (N-1, R-5)."""
    idle = [place for place in everybody if not in_play(table, place)]
    leaving = offer(ti.Leaves, phrase("leaves"), one_of(table, idle), group="people")
    if not may_declare(table.phase):
        return leaving
    seated = [place for place in idle if place <= STANDING]
    to, other = phrase("to seat"), phrase("with seat")
    return (
        *offer(
            ti.Moves,
            phrase("changes the seat"),
            one_of(table, idle),
            one_of(table, _free(table), "to", to),
            group="people",
        ),
        *offer(
            ti.Swaps,
            phrase("two swap seats"),
            one_of(table, seated),
            one_of(table, seated, "other", other),
            group="people",
        ),
        *leaving,
    )


def _declarations(table: s.Table, everybody: list[int]) -> Offers:
    """Before the first card: by the Schlitten, or free (R-25)."""
    if not may_declare(table.phase):
        return ()
    players = [(place, player(table.felt, place)) for place in everybody]
    bound = [place for place, who in players if who and who.by_schlitten]
    free = [place for place in everybody if place not in bound]
    by, freely = phrase("plays by the Schlitten"), phrase("plays free again")
    return (
        *offer(i.Declares, by, one_of(table, free), group="people", by_schlitten=True),
        *offer(i.Declares, freely, one_of(table, bound), group="people", by_schlitten=False),
    )
