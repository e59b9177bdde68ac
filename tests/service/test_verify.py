import contextlib
import re
import sqlite3
from datetime import UTC, datetime

import msgspec
import pytest

from table_controller.adapters import mqtt_messages
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Audience, CardSeen
from table_controller.rules.cards import Card
from table_controller.service.errors import JournalDamaged, VerifyError
from table_controller.service.recording import export
from table_controller.service.rows import Anchor
from table_controller.service.verify import read_anchors, verify
from tests.service import counting, evenings, tampering
from tests.service.counting import Add, Close, Show

EVENING = [
    Add(chips=3),
    CardSeen(card=Card("7h")),
    CardSeen(card=Card("Kd")),
    Add(chips=500),
    Show(),
    Add(chips=4),
    Close(),
    CardSeen(card=Card("2c")),
]


@pytest.fixture
def played(open_journal):
    """A journal of an evening, with a copy of its chain's end after each input."""
    journal = open_journal()
    table = evenings.serve(journal)
    anchors = []
    for t_ms, said in enumerate(EVENING):
        table.take(said, 1_700_000_000_123 + t_ms)
        anchors.append(journal.anchor())
    return journal, anchors


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


def test_a_card_that_was_not_the_promised_one_is_named(open_journal, monkeypatch):
    """The controller itself cheats: chains hold, the promise does not."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(CardSeen(card=Card("7h")), 1)
    table.state = msgspec.structs.replace(table.state, closed=((1, Card("9s"), ""),))
    table.take(Show(), 2)

    verdict = verify(journal.path, evenings.KEYS)

    assert "event 3 (public 2): card 1 was opened as 9s" in str(verdict)


def test_a_card_that_was_never_promised_is_named(open_journal):
    """It came from a sleeve."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.state = msgspec.structs.replace(table.state, closed=((5, Card("9s"), ""),))
    table.take(Show(), 1)

    assert "card 5 was opened, but never promised" in str(verify(journal.path))


def sums(events):
    """The counting game's own check: no total over five."""
    for n, event in enumerate(events):
        if event.get("total", 0) > 5:
            return n, f"the total is {event['total']}"
    return None


def test_sums_that_do_not_come_out_are_named_by_their_row(played, tmp_path):
    """In a journal, a recording and a stream alike."""
    journal, _ = played
    stream = captured(journal, tmp_path)
    export(journal.archive, counting, tmp_path / "r.jsonl")

    assert "public row 6: the total is 7" in str(verify(journal.path, sums=lambda _: sums))
    assert "line 17: the total is 7" in str(verify(tmp_path / "r.jsonl", sums=lambda _: sums))
    assert "line 8: the total is 7" in str(verify(stream, sums=lambda _: sums))


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


# Captured streams

SOURCE = "/schlitten/2/house/table-1"
SNAPSHOT, NOTED = "schlitten.snapshot", "schlitten.noted"  # the second is for the staff


def captured(journal, folder, *, anchors=(), change=lambda lines: lines, topics=True):
    """Write what a subscriber of everything would have, snapshots after the rows they cover."""
    lines = []
    copies = {anchor.count: anchor for anchor in anchors}
    for row in journal.unsent(1000):
        time = datetime.fromtimestamp(row.t_ms / 1000, UTC).isoformat(timespec="milliseconds")
        event = {
            "specversion": "1.0",
            "id": row.event_id,
            "source": SOURCE,
            "type": f"schlitten.{row.type}",
            "time": time.replace("+00:00", "Z"),
            "seq": row.seq,
            "data": msgspec.Raw(row.body),
        }
        lines.append(event)
        if row.audience is Audience.PUBLIC and row.seq in copies:
            lines.append(snapshot(copies[row.seq]))
    lines = change(lines)
    if topics:
        lines = [{"topic": "t", "payload": msgspec.json.encode(e).decode()} for e in lines]
    path = folder / "stream.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)) + b"\n")
    return path


def snapshot(anchor):
    data = {"seq": anchor.count, "chain_head": anchor.head, "count": anchor.count, "snapshot": {}}
    named = {"specversion": "1.0", "id": "x", "source": SOURCE, "type": SNAPSHOT}
    return {**named, "data": data | {"stream": anchor.stream}}


@pytest.mark.parametrize("topics", [True, False])
def test_a_captured_stream_holds(played, tmp_path, topics):
    """As topics with payloads, or as the CloudEvents alone; told twice is told once."""
    journal, anchors = played
    path = captured(
        journal,
        tmp_path,
        anchors=anchors,
        change=lambda lines: [*lines[:4], *lines[2:]],
        topics=topics,
    )

    verdict = verify(path)

    assert (verdict.holds, verdict.unproven, verdict.promised, verdict.opened) == (True, 0, 3, 2)


def test_a_capture_that_began_late_is_known_from_its_first_snapshot(played, tmp_path):
    """What was before cannot be proven, nor is it a fault."""
    journal, anchors = played
    path = captured(journal, tmp_path, anchors=anchors[4:6], change=lambda lines: lines[3:])

    verdict = verify(path)

    assert (verdict.holds, verdict.unproven) == (True, 2)


def test_a_row_right_behind_the_first_snapshot_is_proven(played, tmp_path):
    """The capture begins with the chain's head, so that not even its first row can be altered."""
    journal, anchors = played

    def altered_first(lines):
        at = next(n for n, line in enumerate(lines) if line["type"] == SNAPSHOT)
        told = next(line for line in lines[at:] if line["type"] not in (SNAPSHOT, NOTED))
        told["time"] = "2020-01-01T00:00:00.000Z"
        return lines[at:]

    path = captured(journal, tmp_path, anchors=anchors[1:6], change=altered_first)

    assert "a row was altered" in str(verify(path))


def without(n):
    return lambda lines: [*lines[:n], *lines[n + 1 :]]


def with_data(n, old, new):
    def change(lines):
        body = bytes(lines[n]["data"])
        assert old in body
        return [
            *lines[:n],
            lines[n] | {"data": msgspec.Raw(body.replace(old, new))},
            *lines[n + 1 :],
        ]

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (without(2), "public row 2 is missing"),
        (without(4), "croupier row 2 is missing"),
        (without(10), "it ends at public row 7, but the table had 8"),
        (with_data(0, b"3", b"4"), r"up to line \d+ \(public 8\) a row was altered"),
        (
            lambda lines: [*lines, lines[0] | {"data": {"type": "counted", "total": 9}}],
            "line 13: public row 1 was told otherwise",
        ),
        (
            lambda lines: [*lines, lines[0] | {"id": "x-sealed-1"}],
            "line 13: a sealed event was published",
        ),
        (
            lambda lines: [*lines, snapshot(Anchor(8, "00" * 32))],
            "line 13: another head of public row 8",
        ),
    ],
)
def test_an_altered_stream_is_named_by_its_row(played, tmp_path, change, named):
    """Gaps, changed rows, two stories, a cut tail."""
    journal, anchors = played

    def last(lines):
        return change([*lines, snapshot(anchors[-1])])

    verdict = verify(captured(journal, tmp_path, change=last))

    assert not verdict.holds
    assert re.search(named, str(verdict))


def test_a_stream_with_a_wrong_card_is_named(played, tmp_path):
    """Anybody can check a promise, without a key and without the chain."""
    journal, _ = played
    change = with_data(5, b'"7h"', b'"8h"')

    verdict = verify(captured(journal, tmp_path, change=change))

    assert "(public 4): card 1 was opened as 8h" in str(verdict)


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


# The envelope, and several tables


def told(journal, table="table-1", chips=(1, 2, 3)):
    """The messages of a table that started and counted."""
    served = evenings.start(journal)
    for n, one in enumerate(chips):
        served.take(Add(chips=one), n)
    named = TableId("house", table)
    rows = (row for row in journal.unsent(99) if row.audience is Audience.PUBLIC)
    lines = [
        msgspec.json.decode(msgspec.json.encode(mqtt_messages.event(row, named))) for row in rows
    ]
    return [*lines, snapshot(journal.anchor())]


def heard(folder, lines):
    path = folder / "heard.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)) + b"\n")
    return verify(path)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "0000000000000000-1111111111111111-public-2"},
        {"source": "/schlitten/2/house/table-2"},
        {"type": "schlitten.card_drawn"},
        {"time": "1970-01-01T00:00:09.000Z"},
        {"seq": 7},
        {"specversion": "0.3"},
        {"datacontenttype": "text/plain"},
    ],
)
def test_the_envelope_is_bound_to_its_row(open_journal, tmp_path, change):
    """Finding 7: whose event it is, of what kind, when, and under which name."""
    lines = told(open_journal())
    assert (heard(tmp_path, lines).holds, heard(tmp_path, lines).unproven) == (True, 0)

    lines[1] |= change

    assert not heard(tmp_path, lines).holds


def test_several_tables_in_one_capture_are_no_false_alarm(open_journal, tmp_path):
    """Finding 7: each has numbers and a chain of its own; the table that fails is named."""
    one, two = told(open_journal()), told(open_journal("two.db"), chips=(4, 5))
    mixed = [line for pair in zip(one, two, strict=False) for line in pair] + one[3:]

    assert heard(tmp_path, mixed).holds
    assert heard(tmp_path, mixed).unproven == 0

    del mixed[2]

    assert "public row 2 is missing" in str(heard(tmp_path, mixed))


def test_a_stream_that_goes_on_from_a_copy_is_chained_to_the_one_before(open_journal, tmp_path):
    """R-54: its numbers go on, its rows hang on those of the copy, and a change of one is named."""
    journal = open_journal()
    before = told(journal)
    journal.close()
    journal = open_journal()
    served, start = evenings.serve(journal), evenings.booted(journal)
    served.take(msgspec.structs.replace(start, stream="feed" * 4), 0)
    served.take(Add(chips=9), 5)
    (row,) = (one for one in journal.told(Audience.PUBLIC, 4, 4))
    sent = msgspec.json.encode(mqtt_messages.event(row, TableId("house", "table-1")))
    after = [msgspec.json.decode(sent), snapshot(journal.anchor())]

    assert row.event_id.startswith("feedfeedfeedfeed-")
    assert heard(tmp_path, [*before, *after]).holds
    assert heard(tmp_path, [*before, *after]).unproven == 0

    after[0]["time"] = "1970-01-01T00:00:09.000Z"

    assert "stream feedfeedfeedfeed: up to line 5 (public 4)" in str(
        heard(tmp_path, [*before, *after])
    )
