"""Measures the data sent to a screen: the parts of the page that events of an evening change.

Each screen reads the data, compares the data with its present page and draws them. So the number of
bytes shows the cost.
"""

from __future__ import annotations

import statistics

import msgspec

from table_controller.adapters.web.screens import Renderer, changed
from table_controller.commands.simulate import evening
from table_controller.engine.messages import Audience
from table_controller.engine.promises import SecretKey
from table_controller.wiring import config
from table_controller.wiring.games import game

HOUSES = ("zoppot-1934", "punto-banco", "ecarte-german")
COUPS, SEED = 10, 3
SCREENS = {"table": Audience.CROUPIER, "wall": Audience.PUBLIC}


def rows():
    """Return (what, figure, unit) for each house and screen."""
    return [row for house in HOUSES for screen in SCREENS for row in _row(house, screen)]


def _row(house, screen):
    sent = list(sizes(house, SCREENS[screen]))
    what = f"sent to the {screen} for an event, {house}"
    return [
        (f"{what}, p50", statistics.median(sent) / 1000, "kB"),
        (f"{what}, p99", statistics.quantiles(sent, n=100)[98] / 1000, "kB"),
    ]


def sizes(house, audience):
    """Yield the bytes sent for each event of an evening that changes a picture."""
    door, renderer = game(config.house(house).game), Renderer()
    shown = {}
    for moment in evening(config.house(house), SecretKey(b"bench"), seed=SEED, coups=COUPS):
        parts = renderer.parts(door.snapshot(moment.table, audience), audience)
        news = changed(parts, shown)
        shown = parts
        if news:
            yield len(msgspec.json.encode(news))


if __name__ == "__main__":
    for what, figure, unit in rows():
        print(f"{what:60} {figure:8.1f} {unit}")
