"""The page's offers: everything that a person can say at some moment, and nothing else."""

from __future__ import annotations

import random
from typing import get_args

import msgspec
import pytest

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.chemin_de_fer.state import Table, begin, deal_of
from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import (
    Audience,
    Booted,
    CardNamed,
    CardSeen,
    DeviceBack,
    DeviceLost,
    Input,
    Refusal,
    Restored,
    phrase,
)
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import devices, persons
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.schlitten import PREPARING
from table_controller.engine.views import Choice, Offer, Pick, Sum, Text, ways
from table_controller.rules.money import Chips
from tests.engine import script
from tests.engine.filling import filled
from tests.engine.playing import COUPS, NEMZETI, ZOPPOT, deal, play, table, table_of

#: What only a device, the clock or the service says, and what is said of people with roles.
BY_DEVICES = {
    CardSeen, DeviceLost, DeviceBack, i.Waited, Booted, Restored, ti.ReadingCounted,
    *get_args(devices.Sensed), *persons.KINDS,
}  # fmt: skip
GROUPS = {"main", "more", "back", "people", "mistake", "supervisor", "payment", "alert"}


def offers(now: Table) -> tuple[Offer, ...]:
    return snapshot(now, Audience.CROUPIER).offers


def kinds(now: Table, *groups: str) -> set[str]:
    """Types of what is offered, in these groups or in any."""
    return {str(o.input["type"]) for o in offers(now) if not groups or o.group in groups}


@pytest.fixture(scope="module")
def moments():
    """Every moment of every coup script, with what is offered then."""
    found = []
    for path in COUPS:
        now = table_of(path.read_text())
        for said, _ in script.lines(path.read_text()):
            found.append((now, offers(now)))
            try:
                now, _ = step(now, said)
            except Refusal:
                continue
        found.append((now, offers(now)))
    return found


@pytest.fixture(scope="module")
def offered(moments):
    """Every offer of every moment."""
    return [offer for _, offers in moments for offer in offers]


@pytest.mark.parametrize(
    "kind",
    [kind for kind in get_args(game.inputs) if kind not in BY_DEVICES],
    ids=lambda k: k.__name__,
)
def test_whatever_a_person_can_say_has_its_button(offered, kind):
    """Issue 3: a new input without a button fails here."""
    tag = kind.__struct_config__.tag

    assert any(offer.input["type"] == tag for offer in offered)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("stakes", {"consent": True}),
        ("stakes", {"chips": 0}),
        ("declares", {"by_schlitten": False}),
        *(("spoke", {"word": word}) for word in i.Word),
        *(("stray_ruled", {"ruling": ruling}) for ruling in ti.StrayRuling),
        *(("white_ruled", {"ruling": ruling}) for ruling in ti.WhiteRuling),
    ],
)
def test_every_way_to_say_it_has_its_button(offered, kind, fields):
    """N-3, R-19, R-25, R-6: also the words that are rarely said."""
    wanted = {"type": kind} | fields

    assert any(wanted.items() <= offer.input.items() for offer in offered)


def test_a_coup_is_never_begun_by_more_than_four_big_buttons(moments):
    """The page's design: two to four, and their groups are known to the page."""
    for _, offers in moments:
        groups = [offer.group for offer in offers]
        assert groups.count("main") <= 4
        assert set(groups) <= GROUPS


def test_nothing_is_offered_twice(moments):
    """The same input from two buttons would leave one of them over."""
    for now, offers in moments:
        said = [msgspec.json.encode(offer.input) for offer in offers]
        assert len(said) == len(set(said)), now.phase


@pytest.mark.parametrize("path", COUPS, ids=lambda path: path.stem)
def test_whatever_a_script_says_and_the_table_takes_was_on_offer(path):
    """What is admitted is offered: no word of a person needs more than the page."""
    now = table_of(path.read_text())
    for said, _ in script.lines(path.read_text()):
        try:
            after, _ = step(now, said)
        except Refusal:
            continue
        # Loaded under any name; seen unread; with a better right the game is the pointeur's.
        claim = isinstance(said, i.BancoWithTable | i.BancoWithPartner) and deal_of(now.phase)
        if type(said) not in BY_DEVICES | {ti.SchlittenLoaded, CardNamed} and not claim:
            assert any(_takes(offer, said) for offer in offers(now)), (path.name, said)
        now = after


def _takes(offer: Offer, said: Input) -> bool:
    """Whether this button says just that; what it does not name is as it is by default."""
    asked = {*offer.input, *(field.name for field in offer.fields)}
    named = msgspec.to_builtins(said)
    left = [name for name in type(said).__struct_fields__ if name not in asked]
    default = {field.name: field.default for field in msgspec.structs.fields(type(said))}
    if any(named[name] != default[name] for name in left if name not in ("actor", "prompt")):
        return False
    return offer.takes({name: value for name, value in named.items() if name in asked})


def test_people_are_served_at_any_time():
    """Sitting down, money and who leads are one tap away, also while cards lie (R-5, R-25)."""
    now = play(table(), "seat 3 leaves", "seat 1 banks 10", "seat 2 banco solo", "card 2h")

    assert kinds(now, "people") == {
        "sits", "stands", "buys_in", "cashes_out", "tips", "leaves", "croupier_changed",
    }  # fmt: skip
    assert kinds(play(table(), "seat 3 leaves"), "people") >= {"declares", "moves", "swaps"}


def test_nobody_leaves_with_money_in_play():
    """N-1: banker and pointeur are not among those who may go."""
    now = play(table(), "seat 1 banks 10", "seat 2 banco solo")
    (leaving,) = (offer for offer in offers(now) if offer.input["type"] == "leaves")

    (choice,) = leaving.fields
    assert [pick.value for pick in choice.picks] == [3, 4, 5, 6, 7, 8, 9]


def test_at_an_empty_table_the_seat_is_the_big_button():
    """Two are needed: what is due is a player."""
    now = play(table(), *(f"seat {seat} leaves" for seat in range(2, 10)))

    assert kinds(now, "main") == {"sits"}


def test_what_is_prepared_is_offered_until_all_of_it_is_done():
    """ZP-3: step by step, and the Schlitten may be loaded at any time; one is the main one."""
    now = begin(NEMZETI, SecretKey(bytes(32)))
    for seat, name in enumerate(("Anna", "Bea"), 1):
        now, _ = step(now, ti.Sits(seat=seat, name=name, chips=Chips(100)))
    main, further = [kinds(now, "main")], [kinds(now, "more")]
    for _ in PREPARING:
        now = play(now, "prepared")
        main.append(kinds(now, "main"))
        further.append(kinds(now, "more"))

    assert main == [{"prepared"}] * len(PREPARING) + [{"schlitten_loaded"}]
    assert ["schlitten_loaded" in one for one in further] == [True] * len(PREPARING) + [False]


def test_a_banker_without_the_money_buys_in_first():
    """Z-5, Z-3: an open bank that is staked beyond its banker's means is not stuck."""
    now = play(table(), "seat 1 cashes out 990", "seat 1 banks open", "all may stake")
    now = play(now, "seat 2 stakes 50", "nichts geht mehr")
    (buys,) = (offer for offer in offers(now) if offer.group == "main")

    assert buys.input == {"type": "buys_in", "seat": 1}
    assert buys.fields[0].least == 40


def test_once_cards_lie_a_stake_grows_only():
    """N-3: what lies is the least of it; before that whoever laid it may take of it."""

    def least(now):
        return {o.input["seat"]: o.fields[0].least for o in offers(now) if "seat" in o.input
                and o.input["type"] == "stakes"}  # fmt: skip

    before = play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 50")
    dealt = play(before, "card 2h")

    assert (least(before)[2], least(dealt)[2]) == (2, 50)


@pytest.mark.parametrize(
    ("pointeur", "claims"),
    [
        ("seat 5 banco solo", {("banco", 2), ("banco", 3), ("banco", 4)}),
        ("seat 2 banco solo", set()),
        ("seat 3 banco 60 with the table", {("banco", n) for n in range(2, 10)}),
    ],
)
def test_a_better_right_has_its_button_until_both_cards_lie(pointeur, claims):
    """R-9, R-24, Z-7: the prime, and whoever names a lower game or sits nearer to him."""
    now = play(table(), "seat 1 banks 100", pointeur)

    def claimed(at):
        return {
            (o.input["type"], o.input.get("seat")) for o in offers(at) if o.input["type"] == "banco"
        }

    assert claimed(now) == claims
    if "solo" in pointeur:
        seat = pointeur[5]
        assert claimed(play(now, "card 2h", "card 3h")) == claims
        assert claimed(play(now, *deal("2h Kc", "3h Kd"), f"seat {seat} carte")) == set()


def test_a_bank_that_won_is_offered_for_sale_where_the_house_sells():
    """ZP-18: by auction; elsewhere nobody is led to what would be refused (N-7)."""
    staked = {ZOPPOT: "seat 2 banco solo", NEMZETI: "seat 2 stakes 100"}
    zoppot, nemzeti = (
        play(
            table(house=house),
            *("seat 1 banks 100", line, *deal("2h Kc", "9d Ks"), "seat 2 carte"),
            *("seat 1 opens", "seat 2 opens", "paid"),
        )
        for house, line in staked.items()
    )

    assert "suite" in kinds(zoppot)
    assert "suite" not in kinds(nemzeti)


def test_partners_must_have_the_pot_together():
    """ZP-15, Z-3: whoever is picked, his part and his partner's are there."""
    now = play(table(chips=100), "seat 1 banks 100", "seat 2 cashes out 70")
    (form,) = (o for o in offers(now) if o.input["type"] == "banco_with_partner")
    said = {"type": "banco_with_partner", "seat": 2, "partner": 3, "chips": 30}

    assert form.takes(said)
    assert not form.takes(said | {"chips": 31})
    assert not form.takes(said | {"partner": 2})
    assert not form.takes(said | {"seat": 3, "partner": 2, "chips": 69})
    assert form.takes(said | {"seat": 3, "partner": 2, "chips": 70})


def test_two_who_have_not_the_pot_together_are_no_partners():
    """ZP-15, Z-3: a form that nobody could fill in is not offered."""
    gone = [f"seat {seat} leaves" for seat in range(4, 10)]
    now = play(table(chips=100), "seat 1 banks 100", *gone, "seat 2 cashes out 70")
    assert "banco_with_partner" in kinds(now)

    assert "banco_with_partner" not in kinds(play(now, "seat 3 cashes out 31"))


def test_nobody_joins_a_banker_who_has_not_the_least_in_it_himself():
    """Z-4, N-2: after he halved it, his own part may be too small."""
    now = play(table(house=NEMZETI), f"seat 1 banks {NEMZETI.least_pot}", "seat 2 stakes 2")
    now = play(now, *deal("2h Kc", "9d Ks"), "seat 2 carte", "seat 1 opens", "seat 2 opens", "paid")
    assert "joins" in kinds(now)

    assert "joins" not in kinds(play(now, "seat 1 halves"))


def test_the_same_stakes_again_are_one_tap():
    """In the middle of the page where one of them fits, and only there."""
    now = play(table(house=NEMZETI), "seat 1 banks 100", "seat 2 stakes 30", "seat 3 stakes 20")
    assert "stakes_again" not in kinds(now)
    now = play(now, *deal("9h Kc", "2d Ks"), "seat 2 schlag", "seat 1 opens", "paid")
    now = play(now, "seat 2 banks 50")

    assert kinds(now, "main") == {"open_game", "stakes_again"}
    assert "stakes_again" in kinds(play(now, "all may stake"), "main")
    assert "stakes_again" not in kinds(play(now, "seat 3 stakes 5"))


# What a person fills in

SUM = Sum(label=phrase("x"), least=2, most=9, suggested=2)
SEATS = Choice(
    label=phrase("x"),
    name="seat",
    picks=(Pick(value=1, label=phrase("x")), Pick(value=2, label=phrase("x"), least=4, most=5)),
    places=True,
)
OTHER = Choice(label=phrase("x"), name="to", picks=SEATS.picks, places=True)
WORDS = Text(label=phrase("x"), name="reason", most=5)
FORM = Offer(input={"type": "x"}, label=phrase("x"), fields=(SEATS, OTHER, SUM, WORDS))
GOOD = {"type": "x", "seat": 1, "to": 2, "chips": 4, "reason": "found"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"chips": 3}, {"chips": 6}, {"chips": "4"}, {"chips": True}, {"chips": None},
        {"seat": 3}, {"seat": True}, {"seat": "1"}, {"seat": 2}, {"to": 1},
        {"reason": ""}, {"reason": "  "}, {"reason": "longer"}, {"reason": "a\nb"}, {"reason": 5},
        {"type": "y"}, {"actor": "supervisor"}, {"more": 1},
    ],
)  # fmt: skip
def test_an_offer_takes_what_fits_its_fields_and_nothing_else(wrong):
    """So that nothing can be said by the page that it did not offer."""
    assert FORM.takes(GOOD)
    assert not FORM.takes(GOOD | wrong)


def test_a_number_may_be_a_seats_own():
    """Seat 2 holds 2 cards: only two places of one offer must differ."""
    cards = Choice(label=phrase("x"), name="cards", picks=SEATS.picks)
    counted = Offer(input={"type": "counted"}, label=phrase("x"), fields=(SEATS, cards))

    assert counted.takes({"type": "counted", "seat": 2, "cards": 2})
    assert len([*ways(counted)]) == 4
    assert len([*ways(FORM)]) == 2


@pytest.mark.parametrize("missing", ["seat", "to", "chips", "reason"])
def test_what_is_not_filled_in_is_not_taken(missing):
    assert not FORM.takes({name: value for name, value in GOOD.items() if name != missing})


def test_nobody_fills_in_what_an_offer_does_not_take(offered):
    """The helper of the property tests and the offers agree."""
    luck = random.Random(1)
    for offer in offered:
        assert offer.takes(filled(offer, luck)), offer


def test_what_is_offered_before_the_deal_names_its_house():
    """ZP-16, N-3: the buttons are the houses' own."""
    zoppot, nemzeti = (play(table(house=h), "seat 1 banks 10") for h in (ZOPPOT, NEMZETI))

    assert "banco" in kinds(zoppot, "main")
    assert "banco" not in kinds(nemzeti)
    assert "stakes" in kinds(nemzeti, "more")


def test_a_partner_who_just_fills_the_pot_is_enough():
    """ZP-15 II: 50 and 50 play against 100; 50 and 49 do not."""
    leave = [f"seat {seat} leaves" for seat in range(4, 10)]
    now = play(table(chips=100), *leave, "seat 2 cashes out 50", "seat 3 cashes out 50")

    assert "banco_with_partner" in kinds(play(now, "seat 1 banks 100"))
    assert "banco_with_partner" not in kinds(play(now, "seat 3 cashes out 1", "seat 1 banks 100"))


def test_a_transfer_asks_from_whom_to_whom_how_much_and_why():
    """R-20: its form in the order in which a supervisor says it."""
    [form] = [
        o for o in offers(play(table(), "seat 1 banks 100")) if o.input["type"] == "transfers"
    ]

    assert [field.name for field in form.fields] == ["seat", "to", "chips", "reason"]
    to = next(field for field in form.fields if field.name == "to")
    labels = {pick.value: str(pick.label) for pick in to.picks}
    assert (labels[0], labels[1]) == ("cagnotte", "1 player 1")
