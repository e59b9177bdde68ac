"""The static files of every page, the same at every table: styles, scripts, the program's icon.

Each file has an address that contains its digest, so that a browser never asks for it again. Each
file is compressed once. The module knows files and HTTP, but no table.
"""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

_HERE: Final = Path(str(files("table_controller.adapters.web")))
#: How long a browser keeps a file whose address contains its digest. Such a file never changes.
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
#: The files that a page needs while no table answers. The service worker keeps only these.
SHELL: Final = ("style.css", "app.css", "app.js", "icon.svg")
OFFLINE: Final = "/offline"
_DIGITS: Final = 12


class _Asset(NamedTuple):
    kind: str
    digest: str
    plain: bytes
    packed: bytes


@cache
def _assets() -> dict[str, _Asset]:
    return {path.name: _read(path) for path in sorted((_HERE / "static").iterdir())}


def _read(path: Path) -> _Asset:
    plain = path.read_bytes()
    packed = gzip.compress(plain, 9, mtime=0)
    return _Asset(_TYPES[path.suffix], _digest(plain), plain, packed)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:_DIGITS]


def asset(name: str) -> str:
    """Return the address of a static file. Raises KeyError if there is no file `name`."""
    return f"/static/{_assets()[name].digest}/{name}"


def content(name: str) -> bytes:
    """Return a static file's bytes. Raises KeyError if there is no file `name`."""
    return _assets()[name].plain


@cache
def page_version() -> str:
    """Return the version of this program's pages. The version changes with any of their files."""
    templates = sorted((_HERE / "templates").rglob("*.html"))
    made = b"".join(path.read_bytes() for path in templates)
    digests = "".join(one.digest for one in _assets().values())
    return _digest(made + digests.encode() + version("schlitten").encode())


async def _static(request: Request) -> Response:
    name, digest = request.path_params["name"], request.path_params.get("digest")
    found = _assets().get(name)
    if found is None or digest not in (None, found.digest):
        return PlainTextResponse("There is no such file here: reload the page.", 404)
    headers = {
        "Cache-Control": _FOR_GOOD if digest else "no-cache",
        "ETag": f'"{found.digest}"',
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(found.packed, 200, headers, media_type=found.kind)
    return Response(found.plain, 200, headers, media_type=found.kind)


async def _worker(_request: Request) -> Response:
    """Return the service worker. It stores this version's static files, never a table's data."""
    kept = [*map(asset, SHELL), OFFLINE]
    told = f"const VERSION = {_json(page_version())}, SHELL = {_json(kept)};\n".encode()
    content = told + _assets()["worker.js"].plain
    return Response(content, headers={"Cache-Control": "no-cache"}, media_type="text/javascript")


async def _manifest(request: Request) -> Response:
    """Return the web app manifest: the look of the staff's or guests' page as an installed app."""
    start = "/public" if "public" in request.query_params else "/"
    told = {
        "id": start,
        "name": "Schlitten",
        "short_name": "Schlitten",
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": "#0a1411",
        "theme_color": "#0f1f1a",
        "icons": [{"src": asset("icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return Response(msgspec.json.encode(told), media_type="application/manifest+json")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def routes() -> list[Route]:
    """Return the routes to the static files."""
    return [
        Route("/static/{digest}/{name}", _static),
        Route("/static/{name}", _static),
        Route("/worker.js", _worker),
        Route("/manifest.webmanifest", _manifest),
    ]
