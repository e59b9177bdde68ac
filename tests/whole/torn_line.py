"""The line between a browser and a table: it passes everything on, and tears a press on demand."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

#: What happens to a press: nothing; the process is killed before it was heard, while it is, or
#: once it was answered and nobody knows; the line is cut before it was heard, in the middle of the
#: request, before or in the middle of the answer; the browser goes offline while it waits.
FINE = ""
KILLS = ("killed before", "killed amid", "killed after")
CUTS = ("cut before", "cut amid the press", "cut after", "cut amid the answer", "offline")
#: So long, at most, is a press heard before `killed amid`.
AMID_S = 0.012


class Line:
    """Between browser and table: passes everything on, and tears a press as it is told."""

    def __init__(self, table: Any) -> None:
        self._table, self._open = table, set[asyncio.StreamWriter]()
        #: What becomes of the next press.
        self.fate, self.cut = FINE, False
        self.browser: Any = None

    async def __aenter__(self) -> Line:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self._tear()

    def _tear(self) -> None:
        for end in self._open:
            end.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            if self.cut:
                writer.close()
                return
            there, onward = await asyncio.open_connection("127.0.0.1", self._table.port)
            self._open |= {writer, onward}
            fate = [FINE]
            with contextlib.suppress(OSError):
                await asyncio.gather(
                    self._out(reader, onward, fate), self._back(there, writer, fate)
                )
            self._open -= {writer, onward}
            onward.close()
        writer.close()

    async def _out(self, reader: Any, onward: Any, fate: list[str]) -> None:
        while said := await reader.read(1 << 16):
            if said.startswith(b"POST /say"):
                fate[0], self.fate = self.fate, FINE
            if fate[0] in ("cut before", "cut amid the press"):
                if fate[0] == "cut amid the press":  # without its last byte it is no request
                    onward.write(said[:-1])
                    await onward.drain()
                self._cut_now()
                return
            if fate[0] == "killed before":
                self._table.kill()
                return
            if fate[0] == "offline":
                fate[0] = FINE  # the connection itself may stay
                await self.offline(True)
            onward.write(said)
            if fate[0] == "killed amid":
                await asyncio.sleep(self._table.luck.random() * AMID_S)
                self._table.kill()
        onward.close()

    async def _back(self, there: Any, writer: Any, fate: list[str]) -> None:
        while answer := await there.read(1 << 16):
            if fate[0] == "killed after":
                self._table.kill()
                break
            if fate[0] in ("cut after", "cut amid the answer"):
                if fate[0] == "cut amid the answer":
                    writer.write(answer[: len(answer) // 2])
                    await writer.drain()
                self._cut_now()
                break
            writer.write(answer)
        writer.close()

    async def offline(self, gone: bool) -> None:
        """The browser has no network, or has it again."""
        for context in self.browser.contexts:
            await context.set_offline(gone)
        self.cut = gone

    def _cut_now(self) -> None:
        self.cut = True
        self._tear()
