"""Commands on a disk without room: one sentence, and no half-written file is left."""

from __future__ import annotations

import errno
import os

import pytest

from table_controller.commands.machine import doctor
from table_controller.service.errors import KeyFileError, RecordingError
from table_controller.service.recording import Recorder, header
from table_controller.service.sealing import make_key
from vision import manifest

FULL = "No space left on device"


@pytest.fixture
def full(monkeypatch):
    """No file takes anything any more; the folder does."""

    def no_room(*_):
        raise OSError(errno.ENOSPC, FULL)

    monkeypatch.setattr(os, "fsync", no_room)
    monkeypatch.setattr(os, "pwrite", no_room)


@pytest.mark.usefixtures("full")
def test_no_half_key_is_left(tmp_path):
    """An empty one would be refused as a key, and never be made anew."""
    with pytest.raises(KeyFileError, match=f"Cannot write the key .*: {FULL}"):
        make_key(tmp_path / "table.key")
    with pytest.raises(manifest.ManifestError, match=f"cannot write the key .*: {FULL}"):
        manifest.new_key(tmp_path / "shoe.key")
    with pytest.raises(manifest.ManifestError, match=f"cannot write the manifest .*: {FULL}"):
        manifest.save(manifest.make("blue-1", bytes(32)), tmp_path / "blue.manifest")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("full")
def test_doctor_says_that_the_disk_takes_nothing(tmp_path):
    disk = next(doctor.examine_machine(tmp_path))

    said = f"{tmp_path} takes nothing ({FULL}): free some space, or let it be written"
    assert disk == ("disk", False, said)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")  # noqa: PTH110
def test_a_recording_without_room_is_one_error(tmp_path):
    """The kernel's own full device: writing fails where the buffer is given away."""
    path = tmp_path / "evening.jsonl"
    (tmp_path / "evening.jsonl.part").symlink_to("/dev/full")

    with (
        pytest.raises(RecordingError, match=f"Cannot finish the recording .*: {FULL}"),
        Recorder(path, header(game="x", house="y", code="z" * 100_000)),
    ):
        pass

    assert not path.exists()
