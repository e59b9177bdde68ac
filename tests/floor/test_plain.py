"""What a table says is shown as what it is, and harms nobody."""

from __future__ import annotations

import pytest
from msgspec import json

from table_controller.adapters.mqtt_messages import TableState, alert_messages, current
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import frame
from table_controller.engine.messages import Phrase, Severity, phrase
from table_controller.engine.views import AlertView
from table_controller.floor import sanitising
from table_controller.floor.inbox import Foreign
from table_controller.floor.live import MOST_ALERTS, LiveTables
from table_controller.words import text
from tests.floor.test_view import NOON, table


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("abc\u202edef", "abc\\u202edef"),
        ("a\nb\tc", "a b c"),
        ("bell\x07", "bell\\u0007"),
        ("שלום", "שלום"),
        ("👩‍👧 🇭🇺", "👩‍👧 🇭🇺"),
        ("x" * 10_000, "x" * 19 + "…"),
        ("x" * 20, "x" * 20),
    ],
    ids=["html", "turned", "lines", "control", "hebrew", "emoji", "long", "fits"],
)
def test_a_text_is_shown_as_what_it_is_in_one_line(told, seen):
    assert sanitising.shown(told, 20) == seen


@pytest.mark.parametrize(
    ("told", "english"),
    [
        (Phrase("{n:>999999999}", {"n": "x"}), "{n:>999999999}"),
        (Phrase("{n.__class__} {m}", {"n": "x", "m": "y"}), "{n.__class__} y"),
        (Phrase("{what", {}), "{what"),
        (Phrase("{card}", {"card": "no card"}), ""),
        (phrase("No answer from: {device}.", device=phrase("board")), "No answer from: board."),
        (Phrase("No answer from: {device}.", {}), "No answer from: {device}."),
        (phrase("No answer from: {device}.", device="d" * 999), f"No answer from: {'d' * 399}…."),
    ],
    ids=["memory", "inside", "torn", "no card", "ours", "unfilled", "long"],
)
def test_a_sentence_is_filled_in_without_harm(told, english):
    """A template is a program to `format`: one of a table's own is never given to it."""
    assert text(sanitising.sentence(told), "en") == english


def test_a_sentence_of_ours_is_still_translated():
    told = phrase("No answer from: {device}.", device=phrase("board"))

    assert text(sanitising.sentence(told), "de") == text(told, "de") != text(told, "en")


def test_a_picture_of_ours_stays_as_it_is():
    for house in ("zoppot-1934", "punto-banco", "ecarte-nemzeti-1907"):
        ours = frame(house)
        seen = sanitising.picture(ours)
        assert (seen.title, seen.prompt, seen.figures) == (ours.title, ours.prompt, ours.figures)


def test_endless_numbers_and_depths_end():
    deep = Phrase("{a}", {"a": "end"})
    for _ in range(50):
        deep = Phrase("{a}", {"a": deep})

    assert sanitising.number(10**300) == 10**12
    assert len(text(sanitising.sentence(deep), "en")) < 10


def test_a_table_with_ever_more_alerts_is_refused():
    live = LiveTables()
    here = table(live, "one")

    def raise_one(number):
        seen = AlertView(
            id=f"a{number}", code="c", severity=Severity.STOP, what=phrase("x"), remedy=None
        )
        _, staff = alert_messages(seen, here)
        live.hear(here, f"croupier/alert/a{number}", staff.payload, NOON)

    for number in range(MOST_ALERTS):
        raise_one(number)
    with pytest.raises(ValueError, match="more alerts"):
        raise_one(MOST_ALERTS)
    assert len(live.tables[here].alerts) == MOST_ALERTS


def test_a_house_that_is_a_path_is_not_read(tmp_path):
    """A table names its house: the floor opens no file for it."""
    mine = tmp_path / "mine.toml"
    mine.write_text('id = "mine"\n')

    assert frame(str(mine)) is None


def test_an_alert_in_another_tables_name_is_refused():
    live, here = LiveTables(), TableId("hall", "one")
    what = Phrase("The lid is open.", {})
    seen = AlertView(id="a", code="c", severity=Severity.STOP, what=what, remedy=None)
    message = current("croupier_alert", seen, TableId("hall", "two"), "a")

    with pytest.raises(Foreign):
        live.hear(here, "croupier/alert/a", message.payload, NOON)

    assert live.tables[here].alerts == {}


@pytest.mark.parametrize("seq", [-5, 2**63])
def test_a_number_that_no_row_has_is_refused(seq):
    """The floor would look for that row."""
    live, here = LiveTables(), TableId("hall", "one")
    said = {"seq": seq, "chain_head": "00", "count": 3, "stream": "1", "snapshot": None}

    with pytest.raises(ValueError, match="seq"):
        live.hear(here, "snapshot", current("snapshot", said, here).payload, NOON)


def test_what_an_alert_says_is_cut_before_it_is_kept():
    live = LiveTables()
    here = TableId("hall", "one")
    what = Phrase("{x:>99999999999}" + "y" * 5000, {"x": "z"})
    seen = AlertView(id="a", code="c" * 500, severity=Severity.STOP, what=what, remedy=None)
    message = current("croupier_alert", seen, here, "a")
    live.hear(here, "croupier/alert/a", message.payload, NOON)

    kept = live.tables[here].alerts["a"]
    assert len(kept.code) == sanitising.MOST_NAME
    assert len(json.encode(kept)) < 1000
    assert live.tables[here].state is TableState.LOST
