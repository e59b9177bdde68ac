"""Notes of a table's faults without a broker: when each is shown, and when it ends by itself."""

from __future__ import annotations

from table_controller.adapters.mqtt_messages import (
    TableState,
    rfc3339,
    state_message,
)
from table_controller.engine.messages import Severity
from table_controller.engine.views import AlertView
from table_controller.floor.faults import (
    CHANGES,
    MOST_A_SECOND,
    MOST_DROPPED,
    FaultCode,
    Noticing,
    TableShare,
    earlier_name,
)
from table_controller.floor.live import LiveTables
from table_controller.floor.web.view import glance
from tests.floor.sending import ONE, OTHER_SITE, TWO
from tests.floor.test_view import NOON


def test_a_flood_is_over_after_a_minute():
    share = TableShare()
    spent = [share.spent(ONE, 100.5) for _ in range(MOST_A_SECOND + 1)]

    assert spent == [False] * MOST_A_SECOND + [True]
    assert not share.spent(TWO, 100.5)
    assert not share.spent(ONE, 101.0)
    assert [share.flooded(ONE, 101.0) for _ in range(MOST_DROPPED)][:2] == [True, False]
    assert share.cut_off(101.0) == frozenset()
    share.flooded(ONE, 101.0)
    assert share.cut_off(160.9) == {ONE}
    assert (share.over(ONE, 160.9), share.over(ONE, 161.0)) == (False, True)
    assert share.cut_off(161.0) == frozenset()
    assert share.flooded(ONE, 161.0)


def test_what_is_mended_is_shown_no_longer():
    notices, live = Noticing({}, "0.2.0+dev"), LiveTables()

    def rank():
        return [tile.rank for tile in glance(live.tables.values(), {}, NOON)]

    live.hear(ONE, "state", state_message(TableState.READY, "b", ONE).payload, NOON)
    for wrong, right in (
        (notices.version("0.1.9"), notices.version("0.2.0")),
        (notices.clock(rfc3339(1_000_000), 1061.0), notices.clock(rfc3339(1_000_000), 1060.0)),
    ):
        assert [live.note(ONE, odd, NOON) for odd in wrong] == [True]
        assert rank()[0] < 5
        assert [live.note(ONE, odd, NOON) for odd in right] == [False]
        assert rank() == [6]


def test_a_change_is_shown_for_an_hour():
    live = LiveTables()
    live.hear(ONE, "state", state_message(TableState.READY, "b", ONE).payload, NOON)
    odd = earlier_name(ONE, OTHER_SITE.source, lambda _: False)
    live.note(ONE, odd, NOON)

    live.fade(ONE, NOON + 3600)
    during = set(live.tables[ONE].odd)
    live.fade(ONE, NOON + 3601)

    assert during == {FaultCode.MOVED} <= CHANGES
    assert live.tables[ONE].odd == {}


def test_a_start_that_follows_another_is_no_clone():
    notices = Noticing({}, "0.1")
    for boot in ("b1", "b1", "b2", "b2", "b3"):
        assert list(notices.boot(ONE, boot)) == []


def test_a_stream_that_the_database_knows_is_the_tables_own():
    notices = Noticing({ONE: "a"}, "0.1")

    assert list(notices.stream(ONE, "a")) == []
    assert [odd.code for odd in notices.stream(ONE, "b")] == [FaultCode.RESTORED]
    assert list(notices.stream(ONE, "b")) == []


def test_the_tables_own_alert_goes_before_a_note_of_the_floor():
    live = LiveTables()
    live.hear(ONE, "state", state_message(TableState.READY, "b", ONE).payload, NOON)
    live.note(ONE, earlier_name(ONE, OTHER_SITE.source, lambda _: False), NOON)
    lid = AlertView(id="lid", code="lid", severity=Severity.STOP, what=None, remedy=None)
    live.tables[ONE].alerts["lid"] = lid

    assert [tile.rank for tile in glance(live.tables.values(), {}, NOON)] == [0]
