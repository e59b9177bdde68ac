"""Every report equals what is computed from the tables' own journals, by other code than ours.

The journals are real files, of evenings of three games with accidents and rulings; this file reads
them with SQL and JSON alone.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections import Counter, defaultdict
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from msgspec import structs, to_builtins

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.floor.page import reader
from table_controller.engine.messages import (
    AlertAcknowledged,
    Audience,
    DeviceBack,
    DeviceLost,
)
from table_controller.engine.table.inputs import CroupierChanged, Ruled, Transfers
from table_controller.floor.files import written
from table_controller.floor.inbox import ToldRow
from table_controller.floor.past import FloorPast
from table_controller.floor.reports import (
    Period,
    counts,
    integrity,
    ready,
    report,
    responses,
    unlikely,
)
from table_controller.floor.schema import houses
from table_controller.floor.store import Ledger, Page, Store
from table_controller.service.archive import Archive
from table_controller.service.statistics import compared
from table_controller.wiring import config, games
from tests.whole import past
from tests.whole.past import A_DAY, SIX

HOUSES = ("zoppot-1934", "punto-banco", "ecarte-german")


@pytest.fixture(scope="session")
def journals(tmp_path_factory):
    """Three journals of two evenings each: of each house, its file and its game."""
    folder, found = tmp_path_factory.mktemp("journals"), {}
    for number, house in enumerate(HOUSES, 1):
        played = past.played(house, seed=number, coups=24, faults="unread,stray")
        past.kept(folder / f"{house}.db", played.house, said(played))
        found[house] = folder / f"{house}.db", played.house.game
    return found


@pytest.fixture(scope="module")
def floor(journals, shared_url):
    """A floor that was told the events of these journals."""
    store, files = Store(shared_url), {}
    ledger = Ledger(store, lambda: 0)
    for number, (house, (file, game)) in enumerate(journals.items(), 1):
        at = TableId("casino", f"t{number}")
        files[f"casino/t{number}"] = file
        tell(ledger, at, file)
        with store.engine.begin() as db:
            id_ = store.table_id(db, at)
            db.execute(houses.insert().values(table_id=id_, house=house, game=game))
    ready(store, FloorPast(store, reader))
    yield SimpleNamespace(store=store, journals=files, past=FloorPast(store, reader))
    store.close()


def said(played):
    """Two evenings, each led by another, with a pause; at the end alerts, rulings, a refusal."""
    over = [
        at
        for at, moment in enumerate(played.moments)
        for event in moment.events
        if event.__struct_config__.tag in ("coup_paid", "deal_ended")
    ]
    pause, night = over[len(over) // 4], over[len(over) // 2]
    made = [
        (t_ms + 900_000 * (at > pause) + A_DAY * (at > night), one)
        for at, (t_ms, one) in enumerate(played.said)
    ]
    made.insert(night + 1, (made[night][0] + 1, CroupierChanged(actor="c", name="Béla")))
    made.insert(0, (made[0][0] - 1, CroupierChanged(actor="c", name="Anna")))
    end = made[-1][0]
    lost = DeviceLost(actor="s", device="camera", why="x")
    back = DeviceBack(actor="s", device="camera")
    return [
        *made,
        (end + 5_000, lost),
        (end + 9_500, AlertAcknowledged(actor="croupier", alert="device-camera")),
        (end + 20_000, back), (end + 21_000, lost), (end + 29_000, back),
        (end + 30_000, Ruled(actor="s", reason="Cards were shown early.")),
        (end + 31_000, Ruled(actor="s", reason="=cmd")),
        (end + 32_000, Transfers(actor="s", seat=99, to=98, chips=5, reason="nobody")),
    ]  # fmt: skip


def tell(ledger, at, file):
    """What the table would answer to `replay`."""
    archive = Archive.read(file)
    boot = archive.boots()[0]
    rows = defaultdict(list)
    for row in archive.events():
        if row.audience != Audience.SEALED and row.body:
            told = boot.told(row)
            rows[row.audience].append(
                ToldRow(
                    row.audience, row.seq, row.t_ms, told.event_id, at.source, row.type, row.body,
                    rows[row.audience][-1].id if rows[row.audience] else "",
                )
            )  # fmt: skip
    archive.close()
    for audience, some in rows.items():
        ledger.take([(at, Page(audience, tuple(some)))])


def events(file):
    """Public and staff events of a journal, in the order of their ids: (t_ms, fields)."""
    with sqlite3.connect(file) as db:
        for t_ms, audience, body in db.execute(
            "SELECT t_ms, audience, body FROM events ORDER BY id"
        ):
            if audience in ("public", "croupier") and body:
                yield t_ms, audience, json.loads(body)


def p50(values):
    some = sorted(values)
    if not some:
        return None
    half = len(some) // 2
    return round(some[half] if len(some) % 2 else (some[half - 1] + some[half]) / 2, 1)


def p90(values):
    some = sorted(values)
    return round(some[int(0.9 * (len(some) - 1))], 1) if some else None


def by_hand(file):
    """The figures of a table from its journal."""
    made = Counter()
    stakes, play, pay, ends = [], [], [], []
    took, raised = [], {}
    begun = dealt = cards = settled = None
    open_ms = idle_ms = 0
    last_end = None
    for t_ms, audience, said in events(file):
        kind = said["type"]
        made["refusals"] += kind == "refused"
        made["misreads"] += kind == "card_unread"
        made["alerts"] += kind == "alert_raised"
        made["rulings"] += kind in (
            "coup_annulled", "deal_annulled", "card_corrected", "withdrawn", "result_changed",
            "result_reopened", "schlitten_withdrawn", "moved", "ruling_noted", "mishap_ruled",
            "card_removed", "misdeal", "rule_called", "faux_tirage", "claim_failed", "revoke_found",
        )  # fmt: skip
        made["corrections"] += kind in (
            "card_corrected", "withdrawn", "result_changed", "result_reopened", "moved",
        )  # fmt: skip
        if kind == "alert_raised":
            raised[said["id"]] = t_ms
        if kind in ("alert_seen", "alert_cleared") and said["id"] in raised:
            took.append((t_ms - raised.pop(said["id"])) / 1000)
        if audience != "public":
            continue
        if kind == "schlitten_ready":
            begun, dealt, cards, settled = t_ms, None, 0, None
        elif kind == "card_drawn":
            dealt, cards = dealt or t_ms, (cards or 0) + 1
        elif kind in ("coup_settled", "deal_ended", "coup_annulled", "deal_annulled"):
            annulled = kind.endswith("annulled")
            first = dealt or t_ms
            made["annulled" if annulled else "coups"] += 1
            made["cards"] += cards or 0
            if not annulled:
                made["staked"] += said.get("staked", 0)
                made["taken"] += said.get("cagnotte", 0) + said.get("commission", 0)
                stakes.append((first - (begun or t_ms)) / 1000)
                play.append((t_ms - first) / 1000)
            ends.append([first, t_ms, None if annulled else "open"])
            begun, dealt, cards, settled = t_ms, None, 0, None if annulled else t_ms
        elif kind == "coup_paid" and settled:
            pay.append((t_ms - settled) / 1000)
            ends[-1][1] = begun = t_ms
            settled = None
    for first, end, _ in ends:
        pause = first - last_end if last_end is not None else 5 * 3_600_000
        pause = 0 if pause >= 5 * 3_600_000 else pause
        open_ms += pause + end - first
        idle_ms += pause if pause >= 600_000 else 0
        last_end = end
    short = [[s for s in some if 0 <= s < 600] for some in (stakes, play, pay)]
    busy = (open_ms - idle_ms) / 3_600_000
    return dict(made) | {
        "open_hours": round(open_ms / 3_600_000, 3),
        "idle_hours": round(idle_ms / 3_600_000, 3),
        "coups_an_hour": round(made["coups"] / busy, 1),
        "stakes_p50_s": p50(short[0]), "stakes_p90_s": p90(short[0]),
        "play_p50_s": p50(short[1]), "play_p90_s": p90(short[1]),
        "pay_p50_s": p50(short[2]), "pay_p90_s": p90(short[2]),
        "misreads_of_10_000": round(10_000 * made["misreads"] / made["cards"], 1),
        "alerts_p50_s": p50(took),
    }  # fmt: skip


def test_the_figures_are_those_of_the_journals(floor):
    found = {line.of: to_builtins(line) for line in report(floor.store)}

    assert found.keys() == floor.journals.keys()
    for at, file in floor.journals.items():
        wanted = by_hand(file)
        assert {name: found[at][name] for name in wanted} == wanted
        assert wanted["coups"] >= 20
        assert wanted["rulings"] >= 2
        assert wanted["refusals"] >= 1
        assert wanted["idle_hours"] >= 0.25
    assert sum(by_hand(file)["misreads"] for file in floor.journals.values()) >= 3


def test_hours_and_croupiers_add_up_to_the_tables(floor):
    """Another grouping of the same rows: nothing is lost, nothing twice."""
    tables = report(floor.store)
    for by in ("hour", "croupier"):
        others = report(floor.store, by)
        for name in ("coups", "annulled", "cards", "staked", "taken", "misreads", "rulings",
                     "refusals", "alerts"):  # fmt: skip
            wanted = sum(getattr(line, name) for line in tables)
            assert sum(getattr(line, name) for line in others) == wanted


def test_each_croupier_has_the_coups_that_he_led(floor):
    led = Counter()
    for file in floor.journals.values():
        croupier = ""
        for _, _, said in events(file):
            croupier = said["name"] if said["type"] == "staff_changed" else croupier
            led[croupier] += said["type"] in ("coup_settled", "deal_ended")

    found = {line.of: line.coups for line in report(floor.store, "croupier") if line.coups}
    assert found == {name: many for name, many in led.items() if many}
    assert found.keys() == {"Anna", "Béla"}


def test_each_hour_has_the_coups_that_were_decided_in_it(floor):
    hours = Counter()
    for file in floor.journals.values():
        for t_ms, _, said in events(file):
            if said["type"] in ("coup_settled", "deal_ended"):
                hours[f"{datetime.fromtimestamp(t_ms / 1000, UTC):%H}:00"] += 1

    assert {line.of: line.coups for line in report(floor.store, "hour") if line.coups} == hours


def test_a_period_counts_its_days_only(floor):
    one = report(floor.store, period=Period(until_ms=SIX + A_DAY // 2))
    two = report(floor.store, period=Period(since_ms=SIX + A_DAY // 2))
    whole = report(floor.store)

    assert [a.coups + b.coups for a, b in zip(one, two, strict=True)] == [w.coups for w in whole]
    assert all(line.coups for line in [*one, *two])
    assert report(floor.store, period=Period(site="elsewhere")) == []


def test_misreads_rulings_and_refusals_are_counted_by_reason(floor):
    wanted, cards = Counter(), Counter()
    for at, file in floor.journals.items():
        for _, _, said in events(file):
            match said["type"]:
                case "card_unread":
                    wanted[at, "misread", said["reason"], ""] += 1
                case "refused":
                    wanted[at, "refusal", said["said"].split(" ")[0], said.get("rule", "")] += 1
                case "coup_annulled" | "moved" | "ruling_noted" | "mishap_ruled" as kind:
                    wanted[at, "ruling", kind, said["reason"]] += 1
                case "deal_annulled" | "rule_called" as kind:
                    wanted[at, "ruling", kind, said["rule"]] += 1
                case "card_removed":
                    wanted[at, "ruling", "card_removed", said["ruling"]] += 1
                case "withdrawn":
                    wanted[at, "ruling", "withdrawn", said["said"]] += 1
                case (
                    "card_corrected" | "result_changed" | "result_reopened" | "misdeal"
                    | "faux_tirage" | "claim_failed" | "revoke_found" as kind
                ):  # fmt: skip
                    wanted[at, "ruling", kind, ""] += 1
        cards[at] = by_hand(file)["cards"]
    found = counts(floor.store)

    assert {(one.of, one.kind, one.what, one.why): one.times for one in found} == wanted
    for one in found:
        share = round(10_000 * one.times / cards[one.of], 1) if one.kind == "misread" else None
        assert one.of_10_000 == share


def test_answers_to_alerts_are_those_of_the_journal(floor):
    """The camera: 4.5 s until somebody pressed, then 8 s until it came back."""
    found = {(one.of, one.code): one for one in responses(floor.store)}

    for at in floor.journals:
        one = found[at, "device_lost"]
        assert (one.alerts, one.seen, one.still_open) == (2, 1, 0)
        assert (one.p50_s, one.p90_s, one.longest_s) == (6.2, 4.5, 8.0)


def test_what_is_kept_is_what_the_journal_has(floor):
    for at, file in floor.journals.items():
        with sqlite3.connect(file) as db:
            rows = dict(db.execute("SELECT audience, count(*) FROM events GROUP BY audience"))
            (head,) = db.execute(
                "SELECT link FROM events WHERE audience = 'public' ORDER BY id DESC LIMIT 1"
            ).fetchone()
        mine = [one for one in integrity(floor.store) if one.of == at]

        assert {one.audience: one.rows for one in mine} == {
            name: rows[name] for name in ("public", "croupier")
        }
        assert [(one.void, one.streams, one.faults) for one in mine] == [(0, 1, 0)] * 2
        assert next(one.head for one in mine if one.audience == "public") == head.hex()


def test_unlikely_schlitten_are_judged_among_all(floor):
    """By hand: each Schlitten's coups, counted by the game's own reader of a journal."""
    lines = unlikely(floor.store)

    many = lines[0].compared
    assert [line.rare for line in lines] == sorted(line.rare for line in lines)
    assert many >= len(lines) > 10
    for number, house in enumerate(HOUSES, 1):
        at = f"casino/t{number}"
        some = [said for _, audience, said in events(floor.journals[at]) if audience == "public"]
        starts = [n for n, said in enumerate(some) if said["type"] == "schlitten_ready"]
        found = config.house(house)
        door = games.game(found.game)
        first = some[starts[0] : starts[1] if len(starts) > 1 else None]
        hits, trials = Counter(), Counter()
        for coup in door.coups(first, found):
            for name, (came, times) in coup.saw.items():
                hits[name] += came
                trials[name] += times
        saw = {name: (hits[name], trials[name]) for name in trials}
        for one in compared(saw, door.expected(found)):
            mine = [
                line for line in lines
                if (line.of, line.shoe, line.what) == (at, some[starts[0]]["shoe"], one.label)
            ]  # fmt: skip
            if mine:
                assert (mine[0].came, mine[0].among) == (one.hits, one.trials)
                assert mine[0].rare == min(1.0, one.alone * many)


def test_an_evening_is_the_one_that_the_tables_own_page_tells(floor):
    """Coups, cards, rulings and the chain's end: the same from the floor as from the journal."""
    for number, house in enumerate(HOUSES, 1):
        at, found = TableId("casino", f"t{number}"), config.house(house)
        chronicle = past.JournalChronicle(
            floor.journals[f"casino/t{number}"], past.KEYS, games.game(found.game), found
        )
        theirs, ours = chronicle.evenings(), floor.past.evenings(at)
        assert len(ours) == len(theirs) == 2
        for evening in ours:
            his, (_, mine) = chronicle.record(evening.number), floor.past.record(at, evening.number)
            assert [one.coup.hands for one in mine.coups] == [one.coup.hands for one in his.coups]
            assert [one.coup.text for one in mine.coups] == [one.coup.text for one in his.coups]
            assert [(one.stakes_s, one.cards_s) for one in mine.coups] == [
                (one.stakes_s, one.cards_s) for one in his.coups
            ]
            assert [one.type for one in mine.rulings] == [one.type for one in his.rulings]
            assert mine.reading == his.reading
        assert mine.chain == his.chain


def test_a_file_has_the_same_lines(floor):
    lines = report(floor.store)
    rows = list(csv.DictReader(io.StringIO(written(lines, "csv").decode())))

    assert [row["of"] for row in rows] == [line.of for line in lines]
    assert [int(row["coups"]) for row in rows] == [line.coups for line in lines]
    assert json.loads(written(lines, "json")) == to_builtins(lines)
    assert written([], "csv") == b"\r\n"


def test_a_file_as_parquet_has_types(floor):
    why = "pyarrow is an extra: schlitten[parquet]"
    parquet = pytest.importorskip("pyarrow.parquet", reason=why)
    lines = report(floor.store)

    table = parquet.read_table(io.BytesIO(written(lines, "parquet")))

    assert table.to_pylist() == to_builtins(lines)


@pytest.mark.parametrize(
    "begins", ["=", "+", "-", "@", "\t=", "\n=", "\r=", " =", "＝", "＋", "＠"]
)
def test_no_cell_is_a_formula(floor, begins):
    line = structs.replace(report(floor.store)[0], of=f'{begins}HYPERLINK("http://evil")')

    row = next(csv.DictReader(io.StringIO(written([line], "csv").decode(), newline="")))
    assert row["of"] == f"'{line.of}"
