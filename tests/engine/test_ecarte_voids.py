"""Inputs that void a deal: held down on the page, and never taken back, in every book (ER-38)."""

import random
from collections import Counter

import pytest

from table_controller.engine.ecarte import game
from table_controller.engine.ecarte.events import DealAnnulled, DealSetAside, How, PartieEnded
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Audience, CardSeen, Refusal
from table_controller.engine.table.undo import may_take_back
from table_controller.rules.cards import PACK_32
from tests.engine.ecarte_playing import EDE, HOUSES, said, started, table, walk
from tests.engine.filling import filled, read

#: What voids a deal at each house by one press, beside what a supervisor annuls.
VOIDING = {
    "e07": {"faced_in_pack", "wrong_number", "dealt_out_of_turn", "twins", "chooses"},
    "e00": {"faced_in_pack", "wrong_number", "dealt_out_of_turn", "chooses"},
    "ede": {
        "faced_in_pack", "wrong_number", "dealt_out_of_turn", "twins", "chooses", "exposed",
        "wrong_packets",
    },
}  # fmt: skip


def void(told):
    """Whether a deal, or the partie, counts for nobody now."""
    ended = (event for event in told if isinstance(event, PartieEnded))
    return any(isinstance(e, DealAnnulled | DealSetAside) for e in told) or any(
        event.how is How.VOID for event in ended
    )


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_what_voids_a_deal_is_held_and_final(house):
    """ER-38: whatever offer is pressed at whatever moment, at each of the three books."""
    luck, voided = random.Random(house.id), Counter()
    for _word, now, _told, _refusal in walk(table(house), random.Random(7), 2500):
        for offer in game.snapshot(now, Audience.CROUPIER).offers:
            pressed = filled(offer, luck)
            try:
                after, told = step(now, read(pressed, game.inputs))
            except Refusal:
                continue
            if void(told):
                assert offer.hold, pressed
                assert not may_take_back(after), pressed
                voided[pressed["type"]] += 1

    assert VOIDING[house.id] <= set(voided)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_a_second_card_turned_is_held_where_it_is_a_new_deal(house):
    """EDE-21, ER-38; at E07 and E00 elder chooses what becomes of it (E07-25)."""
    now = said(started(house), *(CardSeen(card=card) for card in PACK_32[:12]))
    held = {
        offer.input["ruling"]: offer.hold
        for offer in game.snapshot(now, Audience.CROUPIER).offers
        if offer.input["type"] == "stray_ruled"
    }

    assert held == {"back": False, "face_up": house is EDE}
