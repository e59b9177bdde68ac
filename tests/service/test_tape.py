import msgspec
import pytest

from table_controller.service.errors import WrongKey
from table_controller.service.sealing import Keys
from table_controller.service.tape import (
    BLOCK,
    RecordKind,
    Tape,
    TapeError,
    TapeWriter,
    head,
    is_tape,
)
from tests.service.evenings import KEYS

HEAD = head(code="1", game="counting", house="here", journal="ab", key=KEYS.check, began_ms=1_000)


def written(path, *records, first=HEAD):
    """A tape with these records: lists are small items, bytes are pictures."""
    writer = TapeWriter(path, first, KEYS)
    for one in records:
        (writer.frame if isinstance(one, bytes) else writer.items)(one)
    writer.flush()
    writer.close()
    return path


def test_a_tape_reads_as_it_was_written(tmp_path):
    """Head, items and pictures, in their order."""
    path = written(tmp_path / "a.tape", [["input", 1, {"n": 7}]], b"\0pixels\0", [["x"], ["y", 2]])

    tape = Tape(path, KEYS)

    assert is_tape(path)
    assert tape.head == HEAD
    assert list(tape) == [
        (RecordKind.ITEMS, [["input", 1, {"n": 7}]]),
        (RecordKind.FRAME, b"\0pixels\0"),
        (RecordKind.ITEMS, [["x"], ["y", 2]]),
    ]
    assert tape.torn == ""
    assert path.stat().st_mode & 0o777 == 0o600


def test_wherever_it_is_cut_all_before_is_read(tmp_path):
    """A power cut leaves any number of bytes: whole records are read, the cut one is named."""
    whole = written(tmp_path / "a.tape", [["a"]], b"picture", [["b"]]).read_bytes()
    ends = [len(written(tmp_path / f"{n}.tape", *([["a"]], b"picture", [["b"]])[:n]).read_bytes())
            for n in range(4)]  # fmt: skip
    cut = tmp_path / "cut.tape"

    for length in [*range(ends[0], ends[0] + 40), *range(ends[2] - 40, ends[2] + 20), ends[3] - 1]:
        cut.write_bytes(whole[:length])
        tape = Tape(cut, KEYS)
        found = [record for _, record in tape]
        count = sum(end <= length for end in ends[1:])
        assert found == [[["a"]], b"picture", [["b"]]][:count]
        if length in ends:
            assert tape.torn == ""
        else:
            assert f"record {count + 1}" in tape.torn
            assert f"{length - ends[count]} bytes" in tape.torn


def test_a_power_cut_that_leaves_garbage_is_cut_off_too(tmp_path):
    """The file is as long as it would be, but the last block never reached the disk."""
    path = written(tmp_path / "a.tape", [["a"]], [["b"]])
    data = bytearray(path.read_bytes())
    data[-BLOCK // 2 :] = bytes(BLOCK // 2)
    path.write_bytes(data)

    tape = Tape(path, KEYS)

    assert [record for _, record in tape] == [[["a"]]]
    assert "record 2" in tape.torn


def test_another_key_another_format_and_another_file_are_named(tmp_path):
    """Each with what to do."""
    path = written(tmp_path / "a.tape", [["a"]])
    newer = written(tmp_path / "b.tape", first=msgspec.structs.replace(HEAD, format=3, code="9"))
    (tmp_path / "c.tape").write_bytes(path.read_bytes()[:20])
    (tmp_path / "d.tape").write_text("[table]\n")

    with pytest.raises(WrongKey, match=rf"sealed with the key {KEYS.check}.*Name the key file"):
        Tape(path, Keys.derive(b"n" * 32))
    with pytest.raises(TapeError, match=r"tape format 3; this program reads 2.*\(9\)"):
        Tape(newer, KEYS)
    with pytest.raises(TapeError, match="its head is torn"):
        Tape(tmp_path / "c.tape", KEYS)
    with pytest.raises(TapeError, match="is no tape"):
        Tape(tmp_path / "d.tape", KEYS)
    assert not is_tape(tmp_path / "d.tape")
    assert not is_tape(tmp_path / "e.tape")


def test_no_record_opens_in_another_place_or_under_another_head(tmp_path):
    """Whoever swaps two records, or alters what is said in the clear, is found out."""
    path = written(tmp_path / "a.tape", [["a"]], [["b"]])
    data, size = path.read_bytes(), 9 + 16 + BLOCK
    swapped = data[: -2 * size] + data[-size:] + data[-2 * size : -size]
    path.write_bytes(swapped)
    with pytest.raises(TapeError, match="record 1: it was altered, or is not in its place"):
        list(Tape(path, KEYS))

    other = written(tmp_path / "b.tape", first=msgspec.structs.replace(HEAD, house="there"))
    head_of_other = other.read_bytes()
    other.write_bytes(head_of_other + data[-2 * size :])
    with pytest.raises(TapeError, match="record 1"):
        list(Tape(other, KEYS))


def test_a_tape_is_never_overwritten(tmp_path):
    """It may be the only copy."""
    path = written(tmp_path / "a.tape")

    with pytest.raises(TapeError, match="File exists"):
        TapeWriter(path, HEAD, KEYS)


def test_lengths_say_nothing_and_neither_do_bytes(tmp_path):
    """Whatever a card is, and whatever a picture shows: the same lengths, nothing in the clear."""
    seven = written(tmp_path / "a.tape", [["input", 1, {"card": "7h"}]], b"\x00" * 4800)
    king = written(tmp_path / "b.tape", [["input", 1, {"card": "Kc"}]], b"7h" * 2400)

    assert seven.stat().st_size == king.stat().st_size
    assert b"7h7h7h" not in king.read_bytes()
    assert b"card" not in seven.read_bytes()
