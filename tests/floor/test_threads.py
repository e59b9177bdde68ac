"""Reports wait for each other, and nothing else waits for them."""

from __future__ import annotations

import asyncio
import threading

import pytest

from table_controller.floor.threads import MOST_WAITING, Threads, TooBusy
from tests.limits import PATIENCE_S


def run(story):
    async def work():
        threads = Threads()
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await story(threads)
        finally:
            threads.close()

    return asyncio.run(work())


def test_a_report_that_takes_long_delays_no_row_no_alert_no_sign_in_and_no_page():
    made = threading.Event()

    async def story(threads):
        report = asyncio.create_task(threads.report(made.wait, PATIENCE_S))
        for other in (threads.ingest, threads.watch, threads.keep, threads.sign_in):
            assert await other(lambda: "done") == "done"
        assert await asyncio.to_thread(lambda: "done") == "done"
        assert not report.done()
        made.set()
        return await report

    assert run(story)


def test_two_reports_wait_and_a_third_is_asked_to_come_again():
    made = threading.Event()

    async def story(threads):
        reports = [
            asyncio.create_task(threads.report(made.wait, PATIENCE_S))
            for _ in range(1 + MOST_WAITING)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooBusy) as busy:
            await threads.report(str)
        made.set()
        await asyncio.gather(*reports)
        return MOST_WAITING, busy.value.again_s, await threads.report(str)

    assert run(story) == (2, 6, "")


def test_who_asks_for_the_report_that_is_being_made_gets_that_one():
    """Twelve readers wait for one making, and a different report takes its own turn."""
    made, begun = threading.Event(), []

    def make(name):
        begun.append(name)
        made.wait(PATIENCE_S)
        return name

    async def story(threads):
        reading = [
            asyncio.create_task(threads.report.shared(name, make, name))
            for name in (*["today"] * 12, "yesterday")
        ]
        await asyncio.sleep(0)
        made.set()
        found = await asyncio.gather(*reading)
        again = await threads.report.shared("today", make, "today")
        return found, again

    assert run(story) == (["today"] * 12 + ["yesterday"], "today")
    assert begun == ["today", "yesterday", "today"]


def test_a_report_that_fails_fails_for_all_who_wait():
    async def story(threads):
        reading = [threads.report.shared("today", int, "none") for _ in range(2)]
        return [type(one) for one in await asyncio.gather(*reading, return_exceptions=True)]

    assert run(story) == [ValueError, ValueError]
