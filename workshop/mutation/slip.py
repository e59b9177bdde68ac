"""One slip, a small mistake at a place of a text, in any language."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = (
    *("comparison", "constant", "negation", "removed", "swapped", "early return"),
    *("operand", "field", "keyword"),
)


@dataclass(frozen=True, order=True)
class Slip:
    """A slip: replace `text[start:end]` by `new`.

    `first` and `last` are the first and the last line of the whole statement.
    """

    file: str
    start: int
    end: int
    new: str
    kind: str
    first: int
    last: int

    def made(self, text: str) -> str:
        """The file's text with the slip in it."""
        return text[: self.start] + self.new + text[self.end :]

    def shown(self, text: str) -> tuple[str, str]:
        """The lines concerned, before and after the slip, each as one line."""
        begin = text.rfind("\n", 0, self.start) + 1
        stop = (text + "\n").index("\n", self.end)
        old, new = text[begin:stop], text[begin : self.start] + self.new + text[self.end : stop]
        return _as_one(old), _as_one(new)


def nth(text: str, at: int) -> int:
    """Which of the file's equal lines contains the position `at`, counted from 1."""
    *before, line = text[:at].split("\n")
    line += text[at:].partition("\n")[0]
    return 1 + sum(one.strip() == line.strip() for one in before)


def _as_one(lines: str) -> str:
    return " / ".join(" ".join(line.split()) for line in lines.splitlines())
