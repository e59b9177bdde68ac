"""Whether frames are being stored is told on every screen, by whoever stores them."""

from __future__ import annotations

from table_controller import config
from table_controller.adapters.mqtt_names import TableId
from table_controller.app import Plan, Service
from table_controller.engine.messages import Audience
from table_controller.service.sealing import make_key


def test_a_screen_says_that_frames_are_stored_while_they_are(tmp_path):
    plan = Plan(
        table=TableId("whole", "shown"),
        house=config.house("zoppot-1934"),
        keys=make_key(tmp_path / "key"),
        journal=tmp_path / "journal.db",
    )
    service = Service(plan)
    shown = []
    for on in (True, False):
        service.recording(on)
        shown += [service.hub.snapshot(audience).recording for audience in Audience]
    service.journal.close()

    assert shown == [True, True, True, False, False, False]
