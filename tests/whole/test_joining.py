"""`schlitten install --floor CODE`: a table that has played joins a floor under its new name."""

from __future__ import annotations

import re
import tomllib
from contextlib import closing

import pytest
from typer.testing import CliRunner

from table_controller.adapters import enrolling
from table_controller.adapters.enrolling import EnrolmentCode, Joined, NotEnrolled
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.cli import app
from table_controller.commands.machine.install import join
from table_controller.engine.messages import Role
from table_controller.service.archive import Archive
from table_controller.service.errors import JournalBusy
from table_controller.service.store import Lock
from table_controller.wiring import first_start, people
from table_controller.wiring.first_start import FirstStart
from table_controller.wiring.toml_files import changed

CODE = EnrolmentCode("192.168.1.20", 8090, "A" * 26, "B" * 16)
JOINED = Joined("casino", "one", 8883, "table-casino-one", "0123456789abcdef")


@pytest.fixture
def table(tmp_path):
    """The settings of a table whose journal has begun as house/table-1."""
    answers = FirstStart(house="zoppot-1934", supervisor="Anna", pin="482913", speaks=False)
    first_start.begin(answers, tmp_path / "table.toml")
    return tmp_path / "table.toml"


@pytest.fixture
def used(monkeypatch):
    """The codes that a floor was told; the floor itself is in tests/floor/test_enrol.py."""
    found = []
    monkeypatch.setattr(enrolling, "authority", lambda _: b"the floor's authority")

    def enrol(code, _root):
        found.append(code)
        return JOINED

    monkeypatch.setattr(enrolling, "enrol", enrol)
    return found


def test_the_settings_name_the_floor_and_the_journal_goes_on(table, used):
    before = table.read_text()

    told = list(join(str(CODE), table))

    settings = tomllib.loads(table.read_text())
    assert settings["table"] == {
        "site": "casino", "name": "one", "game": "chemin-de-fer", "house": "zoppot-1934",
    }  # fmt: skip
    assert settings["broker"] == {
        "kind": "mqtt", "host": "192.168.1.20", "port": 8883, "username": "table-casino-one",
        "password": str(table.parent / "floor.secret"),
        "ca": str(table.parent / "floor-root.pem"),
    }  # fmt: skip
    assert (table.parent / "floor.secret").read_text() == "0123456789abcdef\n"
    assert (table.parent / "floor.secret").stat().st_mode & 0o777 == 0o600
    assert (table.parent / "floor-root.pem").read_bytes() == b"the floor's authority"
    assert (table.parent / "table.toml.before-floor").read_text() == before
    with closing(Archive.read(table.parent / "table.db")) as archive:
        assert archive.head().boot.source == TableId("casino", "one").source
    assert used == [CODE]
    assert "0123456789abcdef" not in " ".join(told)
    assert told[-1] == f"start the table now: `schlitten run --config {table}`"


def test_the_floor_is_a_technician_there_and_nobody_can_sign_in_as_it(table, used):
    list(join(str(CODE), table))
    list(join(str(CODE), table))

    anna, floor = people.persons(table)
    assert (anna.name, anna.role, anna.accounts) == ("Anna", Role.SUPERVISOR, ())
    assert (floor.name, floor.role, floor.signs_in) == ("Floor", Role.TECHNICIAN, False)
    assert [account.name for account in floor.accounts] == ["floor"]
    assert len(used) == 2


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            [{"type": "account_added", "name": "Anna", "account": "floor", "proof": "$7$x"}],
            "Anna (supervisor) has the name or the account of the floor, which must be a",
        ),
        (
            [{"type": "person_added", "name": "floor", "role": "croupier", "proof": "$7$x"}],
            "floor (croupier) has the name or the account of the floor",
        ),
    ],
    ids=["the account", "the name"],
)
def test_the_floor_gets_no_more_rights_than_a_technicians(table, used, said, why):
    people.changed(table, *said)
    before = table.read_text()

    with pytest.raises(NotEnrolled, match=re.escape(why)):
        list(join(str(CODE), table))

    assert (table.read_text(), used) == (before, [])


def test_a_table_without_people_keeps_its_code_and_says_what_to_do(table, used):
    for file in table.parent.glob("table.db*"):
        file.unlink()

    with pytest.raises(NotEnrolled, match=r"people add NAME --role supervisor"):
        list(join(str(CODE), table))

    assert used == []


def test_a_table_that_is_served_keeps_its_code(table, used):
    lock = Lock(table.parent / "table.db")

    with pytest.raises(JournalBusy):
        list(join(str(CODE), table))
    lock.release()

    assert used == []
    assert not (table.parent / "floor.secret").exists()


def test_a_code_that_is_no_code_changes_nothing(table, used):
    before = table.read_text()

    with pytest.raises(NotEnrolled, match="is no code of a floor"):
        list(join("hello", table))

    assert (table.read_text(), used) == (before, [])


def test_a_setting_is_changed_where_it_is_and_all_else_stays():
    text = '# mine\n[table]\nname = "a" # old\n\n[broker]\nkind = "embedded"\ncertificate = "x"\n'

    broker = changed(text, "broker", {"kind": "mqtt", "port": 1, "certificate": None})

    assert broker == '# mine\n[table]\nname = "a" # old\n\n[broker]\nport = 1\nkind = "mqtt"\n'
    assert changed("a = 1\n", "page", {"port": 2}) == "a = 1\n\n[page]\nport = 2\n"


@pytest.mark.parametrize("code", ["", "192.168.1.20:8090/AAAA"])
def test_a_wrong_code_installs_nothing(tmp_path, code):
    """An empty one, too: a shell's variable that was never set."""
    done = CliRunner().invoke(app, ["install", "--root", str(tmp_path), "--floor", code])

    assert "is no code of a floor" in str(done.exception)
    assert list(tmp_path.iterdir()) == []
