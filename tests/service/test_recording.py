import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.service.errors import RecordingError
from table_controller.service.recording import (
    KEYED,
    Happened,
    Heard,
    Recorder,
    Recording,
    compare,
    export,
    header,
)
from table_controller.service.recovery import play
from tests.service import counting, evenings
from tests.service.counting import Add, CardDrawn, Close, Counted, Show

HEAD = header(game="counting", house="here", code="1", key="ab" * 32)


def record(path, inputs):
    """Write inputs and the events that come of them."""
    with Recorder(path, HEAD) as recorder:
        turns = play(counting, counting.begin(), inputs)
        for t_ms, (said, (_, news)) in enumerate(zip(inputs, turns, strict=True)):
            recorder.input(t_ms, said)
            for event in news:
                recorder.event(t_ms, event)
    return path


@settings(max_examples=40)
@given(inputs=st.lists(evenings.inputs.filter(lambda said: said != counting.Boom())))
def test_a_recording_reads_as_it_was_written(tmp_path_factory, inputs):
    """Header, inputs and events, with their times."""
    path = record(tmp_path_factory.mktemp("r") / "r.jsonl", inputs)

    recording = Recording(path, counting)
    lines = list(recording)

    assert recording.header == HEAD
    assert [line.input for line in lines if isinstance(line, Heard)] == inputs
    assert [line.t_ms for line in lines if isinstance(line, Heard)] == list(range(len(inputs)))
    news = [event for _, told in play(counting, counting.begin(), inputs) for event in told]
    assert [line.event for line in lines if isinstance(line, Happened)] == news


def test_a_recording_is_lines_that_a_person_can_read(tmp_path):
    """The notation, literally."""
    path = record(tmp_path / "r.jsonl", [Add(chips=3)])

    first, heard, told, _, last = path.read_text().splitlines()

    assert first == (
        '{"schlitten":"recording","format":1,"game":"counting","house":"here","code":"1",'
        f'"key":"{"ab" * 32}"}}'
    )
    assert heard == ('{"t_ms":0,"input":{"type":"add","chips":3,"actor":"croupier","prompt":null}}')
    assert told == '{"t_ms":0,"event":{"type":"counted","total":3}}'
    assert re.fullmatch(r'\{"count":3,"sha256":"[0-9a-f]{64}"\}', last)


def test_a_recording_that_broke_off_leaves_nothing(tmp_path):
    """Neither under its name nor under another."""
    with pytest.raises(ZeroDivisionError), Recorder(tmp_path / "r.jsonl", HEAD):
        raise ZeroDivisionError

    assert not list(tmp_path.iterdir())


def resealed(lines):
    """Close altered lines properly, as another program might."""
    import hashlib

    body = b"".join(line + b"\n" for line in lines)
    end = {"count": len(lines) - 1, "sha256": hashlib.sha256(body).hexdigest()}
    return body + msgspec.json.encode(end) + b"\n"


def swap(number, line):
    return lambda lines: resealed([*lines[: number - 1], line, *lines[number:-1]])


def joined(lines):
    return b"\n".join(lines)


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda _: b"", "line 2: the last line must close it"),
        (lambda lines: joined(lines[:-1]), "line 7: the last line must close it"),
        (lambda lines: joined(lines)[:-30], "line 8: the last line must close it"),
        (lambda lines: joined([*lines[:2], *lines[3:]]), "line 7: it counts 6 lines"),
        (
            lambda lines: joined(lines).replace(b'"total":3', b'"total":4'),
            "line 8: the digest is .*a line was altered",
        ),
        (
            lambda lines: joined(lines).replace(b'"total":3}}', b'"total":3}'),
            "line 8: the digest is .*line 3 is broken",
        ),
        (swap(1, b'{"a":1}'), "line 1: a header"),
        (swap(1, b'{"schlitten":"tape","format":1}'), "line 1: a header"),
        (
            swap(1, msgspec.json.encode(msgspec.structs.replace(HEAD, format=9))),
            "line 1: its format is 9, this program reads 1; replay it with version 1",
        ),
        (
            swap(1, msgspec.json.encode(msgspec.structs.replace(HEAD, game="ecarte"))),
            "line 1: it is a recording of ecarte, not of counting",
        ),
        (swap(3, b'{"t_ms":1}'), "line 3: one of input and event is wanted"),
        (swap(3, b'{"t_ms":1,"input":{"type":"sing"}}'), r"line 3: no message .* at `\$.input"),
        (swap(3, b'{"t_ms":"1","input":{"type":"show"}}'), r"line 3: no message .* at `\$.t_ms"),
        (swap(3, b'{"t_ms":1,"note":"x"}'), "line 3: no message"),
        (swap(3, b"\xff\xfe"), "line 3: no message"),
        (swap(3, b""), "line 3: no message"),
    ],
)
def test_a_broken_recording_is_named_by_its_line(tmp_path, alter, said):
    """File, line, what is wrong, and what to do."""
    path = record(tmp_path / "r.jsonl", [Add(chips=3), CardSeen(card=Card("7h"))])
    path.write_bytes(alter(path.read_bytes().splitlines()))

    with pytest.raises(RecordingError, match=said) as caught:
        list(Recording(path, counting))

    assert str(path) in str(caught.value)
    assert "again" in str(caught.value)


def test_a_broken_line_names_no_card(tmp_path):
    """It may be a closed one."""
    path = record(tmp_path / "r.jsonl", [CardSeen(card=Card("7h"))])
    lines = path.read_bytes().splitlines()
    path.write_bytes(swap(2, lines[1].replace(b'"card":"7h"', b'"card":"7hh"'))(lines))

    with pytest.raises(RecordingError, match="line 2") as caught:
        list(Recording(path, counting))

    assert "7h" not in str(caught.value)


def test_a_missing_recording_is_named(tmp_path):
    """As the system says it."""
    with pytest.raises(RecordingError, match=r"none.jsonl: No such file"):
        Recording(tmp_path / "none.jsonl")


def test_a_journal_played_again_tells_the_same_story(open_journal, tmp_path):
    """The journal is a recording: replayed, it gives the same events."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=3), Add(chips=300), CardSeen(card=Card("7h")), Show(), Close()]:
        table.take(said, 9)

    count = export(journal.archive, counting, tmp_path / "r.jsonl")
    recording = Recording(tmp_path / "r.jsonl", counting)
    turns = play(counting, counting.begin(), recording.inputs())

    again = [event for _, news in turns for event in news]
    assert compare(again, recording.events()) is None
    assert count == 5 + len(again) == 12


def test_an_export_ends_with_the_last_closed_schlitten(open_journal, tmp_path):
    """Cards of the open one are for the holder of the key, who asks for everything."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [CardSeen(card=Card("7h")), Close(), CardSeen(card=Card("Kd"))]:
        table.take(said, 9)

    export(journal.archive, counting, tmp_path / "closed.jsonl")
    export(journal.archive, counting, tmp_path / "all.jsonl", everything=True)

    assert b'"Kd"' not in (tmp_path / "closed.jsonl").read_bytes()
    assert b'"7h"' in (tmp_path / "closed.jsonl").read_bytes()
    assert b'"Kd"' in (tmp_path / "all.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("got", "expected", "said"),
    [
        ([1, 2], [1, 3], "Event 2 differs in total: got .*2}, expected .*3}"),
        ([1], [1, 2], 'Event 2 is missing: expected {"type":"counted","total":2}'),
        ([1, 2], [1], 'Event 2 was not expected: {"type":"counted","total":2}'),
        ([], [], "None"),
    ],
)
def test_the_first_difference_is_shown(got, expected, said):
    """By its number, its fields and both values."""
    difference = compare([Counted(total=n) for n in got], [Counted(total=n) for n in expected])

    assert re.match(said, str(difference))


def test_what_hangs_on_the_key_can_be_left_out():
    """Another table's promises differ, its game does not."""
    one = [CardDrawn(seat=1, ordinal=1, commitment="aa")]
    other = [CardDrawn(seat=1, ordinal=1, commitment="bb")]

    assert compare(one, other, ignore=KEYED) is None
    assert compare(one, other) is not None


def test_a_recording_is_its_owners_alone(tmp_path):
    """Its inputs name every card, closed ones too: mode 0600."""
    path = tmp_path / "evening.jsonl"
    record(path, [Add(chips=5)])

    assert path.stat().st_mode & 0o777 == 0o600
