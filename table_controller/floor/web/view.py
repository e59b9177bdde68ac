"""Makes the tiles of the page of all tables, the worst first, each with a word. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from table_controller.adapters.mqtt_messages import TableState
from table_controller.engine.messages import Phrase, Severity, phrase
from table_controller.engine.pieces import Figure
from table_controller.engine.views import AlertView
from table_controller.floor import sanitising
from table_controller.floor.faults import WARNING
from table_controller.floor.live import ShownTable

#: The most tables that are shown large, and the most that are shown with half of their figures.
FEW: Final = 24
MANY: Final = 200

STANDS: Final = phrase("stands still")
WARNS: Final = phrase("warns")
NOTES: Final = phrase("notes something")
SILENT: Final = phrase("does not answer")
LOST: Final = phrase("is lost")
CLOSED: Final = phrase("is switched off")
DOUBTED: Final = phrase("does not hold")
PLAYS: Final = phrase("plays")

_LOUD: Final = {
    Severity.STOP: (0, STANDS),
    Severity.WARNING: (3, WARNS),
    Severity.NOTICE: (4, NOTES),
}


class OwnNote(Struct, frozen=True):
    """The floor's own alert about a table, which the table's pictures do not show.

    `age_s` is the alert's age in seconds. `doubted` says that the table's rows cannot be trusted.
    """

    severity: Severity
    what: Phrase
    age_s: float
    doubted: bool = False


class Known(Struct, frozen=True):
    """Facts from the floor's database: who leads the table, and its coups of the last hour."""

    croupier: str = ""
    coups_an_hour: int = 0
    own: OwnNote | None = None


class Tile(Struct, frozen=True, kw_only=True):
    """One table as the page shows it.

    Attributes:
        key: the key of the tile's element on the page.
        at: the address of the table's own page.
        name: the table's name, after its site's name if there are several sites.
        rank: how bad the state is: 0 is the worst; at 5 or more, nobody needs to go to the table.
        word: the table's state in one or two words.
        why: what is wrong, or an empty phrase.
        minutes: how long the table has been in this state.
        limits: the lowest stake and the highest, in smallest chips; 0 means no limit.
        alerts: how many alerts are open.
        seen: whether somebody has acknowledged every open alert.
    """

    key: str
    at: str
    name: str
    rank: int
    word: Phrase
    why: Phrase
    minutes: int
    title: str
    game: str
    unit: str
    coup: int
    coups_an_hour: int
    croupier: str
    limits: tuple[int, int]
    figure: Figure | None
    celsius: int | None
    disk_gib: int | None
    alerts: int
    seen: bool

    @property
    def wants(self) -> bool:
        """Whether somebody should go to the table."""
        return self.rank < 5


def glance(shown: Iterable[ShownTable], known: dict[str, Known], now: float) -> list[Tile]:
    """Return the tiles, the worst first.

    Of equally bad tiles, those with an unseen alert come first, then the oldest state, then the
    first name. `known` has the facts from the database, by the table's name in its events. `now` is
    in seconds.
    """
    some = list(shown)
    sites = {one.at.site for one in some}
    tiles = [_tile(one, known.get(one.at.source, Known()), now, len(sites) > 1) for one in some]
    return sorted(tiles, key=_order)


def _order(tile: Tile) -> tuple[int, bool, int, str]:
    """The key for sorting: the worst first, then the unseen, then the oldest, then by name."""
    return tile.rank, tile.seen, -tile.minutes if tile.wants else 0, tile.key


def size(tiles: Sequence[Tile]) -> str:
    """The size in which the tiles are shown. All tiles must be visible together."""
    if len(tiles) <= FEW:
        return "large"
    return "medium" if len(tiles) <= MANY else "small"


def _tile(one: ShownTable, known: Known, now: float, sited: bool) -> Tile:
    rank, word, why, since = _state(one, known.own, now)
    seen = one.picture()
    celsius = one.health.cpu_celsius if one.health else None
    disk = one.health.disk_free_mib if one.health else None
    limits = list((one.info.limits if one.info else {}).items())
    most = next((value for name, value in limits if name.startswith("most")), 0)
    return Tile(
        key=f"{one.at.site}-{one.at.table}",
        at=f"/table/{one.at.site}/{one.at.table}",
        name=f"{one.at.site} / {one.at.table}" if sited else one.at.table,
        rank=rank,
        word=word,
        why=why,
        minutes=max(0, int((now - since) // 60)),
        title=seen.title if seen else "",
        game=one.info.game if one.info else "",
        unit=seen.unit if seen else "",
        coup=seen.coup if seen else 0,
        coups_an_hour=known.coups_an_hour,
        croupier=sanitising.shown(known.croupier, sanitising.MOST_NAME),
        limits=(limits[0][1] if limits else 0, most),
        figure=_figure(seen.figures) if seen else None,
        celsius=None if celsius is None or not -99 < celsius < 999 else round(celsius),
        disk_gib=None if disk is None else sanitising.number(disk) >> 10,
        alerts=len(one.alerts),
        seen=bool(one.alerts) and all(alert.acknowledged for alert in one.alerts.values()),
    )


def _figure(figures: Iterable[Figure]) -> Figure | None:
    """The first figure that is a sum of money or that counters show; None if there is none."""
    return next((one for one in figures if one.unit or one.of), None)


def _state(one: ShownTable, own: OwnNote | None, now: float) -> tuple[int, Phrase, Phrase, float]:
    """The table's rank, its word, the fault (empty if none), and since when the state lasts (s)."""
    empty = Phrase("")
    alert = _worst(one.alerts.values())
    if one.fault:
        return 1, DOUBTED, phrase("{why}", why=one.fault), one.fault_at
    if own and own.doubted:
        return 1, DOUBTED, own.what, now - own.age_s
    if one.state is TableState.LOST:
        return 2, LOST, empty, one.began_at
    if one.silent(now):
        return 2, SILENT, empty, max(one.heard_at, one.began_at)
    if one.state is TableState.DISCONNECTED:
        return 5, CLOSED, empty, one.began_at
    return _loudest(one, alert, own, now) or (6, PLAYS, empty, one.began_at)


def _loudest(
    one: ShownTable, alert: AlertView | None, own: OwnNote | None, now: float
) -> tuple[int, Phrase, Phrase, float] | None:
    """The most severe of the alert, the faults and the floor's own alert; None if there is none.

    If two are equally severe, the alert comes before a fault, and a fault before the floor's own
    alert. The result is as for `_state`.
    """
    found = []
    if alert:
        since = one.raised_at.get(alert.id, now)
        found.append((*_LOUD[alert.severity], alert.what or Phrase(""), since))
    for code, (why, since) in one.odd.items():
        found.append((*_LOUD[Severity.WARNING if code in WARNING else Severity.NOTICE], why, since))
    if own:
        found.append((*_LOUD[own.severity], own.what, now - own.age_s))
    return min(found, key=lambda state: state[0], default=None)


def _worst(alerts: Iterable[AlertView]) -> AlertView | None:
    return min(alerts, key=lambda alert: _LOUD[alert.severity][0], default=None)
