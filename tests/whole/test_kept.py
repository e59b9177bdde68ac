"""What is kept and for how long.

`schlitten doctor` tells the age of the copies, and lists the files.
"""

import os

import pytest

from table_controller.commands.machine import doctor
from table_controller.service.copies import back_up
from table_controller.wiring.config import Config, JournalSettings
from tests.service import evenings
from tests.service.counting import Add

DAY_S = 24 * 3600
NOW = 100 * DAY_S


@pytest.fixture
def settings(tmp_path):
    """Of a table that was played at for three days, until now."""
    journal = evenings.open_journal(tmp_path / "table.db")
    served = evenings.serve(journal)
    for day in range(3):
        served.take(Add(chips=1), (NOW - (2 - day) * DAY_S) * 1000)
    journal.close()
    (tmp_path / "copies").mkdir()
    return Config(journal=JournalSettings(tmp_path / "table.db", copies=tmp_path / "copies"))


def copied(settings, name, *, days_ago):
    """A copy of then."""
    path = settings.journal.copies / name
    back_up(settings.journal.path, path)
    os.utime(path, (NOW - days_ago * DAY_S,) * 2)


def found(settings, now=NOW):
    return {
        one.part: (one.well, one.said) for one in doctor.examine_copies(settings, clock=lambda: now)
    }


def test_copies_of_every_morning_are_well(settings):
    """How many there are, and how old the newest is."""
    copied(settings, "table-1.db", days_ago=1.5)
    copied(settings, "table-2.db", days_ago=0.5)

    assert found(settings)["copies"] == (
        True, f"2 in {settings.journal.copies}, the newest 12 h old"
    )  # fmt: skip


@pytest.mark.parametrize("copies", [(), (2.5,)])
def test_a_table_that_is_played_at_and_not_copied_is_ill(settings, copies):
    """After two days; what makes copies is named."""
    for days_ago in copies:
        copied(settings, "table-1.db", days_ago=days_ago)
    well, said = found(settings, NOW + 60)["copies"]

    assert not well
    assert "systemctl status schlitten-backup.timer" in said


def test_a_copy_of_all_that_there_is_does_not_grow_old(settings):
    """A table that nobody plays at needs no other."""
    copied(settings, "table-1.db", days_ago=0)

    assert found(settings, NOW + 30 * DAY_S)["copies"][0]


def test_a_table_of_today_has_no_copy_yet(settings):
    later = found(settings, NOW - 1.5 * DAY_S)

    assert later["copies"] == (True, f"none yet in {settings.journal.copies}")


def test_who_names_no_folder_is_told_that_nothing_looks_after_copies(settings):
    bare = Config(journal=JournalSettings(settings.journal.path))

    assert found(bare)["copies"] == (
        True, "no folder is set for them ([journal] copies): nobody looks how old they are"
    )  # fmt: skip


def test_what_lies_beside_the_journal_is_counted_with_what_to_do(settings, tmp_path):
    """Nothing of it goes by itself."""
    (tmp_path / "table.db.before-1").write_bytes(bytes(3 << 20))
    (tmp_path / "lip-20261122-101500.film").write_bytes(bytes(5 << 20))
    (tmp_path / "other.film").write_bytes(bytes(7 << 20))
    well, said = found(settings)["kept"]

    assert well
    assert "1 journal laid aside by `restore` (3 MiB)" in said
    assert "1 film of the lip (5 MiB)" in said
    assert said.endswith(
        "The program deletes none of these files: move away the ones that nobody needs."
    )


def test_where_there_is_no_journal_there_is_nothing_to_keep(tmp_path):
    assert found(Config(journal=JournalSettings(tmp_path / "table.db"))) == {}
