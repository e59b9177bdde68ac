"""Makes a page about a verdict, with a scenario's cards, words, hardware and faults in time.

The page also shows the effects of each line.

It is one file with its own style and no script. It names cards if its scenario names some.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from table_controller.commands.hil.verdicts import Beat, Verdict
from table_controller.service.scenario import clock

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem;
  color: #1d1d1b; background: #fff }
h1 { font-size: 1.4rem } h1 b { padding: .1rem .6rem; border-radius: .3rem; color: #fff }
.held { background: #1b6e3c } .failed { background: #a4161a }
table { border-collapse: collapse; width: 100% } th { text-align: left; position: sticky; top: 0;
  background: #fff }
td, th { padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
tr.wrong td { background: #fbe3e4 } code, pre { font-family: ui-monospace, monospace }
td:first-child { white-space: nowrap } td code { overflow-wrap: anywhere }
pre { background: #f4f4f2; padding: 1rem; overflow: auto; white-space: pre-wrap }
.kind { font-size: .8rem; padding: 0 .4rem; border-radius: .3rem; border: 1px solid #999;
  white-space: nowrap }
.card { background: #e4eefb; color: #10305c } .hardware { background: #f1ead8; color: #4b3a08 }
.fault { background: #a4161a; color: #fff } .word { background: #eee; color: #222 }
.lamps { white-space: nowrap } .digits { white-space: pre; font: 1rem ui-monospace, monospace;
  background: #111; color: #f55; padding: 0 .3rem; border-radius: .2rem; margin-right: .3rem }
.lamp { display: inline-block; width: 1rem; height: 1rem; border-radius: 50%; margin-right: 2px;
  border: 2px solid #bbb; font-size: .6rem; line-height: 1rem; text-align: center; color: #777 }
.on { color: #111 }
.blink { animation: blink 1s steps(1) infinite } .pulse { animation: pulse 1s steps(1) infinite }
@keyframes blink { 50% { background: none } }
@keyframes pulse { 12.5%, 37.5% { background: none } 25% { } }
.alert { color: #a4161a; font-weight: 600 } .yes { color: #1b6e3c } .no { color: #a4161a }
.public { font-weight: 600 } .quiet { color: #666 }
@media (prefers-color-scheme: dark) { body, th { color: #eee; background: #161614 }
  td, th { border-color: #444 } tr.wrong td { background: #4a1517 } pre { background: #232320 }
  .yes { color: #6fd08c } .no, .alert { color: #ff8a8a } .quiet { color: #aaa } }
@media (prefers-reduced-motion: reduce) { .lamp { animation: none } }
"""
_COLOURS = {
    "red": "#d00", "green": "#080", "yellow": "#fd0", "blue": "#33f", "magenta": "#c0c",
    "cyan": "#0cc", "white": "#fff",
}  # fmt: skip
_HEADS = ("time", "what happens", "the page asks", "told", "lamps", "digits", "alerts", "verdicts")


def as_html(verdict: Verdict) -> str:
    """Return the page: the verdict, and every line as it was played."""
    word = "held" if verdict.holds else "failed"
    rows = "\n".join(map(_row, verdict.moments))
    heads = "".join(f"<th>{head}" for head in _HEADS)
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(verdict.name)}: {word}</title><style>{_STYLE}</style>
<h1>{escape(verdict.name)} <b class="{word}">{word}</b></h1>
<p>Board: {escape(verdict.board)}. {verdict.inputs} lines were played and {verdict.compared}
expectations held; nobody has checked {verdict.unread} of them yet.</p>
<pre>{escape(str(verdict))}</pre>
<p class="quiet">Told: events in bold are public; the others are for journal and staff. A lamp
shows its seat's number; it blinks or flashes here as on the board.</p>
<table><thead><tr>{heads}</thead>
<tbody>
{rows}
</tbody></table></html>
"""


def _row(beat: Beat) -> str:
    said = f'<code>{escape(beat.said)}</code> <span class="kind {beat.kind}">{beat.kind}</span>'
    told = ", ".join(
        f'<span class="{"public" if public else "quiet"}">{escape(event)}</span>'
        for event, public in zip(beat.events, beat.public, strict=True)
    )
    digits = "".join(f'<span class="digits">{escape(one)}</span>' for one in beat.digits)
    cells = (
        clock(beat.at_ms),
        said if beat.said else "",
        escape(beat.ask),
        told,
        _lamps(beat),
        digits + (f' <span class="alert">♪ {beat.tone}</span>' if beat.tone else ""),
        f'<span class="alert">{escape(", ".join(beat.alerts))}</span>' if beat.alerts else "",
        "<br>".join(_verdicts(beat)),
    )
    row = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{"wrong" if beat.failed else ""}">{row}</tr>'


def _lamps(beat: Beat) -> str:
    lit = (f"{seat} {shown}" for seat, shown in enumerate(beat.lamps, 1) if shown != "off")
    dots = "".join(map(_lamp, range(1, 13), beat.lamps))
    return f'<span class="lamps">{dots}</span><br><span class="quiet">{", ".join(lit)}</span>'


def _lamp(seat: int, shown: str) -> str:
    mode, _, colour = shown.partition(" ")
    known = _COLOURS.get(colour)
    style = f' style="background: {known}; border-color: {known}"' if known else ""
    return f'<span class="lamp {mode}" title="seat {seat}: {shown}"{style}>{seat}</span>'


def _verdicts(beat: Beat) -> Iterable[str]:
    for place, wanted in enumerate(beat.expects):
        if place < beat.held:
            yield f'<span class="yes">✓</span> <code>{escape(wanted)}</code>'
        elif beat.failed and place == beat.held:
            yield f'<span class="no">✗</span> <code>{escape(wanted)}</code>'
        else:
            yield f'<span class="quiet">– {escape(wanted)}</span>'
