"""Verdicts on scenarios, also as a JUnit file for a CI (`timeline.py` makes a page for people).

The module knows verdicts, but no table. A report names cards if its scenario names some, so it has
mode 0600.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.etree import ElementTree as Xml

from table_controller.service.scenario import clock


@dataclass(frozen=True)
class Discrepancy:
    """The first difference: the expectation and the observations, as lines of a scenario."""

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
    """One line as it was played, for a report.

    Attributes:
        kind: `card`, `word`, `hardware` or `fault`.
        ask: the request on the croupier's page after the line.
        events: the events that are not sealed; `public`: for each of them, whether guests get it.
        lamps, digits, tone: what the board shows, in words, such as `blink blue`; empty without a
            board.
        alerts: the ids of the open alerts.
        expects: the expectations; `held`: how many of them were met; `failed`: whether the next one
            was not met.
    """

    number: int
    at_ms: int
    said: str
    kind: str
    ask: str
    events: tuple[str, ...]
    public: tuple[bool, ...]
    lamps: tuple[str, ...]
    digits: tuple[str, ...]
    tone: str
    alerts: tuple[str, ...]
    expects: tuple[str, ...]
    held: int
    failed: bool

    def __str__(self) -> str:
        lit = [f"{seat} {lamp}" for seat, lamp in enumerate(self.lamps, 1) if lamp != "off"]
        seen = f"lamps {' '.join(lit) or 'off'}, digits {' '.join(self.digits)}"
        facts = [
            self.ask and f"page: {self.ask}",
            self.events and f"told: {', '.join(self.events)}",
            self.lamps and seen + (f", tone {self.tone}" if self.tone else ""),
            self.alerts and f"alerts: {', '.join(self.alerts)}",
            self.expects and f"held: {self.held} of {len(self.expects)}",
        ]
        told = "".join(f"\n    {fact}" for fact in facts if fact)
        return f"{clock(self.at_ms)} {self.said or '=>'}{told}"


@dataclass
class Verdict:
    """The result of a scenario. It `holds` if something was compared and nothing differed."""

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
            return f"{self.name}: nothing was compared: write expectations after `=>`.{stopped}"
        unread = f", {self.unread} of them not yet read by anybody (~)" if self.unread else ""
        return (
            f"{self.name}: {self.inputs} lines played, {self.compared} expectations held{unread}."
            f"{stopped}"
        )


def as_junit(verdict: Verdict) -> str:
    """Return a JUnit suite with one case.

    A difference is the case's failure. A scenario that compares nothing fails too.
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
    """Return the text without characters that XML does not allow."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "?" for sign in text)
