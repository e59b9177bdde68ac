import sqlite3
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.engine.messages import (
    AgainstRules,
    Audience,
    CardSeen,
    Event,
    Refusal,
    phrase,
)
from table_controller.engine.promises import nonce
from table_controller.engine.shoe import Dealt
from table_controller.rules.cards import Card
from table_controller.service.errors import JournalDamaged, RecoveryError
from table_controller.service.recovery import play, recover
from table_controller.service.verify import verify
from tests.service import counting, evenings
from tests.service.counting import Add, Boom, CardOpened, Close, Show


@settings(max_examples=60)
@given(st.lists(evenings.inputs, max_size=25), st.sets(st.integers(0, 24), max_size=3))
def test_recovery_gives_the_live_state_whatever_happened(inputs, restarts):
    """Any evening, restarted anywhere: same state, no gaps in `seq`, chains that hold."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.db"
        journal = evenings.open_journal(path, durable=False)
        table = evenings.serve(journal)
        for n, said in enumerate(inputs):
            if n in restarts:
                journal.close()
                journal = evenings.open_journal(path, durable=False)
                live, table = table.state, evenings.serve(journal)
                assert table.state == live
            table.take(said, n)

        again = recover(journal.archive, counting, counting.begin)
        whole = recover(journal.archive, counting, counting.begin, whole=True)
        rows = list(journal.archive.events())
        journal.close()
        verdict = verify(path, evenings.KEYS)

    assert again.state == whole.state == table.state
    assert verdict.holds, str(verdict)
    for audience in Audience:
        seqs = [row.seq for row in rows if row.audience == audience]
        assert seqs == list(range(1, len(seqs) + 1))


@settings(max_examples=40)
@given(st.lists(evenings.inputs, max_size=15), evenings.cards)
def test_a_closed_card_is_nowhere_in_the_files(inputs, card):
    """Not in the journal, its log or its index; nor who read it."""
    closed = [said for said in inputs if not isinstance(said, Close | counting.Show)]
    with tempfile.TemporaryDirectory() as folder:
        journal = evenings.open_journal(Path(folder) / "table.db", durable=False)
        table = evenings.serve(journal)
        for said in [*closed, CardSeen(card=card, actor="seen-by-the-lip-only")]:
            table.take(said, 1)
        raw = b"".join(file.read_bytes() for file in Path(folder).iterdir())
        journal.close()
        raw += (Path(folder) / "table.db").read_bytes()

    assert b'"card":' not in raw  # the field: an actor may be called so
    assert b"seen-by-the-lip-only" not in raw
    assert b"card_drawn" in raw


def test_recovery_starts_at_the_last_closed_schlitten(open_journal):
    """What was before is not replayed."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=5), Close(), Add(chips=6), Close(), Add(chips=7)]:
        table.take(said, 1)

    recovered = recover(journal.archive, counting, counting.begin)

    assert (recovered.since, recovered.replayed) == (4, 1)
    assert recovered.state == table.state


def test_older_evenings_do_not_hang_on_todays_rules(open_journal, monkeypatch):
    """A rule that changed since is no hindrance, once its Schlitten is closed."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=99), Close(), Add(chips=7)]:
        table.take(said, 1)
    step = counting.step

    def stricter(state, said):
        return step(state, Add(chips=101) if said == Add(chips=99) else said)

    monkeypatch.setattr(counting, "step", stricter)

    assert recover(journal.archive, counting, counting.begin).state == table.state
    with pytest.raises(RecoveryError, match=r"input 1 \(add chips=99\), played again, tells"):
        recover(journal.archive, counting, counting.begin, whole=True)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (
            lambda events: events[:-1],
            r"input 2 \(add chips=4\).*told counted, noted then, and tells counted now",
        ),
        (
            lambda events: (counting.Counted(total=8), *events[1:]),
            r"event 3 \(counted\) had total 5 then, and has 8 now",
        ),
    ],
)
def test_another_story_is_named_by_its_row(open_journal, monkeypatch, changed, named):
    """The first row that replay does not give again, and the version that wrote it."""
    journal = open_journal(code="1.2.3")
    table = evenings.serve(journal)
    for said in [Add(chips=1), Add(chips=4)]:
        table.take(said, 1)
    step = counting.step

    def other(state, said):
        state, events = step(state, said)
        return state, changed(events) if said == Add(chips=4) else events

    monkeypatch.setattr(counting, "step", other)

    with pytest.raises(RecoveryError, match=named + ".*with version 1.2.3"):
        recover(journal.archive, counting, counting.begin)


def test_a_difference_in_a_sealed_row_names_no_card(open_journal, monkeypatch):
    """The row is named, what it holds is not."""
    journal = open_journal()
    evenings.serve(journal).take(CardSeen(card=Card("7h")), 1)
    step = counting.step

    def other(state, said):
        state, (drawn, known) = step(state, said)
        return state, (drawn, msgspec.structs.replace(known, card=Card("Kd")))

    monkeypatch.setattr(counting, "step", other)

    with pytest.raises(RecoveryError, match=r"card_identified.*sealed") as caught:
        recover(journal.archive, counting, counting.begin)
    assert "7h" not in str(caught.value)
    assert "Kd" not in str(caught.value)


def test_an_input_that_is_refused_now_is_named(open_journal, monkeypatch):
    """It was taken then."""
    journal = open_journal()
    evenings.serve(journal).take(Add(chips=50), 1)
    step = counting.step
    monkeypatch.setattr(counting, "step", lambda state, _: step(state, Add(chips=101)))

    with pytest.raises(RecoveryError, match=r"taken then, and is refused \(T-1: 101 is over 100"):
        recover(journal.archive, counting, counting.begin)


def test_a_sentence_may_be_worded_anew(open_journal, monkeypatch):
    """Code, rule and figures of a refusal are the same: it is the same refusal."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=1), Add(chips=120), CardSeen(), Add(chips=2)]:
        table.take(said, 1)
    monkeypatch.setattr(counting, "step", refusing(counting.step, "T-1"))

    assert recover(journal.archive, counting, counting.begin).state.total == 3


def test_another_rule_of_a_refusal_is_another_story(open_journal, monkeypatch):
    """The rule is no wording."""
    journal = open_journal()
    evenings.serve(journal).take(Add(chips=120), 1)
    monkeypatch.setattr(counting, "step", refusing(counting.step, "T-2"))

    with pytest.raises(RecoveryError, match=r'\(refused\) had rule "T-1" then, and has "T-2" now'):
        recover(journal.archive, counting, counting.begin)


def refusing(step, rule):
    """The same step, whose refusals have other sentences, and `rule` where they had one."""

    def other(state, said):
        try:
            return step(state, said)
        except Refusal as refusal:
            new = phrase("Not {so}: {what}.", so="so", what="a card")
            raise AgainstRules(new, phrase("Do less."), refusal.rule and rule) from None

    return other


@pytest.mark.parametrize(("hurried", "opens"), [(False, True), (True, False)])
def test_a_field_that_came_later_stands_at_its_default_in_older_rows(
    open_journal, monkeypatch, hurried, opens
):
    """Where replay tells its default, the old row says the same."""
    journal = open_journal()
    evenings.serve(journal).take(Add(chips=5), 1)
    fields = [("total", int), ("hurried", bool, False)]
    counted = msgspec.defstruct("Counted", fields, bases=(Event,), frozen=True, kw_only=True)
    step = counting.step

    def newer(state, said):
        state, (was, *rest) = step(state, said)
        assert isinstance(was, counting.Counted)
        return state, (counted(total=was.total, hurried=hurried), *rest)

    monkeypatch.setattr(counting, "step", newer)
    monkeypatch.setattr(counting, "events", counted | counting.Noted)

    if opens:
        assert recover(journal.archive, counting, counting.begin).state.total == 5
    else:
        with pytest.raises(RecoveryError, match="hurried false then, and has true now"):
            recover(journal.archive, counting, counting.begin)


@pytest.mark.parametrize(
    ("instead", "named"),
    [
        (True, r"\(card_opened\) has another ordinal now, has another card now, has another nonce"),
        (False, r"told card_drawn, a sealed one then, and tells .*, a sealed one, card_opened now"),
    ],
)
def test_what_replay_opens_and_the_table_did_not_is_not_shown(
    open_journal, monkeypatch, instead, named
):
    """R-13: a card that a changed rule opens still lies closed, and its nonce is secret."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [CardSeen(card=Card("7h")), Show(), CardSeen(card=Card("Kd"))]:
        table.take(said, 1)
    step, secret = counting.step, nonce(counting.begin().key, "1", 0, Dealt(2, Card("Kd"))).hex()
    opened = CardOpened(seat=1, ordinal=2, card=Card("Kd"), nonce=secret)

    def openly(state, said):
        state, events = step(state, said)
        if instead:
            return state, (opened,) if said == Show() else events
        return state, (*events, opened) if state.ordinal == 2 else events

    monkeypatch.setattr(counting, "step", openly)

    with pytest.raises(RecoveryError, match=named) as caught:
        recover(journal.archive, counting, counting.begin)
    assert "Kd" not in str(caught.value)
    assert secret not in str(caught.value)


def test_money_that_moves_otherwise_is_another_story(open_journal, monkeypatch):
    """Though replay tells the same events: who was paid what need not be told."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=5), Show(), Add(chips=2)]:
        table.take(said, 1)
    step = counting.step

    def generous(state, said):
        state, events = step(state, said)
        return msgspec.structs.replace(state, total=state.total + (said == Add(chips=2))), events

    monkeypatch.setattr(counting, "step", generous)

    with pytest.raises(RecoveryError, match=r"input 3, .*: then sum had 7 and has 8\. The rules"):
        recover(journal.archive, counting, counting.begin)


def test_money_is_noted_where_it_moved(open_journal):
    """Refusals and faults move none."""
    journal = open_journal()
    table = evenings.serve(journal)
    for said in [Add(chips=5), Show(), Add(chips=500), Boom(), Add(chips=0), Add(chips=2)]:
        table.take(said, 1)

    assert list(journal.archive.money()) == [(1, {"sum": 5}), (6, {"sum": 7})]


def test_a_journal_from_before_money_was_noted_opens(open_journal):
    """Nothing is said of it there, and nothing held against it."""
    journal = open_journal()
    evenings.serve(journal).take(Add(chips=5), 1)
    journal._db.execute("DROP TABLE money")
    journal.close()

    assert recover(open_journal().archive, counting, counting.begin).state.total == 5


def test_a_fault_amid_replay_is_named_without_its_text(open_journal, monkeypatch):
    """It may hold a card."""
    journal = open_journal()
    evenings.serve(journal).take(Add(chips=5), 1)
    step = counting.step
    monkeypatch.setattr(counting, "step", lambda state, _: step(state, Boom()))

    with pytest.raises(RecoveryError, match=r"the program fails on it now \(KeyError\)") as caught:
        recover(journal.archive, counting, counting.begin)
    assert counting.SECRET not in str(caught.value)


def test_an_input_that_broke_the_program_is_left_out(open_journal, monkeypatch):
    """Nothing changed then, so a mended program may go on."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(Add(chips=2), 1)
    table.take(Boom(), 2)
    monkeypatch.setattr(counting, "Boom", Add)

    assert recover(journal.archive, counting, counting.begin).state.total == 2


def test_a_row_altered_since_the_last_schlitten_stops_recovery(open_journal, tmp_path):
    """Nobody plays on from money that somebody wrote in."""
    journal = open_journal()
    table = evenings.serve(journal)
    table.take(Add(chips=5), 1)
    journal.close()
    db = sqlite3.connect(tmp_path / "table.db")
    db.execute("UPDATE inputs SET body = CAST(replace(CAST(body AS TEXT), '5', '9') AS BLOB)")
    db.commit()
    db.close()

    with pytest.raises(JournalDamaged, match="input 1 was altered"):
        recover(open_journal().archive, counting, counting.begin)


def test_inputs_play_without_a_journal():
    """For replays and benches: refusals are news, too."""
    turns = list(play(counting, counting.begin(), [Add(chips=1), Add(chips=200), Add(chips=2)]))

    assert turns[-1][0].total == 3
    assert [type(event).__name__ for event in turns[1][1]] == ["Refused"]
