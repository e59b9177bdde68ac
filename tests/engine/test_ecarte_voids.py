"""Inputs that void a deal: held down on the page, and never taken back, in every book (ER-38)."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from table_controller.engine.ecarte import game
from table_controller.engine.ecarte.events import DealAnnulled, DealSetAside, How, PartieEnded
from table_controller.engine.ecarte.state import DealOver, PartieOver
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import Audience, CardSeen, Refusal, Restored
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.undo import may_take_back
from table_controller.rules.cards import PACK_32
from tests.contract import walks
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


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_nothing_that_is_said_gives_a_void_deal_its_life_back(house):
    """ER-16, ER-38: every input, from every moment at which a deal was annulled."""
    luck, tried = random.Random(house.id), 0
    begun = (walks.kinds(game)[kind] for kind in sorted(walks.kinds(game)))
    kinds = [kind for kind in begun if kind not in (ti.SchlittenClosed, Restored)]
    for _word, now, told, _refusal in walk(table(house), random.Random(11), 1500):
        if not any(isinstance(event, DealAnnulled) for event in told) or not now.deal:
            continue
        for kind in kinds:
            for _ in range(4):
                try:
                    after, _ = step(now, walks.anything(kind, luck))
                except Refusal:
                    continue
                tried += 1
                ended = isinstance(after.phase, DealOver | PartieOver)
                assert ended or after.deal is None, kind
                assert after.deal is None or after.deal.annulled, kind
    assert tried > 100


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_what_ends_a_partie_is_held(house):
    """E07-45, ER-14, ER-38: the marks too, and "he has shown it"; nobody can take it back."""
    luck, ended = random.Random(house.id), Counter()
    for _word, now, _told, _refusal in evenings(house, mistakes=0.1):
        if now.partie and luck.random() < 0.3:  # one mark before the end
            now = replace(now, partie=replace(now.partie, score=(4, 4)))  # noqa: PLW2901
        for offer in game.snapshot(now, Audience.CROUPIER).offers:
            pressed = filled(offer, luck)
            try:
                after, _ = step(now, read(pressed, game.inputs))
            except Refusal:
                continue
            if isinstance(after.phase, PartieOver) and not isinstance(now.phase, PartieOver):
                assert offer.hold, pressed
                ended[pressed["type"]] += 1

    assert ended["marks"]


def evenings(house, mistakes):
    """Whims of a few evenings."""
    for seed in range(5):
        yield from walk(table(house), random.Random(seed), 700, mistakes=mistakes)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.id)
def test_every_card_that_is_offered_may_be_laid(house):
    """E07-44, EDE-14, ER-32: of an open hand, and the same card twice, each card is taken."""
    tried = Counter()
    for _word, now, _told, _refusal in evenings(house, mistakes=1):
        for offer in game.snapshot(now, Audience.CROUPIER).offers:
            if offer.input["type"] in {"plays_card", "twins", "shows"}:
                (cards,) = offer.fields
                for pick in cards.picks:
                    step(now, read(offer.input | {"card": pick.value}, game.inputs))
                    tried[offer.input["type"]] += 1
    assert min(tried[kind] for kind in ("plays_card", "twins", "shows")) > 100
