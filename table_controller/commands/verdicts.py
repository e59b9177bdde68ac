"""Verdicts on scenarios, and as files: JUnit for a CI, and one page with the timeline for people.

Knows verdicts; knows no table. A page holds cards if its scenario names some: mode 0600.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from xml.etree import ElementTree as Xml

from table_controller.service.errors import RecordingError
from table_controller.service.scenario import clock


@dataclass(frozen=True)
class Discrepancy:
    """The first difference; both sides are lines of a scenario."""

    number: int
    at_ms: int
    coup: int
    before: tuple[str, ...]
    expected: str
    seen: tuple[str, ...]

    def __str__(self) -> str:
        before = "".join(f"\n    {line}" for line in self.before)
        seen = "".join(f"\n    => {one}" for one in self.seen)
        return (
            f"line {self.number}, coup {self.coup}, at {clock(self.at_ms)}: not as expected."
            f"\n  what was said last:{before}\n  expected:\n    => {self.expected}"
            f"\n  seen:{seen}"
        )


@dataclass(frozen=True)
class Beat:
    """One line of the scenario as it was played, for a report."""

    at_ms: int
    said: str
    events: tuple[str, ...]
    lamps: str
    digits: str
    alerts: tuple[str, ...]
    held: int
    failed: bool


@dataclass
class Verdict:
    """How a scenario went. It `holds` if something was compared and nothing differed."""

    name: str
    board: str
    inputs: int = 0
    compared: int = 0
    unread: int = 0
    stopped: str = ""
    difference: Discrepancy | None = None
    moments: list[Beat] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        return self.difference is None and self.compared > 0

    def __str__(self) -> str:
        if self.difference:
            return f"{self.name}, {self.difference}"
        stopped = f" {self.stopped}" if self.stopped else ""
        if not self.compared:
            return (
                f"{self.name}: nothing was compared: write what is expected behind `=>`.{stopped}"
            )
        unread = f", {self.unread} of them not yet read by anybody (~)" if self.unread else ""
        return (
            f"{self.name}: {self.inputs} lines played, {self.compared} expectations held{unread}."
            f"{stopped}"
        )


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  color: #1d1d1b; background: #fff }
h1 { font-size: 1.4rem } h1 b { padding: .1rem .6rem; border-radius: .3rem; color: #fff }
.held { background: #1b6e3c } .failed { background: #a4161a }
table { border-collapse: collapse; width: 100% } th { text-align: left }
td, th { padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
tr.wrong td { background: #fbe3e4 } code, pre { font-family: ui-monospace, monospace }
td:first-child { white-space: nowrap } pre { background: #f4f4f2; padding: 1rem; overflow: auto }
.lamp { display: inline-block; width: .7rem; height: .7rem; border-radius: 50%; margin-right: 2px;
  border: 1px solid #777 }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161614 }
  td, th { border-color: #444 } tr.wrong td { background: #4a1517 } pre { background: #232320 } }
"""
_COLOURS = ("none", "#d00", "#080", "#fd0", "#00d", "#c0c", "#0cc", "#fff")


def as_junit(verdict: Verdict) -> str:
    """One suite with one case.

    A difference is its failure; so is a scenario that compares nothing.
    """
    failed = str(int(not verdict.holds))
    suite = Xml.Element("testsuite", name="schlitten", tests="1", failures=failed, errors="0")
    case = Xml.SubElement(suite, "testcase", classname=f"board {verdict.board}", name=verdict.name)
    if not verdict.holds:
        kind = "difference" if verdict.difference else "nothing compared"
        Xml.SubElement(case, "failure", type=kind, message=kind).text = _printable(str(verdict))
    told = f"{verdict.inputs} lines, {verdict.compared} compared, {verdict.unread} not yet read"
    Xml.SubElement(case, "system-out").text = told
    Xml.indent(suite)
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "?" for sign in text)


def as_html(verdict: Verdict) -> str:
    """One HTML file with its own style: the verdict, and every line as it was played."""
    word = "held" if verdict.holds else "failed"
    rows = "\n".join(map(_row, verdict.moments))
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(verdict.name)}: {word}</title><style>{_STYLE}</style>
<h1>{escape(verdict.name)} <b class="{word}">{word}</b></h1>
<p>Board: {escape(verdict.board)}. {verdict.inputs} lines were played and {verdict.compared}
expectations held; nobody has read yet {verdict.unread} of them.</p>
<pre>{escape(str(verdict))}</pre>
<table><thead><tr><th>time<th>line<th>events<th>lamps<th>digits<th>alerts<th>held</thead>
<tbody>
{rows}
</tbody></table></html>
"""


def _row(moment: Beat) -> str:
    lamps = "".join(
        f'<span class="lamp" title="seat {seat}" style="background: {_COLOURS[int(colour)]}">'
        "</span>"
        for seat, colour in enumerate(moment.lamps, 1)
    )
    cells = (
        clock(moment.at_ms),
        f"<code>{escape(moment.said)}</code>",
        escape(", ".join(moment.events)),
        lamps,
        f"<code>{escape(moment.digits)}</code>",
        escape(", ".join(moment.alerts)),
        "differs" if moment.failed else str(moment.held),
    )
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{"wrong" if moment.failed else ""}">{row}</tr>'


def write(path: Path, text: str) -> None:
    """Write a report; only its owner may read it. Raises RecordingError."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
            file.write(text.encode())
    except OSError as error:
        raise RecordingError(f"Cannot write the report {path}: {error.strerror}.") from None
