"""While a commit waits for the disk the loop goes on, and nothing counts before it is written."""

import asyncio

import pytest
from structlog.testing import capture_logs

from table_controller.service import logs
from table_controller.service import table as table_module
from table_controller.service.errors import JournalFull
from table_controller.service.outbox import Outbox
from tests.limits import PATIENCE_S
from tests.service.counting import Add, Close
from tests.service.disks import SlowDisk


@pytest.fixture
def served(open_table, open_journal):
    """A table over a journal, and the slow disk that the journal lies on."""
    journal = open_journal()
    return open_table(journal), journal, SlowDisk(journal)


def run(meet, table):
    """Run `meet` beside the table's own task; what it returns."""

    async def evening():
        serving = asyncio.create_task(table.run())
        try:
            return await asyncio.wait_for(meet(), PATIENCE_S)
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    return asyncio.run(evening())


def test_a_press_waits_for_its_commit_and_the_loop_does_not(served):
    """The state stays as it was, unheard of, until it is written."""
    table, _, disk = served
    heard = []

    class Ear:
        def tell(self, _told, now):
            heard.append(now.state.total)

    table.listen(Ear())

    async def meet():
        asked = asyncio.create_task(table.ask(Add(chips=5)))
        await asyncio.to_thread(disk.reached)
        held = asked.done(), table.state.total, list(heard)
        disk.release()
        return held, (await asked)[0].event.total

    assert run(meet, table) == ((False, 0, []), 5)
    assert (table.state.total, heard) == (5, [5])


def test_what_is_said_meanwhile_keeps_its_order(served):
    """One commit after the other; a refused input waits its turn like any."""
    table, journal, disk = served

    async def meet():
        asked = [asyncio.create_task(table.ask(Add(chips=chips))) for chips in (1, 500, 2)]
        await asyncio.to_thread(disk.reached)
        waiting = table.waiting
        disk.release()
        told = [await one for one in asked]
        return waiting, [one[0].event for one in told]

    waiting, (first, refused, second) = run(meet, table)

    assert waiting == 2
    assert (first.total, refused.rule, second.total) == (1, "T-1", 3)
    assert [row.n for row in journal.archive.inputs()] == [1, 2, 3]


def test_a_commit_that_fails_after_its_wait_changes_nothing_and_is_tried_again(
    open_table, open_journal, monkeypatch
):
    """The alarm says why; the same input is written when the disk takes it."""
    monkeypatch.setattr(table_module, "RETRY_S", 0)
    journal, alarms, seen = open_journal(), [], []
    write, failures = journal._write, iter([JournalFull("The disk is full.")])

    def failing(batch):
        for failure in failures:
            raise failure
        write(batch)

    journal._write = failing
    disk = SlowDisk(journal)

    def alarm(trouble):
        alarms.append(trouble)
        seen.append((table.state.total, journal.anchor().count))

    table = open_table(journal, alarm=alarm)

    async def meet():
        asked = asyncio.create_task(table.ask(Add(chips=7)))
        await asyncio.to_thread(disk.reached)
        disk.release()
        return await asked

    told = run(meet, table)

    assert alarms == ["The disk is full.", ""]
    assert seen == [(0, 0), (7, 1)]
    assert (told[0].row.seq, table.state.total) == (1, 7)


def test_who_stops_waits_for_what_is_on_its_way_and_takes_the_rest(served):
    """A commit under way is written once, told and answered; then what still waits."""
    table, journal, disk = served

    async def evening():
        serving = asyncio.create_task(table.run())
        asked = [asyncio.create_task(table.ask(Add(chips=chips))) for chips in (1, 2)]
        await asyncio.to_thread(disk.reached)
        serving.cancel()
        asyncio.get_running_loop().run_in_executor(None, disk.release)
        await asyncio.gather(serving, return_exceptions=True)
        return [(await one)[0].event.total for one in asked]

    assert asyncio.run(evening()) == [1, 3]
    assert [row.n for row in journal.archive.inputs()] == [1, 2]


def test_an_input_that_waits_to_be_tried_again_is_not_lost_at_the_end(open_table, open_journal):
    """The disk was full and is not any more when the table stops: it comes first."""
    journal, troubled = open_journal(), asyncio.Event()
    table = open_table(journal, alarm=lambda _: troubled.set())
    journal._db.execute("PRAGMA query_only = ON")

    async def evening():
        serving = asyncio.create_task(table.run())
        table.say(Add(chips=1))
        table.say(Close())
        await asyncio.wait_for(troubled.wait(), PATIENCE_S)
        journal._db.execute("PRAGMA query_only = OFF")
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(evening())

    assert [row.n for row in journal.archive.inputs()] == [1, 2]
    assert table.state.total == 1


def test_what_is_under_way_and_cannot_be_written_at_the_end_is_counted(open_table, open_journal):
    """With all that waits behind it; nobody is told of it."""
    logs.logger()  # setting it up inside `capture_logs` would end the capture
    journal = open_journal()
    table = open_table(journal)
    journal._db.execute("PRAGMA query_only = ON")
    disk = SlowDisk(journal)

    async def evening():
        serving = asyncio.create_task(table.run())
        for chips in (1, 2, 3):
            table.say(Add(chips=chips))
        await asyncio.to_thread(disk.reached)
        serving.cancel()
        asyncio.get_running_loop().run_in_executor(None, disk.release)
        await asyncio.gather(serving, return_exceptions=True)

    with capture_logs() as heard:
        asyncio.run(evening())

    assert [log["count"] for log in heard] == [3]
    assert table.state.total == 0


def test_rows_are_read_and_marked_while_a_commit_waits(served):
    """A broker that acknowledges is not kept waiting; the marks are written in their turn."""
    table, journal, disk = served
    outbox = Outbox(journal)

    async def meet():
        asked = asyncio.create_task(table.ask(Add(chips=5)))
        await asyncio.to_thread(disk.reached)
        none = outbox.pending(10)
        disk.release()
        await asked
        first, second = outbox.pending(10)
        outbox.delivered(first.id)
        return none, outbox.pending(10) == [second]

    assert run(meet, table) == ([], True)
    table.take(Add(chips=5), 9)
    assert [row.id for row in journal.unsent(10)] == [2, 3, 4]


def test_a_second_commit_before_the_first_is_settled_is_a_fault_of_ours(served):
    """Nothing else writes while the table serves: it would be of a state that is none."""
    table, _, disk = served

    async def meet():
        asked = asyncio.create_task(table.ask(Add(chips=5)))
        await asyncio.to_thread(disk.reached)
        with pytest.raises(RuntimeError, match="one commit after the other"):
            table.take(Add(chips=6), 1)
        disk.release()
        return await asked

    run(meet, table)
    assert table.state.total == 5


def test_a_journal_that_flushes_nothing_has_no_thread(open_table, open_journal):
    """A replay's commits wait for nothing, so nobody hands them over."""
    journal = open_journal(durable=False)

    assert open_table(journal).take(Add(chips=5), 1)[0].event.total == 5
    assert journal._pen._thread is None
