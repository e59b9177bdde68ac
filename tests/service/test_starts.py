"""Every start of the service is journaled first. Promises, names and chain depend on it (R-13)."""

import hashlib
import shutil
import sqlite3

import pytest

from table_controller.engine.messages import Booted, CardSeen
from table_controller.rules.cards import PACK, Card
from table_controller.service.errors import BadInput
from table_controller.service.verify import verify
from tests.service import evenings
from tests.service.counting import Add, Show


def copied(tmp_path, name):
    """The journal as a plain copy of its file, taken while nobody writes."""
    shutil.copyfile(tmp_path / "table.db", tmp_path / name)
    (tmp_path / name).chmod(0o600)
    return evenings.open_journal(tmp_path / name)


def evening(journal, cards):
    """Start, draw these cards, open the first; all that is told."""
    table = evenings.start(journal)
    told = list(table.take(CardSeen(card=Card(cards[0])), 1))
    told += table.take(Show(), 2)
    for card in cards[1:]:
        told += table.take(CardSeen(card=Card(card)), 3)
    journal.close()
    return told


def test_two_starts_from_one_copy_name_no_closed_card_and_no_event_twice(tmp_path):
    """R-13: what the one opens proves nothing of what the other keeps closed."""
    first = evenings.open_journal(tmp_path / "table.db")
    evenings.start(first).take(Add(chips=1), 0)
    first.close()
    second = copied(tmp_path, "copy.db")

    told = evening(evenings.open_journal(tmp_path / "table.db"), ["7h", "Kd"])
    told += evening(second, ["Kd", "7h"])
    nonces = {event.nonce for event, _ in told if event.__struct_config__.tag == "card_opened"}
    promised = [e.commitment for e, _ in told if e.__struct_config__.tag == "card_drawn"]
    named = {
        hashlib.sha256(bytes.fromhex(nonce) + card.encode()).hexdigest()
        for nonce in nonces
        for card in PACK
    }
    ids = [row.event_id for _, row in told]

    assert len(nonces) == 2
    assert len([promise for promise in promised if promise in named]) == 2  # those that are open
    assert len(set(ids)) == len(ids)


def test_a_start_is_one_row_with_its_input(tmp_path):
    """One transaction: no start without its input, and no input without its start."""
    journal = evenings.open_journal(tmp_path / "table.db")
    evenings.start(journal)
    journal.close()
    db = sqlite3.connect(tmp_path / "table.db")

    (boot, after) = db.execute("SELECT id, after FROM boots").fetchone()
    (body,) = db.execute("SELECT body FROM inputs WHERE n = 1").fetchone()

    assert (boot, after) == (journal.boot, 0)
    assert len(boot) == 32
    assert body.startswith(b'{"type":"booted","boot":"%s","code":"1"' % boot.encode())
    db.close()


def test_only_the_service_says_that_it_started(open_table):
    """Whoever could say it could repeat a start, and with it the nonces."""
    table = open_table()

    for said in (Booted(boot="00"), {"type": "booted", "boot": "00"}, b'{"type":"booted"}'):
        with pytest.raises(BadInput, match="allowed are"):
            table.say(said)


def test_the_names_of_the_messages_are_in_the_public_chain(tmp_path):
    """What a row was told as: its id, its table, its kind; rows of before have none of them."""
    path = tmp_path / "table.db"
    journal = evenings.open_journal(path)
    old = evenings.serve(journal).take(Add(chips=1), 1)[0].row
    head = bytes(32) + (1).to_bytes(8) + (1).to_bytes(8) + old.body
    assert journal.anchor().head == hashlib.sha256(head).hexdigest()
    before = bytes.fromhex(journal.anchor().head)

    row = evenings.start(journal).take(Add(chips=1), 2)[0].row
    told = f"{row.event_id} /schlitten/2/house/table-1 schlitten.counted".encode()
    bound = len(told).to_bytes(4) + told + row.body
    link = hashlib.sha256(before + (2).to_bytes(8) + (2).to_bytes(8) + bound)

    assert (old.event_id, old.source) == (f"{journal.header.journal}-public-1", "")
    assert row.event_id == f"{journal.header.journal}-{journal.boot[:16]}-public-2"
    assert row.source == "/schlitten/2/house/table-1"
    assert journal.anchor().head == link.hexdigest()
    assert [again.event_id for again in journal.unsent(9)][::2] == [old.event_id, row.event_id]
    journal.close()
    assert verify(path, evenings.KEYS).holds
