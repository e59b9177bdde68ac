"""scripts/test installs all programs that the suite calls. Build tools are pinned."""

import re
import tomllib
from importlib.metadata import requires

import pytest

from tests.called import ROOT, called, words_of
from tests.night import part_of

THIS = ROOT / "tests/test_scripts.py"
#: What tests and program call, and the package in which Debian 12 has it.
NEEDED = {
    "/usr/bin/chromium": "chromium",
    "/usr/bin/chromium-headless-shell": "chromium-headless-shell",
    "/usr/bin/mosquitto_passwd": "mosquitto",
    "/usr/lib/postgresql": "postgresql",
    "/usr/sbin/mosquitto": "mosquitto",
    "/usr/sbin/nginx": "nginx-light",
    "/usr/share/aisleriot/cards": "gnome-cards-data",
    "/usr/share/carddecks/svg-standard/standard.svgz": "kdegames-card-data-kf5",
    "/usr/share/carddecks/svg-xskat-german/german.svgz": "kdegames-card-data-kf5",
    "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf": "fonts-dejavu-core",
    "/usr/share/nodejs/mqtt": "node-mqtt",
    "/usr/bin/WebKitWebDriver": "webkit2gtk-driver",
    "/usr/bin/Xvfb": "xvfb",
    "avr-gcc": "gcc-avr",
    "avr-nm": "binutils-avr",
    "avr-size": "binutils-avr",
    "avrdude": "avrdude",
    "cc": "gcc",
    "clang": "clang",
    "gcc": "gcc",
    "espeak-ng": "espeak-ng",
    "git": "git",
    "openssl": "openssl",
    "make": "make",
    "mosquitto": "mosquitto",
    "mosquitto_passwd": "mosquitto",
    "mosquitto_sub": "mosquitto-clients",
    "node": "node-mqtt",  # which brings it
}
#: What our Python calls by way of something else: by what, and the word that stands there.
BY_THE_WAY = {
    "libzbar0": ("scripts/run", "libzbar0"),  # pyzbar loads it
    "avr-libc": ("hardware/firmware/uart.c", "#include <avr/io.h>"),
    "libc6-dev": ("hardware/firmware/emulator/emulator.h", "#include <stddef.h>"),
    "libsimavr-dev": ("hardware/firmware/Makefile", "-lsimavr"),
    "libelf-dev": ("hardware/firmware/Makefile", "-lelf"),
    "libclang-rt-dev": ("hardware/firmware/Makefile", "-fsanitize=fuzzer"),
    "uidmap": ("tests/rooted.py", "--map-auto"),
    "fonts-urw-base35": ("tests/vision/faces/conftest.py", "urw-base35"),
    "librsvg2-bin": ("workshop/training/art.py", "rsvg-convert"),
    "libnss3-tools": ("docs/TABLET.md", "certutil -d sql:"),
}
#: In every Debian, or looked for where it may not be; artwork that is only measured with.
THERE = {"/usr/bin/test", "/usr/share/fonts", "/usr/share/texmf/fonts/opentype", "sh", "unshare"}
THERE |= {"systemd-analyze", "systemd-sysusers", "udevadm", "/usr/share/games/pokerth/gfx/cards"}
THERE |= {"chmod", "dpkg-deb", "modprobe", "sha256sum"}


def installed(script):
    """The names behind every `packages` of a script."""
    text = (ROOT / "scripts" / script).read_text().replace("\\\n", " ")
    lines = re.findall(r"^ *packages ([^#\n]*)", text, re.MULTILINE)
    return {name for line in lines for name in line.split()}


def test_the_tests_install_what_they_call_and_nothing_else():
    """On a machine where nobody installed anything by hand they would fail or be skipped."""
    assert installed("test") == {*NEEDED.values(), *BY_THE_WAY}


def test_whatever_is_called_is_of_a_package_that_is_named_here():
    """A new program, font or artwork: its package goes into `NEEDED`, and into scripts/test."""
    unknown = {word: where for word, where in called().items() if word not in {*NEEDED, *THERE}}

    assert unknown == {}
    assert {*NEEDED} - {*called()} == set()


def test_the_gate_calls_only_what_it_installs():
    """A test that calls another program is the night's (tests/night.py)."""
    lines = re.findall(
        r"^ *packages ([^#\n\\]*)(?:#.*)?$", (ROOT / "scripts/test").read_text(), re.MULTILINE
    )
    gate = {name for line in lines for name in line.split()}
    theirs = {
        (path.name, NEEDED[word])
        for folder in ("tests", "workshop/tests")
        for path in (ROOT / folder).rglob("test_*.py")
        if part_of(path.relative_to(ROOT).as_posix()) == "gate"
        for word in words_of(path)
        if word in NEEDED and not path.is_relative_to(ROOT / "tests/lab") and path != THIS
    }

    assert {one for one in theirs if one[1] not in gate} == set()
    assert len(gate) <= 10


@pytest.mark.parametrize("package", BY_THE_WAY)
def test_what_is_called_by_the_way_is_still_called(package):
    file, word = BY_THE_WAY[package]

    assert word in (ROOT / file).read_text()


#: Scripts that have pip do something.
PIP = [
    path.name
    for path in sorted((ROOT / "scripts").iterdir())
    if path.is_file() and "pip=(" in path.read_text()
]


@pytest.mark.parametrize("script", [*PIP, "test"])
def test_pip_fetches_nothing_without_its_hash(script):
    """Nor by the way, as what builds a wheel: its isolation would fetch that by itself."""
    text = (ROOT / "scripts" / script).read_text().replace("\\\n", " ")
    calls = [line for line in text.splitlines() if re.search(r"^[^#(]*(pip\[@\]|-m pip )", line)]

    assert calls
    for call in calls:
        hashed = "--require-hashes" in call
        unfetched = "--no-deps" in call and re.search("--no-(build-isolation|index)", call)
        assert hashed or unfetched, call
        assert not re.search(r"\bwheel\b", call) or "--no-build-isolation" in call, call


def test_the_dockerfile_takes_the_readmes_steps():
    """In a bare Debian with what a bare root of scripts/bare has besides; it is tried there."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    runs = re.findall(r"^RUN (scripts/\S+)", text, re.MULTILINE)
    bare = re.search(r"^ +(systemd\S+) \|\|", (ROOT / "scripts/bare").read_text(), re.MULTILINE)[1]
    packages = re.search(r"--no-install-recommends ([^&]*)", text)[1].split()

    assert (
        runs == re.findall(r"^(scripts/\S+) ", (ROOT / "README.md").read_text(), re.MULTILINE)[:2]
    )
    assert {*packages} - {"git"} <= {*bare.split(",")}


def builders():
    text = (ROOT / "scripts/setup.sh").read_text()
    return re.search(r"^builders=\((.*)\)$", text, re.MULTILINE)[1].split()


def test_what_builds_is_all_in_the_lock():
    """What pyproject.toml asks for, and what that asks for, and so on; for cobs, setuptools."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    whole, names = {"setuptools"}, [*map(_name, asked), "editables"]
    while names:
        whole.add(name := names.pop())
        needs = [need for need in requires(name) or () if ";" not in need]
        names += {*map(_name, needs)} - whole
    lock = (ROOT / "requirements-dev.lock").read_text()

    assert {*builders()} == whole
    for name in [*whole, "pip"]:
        assert re.search(rf"^{name}==\S+ \\\n +--hash=sha256:", lock, re.MULTILINE), name


def _name(requirement):
    return re.match(r"[\w-]+", requirement)[0].lower()
