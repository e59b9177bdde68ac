"""Collects a person's answers about a board's trial pictures, as a report.

The report is JSON. It has a line for the test, for each answer, and for each signal of buttons and
sensors. Each line is written immediately, so that an interrupted test leaves its answers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from table_controller.service.errors import RecordingError

_YES = ("", "y", "yes")


def _read(question: str) -> str:
    """Ask on standard error, so that standard output is left to programs. Raises EOFError."""
    sys.stderr.write(question)
    sys.stderr.flush()
    try:
        return input()
    except EOFError:
        sys.stderr.write("\n")  # what is said next begins a line
        raise


class Answers:
    """Asks a person, and writes the answers to a new file.

    Raises RecordingError if the file exists or cannot be written. At the end of a `with` block, a
    report without any question is removed, so that the same command can be given again.
    """

    def __init__(self, port: str, report: Path, reads: Callable[[str], str] = _read) -> None:
        self._reads, self._report, self._asked = reads, report, False
        try:
            self._file = report.open("x", encoding="utf-8")
        except OSError as error:
            raise RecordingError(f"Cannot write the report {report}: {error.strerror}.") from None
        self._missed: list[str] = []
        self._write({"board": port, "at": datetime.now(UTC).isoformat(timespec="seconds")})

    def ask(self, what: str) -> None:
        """Ask whether the person saw a picture. Enter or y means yes.

        If the input has ended, the answer is no.
        """
        self._asked = True
        try:
            said = self._reads(f"{what}: did you see it? [Y/n] ").strip().lower()
        except EOFError:
            said = "no answer"
        if said not in _YES:
            self._missed.append(what)
        self._write({"asked": what, "seen": said in _YES, "answer": said})

    def told(self, sentence: str) -> None:
        """Note an announcement, or a signal of a button or sensor."""
        self._write({"told": sentence})

    def close(self) -> list[str]:
        """End the report. Return the pictures that the person did not see."""
        self._write({"not_seen": self._missed})
        self._file.close()
        return self._missed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        if not self._asked:
            self._report.unlink(missing_ok=True)

    def _write(self, fact: dict[str, Any]) -> None:
        self._file.write(json.dumps(fact, ensure_ascii=False) + "\n")
        self._file.flush()
