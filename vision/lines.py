"""Finds the card that each line of the barcode module belongs to.

The module knows passages and times, but no port. The hardware reports a code some time after its
card passed, perhaps during the next card, and also reads cards that are merely near the lip. So a
line names a card only if no other card can have caused the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vision.manifest import TOKEN_LENGTH, Lookup
from vision.verdict import Passage, entries
from vision.witness import Quality, Witness

_LEAD_MS = 100.0  # before the passage, as the frame that opens the passage may come later
_LATE_MS = 200.0  # after the passage; barcode modules are quicker, and cards further apart


class Lines:
    """Keeps the barcode module's lines of text until the verdict of their passage is due."""

    def __init__(self, lookup: Callable[[str], Lookup] | None) -> None:
        self._lookup = lookup
        self._lines: list[tuple[float, str]] = []

    def hear(
        self, t_ms: float, text: str, quality: Quality, former: Iterable[Passage] | None
    ) -> None:
        """Take the line that arrived at `t_ms`.

        `former` are the passages with verdicts; None while a passage still awaits its verdict. A
        line that has the form of neither a token nor digits is noise, which `quality` counts.
        """
        if former is not None:
            self._forget(t_ms - _LEAD_MS, quality)
        plain = text.isascii() and text.isalnum()
        if plain and self._names(text, former or ()):
            quality.late += 1
        elif plain and (len(text) == TOKEN_LENGTH or (len(text) == 8 and text.isdigit())):
            self._lines.append((t_ms, text))
        else:
            quality.stray += 1

    def give(
        self,
        passage: Passage,
        quality: Quality,
        *,
        former: Passage | None,
        following: Passage | None,
    ) -> None:
        """Give the passage its own lines. Keep the lines of the following passage.

        A line that may still belong to the former card, which has its verdict, is dropped and
        counted as late.
        """
        if not self._lookup:
            return
        self._forget(passage.opened_ms - _LEAD_MS, quality)
        strong = entries(passage, weak=False)
        kept = []
        for t_ms, text in self._lines:
            lookup = self._lookup(text)
            agrees = lookup.entry in strong
            if not agrees and following and t_ms >= following.opened_ms:
                kept.append((t_ms, text))
            elif not agrees and former and _may_be_of(former, t_ms, lookup):
                quality.late += 1
            else:
                passage.found[text] = lookup
                passage.witnesses.add(Witness.MODULE)
                quality.reads[Witness.MODULE] += 1
        self._lines = kept

    def _names(self, text: str, former: Iterable[Passage]) -> bool:
        """Whether the text names the card of one of these passages."""
        lookup = self._lookup(text) if self._lookup else None
        return lookup is not None and any(_named(passage, lookup) for passage in former)

    def _forget(self, before_ms: float, quality: Quality) -> None:
        """Drop the lines from before `before_ms`, which belong to no card, and count them."""
        kept = [line for line in self._lines if line[0] >= before_ms]
        quality.stray += len(self._lines) - len(kept)
        self._lines = kept


def _named(passage: Passage, lookup: Lookup) -> bool:
    """Whether the card in `lookup` is ours and was read in the passage."""
    found = (found.entry for found in passage.found.values())
    return lookup.entry is not None and lookup.entry in found


def _may_be_of(former: Passage, t_ms: float, lookup: Lookup) -> bool:
    """Whether a line at `t_ms` may be of the former card.

    The line must come soon after that card, and the card must be unread or be the one that the line
    names.
    """
    soon = t_ms - (former.closed_ms or 0.0) <= _LATE_MS
    return soon and (not former.found or _named(former, lookup))
