"""`scripts/release`: two builds are equal to the byte, and the files next to them are true.

The four Debian packages take minutes and the network; `scripts/release --check` builds them twice.
"""

import hashlib
import os
import re
import shutil
import subprocess
from importlib.metadata import version

import pytest

from scripts import released
from scripts.released import NotReleasable, Pin, Wheel
from scripts.target_lock import needed
from tests import packaged
from tests.packaged import ROOT

NUMBER = version("schlitten")
WHEEL = f"schlitten-{NUMBER}-py3-none-any.whl"


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """A repository with the tag of its version."""
    folder = packaged.tree(tmp_path_factory.mktemp("origin"))
    packaged.committed(folder, f"v{NUMBER}")
    return folder


def release(origin, folder, *, umask, touched_s):
    """Build wheel and papers in a clone of that age; all files by name."""
    before = os.umask(umask)
    try:
        tree, out = folder / "tree", folder / "out"
        packaged.git(origin, "clone", "--quiet", str(origin), str(tree))
        for path in tree.rglob("*"):
            os.utime(path, (touched_s, touched_s))
        commit, made_s = packaged.git(tree, "log", "-1", "--format=%H %ct").split()
        packaged.wheel(tree, out, SOURCE_DATE_EPOCH=made_s)
        deb(folder / "deb", out, {WHEEL: (out / WHEEL).read_bytes(), OTHER: b"a wheel"}, made_s)
        released.write(NUMBER, commit, out, int(made_s), [PIN])
    finally:
        os.umask(before)
    return {path.name: path.read_bytes() for path in out.iterdir()}


OTHER = "zxing_cpp-3.0.0-cp311-cp311-manylinux_2_28_x86_64.whl"
PIN = Pin("zxing-cpp", "3.0.0", frozenset([hashlib.sha256(b"a wheel").hexdigest()]), ("schlitten",))


def deb(root, out, files, made_s):
    """A Debian package with these wheels in it, packed as scripts/deb packs."""
    for name, content in files.items():
        path = root / "opt/schlitten/wheels" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(
        f"Package: schlitten\nVersion: {NUMBER}\nArchitecture: all\n"
        "Maintainer: Anna <anna@localhost>\nDescription: for a test\n"
    )
    words = ("--build", "--root-owner-group", "-Zgzip", "-z1", root, out / "schlitten.deb")
    subprocess.run(["chmod", "-R", "u=rwX,go=rX", root], check=True)
    for path in [root, *root.rglob("*")]:
        os.utime(path, (int(made_s),) * 2)
    env = os.environ | {"SOURCE_DATE_EPOCH": made_s}
    subprocess.run(["dpkg-deb", *words], check=True, env=env, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def twice(origin, tmp_path_factory):
    folders = (tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("another") / "below")
    folders[1].mkdir()
    return (
        release(origin, folders[0], umask=0o022, touched_s=1_000_000_000),
        release(origin, folders[1], umask=0o077, touched_s=2_000_000_000),
    )


def test_two_builds_are_equal_to_the_byte(twice):
    """In another folder, of files of another age, and under another umask."""
    one, other = twice

    assert {name for name in one if one[name] != other[name]} == set()
    assert one.keys() == other.keys() == {
        *(WHEEL, "schlitten.deb", "NOTES.md", f"schlitten-{NUMBER}.cdx.json", "SHA256SUMS"),
    }  # fmt: skip


def test_the_wheel_says_that_it_is_the_release(origin, twice, tmp_path):
    (tmp_path / WHEEL).write_bytes(twice[0][WHEEL])
    shutil.unpack_archive(tmp_path / WHEEL, tmp_path, "zip")
    carried = (tmp_path / "table_controller/shipped/built.json").read_text()

    assert (
        carried == f'{{"commit": "{packaged.git(origin, "rev-parse", "HEAD")}", "release": true}}\n'
    )


def test_the_sums_are_those_of_all_files(twice, tmp_path):
    """As `sha256sum --check` reads them."""
    for name, content in twice[0].items():
        (tmp_path / name).write_bytes(content)
    told = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip

    assert {line.removesuffix(": OK") for line in told.splitlines()} == {*twice[0]} - {"SHA256SUMS"}


def test_the_notes_are_the_versions_own_section():
    text = (ROOT / "CHANGELOG.md").read_text()

    assert released.notes(text, NUMBER).startswith("### ")
    assert (
        released.notes("## Unreleased\n\n## 2.0 - 2026-01-31\n\nNew.\n\n## 1.0\nOld.\n", "2.0")
        == "New.\n"
    )


@pytest.mark.parametrize("changelog", ["## Unreleased\nNew.\n", "## 2.0\n\n## 1.0\nOld.\n"])
def test_without_a_section_nothing_is_released(changelog):
    with pytest.raises(NotReleasable, match=r'CHANGELOG\.md says nothing under "## 2\.0"'):
        released.notes(changelog, "2.0")


def test_without_the_tag_nothing_is_released(tmp_path):
    """It says so at once, before anything is built."""
    tree = packaged.tree(tmp_path)
    shutil.copytree(ROOT / "scripts", tree / "scripts")
    shutil.copy(ROOT / "CHANGELOG.md", tree)
    packaged.committed(tree, "v9.9.9")
    done = subprocess.run(
        [str(tree / "scripts/release")], check=False, capture_output=True, text=True
    )

    assert done.returncode == 2
    assert f"HEAD has no tag v{NUMBER}, the version in pyproject.toml" in done.stderr
    assert not (tree / "build").exists()


@pytest.mark.parametrize(("python", "minor"), [("3.11", "2.4"), ("3.13", "2.5")])
def test_a_package_is_made_for_the_python_of_its_release(python, minor):
    """Whatever Python builds it: each gets one numpy, and nothing of Windows."""
    lock = (ROOT / "requirements.lock").read_text()
    found = {pin.name: pin for pin in released.pins(needed(lock, python))}

    assert found["numpy"].version.startswith(f"{minor}.")
    assert {pin.name for pin in released.pins(lock)} - found.keys() == {"colorama"}
    assert ";" not in needed(lock, python)
    assert all(pin.hashes for pin in found.values())


NUMPY = Pin("numpy", "2.0", frozenset(["a" * 64, "b" * 64]), ("schlitten", "opencv"))
OPENCV = Pin("opencv", "4.0", frozenset(["c" * 64]), ("schlitten",))
COBS = Pin("cobs", "1.2", frozenset(["d" * 64]), ("schlitten",))
INSIDE = [
    Wheel("bookworm.deb", "numpy-2.0-cp311-cp311-linux.whl", "a" * 64),
    Wheel("trixie.deb", "numpy-2.0-cp313-cp313-linux.whl", "b" * 64),
    *(Wheel(f"{name}.deb", "opencv-4.0-py3-none-any.whl", "c" * 64) for name in ("b", "t")),
]


def test_the_locks_are_read():
    """Every package of the program's has its files' sums, and what wants it; so has pip."""
    found = released.shipped()
    direct = {pin.name for pin in found if "schlitten" in pin.wanted_by}
    pip = found[-1]

    assert len(found) > 40
    assert all(pin.hashes and pin.wanted_by for pin in found if pin is not pip)
    assert {"numpy", "msgspec", "cobs"} <= direct
    assert (pip.name, pip.wanted_by) == ("pip", ())
    assert "anyio" in {pin.name for pin in found if "starlette" in pin.wanted_by}


@pytest.mark.parametrize(
    "wheel",
    [
        Wheel("a.deb", "numpy-2.0-cp311-cp311-linux.whl", "c" * 64),
        Wheel("a.deb", "numpy-2.1-cp311-cp311-linux.whl", "a" * 64),
        Wheel("a.deb", "another-1.0-py3-none-any.whl", "a" * 64),
    ],
)
def test_what_no_lock_holds_is_not_released(wheel):
    """Another file, another version, another package; what is built here has no sum before."""
    with pytest.raises(NotReleasable, match=r"in a\.deb is none that the locks hold"):
        released.inside([wheel], [NUMPY, COBS])

    built = Wheel("a.deb", "cobs-1.2-py3-none-any.whl", "f" * 64)
    assert released.inside([built], [NUMPY, COBS]) == {COBS: [built]}


def test_the_bill_has_the_form_of_cyclonedx():
    """What its schema asks of what stands there; each name is one thing's, and each is known."""
    bill = released.bill("1.2", "c0ffee", 0, released.inside(INSIDE, [NUMPY, OPENCV, COBS]))
    own, components = bill["metadata"]["component"], bill["components"]
    files = [file for component in components for file in component["components"]]
    refs = [one["bom-ref"] for one in (own, *components, *files)]
    known = {*refs}

    assert bill.keys() == {
        *("bomFormat", "specVersion", "serialNumber", "version", "metadata"),
        *("components", "dependencies"),
    }  # fmt: skip
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert bill["metadata"]["timestamp"] == "1970-01-01T00:00:00Z"
    assert len(known) == len(refs)
    for component in (own, *components):
        assert component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}"
    for file in files:
        assert [hash_["alg"] for hash_ in file["hashes"]] == ["SHA-256"]
        assert re.fullmatch("[0-9a-f]{64}", file["hashes"][0]["content"])
    for dependency in bill["dependencies"]:
        assert {dependency["ref"], *dependency["dependsOn"]} <= known


def test_the_bill_says_what_lies_where():
    bill = released.bill("1.2", "c0ffee", 0, released.inside(INSIDE, [NUMPY, OPENCV, COBS]))
    lies = {
        file["name"]: [one["value"] for one in file["properties"]]
        for component in bill["components"]
        for file in component["components"]
    }
    wants = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}

    assert lies == {
        "numpy-2.0-cp311-cp311-linux.whl": ["bookworm.deb"],
        "numpy-2.0-cp313-cp313-linux.whl": ["trixie.deb"],
        "opencv-4.0-py3-none-any.whl": ["b.deb", "t.deb"],
    }
    assert wants == {
        "pkg:pypi/schlitten@1.2": ["pkg:pypi/numpy@2.0", "pkg:pypi/opencv@4.0"],
        "pkg:pypi/numpy@2.0": [],
        "pkg:pypi/opencv@4.0": ["pkg:pypi/numpy@2.0"],
    }
