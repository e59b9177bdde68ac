"""A journal restored from a copy made in mid-Schlitten: nothing is told twice, no card named."""

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from table_controller.commands import live
from table_controller.engine.messages import Audience
from table_controller.rules.cards import PACK
from table_controller.service.copies import back_up
from table_controller.service.errors import JournalBusy
from table_controller.service.sealing import make_key
from table_controller.service.verify import verify
from table_controller.wiring import config
from table_controller.wiring.app import Service
from tests.engine import script

COUP = (
    "card 9d", "card 6c", "card Kh", "card Th", "seat 3 opens", "seat 2 opens", "paid",
)  # fmt: skip
BEGUN = (
    "seat 2 sits 500 Anna", "seat 3 sits 500 Bert", "schlitten red-2", "seat 2 banks 100",
    "seat 3 banco solo",
)  # fmt: skip


def settled(folder):
    """Settings of a table whose journal and key lie in this folder."""
    make_key(folder / "table.key")
    file = folder / "table.toml"
    file.write_text(
        f"""
[table]
site = "house"
name = "table-1"
house = "zoppot-1934"
[journal]
path = "{folder}/table.db"
key = "{folder}/table.key"
"""
    )
    return config.load(file)


@pytest.fixture
def settings(tmp_path):
    return settled(tmp_path)


def serve(settings):
    plan = live.planned(settings, lambda _: None)
    return Service(replace(plan, broker=None, page=None))


def play(service, *lines):
    """All public rows that these lines bring about."""
    told = []
    for line in lines:
        told += service.table.take(script.parse(line), 1)
    return [row for _, row in told if row.audience is Audience.PUBLIC]


def fields(rows, kind, name):
    return [msgspec.json.decode(row.body)[name] for row in rows if row.type == kind]


def test_what_a_restored_table_tells_names_no_closed_card_and_repeats_no_event(settings, tmp_path):
    """Finding 3 of issue 14, R-13, R-54: a copy made amid a deal, and the table goes on from it."""
    service = serve(settings)
    before = play(service, *BEGUN, "card 9d", "card 6c")
    back_up(settings.journal.path, tmp_path / "copy.db")
    lost = play(service, "card Kh", "card Th")
    lost += play(service, "card 7s", "stray kept")  # closed for good: it was never opened
    with pytest.raises(JournalBusy):
        live.put_back(tmp_path / "copy.db", settings)
    service.journal.close()

    told = live.put_back(tmp_path / "copy.db", settings)
    service = serve(settings)
    state = service.table.state
    table = type(state.phase).__name__, state.felt.shoe, state.felt.hidden
    rows = play(service, "schlitten red-3", *BEGUN[4:], *COUP)
    every = list(service.journal.archive.public())
    service.journal.close()

    promised = {*fields([*before, *lost], "card_drawn", "commitment")}
    nonces = [bytes.fromhex(one) for one in fields(rows, "card_opened", "nonce")]
    named = {hashlib.sha256(nonce + card.encode()).hexdigest() for nonce in nonces for card in PACK}
    again = [service.journal._boot(row.n).told(row).event_id for row in every]

    assert table == ("NoSchlitten", None, ())
    assert len(nonces) == 4
    assert not promised & named
    assert not {row.event_id for row in lost} & set(again)
    assert {row.event_id for row in before} <= set(again)
    assert all(row.event_id.startswith(told["stream"]) for row in rows)
    assert Path(told["kept"]).is_file()
    assert verify(settings.journal.path, service.plan.keys).holds
    assert "coup_annulled" in [row.type for row in every]


@pytest.mark.parametrize(("way", "found"), [("restore", (False, 0)), ("a plain copy", (True, 1))])
def test_a_journal_that_is_behind_what_the_broker_heard_is_an_alert(settings, tmp_path, way, found):
    """R-54: whoever copies the file back by hand is told; a stream that begins anew is none."""
    service = serve(settings)
    play(service, *BEGUN)
    back_up(settings.journal.path, tmp_path / "copy.db")
    play(service, *COUP)
    heard = service.journal.anchor()
    assert not service.journal.behind(heard)
    service.journal.close()

    if way == "restore":
        live.put_back(tmp_path / "copy.db", settings)
    else:
        for end in ("-wal", "-shm"):
            (tmp_path / f"table.db{end}").unlink(missing_ok=True)
        shutil.copyfile(tmp_path / "copy.db", tmp_path / "table.db")
    service = serve(settings)
    service._found(heard)
    waiting = service.table.waiting
    service.journal.close()

    assert (service.journal.stream == heard.stream, waiting) == found


def test_what_the_broker_heard_is_not_compared_with_a_journal_that_cannot_be_read(settings, capfd):
    """The broker's connection outlives it: it is a line in the log, and the next one compares."""
    service = serve(settings)
    play(service, *BEGUN)
    heard = service.journal.anchor()
    for torn in settings.journal.path.parent.glob("table.db*"):
        torn.write_bytes(b"x" * torn.stat().st_size)

    service._found(heard)
    service.journal.close()

    assert service.table.waiting == 0
    assert "could not be compared" in capfd.readouterr().err
