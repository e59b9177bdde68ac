"""Journals that earlier versions wrote (`tests/journals`): each must open, hold, and go on."""

import shutil
from pathlib import Path

import pytest

from table_controller import config
from table_controller.adapters.mqtt_names import TableId
from table_controller.app import Plan, Service
from table_controller.engine.chemin_de_fer import script
from table_controller.engine.chemin_de_fer.state import total
from table_controller.engine.chemin_de_fer.sums import sums
from table_controller.service.recovery import recover
from table_controller.service.sealing import load_keys
from table_controller.service.verify import verify

KEPT = Path(__file__).parents[1] / "journals"


@pytest.fixture
def serve(tmp_path):
    """Serve a copy of a kept journal with the program as it is now; `again` serves it once more."""
    served = []

    def serve_(name, *, again=False):
        if served:
            served.pop().journal.close()
        if not again:
            for file in (f"{name}.db", "table.key"):
                shutil.copyfile(KEPT / file, tmp_path / file)
                (tmp_path / file).chmod(0o600)
        plan = Plan(
            table=TableId("house", "table-1"),
            house=config.house("zoppot-1934"),
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


def balances(state):
    """What lies before each player."""
    return {who.name: who.balance for who in (*state.seats, *state.standing) if who}


def test_one_whose_schlitten_was_just_closed_opens_and_goes_on(serve):
    """Everything stands where it stood, and the next coup is played."""
    service = serve("just_closed")
    state = service.table.state
    found = (
        type(state.phase).__name__,
        balances(state),
        state.bank,
        state.cagnotte,
        (state.coups, state.number, state.place),
        state.alerts,
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
        29,
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
        state.cagnotte,
        (state.coups, state.number, state.coup.pointeur),
        [(alert.id, alert.code) for alert in state.alerts],
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
        47,
        {"public": 63, "croupier": 9, "sealed": 15},
    )
    assert total(state) == 3200

    # The card that was read as Ac counts as the corrected 2c: 3c 2c and a three are eight.
    ended = play(service, "seat 2 draws", "card 3s", "seat 3 opens")

    assert ended == "seat 3 opens 4h Ks 6d, 0 points; seat 2 wins 156, cagnotte 7, pot 305"
    play(service, "paid", "back camera", "seat 5 banco solo")
    assert service.table.state.alerts == ()
    ended = play(service, *("card 9d", "card 6c", "card Kh", "card Th"), "seat 5 opens")
    ended = play(service, "seat 2 opens", "paid")
    assert ended == "Schlitten passes to seat 3"
    assert balances(service.table.state) == {
        "Anna": 940, "Bert": 720, "Clara": 504, "David": 725, "Eva": 300,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["just_closed", "amid_a_schlitten"])
def test_its_chains_promises_and_sums_hold(serve, name):
    """All of it replays to the same state; `verify` finds nothing, also once it was closed."""
    service = serve(name)
    archive, keys, path = service.journal.archive, service.plan.keys, service.plan.journal
    whole = recover(archive, service.table._game, service._begin, whole=True)
    before = verify(path, keys, sums=sums)

    assert whole.state == service.table.state
    assert before.holds, before
    assert (before.inner, before.promised > 0) == (True, True)

    if name == "amid_a_schlitten":
        play(service, "annul late", "seat 2 passes", "schlitten closed")
        service = serve(name, again=True)
    assert type(service.table.state.phase).__name__ == "NoSchlitten"
    after = verify(path, keys, sums=sums)
    assert after.holds, after
