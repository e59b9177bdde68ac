"""The traces of an evening at a whole table, and the search for leaks in all of them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from firmware_bridge.twin import Shown
from table_controller.service.archive import Archive
from table_controller.service.sealing import Keys
from tests.brokers import Observer
from tests.whole.leaks import Detector, look_at_board


@dataclass
class Settlement:
    """What stood where when a coup was settled; `page` is what Chromium showed, where asked."""

    event: dict[str, Any]
    left: int
    board: Shown
    page: dict[str, str] | None = None


@dataclass
class Kept:
    """What an evening left behind."""

    folder: Path
    keys: Keys
    heard: list[tuple[str, bytes, bool]] = field(default_factory=list)
    settlements: list[Settlement] = field(default_factory=list)
    log: str = ""
    board: bytearray = field(default_factory=bytearray)
    pictures: list[bytes] = field(default_factory=list)
    detector: Detector = field(default_factory=Detector)

    @property
    def journal(self) -> Path:
        """Where the table's truth lies."""
        return self.folder / "table.db"

    def rows(self) -> list[tuple[str, int, dict[str, Any]]]:
        """Audience, seq and content of every event that is not sealed, in the journal's order."""
        archive = Archive.read(self.journal, self.keys)
        try:
            events = [event for _, events in archive.turns() for event in events]
        finally:
            archive.close()
        return [
            (event.audience, event.seq, msgspec.json.decode(event.body))
            for event in events
            if event.body
        ]

    async def all_heard(self, ear: Observer) -> None:
        """Wait until `ear` has every event, and the picture of after the last one."""
        rows = self.rows()
        last = max(seq for audience, seq, _ in rows if audience == "public")
        await ear.until_last(len(rows), last)

    def inputs(self) -> list[dict[str, Any]]:
        """Every input that was journaled, the sealed ones opened."""
        archive = Archive.read(self.journal, self.keys)
        try:
            return [msgspec.json.decode(archive.body(row)) for row in archive.inputs()]
        finally:
            archive.close()

    def public(self) -> list[dict[str, Any]]:
        """The public events as the journal holds them."""
        return [event for audience, _, event in self.rows() if audience == "public"]

    def look_for_leaks(self) -> Counter[str]:
        """Raise Leak if anything, anywhere, named a closed card; how much of what was looked at."""
        self.detector.verdict()
        messages = self._look_at_messages()
        pictures = look_at_board(bytes(self.board), self.pictures)
        return self.detector.looked | Counter(messages=messages, board=pictures)

    def _look_at_messages(self) -> int:
        """Every message, as far as the public was told when it was sent."""
        detector, due = Detector(), self._by_row()
        for text in due.pop((), []):
            detector.look("a message before all events", text)
        for audience, seq, event in self.rows():
            if audience == "public":
                detector.hear(event)
            for text in due.pop((audience, seq), []):
                detector.look(f"a message at {audience} {seq}", text)
        assert not due, f"messages that belong to no event: {due}"
        detector.verdict()
        return detector.looked.total()

    def _by_row(self) -> dict[tuple[Any, ...], list[str]]:
        """Every message beside the last event that its receiver had when it was told."""
        due: dict[tuple[Any, ...], list[str]] = {}
        last: tuple[Any, ...] = ()
        for topic, payload, _ in self.heard:
            texts, place = [f"{topic} {payload.decode()}"], last
            if "/event/" in topic:
                place = (
                    "croupier" if "/croupier/" in topic else "public",
                    json.loads(payload)["seq"],
                )
                last = place if place[0] == "public" and place > last else last
            elif topic.endswith("/snapshot"):
                picture = json.loads(payload)
                seq, hands = picture["data"]["seq"], picture["data"]["snapshot"].pop("hands")
                # What the prompt says of a card is said beside the card that lies there.
                texts = [json.dumps(picture), *map(json.dumps, hands)]
                place = ("public", seq) if seq else ()
            due.setdefault(place, []).extend(texts)
        return due
