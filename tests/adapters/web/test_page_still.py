"""What must never move on the croupier's desk: whole evenings, with alerts, in each language."""

from __future__ import annotations

from collections import defaultdict
from itertools import cycle

import msgspec
import pytest

from table_controller.engine.messages import Severity, phrase
from table_controller.engine.views import AlertView
from table_controller.wiring import config
from table_controller.wiring.games import game
from table_controller.words import LOCALES
from tests.adapters.web import overlaps
from tests.adapters.web.served import Served
from tests.limits import LONG_S, PATIENCE_MS

#: What stays where it is, wherever it is shown.
STILL = (
    *(".bar", ".felt", "#trays", ".tray", "#foot", ".back", ".last", "[data-chip]"),
    *(".place", "#ask", ".news", "#ask .why", ".act", ".also"),
    *(f".drawer[data-key={name}]" for name in ("people", "mistake", "supervisor", "totals")),
)
#: Of a game with a fixed number of seats, these too.
SEATS = (".ring .top .seat", ".ring .left .seat", ".ring .right .seat")
#: Where each of them is, to a quarter of a pixel.
BOXES = """still => {
  const at = ({ left, top, width, height }) => [left, top, width, height].map(x => Math.round(x * 4) / 4).join(" ");
  const boxes = one => [...document.querySelectorAll(one)].map(e => e.getBoundingClientRect());
  return Object.fromEntries(still.map(one => [one, boxes(one).filter(b => b.width).map(at).join("; ")]));
}"""  # noqa: E501
ALERTS = tuple(
    AlertView(
        id=f"alert-{severity.value}", code="x", severity=severity, what=phrase(what),
        remedy=phrase("Close it."), since_ms=0, clears="itself",
    )
    for severity, what in (
        (Severity.STOP, "The lid is open."),
        (Severity.WARNING, "The disk is nearly full."),
        (Severity.NOTICE, "The light at the lip is weak."),
    )
)  # fmt: skip


@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)], ids=str)
@pytest.mark.parametrize("name", ["zoppot-1934", "punto-banco", "ecarte-german"])
def test_nothing_moves_but_what_is_played(browser, name, size):
    """Each of these has one place, in every state, under none to three alerts, in each language."""
    house = config.house(name)
    door = game(house.game)
    moments = overlaps.telling(door, overlaps.evening(house, coups=10, mishaps=True), 24)
    still = (*STILL, *(SEATS if name == "zoppot-1934" else ()))
    places: dict[str, set[str]] = defaultdict(set)
    many = cycle(range(len(ALERTS) + 1))

    def picture(told, audience):
        snap = door.snapshot(told.table, audience)
        alerts = (*snap.alerts, *ALERTS[: next(many)])
        return msgspec.structs.replace(
            snap, alerts=alerts, title=snap.title + overlaps.mark(told.number)
        )

    for locale in LOCALES:
        served = Served(moments[0], project=picture)
        page = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
        ).new_page()
        page.goto(f"{served.url}/?lang={locale}")
        for moment in moments:
            served.tell(moment)
            page.evaluate(
                overlaps.LOOK, {"mark": overlaps.mark(moment.number), "until": PATIENCE_MS}
            )
            for one, boxes in page.evaluate(BOXES, list(still)).items():
                places[one] |= {boxes} - {""}
        page.context.close()
        served.stop()

    assert places.keys() >= {".felt", ".act", "#ask"}
    assert {one: sorted(there) for one, there in places.items() if len(there) > 1} == {}
