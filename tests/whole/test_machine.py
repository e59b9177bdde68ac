"""`schlitten doctor` on the machine itself, by made-up meters."""

import os
import time

import pytest

from table_controller.commands.machine import doctor

NOW = 1_800_000_000.0


@pytest.fixture
def meters(tmp_path):
    """A machine's /sys with the files given, by their paths under it."""

    def make(**files):
        sys = tmp_path / "sys"
        device = tmp_path.stat().st_dev
        part = sys / "devices/mmc/mmcblk0/mmcblk0p2"
        part.mkdir(parents=True, exist_ok=True)
        link = sys / f"dev/block/{os.major(device)}:{os.minor(device)}"
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(part)
        places = {
            "throttled": "devices/platform/soc/soc:firmware/get_throttled",
            "life": "devices/mmc/mmcblk0/device/life_time",
            "written": "fs/ext4/mmcblk0p2/lifetime_write_kbytes",
            "errors": "fs/ext4/mmcblk0p2/errors_count",
            "rtc": "class/rtc/rtc0/name",
        }
        for name, text in files.items():
            place = sys / places[name]
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        return sys

    return make


def found(folder, sys, **more):
    told = doctor.examine_machine(folder, sys=sys, clock=lambda: NOW, flush=lambda _: None, **more)
    return {one.part: (one.well, one.said) for one in told}


def test_a_machine_without_meters_is_asked_for_its_disk_and_its_clock_alone(tmp_path, meters):
    """A PC, say."""
    assert list(found(tmp_path, meters())) == ["disk", "clock"]


@pytest.mark.parametrize(
    ("word", "supply", "throttling"),
    [
        ("0\n", True, True),
        ("1\n", False, True),  # under-voltage now
        ("10000\n", False, True),  # … earlier
        ("4\n", True, False),  # throttled now
        ("20000\n", True, False),  # the frequency was capped
        ("80008\n", True, False),  # too hot, now and earlier
        ("50005\n", False, False),
    ],
)
def test_the_firmwares_word_is_read_bit_by_bit(tmp_path, meters, word, supply, throttling):
    """As Raspberry Pi documents `vcgencmd get_throttled`."""
    told = found(tmp_path, meters(throttled=word))

    assert (told["supply"][0], told["throttling"][0]) == (supply, throttling)


def test_a_clock_before_the_journals_last_row_is_ill(tmp_path, meters):
    well, said = found(tmp_path, meters(), last_ms=int(NOW * 1000) + 90_000)["clock"]

    assert not well
    assert said.startswith("is 90 s before the journal's last row")
    assert found(tmp_path, meters(), last_ms=int(NOW * 1000))["clock"][0]


def test_a_machine_whose_clock_has_no_battery_says_so(tmp_path, meters):
    without = found(tmp_path, meters())["clock"][1]

    assert "without a battery" in without
    assert "battery" not in found(tmp_path, meters(rtc="rtc-ds3231\n"))["clock"][1]


@pytest.mark.parametrize(
    ("files", "well", "said"),
    [
        ({"life": "0x02 0x01\n"}, True, "20 % of the card's life is used up"),
        ({"life": "0x01 0x09\n"}, False, "90 % of the card's life is used up; back the journal up"),
        ({"written": "10485760\n"}, True, "10.0 GiB written to mmcblk0p2 in its life"),
    ],
)
def test_the_cards_wear_is_told_where_it_tells_it(tmp_path, meters, files, well, said):
    told = found(tmp_path, meters(**files))["wear"]

    assert told[0] is well
    assert said in told[1]


def test_errors_of_the_file_system_are_ill(tmp_path, meters):
    assert found(tmp_path, meters(errors="3\n"))["file system"] == (
        False, "mmcblk0p2 has noted 3 errors: back the journal up, and exchange the card",
    )  # fmt: skip
    assert "file system" not in found(tmp_path, meters(errors="0\n"))


def test_a_slow_disk_is_ill(tmp_path, meters, monkeypatch):
    """By a clock that each flush moves: 80 ms is felt, one of 600 ms is a stall."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def disk(*times):
        left = list(times) + [times[-1]] * doctor.FLUSHES

        def flush(_file):
            now[0] += left.pop(0)

        (one, *_) = doctor.examine_machine(tmp_path, sys=meters(), clock=lambda: NOW, flush=flush)
        return one

    assert disk(0.002).well
    assert "2.0 ms, at worst of 20 in 2.0" in disk(0.002).said
    assert not disk(0.08).well
    assert not disk(0.6, 0.002).well
    assert "every press waits so long" in disk(0.08).said
