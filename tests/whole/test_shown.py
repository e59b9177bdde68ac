"""The parts of pages that are not the game's own."""

import asyncio
import re

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import Audience
from table_controller.service.game import Position
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.page_parts import with_entries
from tests.engine import script
from tests.engine.playing import play, table

SOLO = ("seat 1 banks 10", "seat 2 banco solo")


def enterable(now, *, reads):
    here = Position(game, now)
    picture = with_entries(here, here.snapshot(Audience.CROUPIER), reads=reads)
    return any(offer.input["type"] == "card_seen" for offer in picture.offers)


def test_cards_are_entered_only_where_nothing_reads_them():
    """R-13: without a reader, and while it is lost; no longer once it is back."""
    now = play(table(), *SOLO)
    lost = play(now, "lost camera: it is unplugged")

    assert enterable(now, reads=False)
    assert not enterable(now, reads=True)
    assert enterable(lost, reads=True)
    assert not enterable(play(now, "lost board: it is unplugged"), reads=True)
    assert not enterable(play(lost, "back camera"), reads=True)


def told(now, *, reads):
    """The headline, what stands under it and the unread card's remedy."""
    here = Position(game, now)
    picture = with_entries(here, here.snapshot(Audience.CROUPIER), reads=reads)
    [alert] = [alert for alert in picture.alerts if alert.code == "card_unread"]
    return str(picture.prompt.ask), str(picture.prompt.why), str(alert.remedy)


def test_nobody_is_sent_to_a_lip_that_does_not_read():
    """R-13: without a reader, or while it is lost, two people enter it; no word of a camera."""
    now = play(table(), *SOLO, "card unread no_read")
    lost = play(now, "lost camera: it is unplugged")
    blind, seeing = told(now, reads=False), told(now, reads=True)

    assert told(lost, reads=True) == blind
    assert told(play(lost, "back camera"), reads=True) == seeing
    assert [("camera" in one, "two people" in one.lower()) for one in seeing] == [
        (True, False), (False, True), (True, True)
    ]  # fmt: skip
    assert not any("camera" in one for one in blind)
    assert "Two people" in blind[0]
    assert "Two people" in blind[2]


def test_without_a_lip_the_second_person_and_the_supervisor_are_still_called():
    """R-13: the second entry's own headline stays; a card too many is the supervisor's."""
    now = play(table(), *SOLO, "card unread no_read", "named 9h [anna]")
    twice = play(table(), *SOLO, "card unread duplicate")

    assert "second person" in told(now, reads=False)[0]
    assert re.search(r"call the supervisor\..*two people", told(twice, reads=False)[2])


def test_a_press_that_changes_nothing_says_so(tmp_path):
    """The same stake once more, the same croupier; a noted ruling is something all the same."""
    assert asyncio.run(_answers(tmp_path)) == [
        ("stakes 50", True, True),
        ("stakes 50", True, False),
        ("croupier_changed Anna", True, True),
        ("croupier_changed Anna", True, False),
        ("ruled", True, True),
        ("stakes 0", True, True),
        ("takes_back", True, True),
        ("opened", False, True),
    ]


async def _answers(folder):
    """What each of these presses came to: whether it was taken, and whether it changed anything."""
    plan = Plan(
        table=TableId("whole", "shown"),
        house=config.house("zoppot-1934"),
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
    )
    async with Service(plan) as service:
        for line in ("seat 1 sits 100 A", "seat 3 sits 100 C", "schlitten a"):
            await service.table.ask(script.parse(line))
        for line in ("seat 1 banks 98", "all may stake"):
            await service.table.ask(script.parse(line))
        stakes = {"type": "stakes", "seat": 3, "chips": 50}
        anna = {"type": "croupier_changed", "name": "Anna"}
        said = [
            ("stakes 50", stakes),
            ("stakes 50", stakes),
            ("croupier_changed Anna", anna),
            ("croupier_changed Anna", anna),
            ("ruled", {"type": "ruled", "reason": "no smoke"}),
            ("stakes 0", stakes | {"chips": 0}),
            ("takes_back", {"type": "takes_back"}),
            ("opened", {"type": "opened", "seat": 1}),
        ]
        told = [(name, await service.hub.say(press, "croupier")) for name, press in said]
    return [(name, answer.ok, answer.changed) for name, answer in told]
