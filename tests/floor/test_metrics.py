"""What Prometheus reads, and that rules, dashboard and document speak of nothing else."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

from table_controller.adapters.metrics import exposition
from table_controller.adapters.mqtt_messages import TableState
from table_controller.engine.messages import Severity
from table_controller.floor.alerts import Lately
from table_controller.floor.metrics import measured
from tests.floor import dashboard
from tests.floor.test_view import NOON, alert, table
from tests.floor.test_watch import Hall

DOCS = Path(__file__).parents[2] / "docs" / "FLOOR.md"


def text():
    hall = Hall()
    here = hall.table()
    table(hall.live, "two", TableState.DISCONNECTED)
    alert(hall.live, here, Severity.STOP)
    watch = hall.watch()
    watch.look()
    watch.lately = {here: Lately(coups=40, cards=400, misreads=1)}
    listener = SimpleNamespace(
        connected=True, refill=SimpleNamespace(pages=3), counts=Counter(flood=7)
    )
    return exposition(measured(hall.live, watch, listener, {(here, "public"): 5}, NOON))


def test_the_figures_are_those_of_the_floor():
    found = text()

    for line in (
        'schlitten_floor_table_up{site="hall",table="one"} 1.0',
        'schlitten_floor_table_up{site="hall",table="two"} 0.0',
        'schlitten_floor_table_off{site="hall",table="two"} 1.0',
        'schlitten_floor_table_celsius{site="hall",table="one"} 50.6',
        'schlitten_floor_alerts{site="hall",table="one",code="lid",severity="stop"} 1',
        'schlitten_floor_alerts_unseen{severity="stop"} 1.0',
        'schlitten_floor_alerts_unseen{severity="notice"} 0.0',
        'schlitten_floor_coups_an_hour{site="hall",table="one"} 40.0',
        'schlitten_floor_misreads_of_10_000{site="hall",table="one"} 25.0',
        'schlitten_floor_rows_missing{site="hall",table="one"} 5.0',
        "schlitten_floor_broker_up 1.0",
        "schlitten_floor_pages_asked_total 3.0",
        'schlitten_floor_dropped_total{why="flood"} 7.0',
        'schlitten_floor_messages_total{outcome="failed"} 0.0',
    ):
        assert f"{line}\n" in found


def test_rules_dashboard_and_document_name_figures_that_there_are():
    """A query of a name that nobody measures is empty for ever, and its alert never fires."""
    there = set(re.findall(r"^# TYPE (\w+) ", text(), re.MULTILINE))
    there.add("schlitten_floor_table_disk_free_mib")  # this hall's tables have no meter for it
    asked = dashboard.RULES.read_text() + " ".join(dashboard.queries())
    said = DOCS.read_text().replace("`_", "`schlitten_floor_")

    assert set(re.findall(r"schlitten_floor_\w+", asked)) <= there
    assert set(re.findall(r"`(schlitten_floor_\w+)`", said)) == there
