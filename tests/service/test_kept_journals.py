"""Journals that earlier versions wrote (`tests/journals`). Each must open, verify, and go on."""

import shutil
import traceback
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.adapters.mqtt_names import TableId
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.events import CoupSettled
from table_controller.engine.chemin_de_fer.inputs import Banks
from table_controller.engine.chemin_de_fer.state import pay
from table_controller.engine.messages import AgainstRules, AlertDetailed, Refusal, phrase
from table_controller.rules.rulebook import rules
from table_controller.service.errors import RecoveryError
from table_controller.service.recovery import recover
from table_controller.service.sealing import load_keys
from table_controller.service.verify import verify
from table_controller.wiring import config
from table_controller.wiring.app import Plan, Service
from table_controller.wiring.opening import begun
from tests.engine import script
from tests.engine.playing import total

KEPT = Path(__file__).parents[1] / "journals"


@pytest.fixture
def serve(tmp_path):
    """Serve a copy of a kept journal with the program as it is now; `again` serves it once more."""
    served = []

    def serve_(name, *, again=False, house="zoppot-1934"):
        if served:
            served.pop().journal.close()
        if not again:
            for file in (f"{name}.db", "table.key"):
                shutil.copyfile(KEPT / file, tmp_path / file)
                (tmp_path / file).chmod(0o600)
        plan = Plan(
            table=TableId("house", "table-1"),
            house=config.house(house),
            keys=load_keys(tmp_path / "table.key", {}),
            journal=tmp_path / f"{name}.db",
        )
        served.append(Service(plan))
        return served[-1]

    yield serve_
    for service in served:
        service.journal.close()


def play(service, *lines):
    """Say these lines to the table; what came of the last, as a script shows it."""
    told = ""
    for line in lines:
        told = script.show(event for event, _ in service.table.take(script.parse(line), 1))
    return told


def booted(state, boot):
    """The same table in another start of the service."""
    return replace(state, felt=replace(state.felt, boot=boot))


def balances(state):
    """What lies before each player."""
    return {who.name: who.balance for who in (*state.felt.seats, *state.felt.standing) if who}


def test_one_whose_schlitten_was_just_closed_opens_and_goes_on(serve):
    """Everything stands where it stood, and the next coup is played."""
    service = serve("just_closed")
    state = service.table.state
    found = (
        type(state.phase).__name__,
        balances(state),
        state.bank,
        state.felt.cagnotte,
        (state.felt.coups, state.felt.number, state.place),
        state.felt.alerts,
        service.journal.last,
        service.journal.archive.head().seqs,
    )

    assert found == (
        "NoSchlitten",
        {"Anna": 900, "Bert": 700, "Clara": 600, "David": 695, "Eva": 300},
        None,
        5,
        (2, 1, 2),
        (),
        30,  # 29, and this start
        {"public": 41, "croupier": 6, "sealed": 9},
    )

    ended = play(
        service,
        "schlitten red-2",
        "seat 2 banks 100",
        "seat 3 banco solo",
        *("card 9d", "card 6c", "card Kh", "card Th"),
        "seat 3 opens",
        "seat 2 opens",
    )

    assert ended == "seat 2 opens 6c Th, 6 points; seat 3 wins 100"
    assert play(service, "paid") == "Schlitten passes to seat 3"
    assert balances(service.table.state) == {
        "Anna": 900, "Bert": 600, "Clara": 700, "David": 695, "Eva": 300,
    }  # fmt: skip


def test_one_amid_a_schlitten_opens_and_goes_on(serve):
    """The refusal, the alert, the word taken back and the corrected card are as they were."""
    service = serve("amid_a_schlitten")
    state = service.table.state
    found = (
        type(state.phase).__name__,
        balances(state),
        (state.bank.seat, state.bank.pot, state.bank.own),
        state.felt.cagnotte,
        (state.felt.coups, state.felt.number, state.coup.pointeur),
        [(alert.id, alert.code) for alert in state.felt.alerts],
        service.journal.last,
        service.journal.archive.head().seqs,
    )

    assert found == (
        "BankerToChoose",
        {"Anna": 940, "Bert": 720, "Clara": 504, "David": 420, "Eva": 300},
        (2, 156, 80),
        4,
        (3, 2, 3),
        [("device-camera", "device_lost")],
        48,  # 47, and this start
        {"public": 63, "croupier": 9, "sealed": 15},
    )
    assert total(state) == 3200

    # The card that was read as Ac counts as the corrected 2c: 3c 2c and a three are eight.
    ended = play(service, "seat 2 draws", "card 3s", "seat 3 opens")

    assert ended == "seat 3 opens 4h Ks 6d, 0 points; seat 2 wins 156, cagnotte 7, pot 305"
    play(service, "paid", "back camera", "seat 5 banco solo")
    assert service.table.state.felt.alerts == ()
    ended = play(service, *("card 9d", "card 6c", "card Kh", "card Th"), "seat 5 opens")
    ended = play(service, "seat 2 opens", "paid")
    assert ended == "Schlitten passes to seat 3"
    assert balances(service.table.state) == {
        "Anna": 940, "Bert": 720, "Clara": 504, "David": 725, "Eva": 300,
    }  # fmt: skip


def test_other_sentences_are_no_other_story(serve, monkeypatch):
    """Its refusal and its alert may be worded anew."""
    step = game.step

    def reworded(state, said):
        try:
            after, events = step(state, said)
        except Refusal as refusal:
            raise AgainstRules(phrase("Worded anew."), phrase("Do this."), refusal.rule) from None
        new = {"what": phrase("Anew."), "remedy": phrase("Do that.")}
        return after, tuple(
            replace(event, **new) if isinstance(event, AlertDetailed) else event for event in events
        )

    monkeypatch.setattr(game, "step", reworded)

    assert serve("amid_a_schlitten").journal.last == 48


def test_what_a_ruling_changed_amid_a_schlitten_is_refused_with_that_reason(serve, monkeypatch):
    """It names the input, both stories and the version; closed by that one, it opens again."""
    step = game.step

    def stricter(state, said):
        if isinstance(said, Banks) and said.chips == 80:
            why = phrase("A pot of {chips} is too small now.", chips=said.chips)
            raise AgainstRules(why, phrase("Put up 100."), "R-99")
        return step(state, said)

    monkeypatch.setattr(game, "step", stricter)
    with pytest.raises(RecoveryError) as caught:
        serve("amid_a_schlitten")
    monkeypatch.setattr(game, "step", step)
    older = serve("amid_a_schlitten")
    version = older.journal.header.code
    play(older, "thrown away the rules have changed")
    monkeypatch.setattr(game, "step", stricter)
    newer = serve("amid_a_schlitten", again=True)

    said = str(caught.value)
    assert "input 23 (banks seat=2 chips=80), played again, tells another story: " in said
    assert "it was taken then, and is refused (R-99: A pot of 80 is too small now.) now." in said
    assert f"start it with version {version} and the house as it was" in said
    assert total(newer.table.state) == 3200
    assert booted(newer.table.state, "") == booted(older.table.state, "")


def ruled(rule_id):
    """Whether the program knows this ruling yet."""
    return rule_id in {each.id for each in rules()}


@pytest.mark.skipif(not ruled("R-41"), reason="bids that fall are still taken")
def test_a_bid_below_the_highest_was_taken_then(serve):
    """R-41: amid such an auction the journal is refused with that reason, and stays as it was."""
    with pytest.raises(RecoveryError) as caught:
        serve("lower_bid")

    said = str(caught.value)
    assert "input 20 (bids seat=5 chips=30), played again, tells another story: " in said
    assert "it was taken then, and is refused (R-41: " in said


@pytest.mark.skipif(not ruled("R-36"), reason="what a tie left is not yet paid first")
def test_a_new_stake_was_paid_before_one_of_the_tie(serve):
    """R-36: no event tells who was paid, but the journal notes where the money lay."""
    with pytest.raises(
        RecoveryError, match=r"input 26.* seat 3 had 530 and has 500, seat 4 had 500"
    ):
        serve("raised_after_a_tie", house="nemzeti-1907")


def test_money_that_is_paid_to_another_is_another_story(serve, monkeypatch):
    """Every event is the same, and the journal knows better; so it is with the coups to come."""
    service = serve("amid_a_schlitten")
    play(service, "seat 2 draws", "card 3s", "seat 3 opens", "paid", "seat 5 banco solo")
    play(service, *("card 9d", "card 6c", "card Kh", "card Th"), "seat 5 opens", "seat 2 opens")
    step = game.step

    def otherwise(state, said):
        after, events = step(state, said)
        if any(isinstance(event, CoupSettled) and event.coup == 4 for event in events):
            after = pay(pay(after, 5, -305), 3, 305)
        return after, events

    monkeypatch.setattr(game, "step", otherwise)

    with pytest.raises(
        RecoveryError, match="then seat 3 had 504 and has 809, seat 5 had 725 and has 420"
    ):
        serve("amid_a_schlitten", again=True)


@pytest.mark.parametrize("name", ["just_closed", "amid_a_schlitten", "two_starts"])
def test_its_chains_promises_and_sums_hold(serve, name):
    """All of it replays to the same state; `verify` finds nothing, also once it was closed."""
    service = serve(name)
    archive, keys, path = service.journal.archive, service.plan.keys, service.plan.journal
    begin = partial(begun, service.plan, service.game, service.journal)
    whole = recover(archive, service.game, begin, whole=True)
    before = verify(path, keys, sums=lambda _: game.sums)

    assert whole.state == service.table.state
    assert before.holds, before
    assert (before.inner, before.promised > 0) == (True, True)

    if name == "amid_a_schlitten":
        play(service, "annul late", "seat 2 passes", "schlitten closed")
        service = serve(name, again=True)
    ended = "PointeurToSpeak" if name == "two_starts" else "NoSchlitten"
    assert type(service.table.state.phase).__name__ == ended
    after = verify(path, keys, sums=lambda _: game.sums)
    assert after.holds, after


def test_cards_of_one_start_are_proven_in_another(serve):
    """R-13: the format since starts are journaled; what one promised holds in the next."""
    service = serve("two_starts")
    state = service.table.state
    starts = [boot.after for boot in service.journal.archive.boots()[1:]]

    assert (service.journal.last, starts) == (26, [1, 22, 25, 26])
    assert type(state.phase).__name__ == "PointeurToSpeak"
    assert balances(state) == {"Anna": 400, "Bert": 540, "Clara": 240}

    play(service, "seat 4 opens", "seat 3 opens", "paid")

    assert balances(service.table.state) == {"Anna": 400, "Bert": 540, "Clara": 360}
    verdict = verify(service.plan.journal, service.plan.keys, sums=lambda _: game.sums)
    assert verdict.holds, verdict
    assert (verdict.promised, verdict.opened) == (8, 8)


def test_what_a_newer_program_kept_is_refused_with_that_reason(serve, monkeypatch):
    """An older one that does not know a phase says whose journal it is, not that it is torn."""
    load = game.load
    newer = b'{"type":"Phase-of-tomorrow"'
    monkeypatch.setattr(
        game,
        "load",
        lambda begun, saved: load(begun, saved.replace(b'{"type":"NoSchlitten"', newer)),
    )

    with pytest.raises(
        RecoveryError,
        match=r"was kept by version 0\.1\.0, in a form that this program does not know: it is "
        r"older\. .* start it with version 0\.1\.0 or a later one",
    ) as caught:
        serve("just_closed")

    assert "of-tomorrow" not in "".join(traceback.format_exception(caught.value))
