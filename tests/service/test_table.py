import asyncio
import shutil
import stat

import pytest
from structlog.testing import capture_logs

from table_controller.engine.messages import Audience, CardNamed, CardSeen
from table_controller.rules.cards import Card
from table_controller.service import logs
from table_controller.service import table as table_module
from table_controller.service.archive import Archive
from table_controller.service.errors import BadInput, JournalFull
from tests.limits import PATIENCE_S
from tests.service.counting import SECRET, Add, Boom, Close, Show


@pytest.fixture(autouse=True)
def _the_log_is_set_up():
    """Setting it up inside `capture_logs` would end the capture."""
    logs.logger()


class Ear:
    """A listener that keeps what it heard."""

    def __init__(self):
        self.heard = []

    def tell(self, told, now):
        self.heard.extend((event, row.audience, row.seq, now.state.total) for event, row in told)


def types(told):
    return [row.type for _, row in told]


def test_an_input_changes_the_state_and_is_told(open_table):
    """What is committed is so, and listeners hear it with the new state."""
    ear = Ear()
    table = open_table(listeners=[ear])

    told = table.take(Add(chips=5), 1)

    assert table.state.total == 5
    assert types(told) == ["counted", "noted"]
    assert [(who, seq, total) for _, who, seq, total in ear.heard] == [
        (Audience.PUBLIC, 1, 5),
        (Audience.CROUPIER, 1, 5),
    ]


def test_a_refused_input_is_news_and_changes_nothing(open_table):
    """A refusal is journaled and told to the staff, with its reason and remedy."""
    table = open_table()
    before = table.state

    (told,) = table.take(Add(chips=101), 1)

    assert table.state is before
    assert told.row.audience is Audience.CROUPIER
    assert str(told.event.why) == "101 is over 100."
    assert told.event.said == "add chips=101"


def test_a_refused_card_is_told_without_the_card(open_table):
    """The refusal of a sealed input names its kind and none of its fields."""
    (told,) = open_table().take(CardSeen(), 1)

    assert told.event.said == "card_seen"


@pytest.mark.parametrize("kind", [CardSeen, CardNamed])
def test_a_sealed_event_reaches_no_listener(open_table, kind):
    """Listeners hear that a card was drawn, never which one, whatever is told first."""
    ear = Ear()
    table = open_table(listeners=[ear])

    (told,) = table.take(kind(card=Card("7h")), 1)

    assert [type(event).__name__ for event, *_ in ear.heard] == ["CardDrawn"]
    assert told.row.type == "card_drawn"


def test_public_numbers_have_no_gap_where_something_else_happened(open_table):
    """`seq` counts per audience."""
    table = open_table()
    inputs = [Add(chips=1), CardSeen(card=Card("As")), Add(chips=500), Show(), Close()]

    rows = [row for said in inputs for _, row in table.take(said, 1)]

    assert [row.seq for row in rows if row.audience is Audience.PUBLIC] == [1, 2, 3, 4]
    assert [row.seq for row in rows if row.audience is Audience.CROUPIER] == [1, 2]


def test_a_fault_of_the_game_is_refused_and_the_table_lives(open_table):
    """An unexpected exception changes nothing; the staff is told, by its own code."""
    table = open_table()
    table.take(Add(chips=5), 1)

    with capture_logs() as heard:
        (told,) = table.take(Boom(), 2)
    table.take(Add(chips=6), 3)

    assert told.event.rule == "internal"
    assert table.state.total == 11
    assert heard[0]["error"] == "KeyError"
    assert "counting.py" in str(heard[0]["places"])


def test_the_log_of_a_fault_repeats_no_value(open_table):
    """The exception's text and the locals may hold a card: neither is logged."""
    with capture_logs() as heard:
        open_table().take(Boom(), 1)

    assert SECRET not in str(heard)


def test_a_listener_that_fails_stops_nobody(open_table):
    """The others hear the news, the state stands."""

    class Broken:
        def tell(self, *_news):
            raise RuntimeError("gone")

    ear = Ear()
    table = open_table(listeners=[Broken(), ear])

    with capture_logs():
        table.take(Add(chips=5), 1)

    assert len(ear.heard) == 2
    assert table.state.total == 5


def test_the_inbox_is_served_in_order(open_table):
    """`ask` waits for what came of an input; what was said before happened before."""
    table = open_table()

    async def evening():
        serving = asyncio.create_task(table.run())
        table.say({"type": "add", "chips": 1})
        told = await table.ask({"type": "add", "chips": 2}, actor="page")
        serving.cancel()
        return told

    told = asyncio.run(evening())

    assert told[0].event.total == 3
    assert told[1].event.actor == "page"


def test_an_asker_who_left_stops_nobody(open_table):
    """A page that was closed while it waited is no reason to stop."""
    table = open_table()

    async def evening():
        serving = asyncio.create_task(table.run())
        waiting = asyncio.create_task(table.ask(Add(chips=1)))
        await asyncio.sleep(0)
        waiting.cancel()
        told = await asyncio.wait_for(table.ask(Add(chips=2)), PATIENCE_S)
        serving.cancel()
        return told

    assert asyncio.run(evening())[0].event.total == 3


@pytest.fixture
def full_twice(open_journal, monkeypatch):
    """A journal on a disk that is full at the first two commits."""
    monkeypatch.setattr(table_module, "RETRY_S", 0)
    journal = open_journal()
    failures = iter([JournalFull("The disk is full."), JournalFull("The disk is full.")])
    write = journal._write

    def failing(batch):
        for failure in failures:
            raise failure
        write(batch)

    monkeypatch.setattr(journal, "_write", failing)
    return journal


def asked(table, said):
    """What an input brings about while the table is served."""

    async def evening():
        serving = asyncio.create_task(table.run())
        told = await asyncio.wait_for(table.ask(said), PATIENCE_S)
        serving.cancel()
        return told

    return asyncio.run(evening())


def test_an_input_waits_until_the_journal_can_be_written(open_table, full_twice):
    """A full disk stops the table, says so, and loses nothing: the same input is tried again."""
    alarms = []
    table = open_table(full_twice, alarm=alarms.append)

    told = asked(table, Add(chips=7))

    assert alarms == ["The disk is full.", ""]
    assert [row.seq for _, row in told] == [1, 1]
    assert table.state.total == 7


def test_an_alarm_that_fails_stops_nobody(open_table, full_twice):
    """Whoever cannot be told of the journal's trouble is no reason to stop: all is written."""

    def alarm(_):
        raise OSError("no room to say so")

    table = open_table(full_twice, alarm=alarm)

    with capture_logs() as heard:
        asked(table, Add(chips=7))

    assert table.state.total == 7
    assert [line["error"] for line in heard] == ["OSError", "OSError"]


def test_a_closed_schlitten_lies_in_the_file_itself(open_table, open_journal, tmp_path):
    """Between two Schlitten the write-ahead log goes over into the file."""
    table = open_table(open_journal())

    async def evening():
        serving = asyncio.create_task(table.run())
        await table.ask(Add(chips=4))
        await table.ask(Close())
        await table.ask(Add(chips=5))
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(evening())
    shutil.copy(tmp_path / "table.db", tmp_path / "alone.db")
    archive = Archive.read(tmp_path / "alone.db")
    rows = [row.n for row in archive.inputs()]
    archive.close()

    assert rows == [1, 2]


def test_what_was_said_before_the_end_is_still_taken(open_table, open_journal):
    """A table that is told to stop forgets no card."""
    journal = open_journal()
    table = open_table(journal)

    async def evening():
        serving = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        for chips in (1, 2, 3):
            table.say(Add(chips=chips))
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(evening())

    assert table.state.total == 6
    assert journal.last == 3


def test_what_cannot_be_journaled_at_the_end_is_counted(open_table, open_journal):
    """The table stops all the same, and nobody hears what was not written."""
    journal, ear = open_journal(), Ear()
    table = open_table(journal, listeners=[ear])

    async def evening():
        serving = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        table.say(Add(chips=1))
        table.say(CardSeen(card=Card("7h")))
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        return serving.cancelled()

    journal._db.execute("PRAGMA query_only = ON")
    with capture_logs() as heard:
        stopped = asyncio.run(evening())

    assert stopped
    assert [log["count"] for log in heard] == [2]
    assert ear.heard == []


def test_a_malformed_input_never_enters_the_inbox(open_table):
    """Its sender is told at once."""
    table = open_table()

    with pytest.raises(BadInput, match="add lacks the field chips"):
        table.say({"type": "add"})

    assert table.waiting == 0


def test_the_journal_is_for_the_service_alone(open_table, tmp_path):
    """Every file of a journal has mode 0600."""
    open_table().take(Add(chips=1), 1)

    files = list(tmp_path.iterdir())

    assert {"table.db", "table.db-wal", "table.db.lock"} <= {file.name for file in files}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
