"""Evenings of the counting game, by hypothesis or from a seed; and the content of a journal."""

import random
import sqlite3

from hypothesis import strategies as st

from table_controller.engine.messages import Booted, CardNamed, CardSeen
from table_controller.rules.cards import PACK
from table_controller.service.journal import Journal
from table_controller.service.recovery import recover
from table_controller.service.sealing import Keys
from table_controller.service.table import Table
from tests.service import counting
from tests.service.counting import Add, Boom, Close, Show

KEYS = Keys.derive(b"m" * 32)

cards = st.sampled_from(PACK)
inputs = st.one_of(
    st.builds(Add, chips=st.integers(0, 200), actor=st.text(max_size=5)),
    st.builds(CardSeen, card=st.none() | cards, copy=st.integers(0, 6)),
    st.builds(CardNamed, card=cards, actor=st.just("page")),
    st.builds(Show),
    st.builds(Close),
    st.builds(Boom),
)


def evening(seed, count):
    """Return `count` inputs of a seeded evening."""
    luck = random.Random(seed)
    kinds = [
        lambda: Add(chips=luck.randrange(120)),
        lambda: CardSeen(card=luck.choice(PACK), actor="lip"),
        lambda: CardNamed(card=luck.choice(PACK)),
        Show,
        Close,
    ]
    return [luck.choices(kinds, [6, 6, 1, 2, 1])[0]() for _ in range(count)]


def open_journal(path, keys=KEYS, **settings):
    """Open the journal of a counting table."""
    settings = {"game": "counting", "house": "here", "code": "1"} | settings
    return Journal.open(path, keys, **settings)


def serve(journal):
    """Return a table over a journal, recovered."""
    state = recover(journal.archive, counting, counting.begin).state
    return Table(counting, state, journal, clock=lambda: 0)


def booted(journal, code="1"):
    """What the service says first of all."""
    source = "/schlitten/2/house/table-1"
    return Booted(
        actor="service", boot=journal.boot, code=code, source=source, stream=journal.stream
    )


def start(journal, code="1"):
    """Serve it as the service does: the start is its first input."""
    table = serve(journal)
    table.take(booted(journal, code), 0)
    return table


def content(path):
    """Return everything a journal holds, as stored."""
    db = sqlite3.connect(path)
    try:
        tables = ["meta", "inputs", "events", "saves"]
        return {
            table: db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in tables
        }
    finally:
        db.close()
