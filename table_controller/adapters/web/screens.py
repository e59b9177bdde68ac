"""Renders pictures into parts of a page, once for all viewers, and sends the changed parts.

The module knows templates and the pause between renderings, but no table and no HTTP.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec
from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from table_controller.adapters.limits import MOST_PUBLIC_SCREENS, MOST_STAFF_SCREENS
from table_controller.adapters.web import assets, layout, picture, pieces
from table_controller.adapters.web.hub import Hub
from table_controller.adapters.web.look import HouseLook
from table_controller.adapters.web.places import Places
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.pieces import Figure
from table_controller.engine.table.roles import CALLED, Person
from table_controller.engine.views import Snapshot
from table_controller.service import logs
from table_controller.words import LOCALES, decimal, figure, text
from table_controller.words.glossary import heading
from table_controller.words.languages import Language

#: The parts of each page, by the id of their element. Each is replaced as a whole.
PARTS = {
    Audience.CROUPIER: (
        *("title", "health", "alerts", "sums", "told", "trays", "cells", "middle"),
        *("ask", "offers", "side", "more", "foot"),
    ),
    Audience.PUBLIC: (
        *("title", "sums", "told", "trays", "cells", "middle"),
        *("roads", "result", "foot"),
    ),
}

PACE_S = 0.02
"""At most fifty pictures a second are shown. The first of a burst is not delayed."""

TURN_S, REST_S = 0.001, 0.0005
"""Seconds of work on a page that is rendered next to the loop, and of rest after that."""

Parts = dict[str, str]
_Kind = tuple[Audience, str]


class _Compiled(BytecodeCache):
    """Caches templates as compiled code, which is the same in every language."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


#: Shared by all renderers. Compiling takes 0.2 s here and more on a Pi, five times over.
_COMPILED = _Compiled()


class _Read:
    """A snapshot that notes which of its fields were read, and the fields' values."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.read: dict[str, Any] = {}

    def __getattr__(self, field: str) -> Any:
        value = self.read[field] = getattr(self._snapshot, field)
        return value


class Renderer:
    """Renders a snapshot as HTML, in one language and in the words of one game."""

    def __init__(
        self,
        *,
        locale: str = "en",
        game: str = "",
        absent: frozenset[str] = frozenset(),
        look: HouseLook | None = None,
        theme: str = "auto",
    ) -> None:
        """`look` is the house's own look. `absent` are the devices that are not set up.

        `game` is the game whose words the pages use, or "" if they are not one table's. `theme` is
        the page's theme for people who have chosen none.
        """
        self._locale, self._theme = locale, theme
        self.text = partial(text, locale=locale, game=game)
        """Returns a sentence in the renderer's language, and in the words of its game."""
        self._made: dict[tuple[str, Audience], tuple[dict[str, object], str]] = {}
        self._env = Environment(
            loader=PackageLoader("table_controller.adapters.web"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            auto_reload=False,
            bytecode_cache=_COMPILED,
        )
        self._env.globals.update(
            _=self._ui,
            say=self.text,
            locale=locale,
            languages={language.value: language.called for language in Language},
            letters=next(one.letters for one in Language if one.value == locale),
            layout=layout,
            heading=heading,
            picture=picture,
            absent=absent,
            look=look,
            piece=pieces.piece,
            asset=assets.asset,
            version=assets.page_version(),
        )
        self._env.filters.update(
            figure=partial(figure, locale=locale),
            decimal=partial(decimal, locale=locale),
            amount=self._amount,
            told=self._told,
            say=self.text,
            shape=picture.shape,
            transposed=lambda columns: zip(*columns, strict=True),
            quoted=pieces.quoted,
        )

    def _ui(self, template: str, **args: str | int) -> str:
        return self.text(phrase(template, **args))

    @property
    def locale(self) -> str:
        """The language of the rendered pages."""
        return self._locale

    def prepare(self) -> None:
        """Read and compile every template.

        Call it in a thread, since it takes longer than a heartbeat.
        """
        for name in self._env.list_templates():
            self._env.get_template(name)

    def parts(self, snapshot: Snapshot, audience: Audience) -> Parts:
        """Render every part of the audience's page, with marks around its pieces."""
        return {name: self._part(name, snapshot, audience) for name in PARTS[audience]}

    def page(
        self,
        snapshot: Snapshot,
        audience: Audience,
        theme: str,
        *,
        person: Person | None = None,
        open_to: bool = False,
        seen: int = 0,
        past: bool = False,
        live_at: str = "/public/live",
        home: str = "",
        past_at: str = "",
        wall: bool = False,
    ) -> str:
        """Render the whole page, for `person` if one has signed in.

        `open_to` says that nobody needs to sign in. `seen` is the picture's number (`Hub.turn`).
        `past` says whether there are pages of earlier coups. `live_at` is the address of the
        guests' event stream. `home` is the page of all tables, if this is one of many. `past_at` is
        the page of this table's evenings. On a `wall` the guests' page has nothing to press.
        """
        made = self.parts(snapshot, audience).items()
        parts = {name: Markup(pieces.whole(html)) for name, html in made}  # noqa: S704  # rendered with autoescape
        name = "page.html" if audience is Audience.CROUPIER else "public.html"
        role = CALLED[person.role] if person else None
        return self.render(
            name,
            parts=parts,
            snap=snapshot,
            kind=layout.kind(snapshot),
            theme=theme,
            person=person,
            role=role,
            open_to=open_to,
            seen=seen,
            past=past,
            live_at=live_at,
            home=home,
            past_at=past_at,
            wall=wall,
        )

    def render(self, template: str, **seen: object) -> str:
        """Render a template from the page's folder."""
        return self._env.get_template(template).render(self._themed(seen))

    def render_beside(self, template: str, **seen: object) -> str:
        """Render in a thread, with pauses, so that the event loop never waits long.

        The loop handles presses. Without the pauses, Python would let the loop go on only every 5
        ms, and each press would have to wait for this several times.
        """
        made, turn = list[str](), time.perf_counter()
        for part in self._env.get_template(template).generate(self._themed(seen)):
            made.append(part)
            if time.perf_counter() - turn > TURN_S:
                time.sleep(REST_S)
                turn = time.perf_counter()
        return "".join(made)

    def _themed(self, seen: dict[str, object]) -> dict[str, object]:
        return seen | {"theme": self._theme} if seen.get("theme") == "auto" else seen

    def _part(self, name: str, snapshot: Snapshot, audience: Audience) -> str:
        """Render a part, or return the last rendering if none of its data has changed."""
        of, made = self._made.get((name, audience), ({"": None}, ""))
        if all(getattr(snapshot, field, self) == value for field, value in of.items()):
            return made
        snap, staff = _Read(snapshot), audience is Audience.CROUPIER
        seen = {"snap": snap, "staff": staff, "sum": self._sum(snap)}
        made = self.render(f"parts/{name}.html", **seen)
        self._made[name, audience] = snap.read, made
        return made

    def _sum(self, snapshot: Snapshot | _Read) -> Callable[[int], str]:
        return lambda chips: self._with_unit(chips, snapshot.unit)

    def _amount(self, of: Figure) -> str:
        return self._with_unit(of.value, of.unit)

    def _told(self, of: Figure) -> str:
        counters = f"/{of.of}" if of.of else ""
        return f"{self.text(of.label)} {self._amount(of)}{counters}"

    def _with_unit(self, number: int, unit: str) -> str:
        return (
            f"{figure(number, self._locale)}\u00a0{unit}" if unit else figure(number, self._locale)
        )


def renderers(
    absent: frozenset[str] = frozenset(),
    look: HouseLook | None = None,
    theme: str = "auto",
    *,
    game: str = "",
) -> dict[str, Renderer]:
    """Return a renderer for every language. Templates are read only when somebody looks."""
    return {
        locale: Renderer(locale=locale, game=game, absent=absent, look=look, theme=theme)
        for locale in LOCALES
    }


def changed(parts: Parts, shown: Parts) -> Parts:
    """Return the message for a screen that shows `shown`: the parts and pieces that differ."""
    return {
        name: pieces.since(html, shown.get(name, ""))
        for name, html in parts.items()
        if shown.get(name) != html
    }


class _Channel:
    """The data for all screens of one audience and language, as long as there are any."""

    def __init__(self) -> None:
        self.viewers = 0
        self.turn = 0
        self.parts: Parts = {}
        self._seen: int | None = None
        self._since: dict[int, bytes] = {}
        self.news = asyncio.Event()
        self.over = False
        self.task: asyncio.Task[None] | None = None

    def show(self, parts: Parts, seen: int | None) -> None:
        """Give every screen these parts.

        `seen` is the picture's number, for screens that send presses.
        """
        self.turn, self.parts, self._since = self.turn + 1, parts, {}
        self._seen = seen
        self.wake()

    def since(self, turn: int, shown: Parts) -> bytes:
        """Return, as JSON, the changes for screens that show `shown`, the parts of turn `turn`.

        Return b"" if nothing changed. The changes are made once for all such screens, since nearly
        all screens show the previous turn.
        """
        if turn not in self._since:
            news = changed(self.parts, shown)
            if news and self._seen is not None:
                news |= {"seen": str(self._seen)}
            self._since[turn] = msgspec.json.encode(news) if news else b""
        return self._since[turn]

    def wake(self) -> None:
        news, self.news = self.news, asyncio.Event()
        news.set()


class Screens:
    """Renders once for all screens of an audience and language, and not at all without screens."""

    def __init__(
        self,
        hub: Hub[Any],
        renderers: Mapping[str, Renderer],
        failing: Callable[[bool], None] = lambda _: None,
        places: Places | None = None,
    ) -> None:
        """Prepare to render. `places` are the guests' places, if other screens share them.

        `failing` gets True when a picture cannot be rendered, and False when it can again.
        """
        self._hub, self.renderers, self._failing = hub, renderers, failing
        self._channels: dict[_Kind, _Channel] = {}
        self._failed: set[_Kind] = set()
        self._closed = False
        self.places = {
            Audience.CROUPIER: Places(MOST_STAFF_SCREENS),
            Audience.PUBLIC: places or Places(MOST_PUBLIC_SCREENS),
        }

    async def watch(
        self, audience: Audience, locale: str = "en", address: str = ""
    ) -> AsyncIterator[bytes]:
        """Yield all parts as JSON, then the changes, for one screen.

        A slow screen skips some changes, but never the last.
        """
        shown: Parts = {}
        turn = 0
        with (
            self._looking((audience, locale)) as channel,
            self.places[audience].held(address, channel.wake) as place,
        ):
            while not (channel.over or self._closed or place.lost):
                if turn == channel.turn:
                    await channel.news.wait()
                    continue
                changed = channel.since(turn, shown)
                turn, shown = channel.turn, channel.parts
                if changed:
                    yield changed

    def close(self) -> None:
        """End every stream: the server waits until all streams have ended."""
        self._closed = True
        for channel in self._channels.values():
            channel.wake()

    @contextmanager
    def _looking(self, kind: _Kind) -> Iterator[_Channel]:
        channel = self._channels.get(kind)
        if channel is None or channel.over:
            channel = self._channels[kind] = _Channel()
            channel.task = asyncio.create_task(self._render(channel, kind), name="screens")
        channel.viewers += 1
        try:
            yield channel
        finally:
            channel.viewers -= 1
            if not channel.viewers and channel.task:
                channel.task.cancel()
                channel.over = True

    async def _render(self, channel: _Channel, kind: _Kind) -> None:
        audience, locale = kind
        try:
            async for snapshot in self._hub.subscribe(audience):
                seen = self._hub.turn if audience is Audience.CROUPIER else None
                channel.show(self.renderers[locale].parts(snapshot, audience), seen)
                self._well(kind)
                await asyncio.sleep(PACE_S)
        except Exception as failure:  # noqa: BLE001 - the edge of a task
            logs.fault("rendering failed", failure, audience=audience, locale=locale)
            self._failed.add(kind)
            self._failing(True)
        finally:  # closed, or it failed: the streams end, and the browsers come back
            channel.over = True
            channel.wake()

    def _well(self, kind: _Kind) -> None:
        if kind in self._failed:
            self._failed.remove(kind)
            if not self._failed:
                self._failing(False)
