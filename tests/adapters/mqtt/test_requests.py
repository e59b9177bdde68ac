"""The desk: a request over the broker is done once, refused with a reason, or dropped."""

import asyncio
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.adapters import mqtt_requests
from table_controller.adapters.mqtt_names import Request
from table_controller.adapters.mqtt_requests import MAX_BYTES, Desk
from table_controller.engine.messages import Audience, OutOfTurn, Phrase
from table_controller.service.errors import JournalFull
from tests.adapters.mqtt.kit import BOOT, TABLE, Box
from tests.limits import PATIENCE_S

NOON = 1_700_000_000.0
STAKE, REPLAY = Request("anna", "stake"), Request("anna", "replay")

STAFF = {"anna": "supervisor:anna", "floor": "technician:Floor"}


class Hall:
    """A desk, what was said to the table, and a clock that moves while a transaction is noted."""

    def __init__(self, *, seen=None, boot=BOOT) -> None:
        self.box, self.said, self.answer_with = Box(), [], None
        self.now, self.noting_s, self.stopped, self.full = NOON, 0.0, [False], ""
        self.seen = set() if seen is None else seen
        self.desk = Desk(
            TABLE, self.box, boot=boot, staff=STAFF.get,
            commands=frozenset({"stake", "spoke"}), say=self.say, seen_before=self.seen_before,
            stopped=lambda: self.stopped[0], now=lambda: self.now,
        )  # fmt: skip

    async def say(self, said, actor):
        self.said.append((said, actor))
        if isinstance(self.answer_with, Exception):
            raise self.answer_with
        return self.answer_with

    async def seen_before(self, key):
        if self.full:
            raise JournalFull(self.full)
        known = key in self.seen
        self.seen.add(key)
        self.now += self.noting_s
        self.stopped = self.stopped[-1:]
        return known

    def ask(self, request, payload):
        if isinstance(payload, dict):
            payload = json.dumps(payload).encode()
        return asyncio.run(self.desk.answer(request, payload))


@pytest.fixture
def hall():
    return Hall()


def envelope(transaction="transaction-1", moment="2023-11-14T22:13:19Z", **data):
    data = {"boot": BOOT, "prompt": 3, "ttl_ms": 5000, "input": {"seat": 2}} | data
    return {
        "specversion": "1.0", "id": transaction, "source": "/pos", "type": "schlitten.stake",
        "time": moment, "data": data,
    }  # fmt: skip


def gap(**data):
    return envelope() | {"data": data}


def test_a_command_becomes_an_input_of_its_sender(hall):
    """Type from the topic, prompt from beside, actor from the broker's user."""
    hall.answer_with = ["coup_begun"]

    answer = hall.ask(STAKE, envelope())

    assert hall.said == [({"type": "stake", "prompt": 3, "seat": 2}, "supervisor:anna")]
    assert answer == {"transaction": "transaction-1", "ok": True, "said": ["coup_begun"]}


def test_whom_the_floor_asks_for_stands_beside_its_account(hall):
    """The account's role stays; the name is noted."""
    answer = hall.ask(Request("floor", "stake"), envelope(person="Anna B."))

    assert answer["ok"]
    assert hall.said == [
        ({"type": "stake", "prompt": 3, "seat": 2}, "technician:Floor [Anna B.]"),
    ]


@pytest.mark.parametrize(
    ("user", "person", "why"),
    [
        ("anna", "Bela", "Only the floor's account may say for whom it asks."),
        ("floor", "Bela]", "Its data does not fit"),
        ("floor", "supervisor:Bela", "Its data does not fit"),
        ("floor", "B\u202ela", "Its data does not fit"),
        ("floor", "B" * 41, "Its data does not fit"),
        ("guest", "Bela", "Only the table's staff may do that."),
    ],
)
def test_nobody_else_speaks_for_others_and_no_name_is_a_role(hall, user, person, why):
    answer = hall.ask(Request(user, "stake"), envelope(person=person))

    assert not answer["ok"]
    assert answer["why"].startswith(why)
    assert hall.said == []


def test_a_repeated_transaction_gets_the_same_answer_and_is_done_once(hall):
    """QoS 1 delivers at least once."""
    first, second = (hall.ask(STAKE, envelope()) for _ in range(2))

    assert first == second
    assert len(hall.said) == 1


def test_a_transaction_replayed_after_a_restart_is_refused():
    """The journal remembers it, even if somebody changes the boot id in it."""
    seen = set()
    Hall(seen=seen).ask(STAKE, envelope())
    again = Hall(seen=seen, boot="boot-2")

    answer = again.ask(STAKE, envelope(boot="boot-2"))

    assert not again.said
    assert answer["why"] == "This transaction was received before."


def test_two_users_may_use_the_same_transaction_id(hall):
    """Nobody can spend another's ids."""
    hall.desk._staff = {"anna": "supervisor:anna", "berta": "croupier"}.get
    hall.ask(STAKE, envelope())

    assert hall.ask(Request("berta", "stake"), envelope())["ok"]


@pytest.mark.parametrize(
    ("request_", "changed", "why"),
    [
        (Request("guest", "stake"), {}, "Only the table's staff"),
        (Request("anna", "card_named"), {}, "no command of this table"),
        (STAKE, {"boot": "boot-0"}, "earlier start"),
        (STAKE, {"ttl_ms": 999}, "1.0 s after its time and was good for 0.999 s"),
        (STAKE, {"ttl_ms": 0}, "`$.ttl_ms`"),
        (STAKE, {"prompt": "3"}, "`$.prompt`"),
        (STAKE, {"input": {"actor": "croupier"}}, "may not hold actor"),
        (STAKE, {"input": [1]}, "`$.input`"),
        (STAKE, {"more": 1}, "it has a field that there is not"),
    ],
)
def test_what_is_not_done_is_answered_with_a_reason(hall, request_, changed, why):
    """Each with what to do; the table hears nothing of it."""
    answer = hall.ask(request_, envelope(**changed))

    assert not hall.said
    assert answer["ok"] is False
    assert why in answer["why"]
    assert answer["remedy"].endswith(".")


@pytest.mark.parametrize(
    ("request_", "changed"),
    [
        (Request("anna", "replay"), {"audience": "zebra"}),
        (Request("anna", "replay"), {"from_seq": 1, "zebra": 2}),
        (STAKE, {"boot": ["zebra"]}),
        (STAKE, {"zebra": 1}),
    ],
)
def test_a_refusal_repeats_nothing_that_was_sent(hall, request_, changed):
    answer = hall.ask(request_, envelope(**changed))

    assert answer["ok"] is False
    assert "zebra" not in str(answer)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"time": "2023-11-14T22:13:30Z"}, "10.0 s ahead"),
        ({"time": "2023-11-14 22:13"}, "`$.time`"),
        ({"time": None}, "no 'time'"),
        ({"id": "short"}, "`$.id`"),
        ({"id": "has spaces in it"}, "`$.id`"),
        ({"specversion": "0.3"}, "`$.specversion`"),
        ({"source": ""}, "`$.source`"),
    ],
)
def test_a_bad_envelope_is_answered_with_its_fault(hall, changed, why):
    """Path and rule, so that the sender can mend it."""
    answer = hall.ask(STAKE, envelope() | changed)

    assert why in answer["why"]
    assert not hall.said


@pytest.mark.parametrize(("noting_s", "late"), [(4.0, False), (4.001, True)])
def test_what_waited_for_the_disk_beyond_its_time_is_not_done(hall, noting_s, late):
    """Its time to live counts when it is said to the table; it was a second old when it came."""
    hall.noting_s = noting_s

    answer = hall.ask(STAKE, envelope())

    assert bool(hall.said) is not late
    assert ("5.0 s after its time and was good for 5 s" in answer.get("why", "")) is late


@pytest.mark.parametrize("stopped", [(True,), (False, True)], ids=["before", "while it is noted"])
def test_nothing_is_said_while_the_journal_cannot_be_written(hall, stopped):
    """It would be done when that is over, however long it takes."""
    hall.stopped = list(stopped)

    answer = hall.ask(STAKE, envelope())

    assert not hall.said
    assert answer["why"] == "The journal cannot be written now."
    assert answer["remedy"] == "Ask again in a while."


def test_what_cannot_be_noted_is_not_done_and_may_be_asked_again(hall):
    """Nothing of the journal's file is told to who asks."""
    hall.full = "The disk of the journal /home/table.db is full."
    answer = hall.ask(STAKE, envelope())
    hall.full = ""

    assert (answer["ok"], answer["why"]) == (False, "The journal cannot be written now.")
    assert hall.ask(STAKE, envelope())["ok"]
    assert len(hall.said) == 1


def test_a_refusal_of_the_table_is_the_answer(hall):
    """As sentences; the transaction counts as spent."""
    hall.answer_with = OutOfTurn(Phrase("Seat {n} has no word.", {"n": 2}), Phrase("Wait."))

    answer = hall.ask(STAKE, envelope())

    assert (answer["why"], answer["remedy"]) == ("Seat 2 has no word.", "Wait.")


def test_an_input_that_does_not_fit_is_answered(hall):
    """What `say` raises as ValueError is the sender's mistake."""
    hall.answer_with = ValueError("Object missing required field `chips`")

    assert "chips" in hall.ask(STAKE, envelope())["why"]


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


@pytest.mark.parametrize("command", ["stake", "replay"])
@given(payload=st.binary(max_size=200))
def test_no_bytes_can_raise(command, payload):
    """Whatever it is, it is answered, and the table hears nothing."""
    hall = Hall()

    answer = hall.ask(Request("anna", command), payload)

    assert not answer["ok"]
    assert not hall.said


FIELDS = st.sampled_from(["boot", "prompt", "ttl_ms", "input", "from_seq", "x"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["boot", "prompt", "ttl_ms", "input", "from_seq", "x"]), inner
        )
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("command", ["stake", "replay"])
@given(fields=st.dictionaries(st.sampled_from(["id", "data", "time", "type"]), json_values))
def test_no_json_can_raise(command, fields):
    """Right or wrong, there is an answer with a yes or a no."""
    assert Hall().ask(Request("anna", command), envelope() | fields)["ok"] in (True, False)


@pytest.mark.parametrize(
    "payload",
    [
        b"[" * MAX_BYTES,
        b'{"a":' * 1600,
        json.dumps(envelope()).encode()[:-1],
        b"\xff\xfe" * 100,
        json.dumps(envelope()).encode() + b" " * MAX_BYTES,
    ],
)
def test_huge_deep_torn_and_binary_payloads_are_answered(hall, payload):
    """With a sentence about the whole, and none of their values."""
    answer = hall.ask(STAKE, payload)

    assert not answer["ok"]
    assert len(answer["why"]) < 200


@given(st.text(string.ascii_letters, min_size=12, max_size=12))
def test_no_answer_repeats_a_value(secret):
    """Somebody may have typed a card into the wrong field."""
    for fields in ({"prompt": secret}, {"ttl_ms": secret}, {"boot": secret}, {"input": secret}):
        assert secret not in str(Hall().ask(STAKE, envelope(**fields)))


def test_dropped_requests_are_counted(hall):
    """Retained, on no topic of ours, or too many at once: none of them is done."""
    topic = f"{TABLE.root}/request/anna/stake"
    hall.desk.hear(topic, b"{}", True)
    hall.desk.hear(f"{TABLE.root}/request/anna", b"{}", False)
    hall.desk.hear("", b"{}", False)
    for _ in range(mqtt_requests.MAX_WAITING_OF_ONE + 3):
        hall.desk.hear(topic, b"{}", False)

    assert hall.desk.counts == {"dropped_retained": 1, "dropped_topic": 2, "dropped_busy": 3}


def test_one_busy_user_does_not_stop_another(hall):
    """His requests wait; hers are heard, and before his: they are commands."""
    for _ in range(100):
        hall.desk.hear(f"{TABLE.root}/request/guest/replay", b"{}", False)
    hall.desk.hear(f"{TABLE.root}/request/anna/stake", json.dumps(envelope()).encode(), False)

    async def serve():
        told, enough = [], asyncio.Event()

        def tell(message):
            told.append(message.topic)
            if len(told) == mqtt_requests.MAX_WAITING_OF_ONE + 1:
                enough.set()

        serving = asyncio.create_task(hall.desk.serve(tell))
        await asyncio.wait_for(enough.wait(), PATIENCE_S)
        serving.cancel()
        return told

    assert asyncio.run(serve())[0] == f"{TABLE.root}/response/anna/stake"
    assert len(hall.said) == 1
