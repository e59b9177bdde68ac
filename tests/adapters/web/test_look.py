"""A house's own look: its served files, the page with it, and refused looks."""

from __future__ import annotations

import asyncio
import re
import struct
import zlib

import httpx
import pytest

from table_controller.adapters.web import assets, look
from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.rules.cards import PACK
from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from tests.adapters.web import samples

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">{}</svg>'


def png():
    """One red pixel."""

    def chunk(kind, body):
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0\xff\0\0")
    return look._PNG + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.fixture
def folder(tmp_path):
    """A whole look: wine-red cloth, a logo, brown chips of 5, a pack of its own."""
    made = tmp_path / "look"
    (made / "faces").mkdir(parents=True)
    (made / "look.toml").write_text('[dark]\nfelt = "#5a1522"\n[chips]\n5 = "#7a3b00"\n')
    (made / "logo.svg").write_text(SVG.format('<path d="M0 0h8" fill="url(#a)"/>'))
    (made / "cloth.png").write_bytes(png())
    for name in (*map(str, PACK), "back"):
        (made / f"faces/{name}.svg").write_text(SVG.format(f"<title>{name}</title>"))
    return made


def served(own, *paths):
    """What each path answers of a table with that look."""

    async def say(_said, _actor, _press):
        return Answer()

    async def run():
        hub = Hub(samples.ADVICE_LIT, samples.project, say, samples.RULES.get)
        site = app(hub, look=own, colours="dark")
        transport = httpx.ASGITransport(app=site)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(run())


def test_a_page_is_made_of_it(folder):
    """Its colours, its logo, its open cards and its back; the closed cards' faces are not named."""
    own = look.read(folder)
    (page,) = served(own, "/public")
    style, logo, cloth, king, gone = served(
        own, own.address("look.css"), own.picture("logo"), own.picture("cloth"),
        own.picture("faces/Kd"), "/look/0/logo.svg",
    )  # fmt: skip

    assert ":root { --felt: #5a1522; --felt-high: #5a1522; }" in style.text
    assert ".value-5 { --chip: #7a3b00; }" in style.text
    assert own.picture("cloth") in style.text
    assert logo.headers["content-type"] == "image/svg+xml"
    assert cloth.content == png()
    assert "Kd" in king.text
    assert gone.status_code == 404
    named = re.findall(r"/look/\w+/(?:faces/)?(\w+)\.", page.text)
    assert sorted(named) == sorted(["look", "logo", "back", "Kd", "5s", "4h"])
    assert 'data-theme="dark"' in page.text


def test_the_default_is_unchanged():
    """Without a look a page names none."""
    (page,) = served(None, "/")

    assert "/look/" not in page.text
    assert page.text.count('class="index') == 6  # at two corners


WRONG = {
    "no such folder": (lambda at: at.rename(at.with_name("gone")), "is no folder"),
    "an unknown file": (lambda at: (at / "hat.svg").write_text(SVG), "hat: no page shows it"),
    "a jpeg": (lambda at: (at / "logo.jpg").write_bytes(b"x"), "a .svg or a .png"),
    "no png": (lambda at: (at / "cloth.png").write_bytes(b"GIF89a"), "cloth.png: it is no PNG"),
    "too large": (
        lambda at: (at / "cloth.png").write_bytes(png() + bytes(262_144)),
        "bytes; a picture has at most 262144",
    ),
    "half a pack": (lambda at: (at / "faces/9h.svg").unlink(), "9h: missing; .* 1 of 53"),
    "an unknown colour": (
        lambda at: (at / "look.toml").write_text('[dark]\nsky = "#000000"'),
        "dark.sky is unknown; allowed: ground, ",
    ),
    "no colour": (
        lambda at: (at / "look.toml").write_text('[dark]\nfelt = "red"'),
        "dark.felt = 'red': want a colour such as '#1f5f4b'",
    ),
    "ink that cannot be read": (
        lambda at: (at / "look.toml").write_text('[light]\nink = "#aaaaaa"'),
        "light.ink #aaaaaa on ground #efece2 has a contrast of 2.0; letters need 4.5",
    ),
    "a chip that cannot be read": (
        lambda at: (at / "look.toml").write_text('[chips]\n50 = "#ffff00"'),
        "chips.50 = '#ffff00': white figures cannot be read on it",
    ),
    "no TOML": (lambda at: (at / "look.toml").write_text("felt"), "look.toml: "),
}  # fmt: skip


@pytest.mark.parametrize(("spoil", "says"), WRONG.values(), ids=WRONG.keys())
def test_a_look_that_cannot_be_used_says_why(folder, spoil, says):
    """Which file, what is wrong, what is allowed; and check-config says the same."""
    spoil(folder)
    settings = folder.with_name("table.toml")
    settings.write_text(f'[page]\nlook = "{folder}"\n')

    with pytest.raises(look.BadLook, match=says):
        look.read(folder)
    with pytest.raises(ConfigError, match=f"page.look: .*{says}"):
        config.check(settings)


@pytest.mark.parametrize(
    "alive",
    [
        "<script>alert(1)</script>",
        '<rect onload="alert(1)"/>',
        '<a href="javascript:alert(1)"/>',
        '<image href="https://elsewhere.example/x.png"/>',
        '<image xmlns:x="http://www.w3.org/1999/xlink" x:href="//elsewhere.example/x.png"/>',
        '<rect fill="url(https://elsewhere.example/#a)"/>',
        "<rect style=\"background: URL( 'https://elsewhere.example' )\"/>",
        "<style>@import 'https://elsewhere.example';</style>",
        "<style>rect { fill: url(//elsewhere.example/x) }</style>",
        "<foreignObject/>",
        "<animate/>",
    ],
)
def test_an_svg_that_could_do_anything_is_refused(folder, alive):
    """It is a picture, and nothing else."""
    (folder / "logo.svg").write_text(SVG.format(alive))

    with pytest.raises(look.BadLook, match="a picture and nothing else"):
        look.read(folder)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG, "without DOCTYPE"),
        ("<html/>", "its first element is <html>"),
        ("<svg", "it is no SVG"),
    ],
)
def test_what_is_no_svg_is_refused(folder, content, says):
    (folder / "logo.svg").write_text(content)

    with pytest.raises(look.BadLook, match=says):
        look.read(folder)


def test_contrast_is_that_of_wcag():
    """Black on white, and two greys of its own examples."""
    assert look.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert look.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_the_shipped_colours_are_those_of_the_sheet():
    """By which a house's own are judged; and they can be read themselves."""
    sheet = (assets._HERE / "static/style.css").read_text()
    dark, light = (
        dict(re.findall(r"--([\w-]+): (#\w{6});", part)) for part in sheet.split("}")[:2]
    )

    for at, theme in enumerate((dark, dark | light)):
        shipped = {name: both[at] for name, both in look.SHIPPED.items()}
        assert shipped.items() <= theme.items()
        for letters, ground in look.READ:
            assert look.contrast(shipped[letters], shipped[ground]) >= look.LEAST_CONTRAST
