"""An alert says since when, the remedy and who clears it, also after a restart."""

import asyncio
from dataclasses import replace

import pytest

from table_controller.engine.alerts import clears
from table_controller.engine.messages import Audience, Role, Severity
from table_controller.engine.table.devices import LidRuled
from table_controller.engine.table.inputs import Annulled, Ruled
from table_controller.wiring.app import Service
from tests.whole.lips import until
from tests.whole.plans import plan


class Clock:
    """The wall's clock, moved by hand."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def table(tmp_path):
    """The plan of a table with neither page nor broker; its clock."""
    clock = Clock(1000)
    return replace(plan(tmp_path, board=""), broker=None, page=None, clock=clock), clock


def shown(service):
    return {alert.id: alert for alert in service.hub.snapshot(Audience.CROUPIER).alerts}


def test_an_alert_keeps_its_time_through_news_and_a_restart(table):
    """It was raised at 1000, told again at 2000, and the table began anew at 3000."""
    made, clock = table

    async def before():
        async with Service(made) as service:
            service.lost("camera", "It is away.")
            await until(lambda: "device-camera" in shown(service))
            clock.now = 2000
            service.lost("camera", "It is still away.")
            await until(lambda: "still" in str(shown(service)["device-camera"].remedy))
            return shown(service)["device-camera"]

    async def after():
        clock.now = 3000
        async with Service(made) as service:
            (alert,) = shown(service).values()
            public = service.hub.snapshot(Audience.PUBLIC).alerts
            service.lost("camera", "It is away again.")
            service.back("camera")
            await until(lambda: not shown(service))
            clock.now = 4000
            service.lost("camera", "It is away.")
            await until(lambda: bool(shown(service)))
            return alert, public, shown(service)["device-camera"].since_ms

    alert = asyncio.run(before())
    again, public, later = asyncio.run(after())

    assert (alert.code, alert.severity) == ("device_lost", Severity.WARNING)
    assert (alert.since_ms, alert.clears) == (1000, "itself")
    assert again == alert
    assert later == 4000
    assert (public[0].since_ms, public[0].clears, public[0].what) == (None, None, None)


@pytest.mark.parametrize(
    ("code", "who"),
    [
        ("card_unread", "croupier"),
        ("card_stray", "croupier"),
        ("misdeal", "croupier"),
        ("lid_opened", "supervisor"),
        ("schlitten_miscounted", "supervisor"),
        ("cards_run_out", "supervisor"),
        ("device_lost", "itself"),
    ],
)
def test_who_clears_an_alert_is_who_may_say_the_word_that_does(code, who):
    """R-51, R-35: a lid that was opened and a wrong count wait for a supervisor's ruling."""
    assert clears(code) == who


def test_the_words_that_clear_a_supervisors_alerts_are_a_supervisors():
    """As the table checks them, whatever way they come."""
    assert {said.NEEDS for said in (LidRuled, Ruled, Annulled)} == {Role.SUPERVISOR}
