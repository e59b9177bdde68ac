"""A sealed file: only its key reads it, nothing half is left, and a fault stops nobody."""

from __future__ import annotations

import stat

import pytest

from table_controller.service.sealed_file import SealedFile
from table_controller.service.sealing import Keys

KEYS, OTHERS = Keys.derive(b"k" * 32), Keys.derive(b"o" * 32)


def test_what_was_written_is_read_again_by_its_key_and_purpose_only(tmp_path):
    path = tmp_path / "x.sessions"
    SealedFile(path, KEYS, "sessions").write(b"one")
    SealedFile(path, KEYS, "sessions").write(b"two")

    assert SealedFile(path, KEYS, "sessions").read() == b"two"
    assert SealedFile(path, OTHERS, "sessions").read() == b""
    assert SealedFile(path, KEYS, "something else").read() == b""
    assert b"two" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["x.sessions"]


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 1000])
def test_a_damaged_file_reads_as_none(tmp_path, damage):
    path = tmp_path / "x.sessions"
    path.write_bytes(damage)

    assert SealedFile(path, KEYS, "sessions").read() == b""


def test_where_nothing_can_be_written_nothing_fails(tmp_path):
    """The people stay signed in until the program ends."""
    file = SealedFile(tmp_path / "gone" / "x.sessions", KEYS, "sessions")

    file.write(b"one")

    assert file.read() == b""
