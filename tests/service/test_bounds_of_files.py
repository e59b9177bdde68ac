"""Recordings, verdicts and captured streams at their limits, sentence by sentence."""

from __future__ import annotations

import hashlib
import json
import sqlite3

import msgspec
import pytest

from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.service.archive import Archive
from table_controller.service.capture import CapturedStreams
from table_controller.service.errors import (
    JournalDamaged,
    JournalError,
    NothingToExport,
    RecordingError,
    VerifyError,
    WrongKey,
)
from table_controller.service.output import OutputError
from table_controller.service.recording import Difference, Recorder, Recording, export, header
from table_controller.service.rows import EventRow, InputRow
from table_controller.service.verify import Findings, KeptPromises, verify
from tests.service import counting, evenings
from tests.service.counting import Add, Close, Show

# -- recordings


def test_an_empty_recording_is_one(tmp_path):
    """Header and end, and nothing between."""
    path = tmp_path / "r.jsonl"
    head = header(game="counting", house="here", code="1")
    with Recorder(path, head) as recorder:
        assert not path.exists()
        assert (tmp_path / "r.jsonl.part").exists()
    assert recorder.count == 0
    assert path.read_text().splitlines()[0] == (
        '{"schlitten":"recording","format":1,"game":"counting","house":"here","code":"1"}'
    )
    assert list(Recording(path, counting)) == []
    assert list(Recording(path).lines()) == []


def test_a_recording_that_cannot_be_written_is_named(tmp_path):
    """Before anything is written, and at its end."""
    head = header(game="counting", house="here", code="1")
    with pytest.raises(OutputError, match=r"cannot write .*r\.jsonl: No such file"):
        Recorder(tmp_path / "nowhere" / "r.jsonl", head)
    (tmp_path / "r.jsonl").mkdir()
    with pytest.raises(OutputError, match=r"cannot write .*r\.jsonl: Is a directory"):
        Recorder(tmp_path / "r.jsonl", head)
    begun = Recorder(tmp_path / "s.jsonl", head)
    (tmp_path / "s.jsonl").mkdir()
    with pytest.raises(
        RecordingError, match=r"Cannot finish the recording .*s\.jsonl: .* The part that was"
    ):
        begun.close()


def test_a_torn_line_is_shown_up_to_80_signs(tmp_path):
    """And not beyond a card's name."""
    for text, shown in (
        (b"x" * 80, repr("x" * 80)),
        (b"x" * 81, repr("x" * 80 + "…")),
        (b'ab"card":"7h"', repr("ab…")),
    ):
        (tmp_path / "r").write_bytes(b"{}\n" + text)
        with pytest.raises(RecordingError) as caught:
            Recording(tmp_path / "r")
        assert f"but is {shown}. The recording is torn" in str(caught.value)


def test_what_cannot_be_exported_says_why(open_journal, tmp_path):
    """An empty journal, and one whose cards are secret yet."""
    journal = open_journal()
    with pytest.raises(NothingToExport, match=r"holds no input yet: nothing is written\.$"):
        export(journal.archive, counting, tmp_path / "r")
    table = evenings.serve(journal)
    table.take(Add(chips=1), 1)
    table.take(Show(), 1)
    with pytest.raises(NothingToExport, match=r"but 2 inputs of an open one, whose cards are"):
        export(journal.archive, counting, tmp_path / "r")
    assert list(tmp_path.glob("r*")) == []
    assert export(journal.archive, counting, tmp_path / "r", everything=True) > 2
    kept = Recording(tmp_path / "r", counting).header
    assert (kept.game, kept.house, kept.code, kept.key) == ("counting", "here", "1", None)


def test_a_difference_names_every_field_that_differs():
    """In the order of their names."""
    found = Difference(2, {"type": "a", "b": 1, "c": 2}, {"type": "a", "b": 3, "d": 2})

    assert str(found) == (
        'Event 2 differs in b, c, d: got {"type":"a","b":1,"c":2}, '
        'expected {"type":"a","b":3,"d":2}.'
    )


# -- verifying


def test_a_verdict_in_words():
    """What holds, how far it is proven, and what does not hold."""
    known = {"rows": 7, "promised": 3, "opened": 2, "unproven": 1}
    whole = str(Findings(kind="journal", inner=True, fault="", **known))
    assert whole.startswith("This journal holds (with the table's key): ")
    for counted in ("7 rows", "3 cards promised", "2 opened as promised", "1 public rows unproven"):
        assert counted in whole
    assert "holds: 7 rows" in str(Findings(kind="stream", fault="", **known))
    wrong = Findings(kind="stream", fault="it broke", **known)
    assert "stream does not hold: it broke" in str(wrong)
    assert not wrong.holds
    bare = Findings(kind="x", rows=0, fault="")
    assert (bare.promised, bare.opened, bare.unproven, bare.inner) == (0, 0, 0, False)


def promise(card, nonce=b"n" * 16):
    return hashlib.sha256(nonce + card.encode()).hexdigest()


def test_promises_are_kept_or_named():
    """Each card by its number; what was never promised is told only where all is known."""
    nonce = (b"n" * 16).hex()
    whole, part = KeptPromises(), KeptPromises(whole=False)
    drawn = {"type": "card_drawn", "ordinal": 1, "commitment": promise("7h")}
    opened = {"type": "card_opened", "ordinal": 1, "card": "7h", "nonce": nonce}
    assert whole.hear(opened) == "card 1 was opened, but never promised"
    assert part.hear(opened) == ""
    assert (whole.promised, whole.opened, part.opened) == (0, 0, 0)
    assert [whole.hear(one) for one in (drawn, opened)] == ["", ""]
    assert (whole.promised, whole.opened) == (1, 1)
    assert whole.hear(opened | {"card": "8h"}) == (
        "card 1 was opened as 8h, but that is not what was promised"
    )
    assert whole.opened == 1
    for lacking in ({"type": "card_drawn", "ordinal": 1}, opened | {"nonce": "zz"}):
        assert whole.hear(lacking) == "it lacks a field of its kind"
    assert whole.hear({"type": "said"}) == ""


def test_sums_of_each_kind_of_file_are_named_by_their_own_count(open_journal, tmp_path):
    """The first public row of a journal is 1; a line of a recording has its number."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in (Add(chips=1), CardSeen(card=Card("7h")), Close()):
        table.take(said, 1)
    export(journal.archive, counting, tmp_path / "r")
    path = journal.path
    assert verify(path, evenings.KEYS, sums=lambda _: lambda _: (0, "they differ")).fault == (
        "public row 1: they differ"
    )
    assert verify(path, evenings.KEYS, sums=lambda _: lambda _: None).holds
    assert verify(path).inner is False
    assert verify(path, evenings.KEYS).inner is True
    lines = (tmp_path / "r").read_text().splitlines()
    first = next(n for n, text in enumerate(lines, 1) if '"event"' in text)
    assert verify(tmp_path / "r", sums=lambda _: lambda _: (0, "they differ")).fault == (
        f"line {first}: they differ"
    )
    assert verify(tmp_path / "r").rows == len(lines) - 2


# -- captured streams


def message(seq, who="public", data=None, kind="counted", time="1970-01-01T00:00:01Z"):
    return json.dumps(
        {
            "id": f"j-{who}-{seq}",
            "type": kind,
            "time": time,
            "seq": seq,
            "data": data if data is not None else {"type": "counted", "total": seq},
        }
    )


def capture(tmp_path, *lines):
    path = tmp_path / "capture"
    path.write_text("\n".join(lines) + "\n")
    (stream,) = CapturedStreams(path).streams
    return stream


def snapshot(head):
    """The picture of now, as far as it holds the public chain's end."""
    data = {"count": 1, "chain_head": head * 32}
    return json.dumps({"id": "x", "type": "schlitten.snapshot", "data": data})


BARE = json.dumps({name: told for name, told in json.loads(message(1)).items() if name != "seq"})
OTHER = {"type": "counted", "total": 5}
#: The lines of a capture; then how many rows there are, which public ones are told, and what is
#: wrong with the first that does not hold.
CAPTURES = {
    "each event is counted once, public and staff's for themselves": (
        [message(1), message(2), message(2), message(1, "croupier"), "", "  "], 3, [1, 2], ""),
    "a gap": ([message(1), message(4)], 2, [1, 4], "public row 2 is missing (the next one is 4)"),
    "a gap of the staff's": (
        [message(1, "croupier"), message(3, "croupier")], 2, [],
        "croupier row 2 is missing (the next one is 3)"),
    "a row told otherwise": (
        [message(1), message(1, data=OTHER)], 1, [1], "line 2: public row 1 was told otherwise"),
    "a row told at another time": (
        [message(1), message(1, time="1970-01-01T00:00:02Z")], 1, [1],
        "line 2: public row 1 was told otherwise"),
    "a sealed event": (
        [message(1), message(1, "sealed")], 1, [1], "line 2: a sealed event was published"),
    "what is no event": ([message(1), message(9, "health")], 1, [1], ""),
    "an event without its number is not the first one": ([BARE], 1, [0], None),
    "two heads of one row cannot both be true": (
        [message(1), snapshot("aa"), snapshot("bb")], 1, [1],
        "line 3: another head of public row 1"),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "rows", "seqs", "wrong"), CAPTURES.values(), ids=CAPTURES)
def test_what_holds_of_a_capture_and_the_first_that_does_not(tmp_path, lines, rows, seqs, wrong):
    found = capture(tmp_path, *lines)

    assert (found.rows, [one.seq for one in found.told]) == (rows, seqs)
    assert {one.t_ms for one in found.told} <= {1000}
    assert wrong is None or found.chain()[0] == wrong


def test_a_chain_is_counted_up_to_the_first_gap(tmp_path):
    assert capture(tmp_path, message(1), message(2)).chain() == ("", 2)
    assert capture(tmp_path, message(1), message(4)).chain()[1] == 2
    assert capture(tmp_path, message(1, "croupier"), message(3, "croupier")).chain()[1] == 0


def test_a_message_in_a_topic_may_be_a_text_and_an_empty_one_was_cleared(tmp_path):
    """As brokers' tools print them."""
    wrapped = json.dumps({"topic": "t", "payload": message(1)})
    whole = json.dumps({"topic": "t", "payload": json.loads(message(2))})
    gone = [json.dumps({"topic": "t", "payload": text}) for text in ("", None)]

    assert capture(tmp_path, wrapped, whole, *gone).rows == 2
    torn = message(1, kind="schlitten.snapshot", data={"count": 1, "chain_head": "zz"})
    for line in (torn, '{"type": "x"}', "nothing", '{"id": "j-public-1", "type": "x", "seq": 1}'):
        with pytest.raises(VerifyError, match="line 1: neither a journal, a recording"):
            capture(tmp_path, line)


def test_stored_rows_have_their_fields_in_this_order():
    """So they are read from the tables."""
    assert InputRow.__struct_fields__ == (
        "n", "t_ms", "outcome", "upto", "body", "sealed", "mac", "save", "money"
    )  # fmt: skip
    assert EventRow.__struct_fields__ == (
        "id", "n", "t_ms", "audience", "seq", "type", "body", "sealed", "link", "mac"
    )  # fmt: skip


def test_an_archive_knows_where_a_journal_was_cut(open_journal, tmp_path):
    """Which row is missing, and which came in its place."""
    journal = open_journal()
    table = evenings.serve(journal)
    for chips in (1, 2, 3):
        table.take(Add(chips=chips), 1)
    journal.close()
    db = sqlite3.connect(tmp_path / "table.db")
    db.execute("DELETE FROM inputs WHERE n = 2")
    db.commit()
    db.close()

    archive = Archive.read(tmp_path / "table.db", evenings.KEYS)
    assert verify(tmp_path / "table.db").fault == "input 2 is missing (the next one is 3)"
    archive.close()


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (b"torn", "its header is torn"),
        (b'{"format":"\xff"}', "its header is torn"),
        (
            msgspec.json.encode(
                {"format": 2, "journal": "j", "game": "g", "house": "h", "code": "9", "key": "k"}
            ),
            r"has the journal format 2; this program reads 1\. Use the version that wrote it \(9\)",
        ),
    ],
)
def test_a_journal_of_another_form_is_named(open_journal, tmp_path, header, said):
    """And is not read."""
    open_journal().close()
    db = sqlite3.connect(tmp_path / "table.db")
    db.execute("UPDATE meta SET value = ?", (header,))
    db.commit()
    db.close()

    with pytest.raises(JournalError, match=said):
        Archive.read(tmp_path / "table.db", evenings.KEYS)


def test_what_is_sealed_wants_the_key(open_journal, tmp_path):
    """The state of a closed Schlitten, and a closed card."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in (CardSeen(card=Card("7h")), Close()):
        table.take(said, 1)
    journal.close()
    archive = Archive.read(tmp_path / "table.db")
    for ask in (archive.last_save, lambda: archive.body(next(archive.inputs()))):
        with pytest.raises(WrongKey, match="has sealed rows: name the table's key file"):
            ask()
    assert archive.last_closed() == 2
    archive.close()


def test_torn_money_and_lines_that_are_none_are_named(open_journal, tmp_path):
    """By their input, and by their line."""
    journal = open_journal()
    evenings.serve(journal).take(Add(chips=5), 1)
    [(number, money)] = journal.archive.money()
    assert (number, sum(money.values())) == (1, 5)
    journal.close()
    for torn in (b"torn", b'{"\xff":5}'):
        db = sqlite3.connect(tmp_path / "table.db")
        db.execute("UPDATE money SET body = ?", (torn,))
        db.commit()
        db.close()
        archive = Archive.read(tmp_path / "table.db", evenings.KEYS)
        with pytest.raises(JournalDamaged, match="what it says of the money after input 1 is torn"):
            list(archive.money())
        assert list(archive.money(after=1)) == []
        archive.close()

    body = b'{"schlitten":"recording","format":1,"game":"g","house":"h","code":"1"}\n[1]\n'
    end = {"count": 1, "sha256": hashlib.sha256(body).hexdigest()}
    (tmp_path / "r").write_bytes(body + msgspec.json.encode(end) + b"\n")
    with pytest.raises(RecordingError, match=r"line 2: no JSON object: '\[1\]'"):
        list(Recording(tmp_path / "r").lines())
