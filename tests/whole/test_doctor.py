"""`schlitten doctor`: everything that the settings name, working or not, each with its remedy."""

import os
import socket

import pytest

from hardware.emulator import Paced
from table_controller.adapters import certificate
from table_controller.commands.machine import doctor
from table_controller.service.sealing import make_key
from table_controller.service.store import Lock
from tests.certificates import Authority
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
        (
            "board",
            {
                "rest": '[hardware]\nbuild = "modules"\n'
                '[board]\nport = "{0}/gone"\n[page]\nport = 0\n'
            },
            "pin 5V of U1 has 4.4 to 4.8 V on USB alone",
        ),
        (
            "broker",
            {"rest": '[broker]\nkind = "mqtt"\nport = 1\n[page]\nport = 0\n'},
            "start the broker",
        ),
    ],
)
def test_what_is_ill_is_named_with_what_to_do_and_the_rest_is_tried(
    table, tmp_path, part, changed, why
):
    said = found(table(**{name: text.format(tmp_path) for name, text in changed.items()}))

    assert said[part][0] is False
    assert why in said[part][1]
    assert "page" in said


def test_a_board_is_asked_whether_it_is_at_rest(table, tmp_path):
    """The firmware itself: well, with a button held, with another build's lamps."""
    rest = '[hardware]\nbuild = "{}"\n[board]\nport = "{}"\n[page]\nport = 0\n'
    with Paced("apa102") as board:
        well = found(table(rest=rest.format("modules", board.path)))["board"]
        board.command("button 2 1")
        held = found(table(rest=rest.format("modules", board.path)))["board"]
        other = found(table(rest=rest.format("board", board.path)))["board"]

    assert well == (
        True,
        f"{board.path} opens, and the board answers; build `modules`, firmware apa102",
    )
    assert held[0] is other[0] is False
    assert "It reads as pressed: button 3: SW3" in held[1]
    assert "It has firmware for apa102 lamps, and the build `board` has hc595" in other[1]


@pytest.mark.parametrize(
    ("lip", "said", "unsaid"),
    [
        ("", "by the exposure a card may go 1 m/s, with 6 pictures of its label", "flash"),
        ("strobe = true\nexposure_us = 250\nfps = 60\n",
         "by the flash a card may go 2 m/s, with 2 pictures", "exposure"),
        ("exposure_us = 0\n", "the exposure is automatic", "by the exposure"),
        ("", "shifted sideways they are not told", "nobody knows"),
        ("height = 768\n", "a picture is read in", "sideways"),
        ("", "or a corner by 0.9, until 8 cards were read by 2.5", "nobody knows"),
        ("", "they are told up to 1.1 m/s, and from 1.6 on any may be unsure", "nobody knows"),
        ("fps = 60\n", "they are told up to 0.56 m/s, and from 0.78 on", "nobody knows"),
        ("fps = 0\n", "until 8 cards were read by 2.5", "they are told up to"),
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
    assert said["journal"] == (
        True,
        (
            f"the table is running, and its process {os.getpid()} writes {tmp_path}/table.db. So "
            "camera, board and broker are left alone: to try these too, stop the table, then run "
            "`doctor` again"
        ),
    )


def test_a_served_table_without_its_page_is_ill(table, tmp_path):
    """The table goes on without it, so somebody has to say so."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        file = table(rest=f"[page]\nport = {port}\n")
        lock = Lock(tmp_path / "table.db")
        alone = found(file)["page"]
        other.listen()
        answered = found(file)["page"]
        lock.release()

    assert alone[0] is False
    assert f"no page answers at 127.0.0.1:{port}" in alone[1]
    assert answered == (
        True,
        f"127.0.0.1:{port} answers; only this machine can open the page: http://127.0.0.1:{port}/",
    )


@pytest.mark.parametrize("running", [False, True])
def test_a_name_that_the_certificate_lacks_is_ill(table, tmp_path, running):
    """A browser that opens the page by this name would warn of the certificate."""
    made = certificate.make(("192.168.1.40", "*.casino.example", "127.0.0.1"))
    (tmp_path / "page.pem").write_bytes(made.page)
    (tmp_path / "page.key").write_bytes(made.key)
    pair = f'certificate = "{tmp_path}/page.pem"\nkey = "{tmp_path}/page.key"\n'
    rest = f'[page]\nport = 0\nhost = "0.0.0.0"\n{pair}names = '
    lock = Lock(tmp_path / "table.db") if running else None

    lacks = found(table(rest=rest + '["192.168.1.40", "Table.Casino.example", "table"]\n'))
    has = found(table(rest=rest + '["192.168.1.40", "Table.Casino.example"]\n'))
    if lock:
        lock.release()

    assert lacks["page's names"][0] is False
    assert lacks["page's names"][1].startswith(
        f"page.names has 'table', but {tmp_path}/page.pem has only '192.168.1.40', "
        "'*.casino.example', '127.0.0.1': "
    )
    assert "take 'table' out of page.names" in lacks["page's names"][1]
    assert has["page's names"][0] is True


def test_an_address_that_this_machine_does_not_have_is_ill(table):
    """The router has given it another one, or somebody mistyped it: no screen finds the page."""
    rest = '[page]\nport = 0\nhost = "0.0.0.0"\nnames = '

    wrong = found(table(rest=rest + '["192.0.2.77", "127.0.0.1", "table.local"]\n'))
    right = found(table(rest=rest + '["127.0.0.1", "table.local"]\n'))

    assert wrong["page's address"][0] is False
    assert wrong["page's address"][1].startswith("192.0.2.77 is no address of this machine, whose")
    assert "page's address" not in right


@pytest.mark.root
def test_a_key_that_only_root_reads_is_ill(table, tmp_path, monkeypatch):
    """Root's own doctor could read it, and the page would not be served."""
    monkeypatch.setattr(doctor, "USER", "nobody")
    files = Authority(tmp_path).sign("page", "page")
    rest = f'[page]\nport = 0\ncertificate = "{files[0]}"\nkey = "{files[1]}"\n'
    files[0].chmod(0o644)
    files[1].chmod(0o600)

    def looked():
        for folder in (tmp_path, *tmp_path.parents):  # another pytest that begins shuts the topmost
            if folder.stat().st_uid == os.geteuid() and "pytest" in str(folder):
                folder.chmod(0o755)
        return found(table(rest=rest)).get("files")

    shut = looked()
    files[1].chmod(0o644)
    opened = looked()

    assert shut is not None
    assert shut[0] is False
    assert f"the service's user nobody cannot read {files[1]}: run `chgrp nobody" in shut[1]
    assert opened is None
