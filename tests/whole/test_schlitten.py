"""One whole Schlitten, from a camera's frames to broker, board and browser."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.rules.cards import PACK
from table_controller.service.verify import verify
from tests import oracle
from tests.limits import LONG_S
from tests.whole import filmed
from tests.whole.evening import reads, result

#: Whole evenings, programs and films: minutes, on a machine that is busy.
pytestmark = pytest.mark.timeout(LONG_S)

SEED = 1
#: The pages follow the second half of the Schlitten; `scripts/soak` has them follow whole ones.
PAGES_FROM = 30


@pytest.fixture(scope="module")
def played(mosquitto, tmp_path_factory):
    """The evening that all these tests look back at."""
    folder = tmp_path_factory.mktemp("schlitten")
    return asyncio.run(filmed.play(folder, mosquitto.port, SEED, every=2, pages_from=PAGES_FROM))


def test_every_card_of_the_recording_is_read_right_and_once(played):
    """312 right, none wrong, none doubled, through blur, noise, light, tilt and short gaps."""
    cards = [seen.card.value for seen in played.read if seen.card]

    assert len(played.read) == 313
    assert cards == played.order
    assert Counter(cards) == Counter({card.value: 6 for card in PACK})
    assert len({(seen.card, seen.copy) for seen in played.read if seen.card}) == 312
    assert [seen.white for seen in played.read].index(True) == 305


def test_the_table_took_them_as_they_came(played):
    """No card was in doubt, no word refused; every card due was journaled, in its order."""
    told = Counter(event["type"] for _, _, event in played.kept.rows())
    alerts = {event.get("code") for event in played.kept.public()} - {None}
    seen = [said for said in played.kept.inputs() if said["type"] == "card_seen"]
    cards = [said["card"] for said in seen if said.get("card")]

    assert cards == played.order[: len(cards)]
    assert len(cards) > 305
    assert not {"refused", "card_unread"} & set(told)
    assert alerts <= {"device_lost"}  # a busy machine may keep the board waiting


def test_the_white_card_comes_at_seven_left_and_the_last_coup_is_announced(played):
    """R-6, ZP-4."""
    events = played.kept.public()
    white = [event for event in events if event["type"] == "white_card_out"]
    last = [event for event in events if event["type"] == "last_coup"]
    settled = [event["coup"] for event in events if event["type"] == "coup_settled"]

    assert [event["left"] for event in white] == [7]
    assert [event["coup"] for event in last] == settled[-1:]


def test_the_coups_are_those_of_an_independent_reading_of_the_rules(played):
    """The same cards and words, read by tests/oracle.py, come to the same coups and sums."""
    events = played.kept.public()
    told = oracle.told(events)

    assert told == oracle.evening(filmed.cards(played), oracle.words_told(events))
    assert len(told) > 50


def test_a_subscriber_hears_every_public_event_once_and_in_order(played):
    """By the numbers that the messages carry; and by the journal, word for word."""
    heard = [
        json.loads(payload) for topic, payload, _ in played.kept.heard if "/one/event/" in topic
    ]

    assert [told["seq"] for told in heard] == list(range(1, len(heard) + 1))
    assert len({told["id"] for told in heard}) == len(heard) > 1000
    assert [told["data"] for told in heard] == played.kept.public()


def test_what_a_subscriber_captured_is_proven_by_verify(played, tmp_path):
    """`schlitten verify` on the captured stream: chain, promises and sums hold, to the end."""
    capture = tmp_path / "stream.jsonl"
    with capture.open("w") as file:
        for topic, payload, _ in played.kept.heard:
            if payload:
                file.write(json.dumps({"topic": topic, "payload": json.loads(payload)}) + "\n")
    stream = verify(capture, sums=lambda _: game.sums)
    journal = verify(played.kept.journal, played.kept.keys, sums=lambda _: game.sums)

    assert (stream.fault, stream.unproven) == ("", 0)
    assert (journal.fault, journal.inner) == ("", True)
    assert stream.promised == stream.opened == journal.opened > 300


def test_the_board_tells_pot_stakes_and_winner_at_every_settlement(played):
    """What a person in front of the twin reads: both displays, the banker's and pointeur's lamp."""
    settled = [event for event in played.kept.public() if event["type"] == "coup_settled"]

    assert [one.event for one in played.kept.settlements] == settled
    for one in played.kept.settlements:
        assert reads(one.board) == result(one.event)


def test_chromium_shows_the_same_numbers(played):
    """Pot, cards left and the last coup, on the croupier's page and on the public one."""
    if not filmed.CHROMIUM.exists():
        pytest.skip(f"no Chromium at {filmed.CHROMIUM}: apt install chromium-headless-shell")
    looked = [one for one in played.kept.settlements if one.page]

    assert len(looked) >= 10
    for one in looked:
        for name, page in one.page.items():
            event = one.event
            assert page["pot"] == f"{event['pot_after']} G", name
            assert page["left"] == f"{one.left} left", name
            assert page["coup"].startswith(f"coup {event['coup']}: "), name
            assert f"pot {event['pot']} G" in page["last"], name
            high, low = sorted((event["banker"], event["pointeur"]), reverse=True)
            assert f"{high} : {low}" in page["last"], name
    assert played.complaints == []
    assert all(picture.stat().st_size > 10_000 for picture in played.screenshots)


def test_no_closed_card_was_named_anywhere(played):
    """All that was captured of the evening: messages, pages, streams, log, the board's bytes."""
    looked = played.kept.look_for_leaks()

    assert looked["messages"] > 1000  # events, and of pictures at most one a second
    assert looked["board"] > 300
