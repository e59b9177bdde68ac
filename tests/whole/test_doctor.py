"""`schlitten doctor`: everything that the settings name, well or ill, each with what to do."""

import socket

import pytest

from table_controller.commands import doctor
from table_controller.service.sealing import make_key
from table_controller.service.store import Lock
from tests.whole.commands import schlitten
from tests.whole.lips import Module
from vision import generator, manifest, recording

#: What the machine says of itself: tests/whole/test_machine.py.
MACHINE = {"disk", "clock", "wear", "file system", "supply", "throttling"}


@pytest.fixture
def table(tmp_path):
    """Settings of a table all of whose parts are there; the text may be changed."""
    make_key(tmp_path / "table.key")
    shoe = manifest.make("blue-1", bytes(32))
    manifest.save(shoe, tmp_path / "blue.manifest")
    recording.write(tmp_path / "lip.film", generator.film(generator.plan(shoe.cards[:1], 1)))
    Module(tmp_path / "module").plug_in()

    def write(**changed):
        parts = {
            "key": f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n',
            "shoe": f'[shoe]\nreader = "recording"\ncamera = "{tmp_path}/lip.film"\n',
            "manifests": f'manifests = ["{tmp_path}/blue.manifest"]\n',
            "module": f'module = "{tmp_path}/module"\n',
            "beam": 'beam = "mock"\n',
            "rest": '[board]\nport = "twin"\n[broker]\nport = 0\n[page]\nport = 0\n',
        }
        file = tmp_path / "table.toml"
        file.write_text("".join((parts | changed).values()))
        return file

    return write


def found(file):
    return {one.part: (one.well, one.said) for one in doctor.examine(file)}


def test_a_table_that_is_well_is_said_to_be(table):
    """Part by part, in the order of the settings; exit code 0."""
    file = table()
    said = schlitten("doctor", "--config", file, "--json")

    assert said.code == 0
    parts = {line["part"]: line["well"] for line in said.lines if line["part"] not in MACHINE}
    assert parts == dict.fromkeys(
        ("settings", "house", "key", "journal", "camera", "reading", "lip", "module", "beam",
         "board", "page", "broker"), True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("part", "changed", "why"),
    [
        ("key", {"key": '[journal]\npath = "{0}/t.db"\nkey = "{0}/no.key"\n'}, "no.key"),
        ("journal", {"key": '[journal]\npath = "{0}/no/t.db"\nkey = "{0}/table.key"\n'}, "write"),
        (
            "camera",
            {"shoe": '[shoe]\nreader = "camera"\ncamera = "/dev/none"\n'},
            "check its cable",
        ),
        ("camera", {"shoe": '[shoe]\nreader = "recording"\ncamera = "{0}/none"\n'}, "none"),
        ("reading", {"manifests": ""}, "or set faces = true"),
        ("module", {"module": 'module = "{0}/gone"\n'}, "plug the device in"),
        ("beam", {"beam": 'beam = "rpigpio"\n'}, "choose `mock`"),
        ("board", {"rest": '[board]\nport = "{0}/gone"\n[page]\nport = 0\n'}, "plug the device in"),
        ("broker", {"rest": '[broker]\nkind = "mqtt"\nport = 1\n[page]\nport = 0\n'}, "start it"),
    ],
)
def test_what_is_ill_is_named_with_what_to_do_and_the_rest_is_tried(
    table, tmp_path, part, changed, why
):
    said = found(table(**{name: text.format(tmp_path) for name, text in changed.items()}))

    assert said[part][0] is False
    assert why in said[part][1]
    assert "page" in said


@pytest.mark.parametrize(
    ("lip", "said", "unsaid"),
    [
        ("", "by the exposure a card may go 1 m/s, with 6 pictures of its label", "flash"),
        ("strobe = true\nexposure_us = 250\nfps = 60\n",
         "by the flash a card may go 2 m/s, with 2 pictures", "exposure"),
        ("exposure_us = 0\n", "the exposure is automatic", "m/s"),
        ("", "shifted sideways are not told", "nobody knows"),
        ("height = 768\n", "a picture is read in", "sideways"),
    ],
)  # fmt: skip
def test_what_the_lip_can_tell_is_said(table, lip, said, unsaid):
    """By its numbers; and how long this machine takes for a picture."""
    well, words = found(table(module=lip))["lip"]

    assert well
    assert said in words
    assert unsaid not in words


def test_a_machine_that_reads_later_than_verdicts_are_due_is_ill(table, monkeypatch):
    """An old one that reads faces in whole pictures: with what can be done."""
    monkeypatch.setattr("vision.limits.reading_ms", lambda *_: 130.0)

    assert found(table())["lip"] == (
        False,
        (
            "this machine reads a picture in 130 ms, and a card has its verdict after 80: read "
            "labels, mark the card's corners (`schlitten calibrate`), or take a quicker one"
        ),
    )


def test_a_taken_port_is_ill_and_the_exit_code_is_1(table):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = schlitten("doctor", "--config", table(rest=f"[page]\nport = {port}\n"))

    assert said.code == 1
    assert f"ILL   page: port {port} at 127.0.0.1 is taken by another program" in said.out


def test_the_devices_of_a_served_table_are_left_alone(table, tmp_path):
    lock = Lock(tmp_path / "table.db")
    said = found(table())
    lock.release()

    assert [part for part in said if part not in MACHINE] == [
        "settings", "house", "key", "journal",
    ]  # fmt: skip
    assert "devices are left alone" in said["journal"][1]
