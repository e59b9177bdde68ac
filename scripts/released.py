"""Writes the files next to the packages of a release: notes, list of contents, checksums.

python -m scripts.released VERSION [COMMIT FOLDER]

With VERSION alone the program checks that CHANGELOG.md has that version's section. With a FOLDER
that contains the wheel and the Debian packages, it writes NOTES.md, schlitten-VERSION.cdx.json and
SHA256SUMS there. It uses only the standard library, as it runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
#: Packages built from a source that the lock pins, so that no lock contains the wheel's own
#: checksum.
BUILT: Final = ("cobs",)
_PIN = re.compile(r"([\w.-]+)==([^\s;]+)")
_VIA = re.compile(r"^ +#(?: via)? +([\w.-]+)(?: \(.*\))?$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


class NotReleasable(Exception):
    """This cannot be released. The text says why."""


class Pin(NamedTuple):
    """A pinned package: the hashes that its files may have, and the packages that require it."""

    name: str
    version: str
    hashes: frozenset[str]
    wanted_by: tuple[str, ...] = ()


class Wheel(NamedTuple):
    """A wheel, and the Debian package that contains the wheel."""

    deb: str
    file: str
    sha256: str

    @property
    def key(self) -> tuple[str, str]:
        """Name and version of the wheel, as a lock file writes them."""
        name, version, _ = self.file.split("-", 2)
        return re.sub(r"[-_.]+", "-", name).lower(), version


def notes(changelog: str, version: str) -> str:
    """The text of a version's section in the changelog. Raises NotReleasable."""
    _, *parts = re.split(r"^## (.+)\n", changelog, flags=re.MULTILINE)
    versions = (heading.partition(" ")[0] for heading in parts[::2])  # a date may follow
    text = dict(zip(versions, parts[1::2], strict=True)).get(version, "").strip()
    if not text:
        raise NotReleasable(
            f'CHANGELOG.md says nothing under "## {version}". Give what stands under "Unreleased" '
            "that heading, commit it, and set the tag there."
        )
    return text + "\n"


def pins(lock: str) -> Iterator[Pin]:
    """Yield the packages that a lock file pins, in the file's order."""
    for part in re.split(r"\n(?=\S)", lock):
        if found := _PIN.match(part):
            hashes = frozenset(_HASH.findall(part))
            yield Pin(found[1], found[2], hashes, tuple(_VIA.findall(part)))


def shipped() -> list[Pin]:
    """The packages that a table gets: the program's, and pip.

    Debian packages pip separately, so pip comes from the developers' lock file.
    """
    program, developer = (
        [*pins((ROOT / name).read_text(encoding="utf-8"))]
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    return [*program, *(pin._replace(wanted_by=()) for pin in developer if pin.name == "pip")]


def wheels(deb: Path) -> Iterator[Wheel]:
    """Yield the wheels in a Debian package."""
    words = ("dpkg-deb", "--fsys-tarfile", str(deb))
    unpacked = subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as tar:
        for member in tar:
            if member.name.endswith(".whl") and (file := tar.extractfile(member)):
                sha256 = hashlib.sha256(file.read()).hexdigest()
                yield Wheel(deb.name, Path(member.name).name, sha256)


def inside(found: Iterable[Wheel], locked: Iterable[Pin]) -> dict[Pin, list[Wheel]]:
    """The wheels of each pinned package.

    Raises NotReleasable for a wheel that is in no lock file.
    """
    known = {(pin.name, pin.version): pin for pin in locked}
    lies = defaultdict[Pin, list[Wheel]](list)
    for wheel in sorted(found):
        pin = known.get(wheel.key)
        if not pin or (wheel.sha256 not in pin.hashes and pin.name not in BUILT):
            raise NotReleasable(f"{wheel.file} in {wheel.deb} is none that the locks hold.")
        lies[pin].append(wheel)
    return dict(sorted(lies.items()))


def bill(version: str, commit: str, made_s: int, lies: dict[Pin, list[Wheel]]) -> dict[str, Any]:
    """The list of contents in CycloneDX 1.6: each package, its files and their checksums.

    `made_s` is the time of the build, in seconds since 1970. `lies` gives the wheels of each
    package.
    """
    own = _purl("schlitten", version)
    wants = {own: [_purl(pin.name, pin.version) for pin in lies if "schlitten" in pin.wanted_by]}
    for pin in lies:
        wants[_purl(pin.name, pin.version)] = [
            _purl(other.name, other.version) for other in lies if pin.name in other.wanted_by
        ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'{own} {commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(made_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                **_component("application", "schlitten", version),
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "properties": [{"name": "schlitten:commit", "value": commit}],
            },
        },
        "components": [
            _component("library", pin.name, pin.version) | {"components": [*_files(found)]}
            for pin, found in lies.items()
        ],
        "dependencies": [{"ref": ref, "dependsOn": others} for ref, others in wants.items()],
    }


def _purl(name: str, version: str) -> str:
    """The name under which vulnerability databases know a package."""
    return f"pkg:pypi/{name}@{version}"


def _component(kind: str, name: str, version: str) -> dict[str, Any]:
    purl = _purl(name, version)
    return {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}


def _files(found: Iterable[Wheel]) -> Iterator[dict[str, Any]]:
    """Yield each file once, with the Debian packages that contain it."""
    debs = defaultdict[tuple[str, str], list[str]](list)
    for wheel in found:
        debs[wheel.file, wheel.sha256].append(wheel.deb)
    for (file, sha256), names in debs.items():
        yield {
            "type": "file",
            "bom-ref": f"sha256:{sha256}",
            "name": file,
            "hashes": [{"alg": "SHA-256", "content": sha256}],
            "properties": [{"name": "schlitten:package", "value": name} for name in names],
        }


def sums(folder: Path) -> str:
    """The checksums of all files in `folder`, as `sha256sum --check` reads them."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
        if path.name != "SHA256SUMS"
    )


def write(version: str, commit: str, folder: Path, made_s: int, locked: Iterable[Pin]) -> None:
    """Write all three files next to the packages in `folder`. Raises NotReleasable."""
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    (folder / "NOTES.md").write_text(text, encoding="utf-8")
    (wheel,) = folder.glob("*.whl")
    released = hashlib.sha256(wheel.read_bytes()).hexdigest()
    own = Pin("schlitten", version, frozenset([released]))
    found = (one for deb in sorted(folder.glob("*.deb")) for one in wheels(deb))
    lies = inside(found, [own, *locked])
    lies.pop(own, None)
    made = json.dumps(bill(version, commit, made_s, lies), indent=1)
    (folder / f"schlitten-{version}.cdx.json").write_text(made + "\n", encoding="utf-8")
    (folder / "SHA256SUMS").write_text(sums(folder), encoding="utf-8")


def main(version: str, commit: str = "", folder: str = "") -> None:
    """Write the files; without `folder`, only check that the changelog has the version's section.

    Exit with 2 and a sentence on failure.
    """
    try:
        notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        if folder:
            made_s = int(os.environ["SOURCE_DATE_EPOCH"])
            write(version, commit, Path(folder), made_s, shipped())
    except NotReleasable as why:
        sys.stderr.write(f"{why}\n")
        sys.exit(2)


if __name__ == "__main__":
    main(*sys.argv[1:])
