"""Names and reasons typed last are offered again, the latest first, even after a restart."""

from __future__ import annotations

import asyncio

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.engine.views import Text
from table_controller.wiring import recent_texts
from table_controller.wiring.app import Service
from table_controller.wiring.recent_texts import Used
from tests.engine.playing import play, table
from tests.whole.plans import paged


def known(picture, kind, field="name"):
    """What the first offer of that kind has to choose from."""
    offer = next(one for one in picture.offers if one.input["type"] == kind)
    return next(one.known for one in offer.fields if isinstance(one, Text) and one.name == field)


def offered(said, *lines):
    words = Used()
    for one in said:
        words.hear(one)
    return words.offered(snapshot(play(table(), "seat 3 leaves", *lines), Audience.CROUPIER))


def sits(name):
    return {"type": "sits", "name": name}


def test_who_came_last_is_offered_first_to_sit_and_to_stand():
    """Once, as it was written last; whoever leads the table is of another circle."""
    said = [sits("Anna Réti"), sits("Wolf"), {"type": "croupier_changed", "name": "Ilona"}]
    picture = offered([*said, {"type": "stands", "name": " anna  réti"}])

    assert known(picture, "sits") == known(picture, "stands") == ("anna  réti", "Wolf")
    assert known(picture, "croupier_changed") == ("Ilona",)


def test_who_is_at_the_table_is_not_offered():
    """One name sits once; who left may come again."""
    picture = offered([sits("player 4"), sits("player 3")])

    assert known(picture, "sits") == ("player 3",)


def test_a_reason_of_the_same_kind_comes_before_the_others():
    reasons = ("annulled", "dealt twice"), ("ruled", "the light"), ("transfers", "wrong stack")
    picture = offered([{"type": kind, "reason": reason} for kind, reason in reasons])

    assert known(picture, "ruled", "reason") == ("the light", "wrong stack", "dealt twice")
    assert known(picture, "transfers", "reason") == ("wrong stack", "the light", "dealt twice")


def test_only_so_many_are_kept_and_shown():
    words = Used()
    for number in range(recent_texts.KEPT + 5):
        words.hear(sits(f"N{number}"))
    picture = words.offered(snapshot(play(table(), "seat 3 leaves"), Audience.CROUPIER))

    assert known(picture, "sits") == tuple(f"N{64 - n}" for n in range(12))
    for number in range(5, recent_texts.KEPT + 5):  # the five oldest are forgotten
        words.hear(sits(f"N{number}"))
    assert "N4" not in str(words.offered(picture))


def test_a_restart_knows_them_and_what_was_refused_is_no_word(tmp_path):
    """The journal keeps them: what pages said and what the broker did."""
    plan = paged(tmp_path)
    kitty = {"seat": 1, "name": "Kitty", "chips": 100}

    async def evening(*said):
        async with Service(plan) as service:
            for one in said:
                said_now = {**one, "prompt": service.table.now.prompt}
                answer = await service.voices.page(said_now, "croupier")
                assert answer.ok is (one.get("name") != "Nobody")
            return known(service.hub.snapshot(Audience.CROUPIER), "sits")

    first = asyncio.run(
        evening(
            {"type": "sits", **kitty}, {"type": "sits", **kitty, "name": "Nobody"},
            {"type": "sits", "seat": 2, "name": "Zoë", "chips": 50}, {"type": "leaves", "seat": 1},
        )
    )  # fmt: skip

    assert first == ("Kitty",)
    assert asyncio.run(evening({"type": "leaves", "seat": 2})) == ("Zoë", "Kitty")
