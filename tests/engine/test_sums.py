"""Whether the public record adds up: no true record is called false, and no false record passes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.evening import sums
from table_controller.engine.chemin_de_fer.state import Table
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience, CardNamed, CardSeen, Event, Refusal
from tests.engine import script
from tests.engine.dealing import shuffled
from tests.engine.filling import filled, read
from tests.engine.playing import COUPS, MODERN, NEMZETI, ZOPPOT, table, table_of

Record = list[dict[str, Any]]


def public(told: Iterator[Event] | tuple[Event, ...]) -> Record:
    """Events as a journal or a broker has them."""
    return [msgspec.to_builtins(event) for event in told if event.audience is Audience.PUBLIC]


def scripted(path) -> Record:
    """The public record of a coup script."""
    now, record = table_of(path.read_text()), Record()
    for said, _ in script.lines(path.read_text()):
        try:
            now, told = step(now, said)
        except Refusal:
            continue
        record += public(told)
    return record


@pytest.fixture(scope="module")
def records() -> dict[str, Record]:
    return {path.stem: scripted(path) for path in COUPS}


def settled(record: Record) -> list[int]:
    return [at for at, event in enumerate(record) if event["type"] == "coup_settled"]


def spoiled(record: Record, at: int, **changes: object) -> Record:
    return [*record[:at], record[at] | changes, *record[at + 1 :]]


def test_no_coup_script_is_called_false(records):
    """R-16: thrown hands, forfeits, cards given back, corrected, voided, kept: all of them."""
    assert {name: sums(record) for name, record in records.items() if sums(record)} == {}
    assert sum(map(len, map(settled, records.values()))) > 100


def test_every_falsified_point_is_found(records):
    """ZX-1, ZP-9: every other point of either hand in every settled coup, also of a forfeit.

    Also where the winner, and with him the money, would be the same.
    """
    tried = 0
    for name, record in records.items():
        for at in settled(record):
            event, until = record[at], record[: at + 1]
            for side in ("banker", "pointeur"):
                for point in {None, *range(10)} - {event[side]}:
                    tried += 1
                    assert sums(spoiled(until, at, **{side: point})), (name, at, side, point)
    assert tried > 2000


def test_no_coup_is_lost_by_a_rule_that_nothing_says(records):
    """Z-11, Z-12, N-4: a win of the bank made a forfeit, and a forfeit of another kind."""
    for name, record in records.items():
        for at in settled(record):
            event = record[at]
            lost = {"winner": "pointeur", "banker": None, "pointeur": None, "cagnotte": 0}
            lost["pot_after"] = event["pot"] - event["staked"]
            for rule in {"Z-11", "Z-12"} - {event["forfeit"]}:
                if event["forfeit"] == "N-4" and rule == "Z-12":
                    continue  # the same misdeal in the other house
                falsified = spoiled(record[: at + 1], at, **lost, forfeit=rule)
                if rule == "Z-12" and any(one["type"] == "misdeal" for one in record[:at]):
                    continue  # it was misdealt, and put right
                assert sums(falsified), (name, at, rule)


def test_a_hand_that_was_opened_has_its_points(records):
    """ZX-1: the points told with the cards are theirs."""
    for name, record in records.items():
        for at, event in enumerate(record):
            if event["type"] == "hand_opened":
                assert sums(spoiled(record[: at + 1], at, points=(event["points"] + 1) % 10)), name


def test_a_record_that_begins_amid_a_coup_is_not_called_false(records):
    """A broker's listener comes when he comes: what he did not hear, he does not judge."""
    for name, record in records.items():
        for begin in range(0, len(record), 1 + len(record) // 40):
            assert sums(record[begin:]) is None, (name, begin)


def whim(now: Table, luck: random.Random, box: list) -> Any:
    """What somebody presses, or a card that comes, or one that cannot be read."""
    offers = snapshot(now, Audience.CROUPIER).offers
    main = [one for one in offers if one.group == "main" and not one.secret]
    what = luck.random()
    if what < 0.45 and main:
        return read(filled(main[0], luck, modest=True), game.inputs)
    if what < 0.6 and offers:
        said = filled(luck.choice(offers), luck, card=luck.choice(box).value)
        return read(said, game.inputs)
    if what < 0.63:
        return CardNamed(card=box[0], actor=luck.choice(["anna", "berta"]))
    return CardSeen(card=box.pop(0))


@pytest.mark.parametrize("house", [ZOPPOT, NEMZETI, MODERN], ids=lambda house: house.id)
@pytest.mark.parametrize("seed", range(4))
def test_no_evening_of_mistakes_is_called_false(seed, house):
    """R-16, R-20: whatever people press, what is told comes out, and no other point does."""
    luck, now, record = random.Random(seed), table(house=house, chips=10**6), Record()
    box = shuffled(seed)
    for _ in range(500):
        if len(box) < 2:
            break
        try:
            now, told = step(now, replace(whim(now, luck, box), prompt=None))
        except Refusal:
            continue
        record += public(told)

    assert sums(record) is None, record[sums(record)[0] - 20 : sums(record)[0] + 1]
    for at in settled(record):
        point = record[at]["banker"]
        assert sums(spoiled(record[: at + 1], at, banker=((point or 0) + 1) % 10))
