"""A saved table: the program reads what it wrote, even if an earlier version wrote it."""

from base64 import b64encode
from pathlib import Path

from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import BankDue, StakesDue, begin
from table_controller.engine.promises import SecretKey
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.wiring import config
from tests.engine import script
from tests.engine.playing import play, total

HOUSE = config.house("nemzeti-1907")
#: Written by the version of 2026-11-22, before the felt was a struct of its own.
BEFORE = Path(__file__).parent / "saved" / "before_the_felt.json"
#: Written by the version of the evening of that day.
WITH_PLAYERS = Path(__file__).parent / "saved" / "with_the_players.json"


def test_a_table_saved_before_the_felt_was_a_struct_is_read():
    """Seats, the standing, purses, the bank, the drawers, who leads and what is wrong."""
    begun = begin(HOUSE, SecretKey(b"today"))

    now = game.load(begun, BEFORE.read_bytes())

    seated = {n: (p.name, p.balance) for n, p in enumerate(now.felt.seats, 1) if p}
    assert isinstance(now.phase, NoSchlitten)
    assert seated == {1: ("Anna", 900), 3: ("Clara", 750), 5: ("Bert", 895)}
    assert [(who.name, who.balance) for who in now.felt.standing] == [("Eva", 260)]
    assert (now.bank.seat, now.bank.pot, now.bank.won) == (1, 186, 86)
    assert (now.felt.cagnotte, now.felt.tips, total(now)) == (4, 5, 3000)
    assert (now.felt.number, now.felt.coups, now.place, now.suivi) == (1, 1, 1, 3)
    assert [alert.id for alert in now.felt.alerts] == ["device-camera"]
    assert now.felt.croupier == "Georg"
    assert (now.house, now.felt.house, now.felt.key) == (HOUSE, HOUSE, SecretKey(b"today"))


def test_what_players_declared_and_owe_is_read_from_where_it_stood():
    """Until it was the game's own it stood with their names; another one sits at no place."""
    now = game.load(begin(HOUSE, SecretKey(b"today")), WITH_PLAYERS.read_bytes())

    assert now.by_schlitten == (3, 101)
    assert now.must_pass == ((5, 2),)
    assert game.load(begin(HOUSE, SecretKey(b"today")), game.save(now)) == now


def test_it_goes_on_from_there():
    """Who must let the bank pass, and who plays by the Schlitten, are remembered."""
    now = game.load(begin(HOUSE, SecretKey(b"today")), BEFORE.read_bytes())

    after = play(now, "schlitten red-2", "seat 1 passes", "sold", "seat 3 passes")
    told = script.show(game.step(after, script.parse("seat 5 passes"))[1])

    assert isinstance(play(now, "schlitten red-2").phase, StakesDue)
    assert isinstance(after.phase, BankDue)
    assert told == "Schlitten passes to seat 1"


def test_what_is_written_is_read_again():
    """The key is not written: who holds the journal could name closed cards."""
    begun = begin(HOUSE, SecretKey(b"a key"))
    sat = play(begun, "seat 1 sits 100 Anna", "seat 2 sits 100 Bert", "seat 1 by the schlitten")
    now = play(sat, "schlitten red-1", "schlitten closed")

    paper = game.save(now)

    kept = replace(now, undo=None)
    assert game.load(begun, paper) == kept
    assert game.load(begin(HOUSE, SecretKey(b"another")), paper) == replace(
        kept, felt=replace(kept.felt, key=SecretKey(b"another"))
    )
    assert b64encode(b"a key") not in paper
