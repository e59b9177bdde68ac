"""The roads as screens get them, the counters, and the quiet notice to the staff."""

import re

import msgspec

from table_controller.engine.messages import Audience, CardSeen
from table_controller.engine.pieces import Ask, Entry, Road
from table_controller.engine.punto_banco import inputs as i
from table_controller.engine.punto_banco.state import Announced
from table_controller.engine.punto_banco.step import step
from table_controller.engine.punto_banco.view import figures, notes, roads, snapshot
from table_controller.rules.cards import PACK, hand
from table_controller.rules.punto_banco.irregularities import Shuffle
from table_controller.rules.punto_banco.results import read
from tests.engine.punto_banco import playing

BUSY = Shuffle(8, 402, 3000)


def road(results: str, name: str) -> Road:
    return next(each for each in roads(read(results)) if each.name == name)


def signs(found: Road) -> list[str]:
    return [f"{found.key[each.sign].sign}{found.key[each.sign].tone}" for each in found.entries]


def test_the_five_roads_in_their_order():
    """PB-30 to PB-34: each with the rule behind it."""
    assert [(each.name, each.rule) for each in roads(())] == [
        ("bead", "PB-30"),
        ("big", "PB-31"),
        ("eye", "PB-33"),
        ("small", "PB-33"),
        ("cockroach", "PB-33"),
    ]
    assert all(each.rows == 6 and not each.entries for each in roads(()))


def test_the_bead_plate_and_the_big_road_as_drawn():
    """PB-30, PB-31: Banker red, Player blue, a tie green; Banker's pair top left."""
    bead, big = road("BbTPpn", "bead"), road("BbTPpn", "big")

    assert signs(bead) == ["Bred", "Tgreen", "Pblue"]
    assert signs(big) == ["○red", "○blue"]
    assert big.entries == (
        Entry(0, 0, 0, count=1, top_left=True),
        Entry(0, 1, 1, bottom_right=True),
    )


def test_a_derived_road_and_what_it_would_get_next():
    """PB-33, PB-34: by hand; on B P P another P is neither equal nor one longer."""
    eye = road("BPP", "eye")

    assert signs(eye) == ["○blue"]
    assert [(ask.label.text, ask.tone) for ask in eye.ask] == [
        ("Player", "blue"),
        ("Banker", "red"),
    ]
    assert [ask.sign and eye.key[ask.sign].tone for ask in eye.ask] == [0, "blue"]
    assert [ask.sign for ask in road("BPP", "cockroach").ask] == [None, None]
    assert signs(road("BPBPBP", "small")) == ["●red", "●red", "●red"]
    assert signs(road("BPBPBP", "cockroach")) == ["╱red", "╱red"]


def test_the_counters_stand_below_the_bead_plate():
    """How often each came, by hand."""
    told = {each.name: each.value for each in road("BBbPnTpbTPpn", "bead").figures}

    assert told == {
        "coups": 6,
        "player": 2,
        "banker": 2,
        "ties": 2,
        "player_pairs": 2,
        "banker_pairs": 2,
        "naturals": 2,
    }
    assert [each.value for each in figures(())] == [0] * 7


def test_a_whole_schlitten_is_small_on_the_wire():
    """Some eighty coups: five roads of them in a few kilobytes."""
    sent = msgspec.json.encode(roads(read("BBPTPBPPPB" * 8)))

    assert len(sent) < 12_000
    assert msgspec.json.decode(sent, type=tuple[Road, ...]) == roads(read("BBPTPBPPPB" * 8))
    assert isinstance(road("BPP", "eye").ask[0], Ask)


def test_a_quiet_notice_tells_what_was_seen_and_its_odds():
    """PR-4: one sentence, of the rarest thing; nobody is accused."""
    (note,) = notes(PACK[:13], (), BUSY)

    assert re.match(r"13 cards of one suit.* 1000000 years", str(note.text))
    assert note.rule == "PR-4"


def test_of_an_honest_schlitten_nothing_is_told():
    """PR-4: four of a rank in a row come every week."""
    assert notes(hand("7h 7s 7c 7d 2h 9s"), hand("7h 7s 7c 7d"), BUSY) == ()


def test_a_table_remarks_between_two_coups_to_the_staff_only():
    """PR-4: new packs, as they lie; silent within a coup, and to the public always."""
    table = playing.table(playing.house(bets=False))
    for card in PACK[:6] + PACK[:9]:
        table, _ = step(table, CardSeen(card=card))
        if isinstance(table.phase, Announced):
            table, _ = step(table, i.Agrees())

    assert len(table.past) == 3
    told = snapshot(table, Audience.CROUPIER).notes
    assert [note.rule for note in told] == ["PR-4"]
    assert snapshot(table, Audience.PUBLIC).notes == ()
    assert [each.name for each in snapshot(table, Audience.PUBLIC).roads][:2] == ["bead", "big"]
    table, _ = step(table, CardSeen(card=PACK[20]))
    assert snapshot(table, Audience.CROUPIER).notes == ()


def test_a_card_that_is_kept_is_a_note_with_the_rule_of_this_game():
    """PB-21: it opens the next coup. The rule beside the note is not another game's."""
    now = playing.played(
        playing.table(),
        "seat 1 bets 100 on player",
        *("card 4h", "card Kd", "card 5h", "card 2d", "card 6d"),
        "stray kept because nobody saw it",
    )

    assert [(str(note.text), note.rule) for note in snapshot(now, Audience.CROUPIER).notes] == [
        ("Kept for the next deal: 1.", "PB-21"),
    ]
