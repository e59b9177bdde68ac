"""The desk's answers to `replay`: the rows that were asked for, in pages."""

import pytest

from table_controller.adapters import mqtt_requests
from table_controller.adapters.mqtt_names import Request
from table_controller.engine.messages import Audience
from tests.adapters.mqtt.desks import gap

REPLAY = Request("anna", "replay")


def test_replay_gives_the_numbers_that_were_asked_for(hall):
    """Both ends included."""
    hall.box.add_public(10)

    answer = hall.ask(REPLAY, gap(from_seq=4, to_seq=6))

    assert [event.seq for event in answer["events"]] == [4, 5, 6]
    assert answer["next"] is None


def test_replay_comes_in_pages_that_end(hall, monkeypatch):
    """`next` leads on to the last row and no further."""
    monkeypatch.setattr(mqtt_requests, "PAGE_ROWS", 4)
    hall.box.add_public(8)
    got, start = [], 1
    while start:
        page = hall.ask(REPLAY, gap(from_seq=start))
        got += [event.seq for event in page["events"]]
        start = page["next"]

    assert got == list(range(1, 9))


def test_replay_of_staff_rows_is_for_the_staff(hall):
    """A guest asks for the public ones only; sealed ones are in no replay."""
    hall.box.add(Audience.CROUPIER, Audience.SEALED)
    guest = Request("guest", "replay")

    assert not hall.ask(guest, gap(from_seq=1, audience="croupier"))["ok"]
    assert len(hall.ask(REPLAY, gap(from_seq=1, audience="croupier"))["events"]) == 1
    assert not hall.ask(REPLAY, gap(from_seq=1, audience="sealed"))["ok"]


@pytest.mark.parametrize("gone", [{"from_seq": 2**63 - 1}, {"from_seq": 1, "to_seq": 2**63}])
def test_a_number_beyond_all_numbers_is_answered_with_its_fault(hall, gone):
    """No database could hold the page that begins there."""
    answer = hall.ask(Request("guest", "replay"), gap(**gone))

    assert "want a whole number of at most 4611686018427387904" in answer["why"]


def test_a_journal_that_cannot_be_read_is_an_answer(hall, monkeypatch):
    """Whoever asks comes again; the disk's own words are not for guests."""

    def unreadable(*_asked):
        raise OSError("the disk of /var/lib does not answer")

    monkeypatch.setattr(hall.box, "replay", unreadable)

    answer = hall.ask(REPLAY, gap(from_seq=1))

    assert (answer["ok"], answer["why"]) == (False, "The journal cannot be read now.")
    assert answer["remedy"] == "Ask again in a while."


@pytest.mark.parametrize("data", [{"from_seq": 5, "to_seq": 2}, {"from_seq": 10**18}])
def test_replay_of_nothing_is_empty(hall, data):
    """A gap that is none is no error."""
    hall.box.add_public(3)

    assert hall.ask(REPLAY, gap(**data))["events"] == []
