import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.table.inputs import Paid
from table_controller.service.errors import BadInput
from table_controller.service.reading import InputReader, by_page
from tests.service import counting
from tests.service.counting import Add

READER = InputReader(counting.inputs)


@pytest.mark.parametrize("said", [{"type": "add", "chips": 3}, b'{"type":"add","chips":3}'])
def test_a_mapping_and_json_are_read_alike(said):
    """Both give the input, with the actor that the adapter knows."""
    assert READER.read(said, "page") == Add(chips=3, actor="page")


def test_nobody_can_pretend_to_be_another():
    """The adapter's actor counts, whatever the message claims."""
    said = {"type": "add", "chips": 3, "actor": "supervisor:anna"}

    assert READER.read(said, "guest").actor == "guest"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({}, "No input has the type null: allowed are add, alert_acknowledged, boom"),
        ({"type": "ad"}, 'No input has the type "ad"'),
        ({"type": ["add"]}, r'No input has the type \["add"\]'),
        ({"type": "add"}, "add lacks the field chips"),
        ({"type": "add", "chips": "3"}, 'field chips of add is "3"; allowed: a whole number'),
        ({"type": "add", "chips": True}, "field chips of add is true; allowed: a whole number"),
        ({"type": "add", "chips": 1.5}, "field chips of add is 1.5"),
        ({"type": "add", "chips": 1, "seet": 2}, 'the field "seet" that it does not know'),
        ({"type": "add", "chips": 1, "prompt": "x"}, "allowed: a whole number or nothing"),
        ({"type": "add", "chips": 1, "actor": "x" * 5000}, "bytes; 4096 are allowed"),
        ({"type": "add", "chips": 1, "actor": "\ud800"}, "something that JSON cannot express"),
        ({"type": "add", "chips": {1, 2}, "actor": object()}, "something that JSON cannot express"),
        (b"[" * 4000, "no JSON object"),
        (b"\xff", "no JSON object"),
        (b"[1]", "no JSON object"),
        (b"x" * 5000, "5000 bytes"),
    ],
)
def test_a_malformed_input_is_refused_with_a_remedy(said, text):
    """The text names the field, the value, and what is allowed."""
    with pytest.raises(BadInput, match=text):
        READER.read(said, "page")


@pytest.mark.parametrize(
    ("sign", "named"),
    [
        ("\x1b[2J", "U+001B"), ("\n", "U+000A"), ("\x00", "U+0000"), ("\x7f", "U+007F"),
        ("\x9b", "U+009B"), ("\u202e", "U+202E"), ("\u2066", "U+2066"), ("\u2028", "U+2028"),
    ],
)  # fmt: skip
def test_a_text_that_would_command_a_terminal_is_refused(sign, named):
    """Nor may it turn the way of writing round: what is read is what was written."""
    said = {"type": "add", "chips": 1, "actor": f"Anna{sign}"}

    with pytest.raises(BadInput, match=rf"^The field actor of add holds {re.escape(named)}"):
        READER.read(said, None)
    with pytest.raises(BadInput, match="allowed: a text in one line without control characters"):
        READER.read(msgspec.json.encode(said), "page")


def test_a_phrase_from_outside_is_refused():
    """Only the wiring makes one: its template would be filled in on the pages."""
    said = {"type": "device_lost", "device": "board", "why": {"text": "{why.__class__}"}}

    with pytest.raises(BadInput, match=r"^The field why of device_lost holds a phrase; allow"):
        READER.read(said, "page")


@pytest.mark.parametrize("name", ["Réti Ödön", "Szabó 日本 🂡", "👩\u200d🎨", "a\u00a0b"])
def test_any_name_that_people_have_is_taken(name):
    """Letters of all writings, signs that belong together, a space that does not break."""
    assert READER.read({"type": "add", "chips": 1, "actor": name}, None).actor == name


def test_a_long_value_is_named_by_its_beginning():
    """Forty characters, the quotation mark among them, are shown whole."""
    with pytest.raises(BadInput) as whole:
        READER.read({"type": "x" * 38}, "page")
    with pytest.raises(BadInput) as cut:
        READER.read({"type": "x" * 39}, "page")

    assert f'"{"x" * 38}":' in str(whole.value)
    assert f'"{"x" * 39}…:' in str(cut.value)


@pytest.mark.parametrize(
    "said",
    [
        {"type": "card_named", "card": "7H"},
        {"type": "card_named", "card": "7h", "copy": "7H"},
        {"type": "card_named", "card": "Kd", "7H": 1},
        {"type": "card_named", "card": "Kd", "prompt": "7H"},
        {"type": "card_seen", "unknown": "7H"},
    ],
)
def test_an_error_never_repeats_a_closed_card(said):
    """Not even one that was misspelt."""
    with pytest.raises(BadInput) as caught:
        READER.read(said, "page")

    assert "7h" not in str(caught.value).lower()


def test_an_input_of_another_game_is_refused():
    """A driver cannot say what this game does not know."""
    with pytest.raises(BadInput, match="Paid is no input of this game"):
        READER.read(Paid(), None)


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["type", "chips", "card", "actor", "prompt", "x"]), json)
    | st.binary(max_size=60)
    | st.fixed_dictionaries(
        {"type": st.sampled_from(["add", "card_named"])},
        optional={"chips": json, "card": json, "prompt": json, "actor": json},
    )
)
def test_whatever_is_sent_is_an_input_or_refused(said):
    """Nothing else comes out, and no other error."""
    try:
        heard = READER.read(said, "page")
    except BadInput as refusal:
        heard, text = None, str(refusal)

    assert heard is not None or len(text) < 400
    assert heard is None or type(heard) in counting.inputs.__args__


@given(
    st.dictionaries(st.sampled_from(["type", "chips", "zebra5819"]), st.just("zebra5819"))
    | st.fixed_dictionaries(
        {"type": st.just("add"), "chips": st.just("zebra5819")},
        optional={"prompt": st.just("zebra5819"), "actor": st.just("zebra5819\n")},
    )
)
def test_what_is_said_to_others_repeats_nothing_of_what_was_sent(said):
    """Whatever it is, and wherever it stands."""
    with pytest.raises(BadInput) as caught:
        READER.read(said, "page")

    assert "zebra" not in caught.value.plain


@pytest.mark.parametrize(
    ("said", "actor", "wanted"),
    [
        ({"type": "card_seen", "card": "7h"}, "croupier", "hand:croupier"),
        ({"type": "card_named", "card": "7h"}, "croupier", "croupier"),
        ({"type": "card_named", "card": "7h", "by": " Anna  B. "}, "croupier", "croupier:Anna B."),
        ({"type": "card_named", "card": "7h", "by": "Anna"}, "supervisor:Eva", "supervisor:Eva"),
        ({"type": "sits", "seat": 1, "name": "Anna"}, "croupier", "croupier"),
    ],
)
def test_whose_word_it_is(said, actor, wanted):
    """A typed card is a reader's word by hand; who has signed in needs no name beside it."""
    heard, who = by_page(said, actor)

    assert who == wanted
    assert heard == {key: value for key, value in said.items() if key != "by"}
