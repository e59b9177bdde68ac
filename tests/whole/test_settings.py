"""Settings that are valid one by one but not together, and those that reach a device."""

from __future__ import annotations

import asyncio
import os
from importlib.resources import files
from pathlib import Path

import pytest

from hardware import lamps
from table_controller.commands import live
from table_controller.commands.machine import doctor
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.table import inputs as ti
from table_controller.service.errors import ConfigError
from table_controller.service.sealing import make_key
from table_controller.wiring import config
from table_controller.wiring.app import Service
from tests.certificates import Authority
from tests.limits import PATIENCE_S
from tests.whole.commands import schlitten
from vision import manifest

UNSERVABLE = [
    ('[page]\nhost = "0.0.0.0"\n', "page.host = '0.0.0.0': the network could read and press"),
    ('[page]\nhost = "192.168.1.4"\nkey = "k.pem"\n', "set page.certificate and page.key"),
    ('[page]\ncertificate = "c.pem"\n', "page.certificate = 'c.pem': a certificate and its key"),
    ('[broker]\nkind = "mqtt"\nkey = "k.pem"\n', "broker.key = 'k.pem': a certificate and its"),
    (
        '[broker]\nkind = "mqtt"\nhost = "10.0.0.9"\n',
        "broker.host = '10.0.0.9': without TLS the network could read and command there: set",
    ),
    (
        '[broker]\nkind = "mqtt"\nhosts = ["10.0.0.9"]\n',
        "broker.hosts = ('10.0.0.9',): without TLS the network could read and command there: set",
    ),
    ('[broker]\nhosts = ["127.0.0.1"]\n', "broker.hosts = ('127.0.0.1',): only a broker elsewhere"),
    ('[broker]\nhost = "0.0.0.0"\n', "broker.host = '0.0.0.0': the embedded broker serves this"),
    ('[shoe]\nreader = "camera"\ncamera = "lip"\n', "shoe.reader = 'camera': it has nothing to"),
    ('[shoe]\nreader = "pi"\n', "shoe.reader = 'pi': it has nothing to read cards by"),
    ('[shoe]\nreader = "recording"\nfaces = true\n', "name the film, or the folder of pictures"),
    (
        '[shoe]\nmodule = "/dev/x"\n',
        "shoe.module = '/dev/x': it is only for a camera: set shoe.reader",
    ),
    ('[shoe]\nbeam = "mock"\n', "shoe.beam = 'mock': it is only for a camera: set shoe.reader too"),
    (
        '[shoe]\nreader = "pi"\nfaces = true\nstrobe = true\nexposure_us = 0\n',
        "shoe.strobe = true: the flash is as long as the exposure, which is automatic",
    ),
    ('[shoe]\ndeck = "own.deck"\n', "shoe.deck = 'own.deck': it is only for reading faces"),
    (
        '[board]\nport = "twin"\n[buttons]\n9 = "carte"\n',
        "buttons.9 = 'carte': a button's number is one of 1, 2, 3, 4, 5",
    ),
    (
        '[board]\nport = "twin"\n[buttons]\n1 = "Karte"\n',
        "buttons.1 = 'Karte': want one of: carte; reste; ",
    ),
    (
        '[pins]\ndriver = "mock"\nuses = ["buttons"]\n[buttons]\n5 = "carte"\n',
        "buttons.5 = 'carte': a button's number is one of 1, 2, 3, 4: without a board.port",
    ),
    (
        '[buttons]\n1 = "carte"\n',
        "buttons.1 = 'carte': no button is wired: set board.port, or add 'buttons' to pins.uses.",
    ),
    ('[shoe]\nreader = "camera"\nfaces = true\nbeam = "board"\n', "set board.port too"),
    ('[pins]\nuses = ["lid"]\n', "pins.uses = ['lid']: set pins.driver = 'lgpio' too"),
    ('[board]\nlamps = "no.toml"\n', "board.lamps: cannot read no.toml: No such file"),
    ('[shoe]\nletters = "A K"\n', "shoe.letters = 'A K': 'A K' are not the letters"),
]


@pytest.mark.parametrize(("text", "said"), UNSERVABLE, ids=[text for text, _ in UNSERVABLE])
def test_what_cannot_be_served_is_not_called_sound(tmp_path, text, said):
    """`check-config` refuses it with 2, `run` does not start, `doctor` calls it ill and goes on."""
    make_key(tmp_path / "table.key")
    file = tmp_path / "table.toml"
    file.write_text(
        f'[journal]\npath = "{tmp_path}/t.db"\nkey = "{tmp_path}/table.key"\n{_whole(text)}'
    )

    with pytest.raises(ConfigError) as refused:
        config.check(file)
    with pytest.raises(ConfigError):
        live.planned(config.load(file), print)
    found = {one.part: one for one in doctor.examine(file)}
    assert said in str(refused.value)
    assert str(file) in str(refused.value) or "lamps" in text
    ill = found["lamps" if "lamps" in text else "settings"]
    assert (ill.well, said in ill.said) == (False, True)
    assert "page" in found


def _whole(text: str) -> str:
    """Nothing here may listen on a fixed port."""
    for part in ("[broker]\n", "[page]\n"):
        text = (
            text.replace(part, f"{part}port = 0\n") if part in text else f"{text}{part}port = 0\n"
        )
    return text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a=" + "[" * 5000 + "]" * 5000, "nested too deep"),
        (f"[{'a' * 5000}]\nb = 1\n", "there is no setting 'aaaa"),
        ("[journal]\npath = 5\n", "table.toml, line 2: journal.path = 5: want a path as text"),
        ('[hardware]\nbuild = "x"\n', "hardware.build = 'x': want one of: '', modules, board."),
    ],
    ids=["deep", "long", "number", "choice"],
)
def test_what_is_no_setting_is_named_with_its_line(tmp_path, text, said):
    file = tmp_path / "table.toml"
    file.write_text(text)

    with pytest.raises(ConfigError) as refused:
        config.load(file)

    assert said in str(refused.value)
    assert len(str(refused.value)) < 1000


def test_settings_with_a_byte_order_mark_are_read(tmp_path):
    """As some editors of Windows write them."""
    file = tmp_path / "table.toml"
    file.write_bytes(b'\xef\xbb\xbf[journal]\r\npath = "t.db"\r\n')

    assert config.load(file).journal.path == Path("t.db")


def test_a_pipe_is_no_settings_file(tmp_path):
    """Nobody may ever write into it."""
    os.mkfifo(tmp_path / "table.toml")

    with pytest.raises(ConfigError, match="is no file that can be read again"):
        config.load(tmp_path / "table.toml")


def test_the_command_says_it_in_a_sentence_and_ends_with_2(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text('[page]\nhost = "0.0.0.0"\n')

    for words in (("check-config", file), ("run", "--config", file)):
        got = schlitten(*words)
        assert (got.code, got.out) == (2, "")
        assert f"{file}: page.host = '0.0.0.0': " in got.sentence


@pytest.mark.parametrize("option", ["--page-port", "--broker-port"])
@pytest.mark.parametrize("port", [80000, -1])
def test_a_port_that_is_none_is_bad_usage(option, port):
    got = schlitten("demo", option, port)

    assert got.code == 2
    assert f"Invalid value for '{option}'" in got.errors
    assert "Traceback" not in got.errors


def own_lamps(file, banker):
    """A house's own lamp language: the shipped words, but for who holds the bank."""
    words = [lamps.OWN.read_text(), (CHEMIN_DE_FER / "lamps.toml").read_text()]
    shipped = '[banker]\nmode = "on"\ncolour = "yellow"'
    assert shipped in words[1]
    file.write_text("\n".join(words).replace(shipped, f"[banker]\n{banker}"))
    return file


CHEMIN_DE_FER = Path(game.__file__).parent
OURS = 'mode = "pulse"\ncolour = "magenta"'
THEIRS = 'mode = "blink"\ncolour = "white"'


@pytest.mark.parametrize(
    ("of_table", "of_house"),
    [(OURS, ""), ("", OURS), (OURS, THEIRS)],
    ids=range(3),
)
def test_a_house_or_a_table_may_give_its_own_lamp_language(tmp_path, of_table, of_house):
    """What it says of the banker is what the board's lamp shows; the table's goes first."""
    make_key(tmp_path / "table.key")
    named = own_lamps(tmp_path / "house-lamps.toml", of_house).name if of_house else ""
    house = tmp_path / "house.toml"
    shipped = files("table_controller") / "houses" / "zoppot-1934.toml"
    house.write_text(shipped.read_text() + (f'lamps = "{named}"\n' if named else ""))
    board = ""
    if of_table:
        board = f'lamps = "{own_lamps(tmp_path / "table-lamps.toml", of_table)}"\n'
    file = tmp_path / "table.toml"
    file.write_text(
        f'[table]\nhouse = "{house}"\n'
        f'[journal]\npath = "{tmp_path}/t.db"\nkey = "{tmp_path}/table.key"\n'
        f'[board]\nport = "twin"\n{board}[broker]\nkind = "none"\n[page]\nport = 0\n'
    )
    config.check(file)
    config.check(house)

    assert asyncio.run(_lamp_of_the_banker(config.load(file))) == "pulse magenta"


def test_lamps_checked_by_themselves_are_called_what_they_are(tmp_path):
    """Nobody is told that `[won]` is no setting of a table."""
    words = own_lamps(tmp_path / "lamps.toml", OURS)

    with pytest.raises(ConfigError) as refused:
        config.check(words)

    assert str(refused.value) == (
        f"{words} is a lamp language: check the house file or the settings that name it."
    )


def test_only_house_files_are_taken_for_houses(tmp_path, monkeypatch):
    """Another file that lies beside them is none."""
    folder = tmp_path / "houses"
    folder.mkdir()
    (folder / "own.toml").write_text('id = "own"\ntitle = "Own"\nunit = "G"\nseats = 9\n')
    own_lamps(folder / "own-lamps.toml", OURS)
    monkeypatch.setattr(config, "files", lambda _: tmp_path)

    assert config.houses() == ("own",)


def test_a_house_file_with_lamps_that_cannot_be_lit_is_refused(tmp_path):
    """By itself and through a table's settings; the setting and the file are named."""
    house = tmp_path / "house.toml"
    house.write_text('id = "own"\ntitle = "Our own"\nunit = "G"\nseats = 9\nlamps = "no.toml"\n')
    table = tmp_path / "table.toml"
    table.write_text(f'[table]\nhouse = "{house}"\n')

    for file in (house, table):
        with pytest.raises(ConfigError, match=rf"lamps: cannot read {tmp_path}/no\.toml: "):
            config.check(file)


async def _lamp_of_the_banker(settings: config.Config) -> str:
    """What seat 1 shows on the twin once it has put up a pot and seat 2 is to play."""
    async with Service(live.planned(settings, print)) as service:
        for said in (
            ti.Sits(seat=1, name="Anna", chips=100),
            ti.Sits(seat=2, name="Berta", chips=100),
            ti.SchlittenLoaded(shoe="blue"),
            i.Banks(seat=1, chips=50),
        ):
            await service.table.ask(said)
        twin = service.board.twin
        async with asyncio.timeout(PATIENCE_S):
            while twin is None or twin.shown().lamps[0] != "pulse magenta":
                await asyncio.sleep(0.01)
                twin = service.board.twin
        return twin.shown().lamps[0]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """A folder with two certificates, each with its key."""
    folder = tmp_path_factory.mktemp("tls")
    authority = Authority(folder)
    for name in ("one", "other"):
        authority.sign(name, name)
    return folder


@pytest.mark.parametrize(
    ("key", "well", "said"),
    [
        ("one.key", True, "and its key belong together"),
        ("other.key", False, "do not belong together"),
        ("one.pem", False, "do not belong together"),
        ("gone.key", False, "cannot be read (No such file or directory)"),
    ],
)
def test_doctor_tries_the_pages_certificate(tmp_path, pairs, key, well, said):
    make_key(tmp_path / "table.key")
    file = tmp_path / "table.toml"
    file.write_text(
        f'[journal]\npath = "{tmp_path}/t.db"\nkey = "{tmp_path}/table.key"\n[broker]\nport = 0\n'
        f'[page]\nport = 0\ncertificate = "{pairs}/one.pem"\nkey = "{pairs}/{key}"\n'
    )
    found = {one.part: one for one in doctor.examine(file)}

    assert found["page's certificate"].well is well
    assert said in found["page's certificate"].said


def test_a_table_with_the_cards_of_another_game_is_refused_before_it_is_called_served(tmp_path):
    """The refusal is the only sentence; no address of the page was given."""
    manifest.save(manifest.make("small", bytes(32), packs=1), tmp_path / "small.manifest")
    path = tmp_path / "table.toml"
    path.write_text(
        f"[table]\nsite = 's'\nname = 't'\nhouse = 'zoppot-1934'\n"
        f"[journal]\npath = '{tmp_path}/table.db'\nkey = '{tmp_path}/table.key'\n"
        f"[shoe]\nreader = 'camera'\nmanifests = ['{tmp_path}/small.manifest']\n"
        "[page]\nport = 0\n[broker]\nkind = 'none'\n"
    )
    (tmp_path / "table.key").write_text("07" * 32)
    (tmp_path / "table.key").chmod(0o600)

    said = schlitten("run", "--config", path)

    assert said.code == 2
    assert "plays with 6 x 52" in said.sentence
    assert said.errors.splitlines() == [f"schlitten: {said.sentence}"]
