"""Evenings of a journal: their bounds, records, coups step by step, statistics."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest

from table_controller.engine.messages import Audience
from table_controller.engine.table.events import CardOpened
from table_controller.rules.chances import unlikely
from table_controller.rules.punto_banco.house import House as PuntoBancoHouse
from table_controller.service import paper
from table_controller.service.playback import OtherRules
from table_controller.service.statistics import compared
from table_controller.wiring import config, games
from table_controller.wiring.past import JournalChronicle
from tests.whole import past
from tests.whole.past import A_DAY, HOUSES, KEYS

NOT_SETTLED = ("annulled", "not played to an end", "in play")
any_house = pytest.mark.parametrize("house", HOUSES)


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """An evening of each house, and what tells of it; made once."""
    made = {}

    def of(house):
        if house not in made:
            one = past.played(house)
            file = tmp_path_factory.mktemp("past") / f"{house}.db"
            made[house] = one, past.kept(file, one.house, one.said)
        return made[house]

    return of


def settled(played):
    """The events that settled a coup or a deal, in order."""
    events = (event for moment in played.moments for event in moment.events)
    return [event for event in events if getattr(event, "SETTLES", False)]


@any_house
def test_the_record_has_every_coup_that_the_engine_settled(evening, house):
    played, journal = evening(house)
    coups = [timed.coup for timed in journal.record(1).coups]

    ended = [coup for coup in coups if str(coup.text) not in NOT_SETTLED]

    assert len(ended) == len(settled(played)) >= 15


@pytest.mark.parametrize("house", ["zoppot-1934", "nemzeti-1907"])
def test_what_the_house_took_is_what_the_engine_took(evening, house):
    """R-8, R-16: the tray's cagnotte and the record's, from two sides."""
    played, journal = evening(house)

    assert journal.record(1).sums["house"] == played.moments[-1].table.felt.cagnotte > 0


def test_at_punto_banco_the_house_won_what_lies_in_its_tray(evening):
    """PB-10: what the house won over the evening is what the tray has more."""
    played, journal = evening("punto-banco")
    collected = sum(event.lost - event.paid for event in settled(played))

    assert journal.record(1).sums["house"] == collected


@pytest.mark.parametrize("commission", ["at_once", "boxes"])
def test_at_punto_banco_each_coup_and_the_evening_add_up(tmp_path, commission):
    """PB-9, PB-10: what was staked less what went back is what the house won, commission and all.

    Commission in a box is the house's already, since the player owes it.
    """
    shipped = config.house("punto-banco")
    assert isinstance(shipped, PuntoBancoHouse)
    house = replace(shipped, commission=commission)
    played = past.played(house, coups=40)
    record = past.kept(tmp_path / "sums.db", house, played.said).record(1)
    told = [event for event in settled(played) if event.staked]
    boxed = sum(event.commission for event in told) if commission == "boxes" else 0

    for timed in record.coups:
        each = {one.name: one.value for one in timed.coup.figures}
        assert not each or each["staked"] - each["returned"] == each["house"]
    assert record.sums == {
        "staked": sum(event.lost + event.back + event.stays for event in told),
        "returned": sum(event.back + event.stays + event.paid for event in told) - boxed,
        "house": sum(event.lost - event.paid for event in told) + boxed,
        "commission": sum(event.commission for event in told),
    }
    assert record.sums["commission"] > 0


@pytest.mark.parametrize("house", ["zoppot-1934", "nemzeti-1907"])
def test_at_chemin_de_fer_each_pot_adds_up(evening, house):
    """R-8, R-16: the stakes go to the pot, less the cagnotte, or they are paid from it."""
    played, journal = evening(house)
    coups = [timed.coup for timed in journal.record(1).coups if timed.coup.figures]

    for coup, event in zip(coups, settled(played), strict=True):
        each = {one.name: one.value for one in (*coup.figures, *coup.beside)}
        to_the_pot = {"bank": each["staked"] - each["house"], "pointeur": -each["staked"]}
        assert each["pot"] + to_the_pot.get(event.winner, 0) == each["pot_after"] == event.pot_after


@any_house
def test_times_and_inputs_of_coups_follow_each_other(evening, house):
    _, journal = evening(house)
    coups = journal.record(1).coups

    for before, after in pairwise(coups):
        assert before.first <= before.last < after.first
        assert before.began_ms <= after.began_ms
    assert all(one.cards_s is None or one.cards_s >= 0 for one in coups)
    assert all(one.stakes_s is None or one.stakes_s >= 0 for one in coups)


def test_a_day_without_a_card_ends_an_evening(tmp_path):
    """Who sits down, and what was loaded, before the first card is of the evening that begins."""
    one = past.played("zoppot-1934", coups=12)
    half = len(one.said) // 2
    said = one.said[:half] + [(t_ms + A_DAY, said) for t_ms, said in one.said[half:]]

    found = past.kept(tmp_path / "two.db", one.house, said).evenings()

    assert [evening.number for evening in found] == [1, 2]
    assert (found[0].first, found[0].last, found[1].first) == (1, half, half + 1)
    assert found[1].last == len(said)
    assert sum(evening.cards for evening in found) == sum(
        event.__struct_config__.tag == "card_drawn" for m in one.moments for event in m.events
    )


def test_evenings_are_found_while_the_journal_grows(tmp_path):
    one = past.played("zoppot-1934", coups=8)
    path = tmp_path / "grown.db"
    past.kept(path, one.house, one.said[:60])
    journal = JournalChronicle(path, KEYS, games.game(one.house.game), one.house)
    first = journal.evenings()

    grown = past.kept(path, one.house, one.said[60:]).evenings()

    assert journal.evenings() == grown != first


def test_an_empty_journal_has_no_evening(tmp_path):
    journal = past.kept(tmp_path / "empty.db", past.played("zoppot-1934", coups=1).house, ())

    assert journal.evenings() == ()
    assert journal.record(1) is None
    assert journal.compared() == ()


@any_house
def test_a_coup_played_back_ends_as_it_was_settled(evening, house):
    """Every picture is the public one of that moment, the engine's own."""
    played, journal = evening(house)
    game, record = journal._game, journal.record(1)

    for timed in record.coups[3], record.coups[-1]:
        shown = journal.moments(timed)
        then = [moment.table for moment in played.moments[timed.first - 1 : timed.last]]
        pictures = [game.snapshot(table, Audience.PUBLIC) for table in then]

        assert [frame.picture for frame in shown] == pictures


def test_who_said_what_holds_no_card_that_was_seen_or_typed(evening):
    _, journal = evening("zoppot-1934")
    said = [one.said for timed in journal.record(1).coups for one in journal.moments(timed)]

    assert {one.actor for one in said if one.line} <= {"croupier", "clock"}
    assert any("banco" in one.line for one in said)
    assert not any("card" in one.line for one in said)


def test_a_coup_of_another_house_is_told_but_not_shown(evening):
    """With another cagnotte the money of then would lie elsewhere: it is not told anew."""
    played, journal = evening("zoppot-1934")
    other = replace(played.house, cagnotte_bp=900)
    changed = JournalChronicle(journal._journal, KEYS, journal._game, other)
    record = changed.record(1)

    with pytest.raises(OtherRules, match="recall"):
        changed.moments(record.coups[-1])
    assert [t.coup.text for t in record.coups] == [t.coup.text for t in journal.record(1).coups]


def test_cards_that_stayed_closed_are_told_once_the_schlitten_is_closed(tmp_path):
    """R-35: before that, no record knows them."""
    one = past.played("ecarte-german", coups=6)
    record = past.kept(tmp_path / "closed.db", one.house, one.said).record(1)
    told = [event for m in one.moments for event in m.events if isinstance(event, CardOpened)]
    revealed = {event.card for event in told if event.seat == 0}

    later = [card for timed in record.coups for card in timed.later]

    assert later
    assert set(later) <= revealed
    first = next(at for at, moment in enumerate(one.moments) if settles(moment))
    before = past.kept(tmp_path / "open.db", one.house, one.said[: first + 1]).record(1)
    assert [timed.later for timed in before.coups] == [()]


@any_house
def test_the_coup_that_is_being_played_is_said_to_be_in_play(evening, tmp_path, house):
    """Until a later evening begins: then it was not played to its end."""
    played, _ = evening(house)
    ends = [at for at, moment in enumerate(played.moments) if settles(moment)]
    drawn = ("turned_up",) if house.startswith("ecarte") else ("card_drawn",)
    begun = next(
        at
        for at, moment in enumerate(played.moments)
        if at > ends[5] and any(event.__struct_config__.tag in drawn for event in moment.events)
    )

    now = past.kept(tmp_path / "now.db", played.house, played.said[: begun + 1]).record(1)

    last = now.coups[-1].coup
    assert (last.last, str(last.text), last.winner) == (-1, "in play", "")
    assert not any(str(timed.coup.text) == "in play" for timed in now.coups[:-1])


def test_a_coup_of_an_evening_that_is_over_was_not_played_to_its_end(tmp_path):
    one = past.played("zoppot-1934", coups=12)
    begun = next(at for at, m in enumerate(one.moments) if at > 100 and drawn(m))
    later = next(at for at, m in enumerate(one.moments) if at > begun and drawn(m))
    said = one.said[: begun + 1] + [(t + A_DAY, said) for t, said in one.said[begun + 1 : later]]
    said += [(t + A_DAY, said) for t, said in one.said[later : later + 1]]

    chronicle = past.kept(tmp_path / "over.db", one.house, said)

    assert len(chronicle.evenings()) == 2
    assert str(chronicle.record(1).coups[-1].coup.text) == "not played to an end"


def drawn(moment):
    """Whether a card was drawn at this moment."""
    return any(event.__struct_config__.tag == "card_drawn" for event in moment.events)


def settles(moment):
    """Whether this moment ended a coup or a deal."""
    return any(getattr(event, "SETTLES", False) for event in moment.events)


@any_house
def test_rows_of_all_three_kinds_hold_the_same(evening, house):
    _, journal = evening(house)
    record = journal.record(1)
    rows = paper.rows(record)

    read = list(csv.DictReader(io.StringIO(paper.as_csv(record).decode())))
    told = msgspec.json.decode(paper.as_json(record))

    assert len(rows) == len(record.coups)
    assert told["coups"] == rows
    assert told["sums"] == record.sums
    assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows] == read


def test_parquet_keeps_the_types(evening):
    why = "pyarrow is an extra: schlitten[parquet]"
    parquet = pytest.importorskip("pyarrow.parquet", reason=why)
    _, journal = evening("zoppot-1934")
    record = journal.record(1)

    table = parquet.read_table(io.BytesIO(paper.as_parquet(record)))

    assert table.to_pylist() == paper.rows(record)
    assert str(table.schema.field("staked").type) == "int64"


@any_house
def test_statistics_compare_every_chance_with_what_came(evening, house):
    played, journal = evening(house)
    came = {one.name: one for one in journal.compared()}
    expected = {one.name: one.chance for one in journal._game.expected(played.house)}

    assert came.keys() == expected.keys()
    for name, one in came.items():
        alone = unlikely(one.hits, one.trials, expected[name])
        assert one.rare == min(1, alone * len(expected))
        assert one.awaited == pytest.approx(one.trials * expected[name])


def test_a_stacked_box_is_remarked():
    """A count as far off as eight packs of aces would make it, among all that is compared."""
    honest = {"banker": (459, 1000), "rank_1": (308, 4000)}
    stacked = {"banker": (459, 1000), "rank_1": (600, 4000)}
    house = config.house("punto-banco")
    expected = list(games.game(house.game).expected(house))

    assert not any(one.remarked for one in compared(honest, expected))
    assert [one.name for one in compared(stacked, expected) if one.remarked] == ["rank_1"]
