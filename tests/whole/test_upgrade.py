"""An upgrade to another version and a downgrade, with real wheels.

A house's files stay as they are. The other version is this version with another number
(scripts/another_wheel.py), or with another form of journal, as a newer version may have.
"""

import json
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from scripts import another_wheel
from table_controller.commands.machine import install
from table_controller.commands.machine.update import NotUpdated, update
from table_controller.service.errors import ServiceError
from table_controller.service.sealing import make_key
from tests import packaged
from tests.limits import LONG_PATIENCE_S, LONG_S
from vision.faces import enrolled
from vision.faces.read import NET

#: Each update plays evenings in every house.
pytestmark = pytest.mark.timeout(LONG_S)

OURS = version("schlitten")
NEXT = f"{OURS}.1"
JOURNAL = Path("var/lib/schlitten/table.db")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """This version, the next one, and one that writes another form of journal."""
    folder = tmp_path_factory.mktemp("wheels")
    ours = packaged.wheel(packaged.tree(tmp_path_factory.mktemp("clone")), folder)
    for name, how in (("next", ()), ("newer", ("--newer",))):
        (folder / name).mkdir()
        another_wheel.main(str(ours), NEXT, str(folder / name), *how)
    return {path.parent.name: path for path in folder.glob("*/*.whl")} | {"ours": ours}


@pytest.fixture
def machine(tmp_path, wheels):
    """A machine on which this version was installed: whose packages are those of the tests."""
    for file in (install.KEY, JOURNAL):
        (tmp_path / file).parent.mkdir(parents=True)
    make_key(tmp_path / install.KEY)
    home = tmp_path / install.VERSIONS / OURS
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "of-the-tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = (sys.executable, "-m", "pip", f"--python={home / 'bin/python'}", "--quiet", "install")
    subprocess.run([*pip, "--no-deps", "--no-index", wheels["ours"]], check=True)
    install.switch(tmp_path, home)
    heads = np.random.default_rng(1).normal(size=enrolled.SHAPE)
    enrolled.save(enrolled.Deck("red", enrolled.digest(NET), heads), tmp_path / "var/red.deck")
    (tmp_path / install.SETTINGS).write_text(
        '[table]\nsite = "house"\nname = "table-1"\n[broker]\nkind = "none"\n'
        f'[shoe]\nreader = "camera"\nfaces = true\ndeck = "{tmp_path}/var/red.deck"\n'
        f'[journal]\npath = "{tmp_path / JOURNAL}"\n'
        f'key = "{tmp_path / install.KEY}"\n'
    )
    return tmp_path


@pytest.fixture
def played(machine):
    """The same, amid a Schlitten, with a coup that is not over."""
    lies = {"amid_a_schlitten.db": machine / JOURNAL, "table.key": machine / install.KEY}
    for name, path in lies.items():
        shutil.copyfile(packaged.ROOT / "tests/journals" / name, path)
        path.chmod(0o600)
    added(machine, "Anna")
    return machine


def said(machine, *words, program=install.CURRENT):
    """What the program that serves, or another one, says; a sentence of its as an error."""
    done = subprocess.run(
        [machine / program / "bin/schlitten", *words],
        check=False,
        capture_output=True,
        text=True,
        input="739152\n",  # a PIN, where one is asked for
        timeout=LONG_PATIENCE_S,
    )
    assert "Traceback" not in done.stderr, done.stderr
    if done.returncode:
        raise ServiceError(done.stdout + done.stderr)
    return done.stdout


def asked(machine, *words, program=install.CURRENT):
    """The same of a command that reads the settings."""
    return said(machine, *words, "--config", str(machine / install.SETTINGS), program=program)


def added(machine, name):
    """Have the program that serves write something of its own."""
    asked(machine, "people", "add", name, "--role", "supervisor")


def kept(machine):
    """What the house has, byte for byte; the journal as its program reads it."""
    files = (install.SETTINGS, install.KEY, Path("var/red.deck"))
    journal, key = machine / JOURNAL, machine / install.KEY
    said(machine, "verify", str(journal), "--key", str(key))
    said(machine, "export", str(journal), "--everything", *("--out", str(machine / "evening")),
         "--key", str(key))  # fmt: skip
    _, *lines = (machine / "evening").read_text().splitlines()
    meant = json.loads(said(machine, "check-config", str(machine / install.SETTINGS), "--json"))
    return [(machine / file).read_bytes() for file in files], lines[:-1], meant


def test_up_and_down_again_a_house_keeps_what_it_has(played, wheels):
    """Journal, settings, key and enrolled deck; each version reads what the other one wrote."""
    before = kept(played)

    list(update(wheels["next"], root=played))
    up = said(played, "--version"), kept(played)
    added(played, "Bert")
    further = kept(played)
    list(update(wheels["ours"], root=played))
    down = said(played, "--version"), kept(played)

    assert up == (f"schlitten {NEXT}+dev (commit unknown)\n", before)
    assert down == (f"schlitten {OURS}+dev (commit unknown)\n", further)
    people = asked(played, "people", "list", "--json").splitlines()
    assert [json.loads(line)["name"] for line in people] == ["Anna", "Bert"]
    assert len(further[1]) > len(before[1]) > 0


def test_a_version_that_cannot_read_the_journal_does_not_serve(played, wheels):
    before = kept(played)

    with pytest.raises(NotUpdated, match="has the journal format 1; this program reads 2"):
        list(update(wheels["newer"], root=played))

    assert kept(played) == before


def test_an_older_program_says_whose_journal_it_cannot_read(machine, wheels):
    """It does not begin to serve; the newer one, which can read it, serves on."""
    older = machine / install.VERSIONS / OURS
    list(update(wheels["newer"], root=machine))
    added(machine, "Anna")
    told = r"has the journal format 2; this program reads 1\. Use the version that wrote it "
    told += rf"\({NEXT}\)"

    with pytest.raises(ServiceError, match=told):
        asked(machine, "people", "list", program=older)
    with pytest.raises(NotUpdated, match=rf"{told}.*continues to serve"):
        list(update(wheels["ours"], root=machine))
    assert "Anna" in asked(machine, "people", "list")
