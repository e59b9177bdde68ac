"""`schlitten install` and `update`, under another root. scripts/boot-test boots the results."""

import contextlib
import errno
import sqlite3
from pathlib import Path

import pytest

from table_controller.commands.machine import install, self_test, update
from table_controller.commands.machine.install import CannotInstall
from table_controller.commands.machine.update import NotUpdated, NoWheel
from table_controller.engine.table.inputs import Sits
from table_controller.wiring import config
from table_controller.wiring.app import Service
from tests.whole.plans import plan

pytestmark = pytest.mark.root  # tests/rooted.py


@pytest.fixture
def root(tmp_path):
    """A Pi's card in a reader: an empty system."""
    for folder in ("etc", "usr/lib/systemd/system", "var/lib"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def files(root):
    """Every file under it: content and mode."""
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_all_is_in_place_and_a_second_time_changes_nothing(root):
    said = list(install.install(root))
    before = files(root)
    again = list(install.install(root))

    assert files(root) == before
    for name in (
        "etc/systemd/system/schlitten.service",
        "etc/systemd/system/schlitten-backup.service",
        "etc/systemd/system/schlitten-backup.timer",
        "etc/systemd/system/schlitten-kiosk.service",
        "etc/systemd/system/mosquitto.service.d/schlitten.conf",
        "etc/udev/rules.d/99-schlitten.rules",
        "etc/schlitten/table.toml",
        "etc/schlitten/table.toml.example",
        "etc/schlitten/mosquitto.conf",
        "etc/schlitten/schlitten.acl",
    ):
        assert before[name][1] & 0o777 == 0o644, name
    assert before["etc/schlitten/table.key"][1] & 0o777 == 0o600
    assert (root / "var/lib/schlitten").stat().st_mode & 0o777 == 0o700
    assert "schlitten:" in (root / "etc/passwd").read_text()
    wants = root / "etc/systemd/system"
    assert (wants / "multi-user.target.wants/schlitten.service").is_symlink()
    assert (wants / "timers.target.wants/schlitten-backup.timer").is_symlink()
    assert any("table.key is made" in line for line in said)
    assert said[-1].startswith("nothing was started, because this root is not running")
    assert not any("is made" in line or "in place" in line for line in again)


def test_what_a_person_changed_is_left_and_what_is_ours_is_mended(root):
    list(install.install(root))
    settings, unit = root / install.SETTINGS, root / "etc/systemd/system/schlitten.service"
    acl, key = root / "etc/schlitten/schlitten.acl", (root / install.KEY).read_text()
    for file in (settings, unit, acl):
        file.write_text("# mine\n")

    said = list(install.install(root))

    assert settings.read_text() == acl.read_text() == "# mine\n"
    assert (root / install.KEY).read_text() == key
    assert "Type=notify" in unit.read_text()
    assert f"{unit} is made anew" in said


def test_the_first_settings_can_be_served(root):
    """With no device and no file that a person would have to make first."""
    list(install.install(root))

    settings = config.load(root / install.SETTINGS)

    assert settings.shoe.reader == "none"
    assert settings.page.host == "127.0.0.1"
    assert all(finding.well for finding in self_test.examine(root / install.SETTINGS))


def test_a_program_that_lies_anywhere_is_not_installed():
    """A service's program must be one that no user may change; the sentence says what to run."""
    with pytest.raises(CannotInstall, match="run scripts/install in a clone, or install the Deb"):
        list(install.install())


@pytest.fixture
def served(root, monkeypatch):
    """A root with a program in it, which tests itself as told; the versions that serve."""
    old = root / install.VERSIONS / "0.1.0"
    (old / "lib/python3.11/site-packages").mkdir(parents=True)
    (old / "pyvenv.cfg").write_text("include-system-site-packages = false\n")
    install.switch(root, old)
    wheel = root / "schlitten-0.2.0-py3-none-any.whl"
    wheel.write_bytes(b"")

    def put(_wheel, _old, new, _wheels):
        (new / "bin").mkdir(parents=True)
        program = new / "bin" / "schlitten"
        program.write_text(f"#!/bin/sh\n{(root / 'tests').read_text()}")
        program.chmod(0o755)

    monkeypatch.setattr(update, "_put", put)
    return root, wheel


def serving(root):
    return (root / install.CURRENT).readlink().name


def test_a_version_whose_self_tests_hold_serves_and_the_one_before_is_kept(served):
    root, wheel = served
    (root / "tests").write_text('echo "well  $*"\n')
    (root / install.VERSIONS / "0.0.9").mkdir()

    said = list(update.update(wheel, root=root))

    assert serving(root) == "0.2.0"
    assert {path.name for path in (root / install.VERSIONS).iterdir()} == {"0.1.0", "0.2.0"}
    assert any("self-test --config" in line for line in said)


def test_a_version_whose_self_tests_fail_goes_and_the_one_before_serves(served):
    root, wheel = served
    (root / "tests").write_text('echo "well  house"; echo "ILL   journal: no"; exit 1\n')

    with pytest.raises(NotUpdated, match=r"do not hold: ILL   journal: no\. .* continues to serve"):
        list(update.update(wheel, root=root))

    assert serving(root) == "0.1.0"
    assert {path.name for path in (root / install.VERSIONS).iterdir()} == {"0.1.0"}


def test_a_version_that_does_not_come_up_goes_and_the_one_before_serves(served, monkeypatch):
    root, wheel = served
    (root / "tests").write_text("exit 0\n")
    started = []

    def systemctl(*_words):
        started.append(serving(root))
        return "it failed" if started[-1] == "0.2.0" else ""

    monkeypatch.setattr(update, "runs", lambda: True)
    monkeypatch.setattr(update, "_systemctl", systemctl)

    with pytest.raises(NotUpdated, match="did not start with the new version"):
        list(update.update(wheel, root=root))

    assert started == ["0.2.0", "0.1.0"]


@pytest.mark.parametrize("name", ["other-1.0-py3-none-any.whl", "schlitten-1.0.tar.gz", "no.whl"])
def test_what_is_no_wheel_of_this_program_is_refused(served, name):
    root, _ = served
    (root / name).write_bytes(b"")

    with pytest.raises(NoWheel, match="is no wheel of this program"):
        list(update.update(root / name, root=root))


def test_the_self_tests_find_a_journal_that_does_not_hold(tmp_path):
    """They copy it first: the journal itself is as it was."""
    service = Service(plan(tmp_path))
    for seat in (1, 2):
        said = Sits(actor="croupier", seat=seat, name=f"Anna {seat}", chips=100)
        service.table.take(said, seat)
    service.journal.close()
    file = tmp_path / "table.toml"
    file.write_text(
        '[table]\nsite = "whole"\nname = "table"\n'
        f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
        '[broker]\nkind = "none"\n'
    )
    assert found(file)["journal"].well
    with contextlib.closing(sqlite3.connect(tmp_path / "table.db")) as db, db:
        db.execute("UPDATE inputs SET t_ms = t_ms + 1 WHERE n = 1")
    before = (tmp_path / "table.db").read_bytes()

    assert not found(file)["journal"].well
    assert (tmp_path / "table.db").read_bytes() == before


def test_the_self_tests_of_whoever_may_not_see_the_journal_say_so(tmp_path, monkeypatch):
    """Its folder is the service's alone: anybody else at the machine got a traceback."""
    journal, exists = tmp_path / "shut" / "table.db", Path.exists

    def shut(path, **how):
        if path == journal:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return exists(path, **how)

    monkeypatch.setattr(Path, "exists", shut)
    monkeypatch.setattr(config, "houses", tuple)
    file = tmp_path / "table.toml"
    file.write_text(f'[journal]\npath = "{journal}"\nkey = "{tmp_path}/table.key"\n')
    journal_part = found(file)["journal"]

    assert not journal_part.well
    assert "Permission denied" in journal_part.said


def found(file):
    return {finding.part: finding for finding in self_test.examine(file)}
