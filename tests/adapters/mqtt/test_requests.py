"""The desk: a request over the broker is done once, refused with a reason, or dropped."""

import asyncio
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.adapters import mqtt_requests
from table_controller.adapters.mqtt_names import Request
from table_controller.adapters.mqtt_requests import MAX_BYTES
from table_controller.engine.messages import OutOfTurn, Phrase
from tests.adapters.mqtt.desks import Hall, envelope
from tests.adapters.mqtt.kit import TABLE
from tests.limits import PATIENCE_S

STAKE = Request("anna", "stake")


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
        (STAKE, {"more": 1}, "it has an unknown field"),
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
