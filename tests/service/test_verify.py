import contextlib
import dataclasses
import re
import sqlite3

import msgspec
import pytest

from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.service.errors import JournalDamaged, VerifyError
from table_controller.service.recording import export
from table_controller.service.verify import read_anchors, verify
from tests.service import counting, evenings, tampering
from tests.service.counting import Add, Show


def altered(journal, *statements):
    """Close the journal, write into it by hand as a thief would, and return its path."""
    journal.close()
    db = sqlite3.connect(journal.path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return journal.path


def test_a_journal_holds(played):
    """Cards promised and opened are counted; without an anchor nothing public is proven."""
    journal, anchors = played

    with_key = verify(journal.path, evenings.KEYS, anchors=anchors)
    without = verify(journal.path)

    assert (with_key.holds, with_key.inner, with_key.unproven) == (True, True, 0)
    assert (with_key.promised, with_key.opened) == (3, 2)
    assert with_key.kind == "journal"
    assert with_key.rows == _count(journal.path, "inputs") + _count(journal.path, "events")
    assert (without.holds, without.inner, without.unproven) == (True, False, 8)


def _count(path, table):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_a_journal_without_its_header_is_named(played):
    """With the file and what is wrong, in that order."""
    journal, _ = played
    journal.close()
    with contextlib.closing(sqlite3.connect(journal.path)) as db:
        db.execute("DELETE FROM meta WHERE key = 'header'")
        db.commit()

    with pytest.raises(JournalDamaged) as damaged:
        verify(journal.path)

    assert str(damaged.value).startswith(f"{journal.path} ")
    assert "it has no header" in str(damaged.value)


def test_rows_after_the_last_anchor_are_unproven(played):
    """They may be cut off, or made up later, by whoever has the key."""
    journal, anchors = played

    assert verify(journal.path, anchors=anchors[:5]).unproven == 3


@pytest.mark.parametrize(
    ("statement", "keyed", "named"),
    [
        (
            """UPDATE events SET body = CAST('{"type":"counted","total":9}' AS BLOB)
            WHERE id = 1""",
            False,
            r"event 1 \(public 1\) breaks the public chain",
        ),
        ("UPDATE events SET t_ms = 5 WHERE id = 1", False, "event 1 .*breaks the public chain"),
        ("UPDATE events SET seq = 77 WHERE id = 3", False, "event 3 has public seq 77, not 2"),
        ("DELETE FROM events WHERE id = 4", False, "input 2 had 2 events, but 1 are there"),
        ("DELETE FROM inputs WHERE n = 2", False, "input 2 is missing"),
        (
            """UPDATE events SET body = CAST('{"type":"noted","actor":"x","chips":1}' AS BLOB)
            WHERE id = 2""",
            True,
            "event 2 was altered",
        ),
        ("UPDATE inputs SET t_ms = 5 WHERE n = 3", True, "input 3 was altered"),
        ("UPDATE inputs SET outcome = 0 WHERE n = 4", True, "input 4 was altered"),
        (
            "UPDATE inputs SET sealed = (SELECT sealed FROM inputs WHERE n = 3) WHERE n = 2",
            True,
            "input 2 was altered",
        ),
        ("UPDATE events SET sealed = zeroblob(272) WHERE id = 4", True, "event 4 was altered"),
        ("UPDATE events SET audience = 'all' WHERE id = 2", False, "input 1 .*unreadable"),
        ("UPDATE saves SET sealed = zeroblob(272)", True, "sealed part of save 7 does not open"),
    ],
)
def test_an_altered_row_is_named(played, statement, keyed, named):
    """The first that does not hold; public ones need no key."""
    path = altered(played[0], statement)

    verdict = verify(path, evenings.KEYS if keyed else None)

    assert not verdict.holds
    assert re.search(named, str(verdict))


def test_an_event_that_is_missing_from_the_chain_is_named(played):
    """A sealed one was taken out tidily, and every input's count put right."""
    path = altered(
        played[0],
        "DELETE FROM events WHERE id = 4",
        "UPDATE inputs SET upto = upto - 1 WHERE n >= 2",
    )

    assert "event 4 is missing (the next one is 5)" in str(verify(path))


def test_an_index_that_lies_is_found(played):
    """The rows hold, but who asks for them by number would get others."""
    path = altered(
        played[0],
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, '(audience, seq)', '(type, seq)')",
    )

    assert "events_by_seq" in str(verify(path))


def test_a_tail_that_was_cut_off_is_seen_by_its_anchor(played):
    """The last input and all of its rows are gone, tidily."""
    journal, anchors = played
    cut = "WHERE n = 8"
    path = altered(journal, f"DELETE FROM events {cut}", f"DELETE FROM inputs {cut}")

    assert verify(path, evenings.KEYS).holds
    assert "ends at public row 7, but it had 8" in str(verify(path, anchors=anchors))


def test_a_history_made_up_anew_is_seen_by_its_anchor(played, open_journal):
    """Even with the right key, if a copy of the chain's end lies elsewhere."""
    _, anchors = played
    other = open_journal("other.db")
    evenings.serve(other).take(Add(chips=4), 1_700_000_000_123)

    verdict = verify(other.path, evenings.KEYS, anchors=anchors[:1])

    assert "event 1 (public 1): the chain up to here is not what the anchor says" in str(verdict)


def forge(table, closed):
    """Put a card into the state that no input brought."""
    state = msgspec.structs.replace(table.state, closed=(closed,))
    table.now = dataclasses.replace(table.now, state=state)


def test_a_card_that_was_not_the_promised_one_is_named(open_journal, monkeypatch):
    """The controller itself cheats: chains hold, the promise does not."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(CardSeen(card=Card("7h")), 1)
    forge(table, (1, Card("9s"), ""))
    table.take(Show(), 2)

    verdict = verify(journal.path, evenings.KEYS)

    assert "event 3 (public 2): card 1 was opened as 9s" in str(verdict)


def test_a_card_that_was_never_promised_is_named(open_journal):
    """It came from a sleeve."""
    journal = open_journal()
    table = evenings.serve(journal)
    forge(table, (5, Card("9s"), ""))
    table.take(Show(), 1)

    assert "card 5 was opened, but never promised" in str(verify(journal.path))


def test_a_recording_holds_until_a_card_is_changed(played, tmp_path):
    """Its promises are checked, whatever its digest says."""
    journal, _ = played
    path = tmp_path / "r.jsonl"
    export(journal.archive, counting, path)

    verdict = verify(path)

    assert (verdict.holds, verdict.kind, verdict.promised, verdict.opened) == (
        True,
        "recording",
        2,
        2,
    )


@pytest.mark.parametrize(
    "text", ["a song\n", '{"a":1}\n', "[1]\n", '{"topic":"x","payload":"{"}\n']
)
def test_a_file_of_another_kind_is_refused(tmp_path, text):
    """With what it could have been."""
    (tmp_path / "x").write_text(text)

    with pytest.raises(VerifyError, match="line 1: neither a journal, a recording, nor"):
        verify(tmp_path / "x")


def test_a_missing_file_is_named(tmp_path):
    """As the system says it."""
    with pytest.raises(VerifyError, match="No such file"):
        verify(tmp_path / "none")


# With key and anchor


def test_every_change_before_the_anchor_is_named(tmp_path):
    """Finding 7: rows, saves, money, starts and header; the soak does a thousand."""
    assert tampering.unnamed(tmp_path, changes=150, seed=11) == []


def test_a_cut_tail_is_named_by_the_anchor_beside_a_copy(tmp_path):
    """Also where only what is no public row was cut: the anchor has the inner chain's end."""
    path, anchor = tampering.written(tmp_path, 4)
    (tmp_path / "a.anchor").write_bytes(msgspec.json.encode(anchor))
    db = sqlite3.connect(path)
    (last,) = db.execute("SELECT max(n) FROM inputs").fetchone()
    for table in ("inputs", "events", "saves", "money"):
        db.execute(f"DELETE FROM {table} WHERE n = ?", (last,))
    db.commit()
    db.close()

    verdict = verify(path, evenings.KEYS, anchors=read_anchors(tmp_path / "a.anchor"))

    assert f"it ends at input {last - 1}, but it had {last}" in str(verdict)
    assert verify(path, evenings.KEYS).holds
    with pytest.raises(VerifyError, match="is no anchor"):
        read_anchors(path)


def test_what_no_chain_binds_is_said_and_counted(tmp_path):
    """The outbox waits for a broker: whoever empties it withholds news, and no row changes."""
    path, anchor = tampering.written(tmp_path, 5)
    db = sqlite3.connect(path)
    (waiting,) = db.execute("SELECT count(*) FROM outbox").fetchone()
    db.close()

    assert f"No chain binds {waiting} notes" in str(verify(path, evenings.KEYS, anchors=[anchor]))
    assert "Without the key nothing is proven" in str(verify(path))
