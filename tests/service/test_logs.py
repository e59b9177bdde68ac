"""The log. A storm of faults fills no disk, and the log says how many lines are missing."""

import time

from hypothesis import given
from hypothesis import strategies as st

from table_controller.service import logs
from table_controller.service.logs import Quota


def test_a_minute_has_so_many_lines_and_the_next_one_tells_the_rest():
    quota = Quota(2)

    assert [quota.admit(now) for now in (0, 1, 2, 59.9)] == [0, 0, None, None]
    assert [quota.admit(now) for now in (60, 61, 62, 120)] == [2, 0, None, 1]


@given(st.lists(st.floats(0, 1000), max_size=60).map(sorted))
def test_every_line_is_logged_or_counted(times):
    """Whenever they come; the last minute's may still have to be told."""
    quota = Quota(3)
    admitted = [quota.admit(now) for now in (*times, 2000.0)]

    logged = [missed for missed in admitted if missed is not None]
    assert len(logged) + sum(logged) == len(times) + 1


def test_a_storm_is_cut_and_told(capfd, monkeypatch):
    monkeypatch.setattr(logs, "_quota", Quota(3))
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for number in range(10):
        logs.error("a fault", number=number)
    now[0] = 60.0
    logs.error("calm again")

    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 4
    assert "unlogged_before=7" in lines[-1]
