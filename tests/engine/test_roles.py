"""People with roles: which inputs each may send, at every game, and who keeps the list of them."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import inputs as cdf
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.messages import (
    AlertAcknowledged,
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Refusal,
    Role,
)
from table_controller.engine.punto_banco import inputs as pb
from table_controller.engine.table import devices, persons
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.persons import person, ruler
from table_controller.engine.table.roles import NotAllowed
from table_controller.rules.cards import Card
from tests.contract.games import PLAYED
from tests.engine.playing import deal, play, table
from tests.every_game import GAMES

#: What needs more or less than a croupier, written down by hand; all else a croupier says.
NEEDS: dict[Role | None, set[type]] = {
    Role.SUPERVISOR: {
        devices.LidRuled, ti.ThrownAway, ti.Annulled, ti.Corrects, ti.Transfers, ti.Ruled,
        ti.UnreadBurned, cdf.LetStand, cdf.CardCounts, pb.Reopens, pb.ResultRuled, pb.PastRuled,
        persons.PersonAdded, persons.PersonRemoved, persons.AccountAdded, persons.AccountRemoved,
    },
    Role.TECHNICIAN: {AlertAcknowledged},
    Role.GUEST: {persons.SignedIn},
    None: {
        CardSeen, DeviceLost, DeviceBack, devices.LidOpened, devices.LidClosed,
        devices.CutCardSensed, devices.PowerFailed, devices.PowerBack, *get_args(devices.Sensed),
        persons.SignInRefused, Booted, ti.ReadingCounted,
    },
}  # fmt: skip
STAFF = {"anna": Role.SUPERVISOR, "bela": Role.CROUPIER, "csaba": Role.TECHNICIAN}
REAL = [played for played in PLAYED if played.game.name in GAMES]


def manned(played):
    """A fresh table of the game, with a supervisor, a croupier and a technician."""
    game, state = played.game, played.begun(0, 6)
    for name, role in STAFF.items():
        said = persons.PersonAdded(actor="console", name=name, role=role, proof="p")
        state, _ = game.step(state, said)
    return game, state


@pytest.fixture(params=REAL, ids=lambda played: played.game.name)
def there(request):
    return manned(request.param)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_of_every_input_it_is_said_which_role_it_needs(game):
    """The role table, recited."""
    known: dict[type, Role | None] = {kind: role for role in NEEDS for kind in NEEDS[role]}

    for kind in get_args(game.inputs):
        assert kind.NEEDS is known.get(kind, Role.CROUPIER), kind


def refused(there, said):
    """Whether it is refused for the actor's sake, and the table then is as it was."""
    game, state = there
    try:
        game.step(state, said)
    except NotAllowed:
        return True
    except Refusal:
        return False
    return False


@pytest.mark.parametrize(
    ("said", "may"),
    [
        (ti.Tips(seat=1, chips=1), {"bela", "anna"}),
        (ti.Ruled(reason="Z-27"), {"anna"}),
        (AlertAcknowledged(alert="lost"), {"csaba", "bela", "anna"}),
        (persons.PersonRemoved(name="bela"), {"anna"}),
        (persons.SignedIn(), {"csaba", "bela", "anna"}),
        (CardSeen(card=Card("7h")), set()),
        (devices.LidClosed(), set()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_table_checks_the_role_of_whoever_says_it(there, said, may):
    """A technician, a croupier, a supervisor; and a device's word is nobody's."""
    for name, role in STAFF.items():
        assert refused(there, replace(said, actor=f"{role}:{name}")) is (name not in may), name


def test_a_croupier_annuls_what_cannot_be_played_and_nothing_else():
    """R-57, Z-24: a tie whose replay does not come, a coup for want of cards; not one under way."""

    def by_bela(now):
        for name, role in STAFF.items():
            known = persons.PersonAdded(actor="console", name=name, role=role, proof="p")
            now, _ = step(now, known)
        return step(now, ti.Annulled(reason="it is late", actor="croupier:bela"))[0]

    banco = play(table(left=9), "seat 1 banks 100", "seat 2 banco solo")
    lies = play(banco, *deal("7h Kc", "7d Ks"))
    tied = play(lies, "seat 2 reste", "seat 1 opens", "seat 1 stands", "seat 2 opens", "paid")
    few = play(table(left=7), "seat 1 banks 50", "all may stake", "seat 3 stakes 50")
    few = play(few, "nichts geht mehr", "card 2h", "take back", "stray burned")

    for now in (banco, lies, tied):
        with pytest.raises(NotAllowed):
            by_bela(now)
    assert by_bela(few).coup is None
    assert by_bela(play(tied, "schlitten closed")).coup is None


@pytest.mark.parametrize(
    "actor",
    ["croupier", "supervisor", "croupier:zita", "supervisor:bela", "croupier:anna", "guest:bela",
     "hand:croupier", "hand:croupier:zita", "croupier:", "technician:", "hand:hand:croupier:bela"],
)  # fmt: skip
def test_a_role_without_its_person_is_nobodys(there, actor):
    """Nor is a role that the person has not."""
    assert refused(there, ti.Ruled(reason="Z-27", actor=actor))


@pytest.mark.parametrize("actor", ["button:board-1", "lip", "clock", "board"])
def test_a_button_at_the_table_says_what_a_croupier_may(there, actor):
    assert not refused(there, ti.Tips(seat=1, chips=1, actor=actor))
    assert refused(there, ti.Ruled(reason="Z-27", actor=actor))


def test_a_card_is_typed_by_a_croupier_and_no_technician(there):
    """R-13: who types it knows it."""
    card = CardSeen(card=Card("7h"))

    assert not refused(there, replace(card, actor="hand:croupier:bela"))
    assert refused(there, replace(card, actor="hand:technician:csaba"))
    assert refused(there, CardNamed(card=Card("7h"), actor="technician:csaba"))


@pytest.mark.parametrize("played", REAL, ids=lambda played: played.game.name)
def test_where_nobody_has_a_role_nobodys_is_asked(played):
    """A demonstration, and a journal of before."""
    game, state = played.game, played.begun(0, 6)

    state, told = game.step(state, ti.Ruled(reason="Z-27"))

    assert [type(event).__name__ for event in told] == ["RulingNoted"]
    assert game.persons(state) == ()


def test_the_first_of_the_house_is_a_supervisor_with_a_pin():
    """Else nobody could add the second."""
    game, state = REAL[0].game, REAL[0].begun(0, 6)
    for role, proof in ((Role.CROUPIER, "p"), (Role.SUPERVISOR, "")):
        with pytest.raises(Refusal):
            game.step(state, persons.PersonAdded(actor="console", name="a", role=role, proof=proof))


@pytest.mark.parametrize(
    "said",
    [
        persons.PersonRemoved(name="anna"),
        persons.PersonAdded(name="anna", role=Role.CROUPIER, proof="p"),
    ],
    ids=["removed", "another role"],
)
def test_the_last_supervisor_stays(there, said):
    """So that the list of people never is empty again."""
    game, state = there
    with pytest.raises(Refusal):
        game.step(state, replace(said, actor="supervisor:anna"))


def test_the_list_outlives_the_taking_back_of_a_word():
    """R-46: chemin de fer, where a declaration can be taken back between coups."""
    game, state = manned(next(one for one in REAL if one.game.name == "chemin-de-fer"))
    for said in (
        cdf.Declares(seat=2, by_schlitten=True),
        persons.PersonAdded(actor="console", name="dora", role=Role.GUEST),
        ti.TakesBack(),
    ):
        by = said.actor if said.actor == "console" else "croupier:bela"
        state, _ = game.step(state, replace(said, actor=by))

    assert "dora" in [one.name for one in game.persons(state)]


def test_the_list_is_saved_with_the_table(there):
    """Recovery begins where a Schlitten was closed."""
    game, state = there

    assert game.persons(game.load(state, game.save(state))) == game.persons(state)


def test_an_account_is_one_persons(there):
    """A second device has one of its own; nobody else may take its name."""
    game, state = there
    for account in ("bela", "bela-tablet"):
        said = persons.AccountAdded(name="bela", account=account, proof="$7$x")
        state, _ = game.step(state, replace(said, actor="supervisor:anna"))
    stolen = persons.AccountAdded(actor="supervisor:anna", name="csaba", account="bela", proof="x")

    with pytest.raises(Refusal):
        game.step(state, stolen)
    bela = next(one for one in game.persons(state) if one.name == "bela")
    assert [account.name for account in bela.accounts] == ["bela", "bela-tablet"]


def test_no_picture_and_no_event_holds_a_proof(there):
    """Neither the public's nor the staff's."""
    game, state = there
    told = []
    for said in (
        persons.PersonAdded(name="dora", role=Role.CROUPIER, proof="proof-of-a-pin"),
        persons.AccountAdded(name="dora", account="dora", proof="proof-of-a-secret"),
    ):
        state, more = game.step(state, replace(said, actor="supervisor:anna"))
        told += more
    pictures = [game.snapshot(state, audience) for audience in ("public", "croupier")]

    assert "proof-of" not in str(told) + str(pictures)
    assert persons.PersonAdded.SEALED
    assert persons.AccountAdded.SEALED


@pytest.mark.parametrize(
    ("actor", "refuses"),
    [
        ("supervisor:anna [Zita]", False),
        ("croupier:bela [anna]", True),
        ("supervisor:bela [anna]", True),
        ("supervisor:Zita [anna]", True),
        ("technician:csaba [anna]", True),
    ],
)
def test_a_name_that_comes_with_a_request_adds_no_right(there, actor, refuses):
    """Who says it for somebody may do what his own role may."""
    assert refused(there, ti.Ruled(reason="Z-27", actor=actor)) is refuses


def test_one_account_does_not_become_two_people_by_two_names():
    """R-13: two people enter an unread card; one who says it for two is one."""
    felt = table().felt

    assert person(felt, "croupier:floor [Anna]") == person(felt, "croupier:Floor [Bela]")
    assert ruler(felt, "supervisor:Floor [Anna]") == "floor [anna]"
