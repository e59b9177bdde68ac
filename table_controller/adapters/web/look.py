"""A house's own look: a folder with colours, logo, cloth, chips and card faces.

Nothing in the folder can run as a program. An image is a PNG, or an SVG without scripts and without
links to other places. Colours that nobody could read are refused. The module knows files, but no
table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as Xml

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from table_controller.rules.cards import PACK, Card

#: The largest size of one image, and of all of them together, in bytes.
MOST_BYTES: Final = 256 * 1024
MOST_IN_ALL: Final = 8 * 1024 * 1024
#: The least contrast of letters on their background (WCAG 2.1, AA).
LEAST_CONTRAST: Final = 4.5
#: The colours that may be set, with those of the dark and the light theme as shipped.
SHIPPED: Final[Mapping[str, tuple[str, str]]] = {
    "ground": ("#0a100e", "#efece2"), "panel": ("#101916", "#fbf9f2"),
    "raised": ("#1a2622", "#e9e5d8"), "line": ("#2c3b35", "#cfc8b4"),
    "ink": ("#f5f2e8", "#18231e"), "soft": ("#b3c1b9", "#47564e"), "link": ("#f0d48a", "#6b4c00"),
    "gold": ("#e6bb52", "#e6bb52"), "gold-ink": ("#1f1604", "#1f1604"),
    "felt": ("#165944", "#165944"), "felt-high": ("#1e6f53", "#1e6f53"),
    "felt-edge": ("#0a3327", "#0a3327"),
    "felt-ink": ("#f5f2e8", "#f5f2e8"), "felt-soft": ("#e3ece6", "#e3ece6"),
    "rail": ("#5d3f28", "#5d3f28"), "bright": ("#fff6d8", "#fff6d8"),
    "back": ("#6d1623", "#6d1623"), "back-line": ("#d9a5a0", "#d9a5a0"),
}  # fmt: skip
#: The letters, and the backgrounds on which they are printed.
READ: Final = (
    ("ink", "ground"), ("ink", "panel"), ("ink", "raised"), ("soft", "ground"), ("soft", "panel"),
    ("link", "ground"), ("link", "panel"), ("gold-ink", "gold"), ("felt-ink", "felt"),
    ("felt-ink", "felt-high"), ("felt-ink", "felt-edge"), ("felt-soft", "felt"), ("bright", "felt"),
)  # fmt: skip
CHIPS: Final = ("1", "2", "5", "10", "50", "100", "500", "1000")
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
#: Text that fetches something from outside the file.
_FETCHES: Final = re.compile(r"@import|url\(\s*['\"]?(?!#|['\"]|\s)", re.IGNORECASE)
_TYPES: Final = {".svg": "image/svg+xml", ".png": "image/png"}
_PNG: Final = b"\x89PNG\r\n\x1a\n"
#: Parts that an SVG may not contain: those that run, or show another document.
_ALIVE: Final = {"script", "foreignobject", "iframe", "handler", "set", "animate"}


class BadLook(ValueError):
    """A look that cannot be used. The text names the file, the fault, and the allowed values."""


class LookFile(NamedTuple):
    """An image of the look, with its media type."""

    kind: str
    content: bytes


@dataclass(frozen=True)
class HouseLook:
    """A look, as read from its folder. `faces` says whether the look has its own card faces."""

    css: str
    pictures: Mapping[str, LookFile]
    faces: bool

    @cached_property
    def _digest(self) -> str:
        made = b"".join(name.encode() + one.content for name, one in sorted(self.pictures.items()))
        return sha256(self.css.encode() + made).hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return the address of one of the look's files.

        Another look's files have other addresses.
        """
        return f"/look/{self._digest}/{name}"

    def picture(self, stem: str) -> str:
        """Return the address of the image `stem` (its name without ending); "" if there is none."""
        return next((self.address(name) for name in self.pictures if _stem(name) == stem), "")

    def face(self, card: Card) -> str:
        """Return the address of the image of a card's face."""
        return self.picture(f"faces/{card}")

    def routes(self) -> list[Route]:
        """Return the routes to the look's files."""
        return [Route("/look/{digest}/{name:path}", self._served)]

    async def _served(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = self.pictures.get(name)
        if name == "look.css":
            found = LookFile("text/css", self._whole_css().encode())
        if found is None or request.path_params["digest"] != self._digest:
            return PlainTextResponse("There is no such file here: reload the page.", 404)
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(found.content, headers=headers, media_type=found.kind)

    def _whole_css(self) -> str:
        cloth = self.picture("cloth")
        laid = f'.felt {{ background: url("{cloth}") center / cover, var(--felt); }}\n'
        return self.css + (laid if cloth else "")


def read(folder: Path) -> HouseLook:
    """Read a look from its folder. Raises BadLook."""
    if not folder.is_dir():
        raise BadLook(f"{folder} is no folder: name one with a look.toml, logo.svg, cloth.png …")
    css = _css(folder / "look.toml")
    pictures = {
        str(path.relative_to(folder)): _picture(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "look.toml"
    }
    _check_names(folder, {_stem(name) for name in pictures})
    total = sum(len(one.content) for one in pictures.values())
    if total > MOST_IN_ALL:
        raise BadLook(f"{folder} holds {total} bytes of pictures; at most {MOST_IN_ALL} are served")
    return HouseLook(css, pictures, faces=any(name.startswith("faces/") for name in pictures))


def _stem(name: str) -> str:
    return name.rpartition(".")[0]


def _check_names(folder: Path, stems: set[str]) -> None:
    """Raise BadLook for an image that no page shows, or if only some card faces are there.

    A look has all 53 card faces (52 faces and the back) or none.
    """
    faces = {f"faces/{card}" for card in PACK} | {"faces/back"}
    unknown = sorted(stems - faces - {"logo", "cloth"})
    if unknown:
        raise BadLook(
            f"{folder / unknown[0]}: no page shows it; allowed are logo, cloth and faces/9h, "
            "faces/Td … faces/back, as .svg or .png, and look.toml"
        )
    missing = sorted(faces - stems)
    if stems & faces and missing:
        raise BadLook(
            f"{folder / missing[0]}: missing; card faces are a whole pack of 52 and a back, "
            f"and {len(missing)} of 53 are not there"
        )


# Images


def _picture(path: Path) -> LookFile:
    kind = _TYPES.get(path.suffix)
    if kind is None:
        raise BadLook(f"{path}: a picture is a .svg or a .png")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise BadLook(f"{path} has {size} bytes; a picture has at most {MOST_BYTES}")
    content = path.read_bytes()
    if kind == "image/svg+xml":
        _check_svg(path, content)
    elif not content.startswith(_PNG):
        raise BadLook(f"{path}: it is no PNG, whatever its name says")
    return LookFile(kind, content)


def _check_svg(path: Path, content: bytes) -> None:
    """Raise BadLook for an SVG that could run a script, or load something from elsewhere."""
    if b"<!DOCTYPE" in content.upper() or b"<!ENTITY" in content.upper():
        raise BadLook(f"{path}: an SVG without DOCTYPE is wanted: delete that line")
    try:
        root = Xml.fromstring(content)  # noqa: S314  # no DOCTYPE, so no entities
    except Xml.ParseError as error:
        raise BadLook(f"{path}: it is no SVG: {error}") from None
    if _name(root.tag) != "svg":
        raise BadLook(f"{path}: it is no SVG: its first element is <{_name(root.tag)}>")
    for found in _lively(root):
        raise BadLook(f"{path}: {found}; a look's SVG is a picture and nothing else")


def _lively(root: Xml.Element) -> Iterator[str]:
    """Yield the parts of an SVG that could run, or that come from elsewhere."""
    for element in root.iter():
        tag = _name(element.tag)
        if tag in _ALIVE:
            yield f"it has a <{tag}>"
        if tag == "style" and _FETCHES.search(element.text or ""):
            yield "its <style> fetches something"
        for attribute, value in element.attrib.items():
            name = _name(attribute)
            if name.startswith("on"):
                yield f"it has {name}=, which is a script"
            own = value.strip().lower().startswith(("#", "data:image/png", "data:image/jpeg"))
            if name == "href" and not own:
                yield f"it has href={value[:40]!r}, which is elsewhere"
            if _FETCHES.search(value):
                yield f"its {name}= fetches something"


def _name(tag: str) -> str:
    return str(tag).rpartition("}")[2].lower()


# Colours


def _css(path: Path) -> str:
    """Return the CSS for the settings in look.toml."""
    if not path.exists():
        return ""
    try:
        asked = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadLook(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # a TOML or Unicode error is a ValueError
        raise BadLook(f"{path}: {error}") from None
    unknown = sorted(asked.keys() - {"dark", "light", "chips"})
    if unknown:
        raise BadLook(f"{path}: [{unknown[0]}] is unknown; want [dark], [light] or [chips]")
    dark, light = (_colours(path, part, asked.get(part, {}), SHIPPED) for part in ("dark", "light"))
    for own in (dark, light):
        if "felt" in own:  # a cloth is of one colour, unless the look says how it is lit
            own.setdefault("felt-high", own["felt"])
    chips = _colours(path, "chips", asked.get("chips", {}), CHIPS)
    for at, (theme, own) in enumerate((("dark", dark), ("light", light))):
        _check_contrast(path, theme, {n: shipped[at] for n, shipped in SHIPPED.items()} | own, own)
    for value, colour in chips.items():
        if contrast("#ffffff", colour) < LEAST_CONTRAST:
            raise BadLook(f"{path}: chips.{value} = {colour!r}: white figures cannot be read on it")
    made = f":root {{ {_tokens(dark)} }}\n" if dark else ""
    if light:
        made += f':root[data-theme="light"] {{ {_tokens(light)} }}\n'
        made += "@media (prefers-color-scheme: light) "
        made += f'{{ :root[data-theme="auto"] {{ {_tokens(light)} }} }}\n'
    return made + "".join(
        f".value-{value} {{ --chip: {colour}; }}\n" for value, colour in chips.items()
    )


def _tokens(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


def _colours(
    path: Path, part: str, asked: object, allowed: Mapping[str, object] | tuple[str, ...]
) -> dict[str, str]:
    if not isinstance(asked, dict):
        raise BadLook(f"{path}: {part} is a section: write [{part}]")
    for name, colour in asked.items():
        if name not in allowed:
            raise BadLook(f"{path}: {part}.{name} is unknown; allowed: {', '.join(allowed)}")
        if not (isinstance(colour, str) and _COLOUR.fullmatch(colour.lower())):
            raise BadLook(f"{path}: {part}.{name} = {colour!r}: want a colour such as '#1f5f4b'")
    return {name: str(colour).lower() for name, colour in asked.items()}


def _check_contrast(
    path: Path, theme: str, all_: Mapping[str, str], own: Mapping[str, str]
) -> None:
    for letters, ground in READ:
        has = contrast(all_[letters], all_[ground])
        if {letters, ground} & own.keys() and has < LEAST_CONTRAST:
            raise BadLook(
                f"{path}: {theme}.{letters} {all_[letters]} on {ground} {all_[ground]} has a "
                f"contrast of {has:.1f}; letters need {LEAST_CONTRAST}"
            )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.1)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
