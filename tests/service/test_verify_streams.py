"""`schlitten verify` of captured streams: chain, numbers, envelopes, one table or several."""

import re
from datetime import UTC, datetime

import msgspec
import pytest
from msgspec.structs import replace

from table_controller.adapters import mqtt_messages
from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.messages import Audience
from table_controller.service.recording import export
from table_controller.service.rows import Anchor
from table_controller.service.verify import verify
from tests.service import counting, evenings
from tests.service.counting import Add

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


def test_anchors_kept_elsewhere_are_compared_with_a_captured_stream(played, tmp_path):
    """A capture without a snapshot proves nothing; a copy's anchor does, or names the row."""
    journal, anchors = played
    path = captured(journal, tmp_path)
    last = anchors[-1]
    forged = replace(last, head="00" * 32)
    elsewhere = replace(last, stream="another")

    assert (verify(path).unproven, verify(path).holds) == (last.count, True)
    assert (verify(path, anchors=[last]).unproven, verify(path, anchors=[last]).holds) == (0, True)
    assert "(public 8) a row was altered" in verify(path, anchors=[forged]).fault
    assert verify(path, anchors=[elsewhere]).unproven == last.count
    assert verify(path, anchors=[replace(last, stream="")]).unproven == 0
