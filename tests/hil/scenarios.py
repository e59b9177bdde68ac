"""The board's scenarios. Each takes a desk (rung 3, virtual time) and fails with a sentence.

An evening is any iterable of (label, picture). `workshop/soak/board.py` runs long evenings.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.messages import Cause, Picture
from tests.hil.desk import ButtonReport, Connected, Desk, Lost, SensorReport, Status

Evening = Iterable[tuple[str, Picture]]

SAFE_WITHIN_S = 1.1
RESTART_S = 4.0  # the boot loader of a real board waits for two


def evening(desk: Desk, pictures: Evening, *, dwell_s: float = 0.4) -> int:
    """Every picture of an evening is seen on lamps and digits; returns how many there were."""
    count = 0
    for label, picture in pictures:
        desk.show(picture)
        desk.run_until_shown()
        assert desk.shows(picture), f"{label}: {desk.board.seen} is not {picture}"
        desk.run(dwell_s)
        assert desk.shows(picture), f"{label}, later: {desk.board.seen} is not {picture}"
        count += 1
    assert not desk.wrong(), f"nobody asked for {desk.wrong()[0]}"
    return count


def host_killed(desk: Desk, picture: Picture) -> float:
    """The host dies: the board is dark within 1.1 s, and shows all again when one is back.

    Returns how long the picture stood.
    """
    desk.show(picture)
    desk.run_until_shown()
    desk.kill_host()
    died = desk.now
    while not desk.shows_safe():
        desk.run(0.005)
        assert desk.now - died <= SAFE_WITHIN_S, f"after {desk.now - died:.3f} s {desk.board.seen}"
    stood = desk.now - died
    desk.run(2.0)
    assert desk.shows_safe()
    desk.start_host()
    desk.run_until_shown()
    assert desk.shows(picture)
    assert not desk.wrong(), f"nobody asked for {desk.wrong()[0]}"
    return stood


def board_reset(desk: Desk, picture: Picture) -> float:
    """Somebody presses the board's reset button; returns how long the picture was away."""
    desk.show(picture)
    desk.run_until_shown()
    desk.board.command("reset")
    return _back_after_restart(desk, picture, Cause.RESET_LINE)


def firmware_hangs(desk: Desk, picture: Picture) -> float:
    """The program is caught in a loop: the watchdog starts it again."""
    desk.show(picture)
    desk.run_until_shown()
    desk.board.command("hang")
    return _back_after_restart(desk, picture, Cause.WATCHDOG)


def _back_after_restart(desk: Desk, picture: Picture, cause: Cause) -> float:
    begun, known = desk.now, len(desk.told(Connected))
    while len(desk.told(Connected)) == known:
        desk.run(0.005)
        assert desk.now < begun + RESTART_S, f"the board did not come back in {RESTART_S} s"
    desk.run_until_shown()
    met = desk.told(Connected)[-1]
    assert isinstance(met, Connected)
    causes = {cause} if desk.board.seen else {cause, Cause.UNKNOWN}  # a boot loader may eat it
    assert met.rebooted
    assert met.cause in causes
    assert desk.shows(picture)
    assert not desk.wrong(), f"nobody asked for {desk.wrong()[0]}"
    return desk.now - begun


def line_cut(desk: Desk, before: Picture, after: Picture, *, seconds: float) -> float:
    """The line is cut while the picture changes; returns how long the new one took after that."""
    desk.show(before)
    desk.run_until_shown()
    desk.board.command("cut 1")
    desk.show(after)
    desk.run(seconds)
    assert desk.shows(before) if seconds < 0.9 else desk.shows_safe()
    desk.board.command("cut 0")
    return _recovers(desk, after)


def bad_line(desk: Desk, pictures: Evening, *, lost: int, flipped: int, seed: int) -> float:
    """Bytes are lost or flipped (in 10,000) while pictures change; returns the recovery's time."""
    desk.board.command(f"seed {seed}")
    desk.board.command(f"faults {lost} {flipped}")
    picture = Picture()
    for _, picture in pictures:
        desk.show(picture)
        desk.run(0.7)
    desk.board.command("faults 0 0")
    return _recovers(desk, picture)


def garbage(desk: Desk, picture: Picture, *, count: int, seed: int) -> float:
    """Random bytes reach the board between the host's; returns how long recovery took."""
    desk.show(picture)
    desk.run_until_shown()
    desk.board.command(f"seed {seed}")
    desk.board.command(f"garbage {count}")
    desk.run(count / 11_000)  # the line is busy with it for so long
    return _recovers(desk, picture)


def _recovers(desk: Desk, picture: Picture) -> float:
    begun = desk.now
    assert desk.host is not None
    while not (desk.host.connected and desk.host.shown == picture and desk.shows(picture)):
        desk.run(0.005)
        assert desk.now < begun + 2.0, f"2 s later: {desk.board.seen} is not {picture}"
    desk.run(1.5)  # whoever is wrong about the other finds out within that time
    assert desk.shows(picture)
    assert not desk.wrong(), f"nobody asked for {desk.wrong()[0]}"
    return desk.now - begun - 1.5


def heartbeats(desk: Desk, picture: Picture, *, minutes: float) -> int:
    """Nothing happens for long, and nothing goes wrong; returns how often the board spoke."""
    desk.show(picture)
    desk.run_until_shown()
    known = len(desk.told(Lost))
    desk.run(minutes * 60)
    words = [one for one in desk.news if isinstance(one, Status)]
    assert len(desk.told(Lost)) == known
    counts = {(word.bad_frames, word.overruns, word.lost_reports) for word in words}
    assert len(counts) == 1, f"the board counted damage: {counts}"
    assert desk.shows(picture)
    assert not desk.wrong(), f"nobody asked for {desk.wrong()[0]}"
    return len(words)


def inputs(desk: Desk) -> list[int]:
    """Every button and sensor is reported once each way; returns how late their times are (us)."""
    desk.run_until_shown()
    late = []
    for command, levels in [
        *((f"button {number}", (1, 0)) for number in range(8)),
        *((f"sensor {number}", (1, 0)) for number in (1, 2, 3)),
    ]:
        for level in levels:
            known, at_us = len(desk.news), desk.board.us
            desk.board.command(f"{command} {level}")
            desk.run(0.1)
            said = [
                one for one in desk.news[known:] if isinstance(one, ButtonReport | SensorReport)
            ]
            assert len(said) == 1, f"{command} {level}: {said}"
            report = said[0]
            which = report.button if isinstance(report, ButtonReport) else report.sensor
            value = report.pressed if isinstance(report, ButtonReport) else report.active
            assert (which, value) == (int(command[-1]), bool(level)), f"{command} {level}: {report}"
            late.append(report.time_us - at_us)
    return late


def clock_began_us(desk: Desk) -> int:
    """Break the beam cleanly; return when the board's clock began. Forgets the news until then."""
    moved_us = desk.board.us
    for level in (1, 0):
        desk.board.command(f"sensor 1 {level}")
        desk.run(0.05)
    broken, _ = desk.told(SensorReport)[-2:]
    desk.news.clear()
    return moved_us - broken.time_us
