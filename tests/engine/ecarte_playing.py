"""Tables of écarté for tests: the three houses, a deal with these cards, whims of people."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from table_controller.engine.ecarte import inputs as i
from table_controller.engine.ecarte import state as p
from table_controller.engine.ecarte.events import DealResumed, DealSetAside, PartieBegun
from table_controller.engine.ecarte.playing import may_be
from table_controller.engine.ecarte.state import Table, begin, foremost
from table_controller.engine.ecarte.step import step
from table_controller.engine.messages import CardSeen, Input, Refusal
from table_controller.engine.promises import SecretKey
from table_controller.engine.table import inputs as ti
from table_controller.engine.table.felt import Stray
from table_controller.rules.cards import PACK_32, Card, Suit
from table_controller.rules.ecarte.house import House
from table_controller.rules.money import Chips
from table_controller.wiring.config import house


def _shipped(name: str, book: str) -> House:
    found = house(name)
    assert isinstance(found, House)
    return replace(found, id=book)


#: The shipped houses, under short names.
E07 = _shipped("ecarte-nemzeti-1907", "e07")
E00 = _shipped("ecarte-undated", "e00")
EDE = _shipped("ecarte-german", "ede")
HOUSES = (E07, E00, EDE)
LEFT, RIGHT = 3, 9


def table(house: House, *, chips: int = 1000) -> Table:
    """Two players sit at seats 3 and 9."""
    now = begin(house, SecretKey(b"script"))
    for seat in (LEFT, RIGHT):
        now, _ = step(now, ti.Sits(seat=seat, name=f"player {seat}", chips=Chips(chips)))
    return now


def said(now: Table, *words: Input) -> Table:
    """The table after these words, all of which are taken."""
    for word in words:
        now, _ = step(now, word)
    return now


def shuffled(house: House) -> Table:
    """A partie in which the right player deals and has to shuffle."""
    cuts = ("Kh", "7h") if house.cut_for_deal == "lower" else ("7h", "Kh")
    return said(
        table(house),
        i.Opponents(left=LEFT, right=RIGHT),
        i.CutsForDeal(seat=LEFT, card=Card(cuts[0])),
        i.CutsForDeal(seat=RIGHT, card=Card(cuts[1])),
    )


def started(house: House) -> Table:
    """The same, his Schlitten being loaded; he deals three first."""
    loaded = (ti.Prepared(), ti.Prepared(), ti.SchlittenLoaded(shoe="shoe-1"))
    now = said(shuffled(house), *loaded)
    return said(now, i.Packets(first=3)) if isinstance(now.phase, p.PacketsDue) else now


def choices(now: Table, luck: random.Random, mistakes: float = 1) -> list[Input]:
    """What somebody might say now; one in so many times a mistake is among it."""
    due, partie = foremost(now), now.partie
    if isinstance(due, p.PlayersDue) or partie is None:
        return [i.Opponents(left=LEFT, right=RIGHT)]
    seats = partie.seats
    seat = luck.choice(seats)
    if isinstance(due, p.Asked):
        who = seats[due.side] if due.side >= 0 else 0
        return [i.Chooses(seat=who, option=luck.choice(due.options))]
    if isinstance(due, Stray):
        return [ti.StrayRuled(ruling=luck.choice([ti.StrayRuling.BACK, ti.StrayRuling.FACE_UP]))]
    match due:
        case p.CutDue():
            return [i.CutsForDeal(seat=seat, card=luck.choice(PACK_32)) for seat in seats]
        case p.NoSchlitten(done=2):
            return [ti.SchlittenLoaded(shoe="shoe-1"), i.CutFaulty()]
        case p.NoSchlitten():
            return [ti.Prepared(), ti.Prepared(), i.Reshuffles(seat=seat), i.FreshCards(seat=seat)]
        case p.PacketsDue():
            return [i.Packets(first=luck.choice((2, 3)))]
        case p.DealOver():
            marks = [
                i.Marks(seat=seats[one.side], points=one.points, why=one.why) for one in partie.due
            ]
            return [*marks * 4, ti.SchlittenClosed(), i.Revoked(seat=seat)]
        case p.PartieOver():
            return [i.Onward()]
    return _playing(now, seat, luck, mistakes)


def _playing(now: Table, seat: int, luck: random.Random, rate: float) -> list[Input]:
    deal, partie = now.deal, now.partie
    assert deal is not None
    assert partie is not None
    side = partie.seats.index(seat)
    elder, dealer = partie.seats[deal.elder], partie.seats[deal.dealer]
    cards = may_be(deal, side) if deal.turned else ()
    likely: list[Input] = [
        i.Proposes(seat=elder), i.Accepts(seat=dealer), i.Refuses(seat=dealer),
        i.Discards(seat=elder, cards=luck.randint(1, 5)),
        i.Discards(seat=dealer, cards=luck.randint(0, 3)),
    ] * 3  # fmt: skip
    if cards:
        likely += [i.PlaysCard(seat=seat, card=luck.choice(cards)) for _ in range(12)]
    king = [i.SaysKing(seat=seat), i.Marks(seat=seat, points=1, why=i.Why.KING)]
    mistakes: list[Input] = [
        i.Unmarks(seat=seat), i.Looks(seat=seat), i.FacedInPack(), i.Exposed(seat=seat),
        i.WrongPackets(first=luck.choice((2, 3))), i.WrongNumber(), i.DealtOutOfTurn(),
        i.DealtOutOfTurn(proposed=True), i.Counted(seat=seat, cards=luck.randint(2, 8)),
        i.AskedWrongly(seat=elder, cards=luck.randint(3, 7)),
        i.Announces(seat=seat, suit=luck.choice(list(Suit))), i.HasNone(seat=seat),
        i.TakesUp(seat=seat), i.Twins(seat=seat), i.Revoked(seat=seat), i.Touched(seat=seat),
        i.LooksAtTricks(seat=seat), i.ThrowsAway(seat=seat, mixed=luck.random() < 0.5),
        i.ThrowsIn(seat=seat), i.Quits(seat=seat), i.PlaysOn(seat=seat, to=5), i.FalseCards(),
        i.Reported(matter=luck.choice(list(i.Matter))), ti.Annulled(reason="so it is ruled"),
        ti.TakesBack(), i.Marks(seat=seat, points=2, why=i.Why.FAULT),
    ]  # fmt: skip
    if cards:
        mistakes.append(i.Shows(seat=seat, card=luck.choice(cards)))
    wrong = mistakes if luck.random() < rate else []
    return likely * 3 + king * 2 + wrong


def _word(now: Table, luck: random.Random, mistakes: float) -> Input:
    return luck.choice(choices(now, luck, mistakes))


def walk(now: Table, luck: random.Random, steps: int, *, mistakes: float = 1) -> Any:
    """Whims: each input that was tried, the table after it, what was told, and the refusal."""
    box: list[Card] = []
    aside: list[tuple[int, list[Card]]] = []  # by their dealers, in the order dealt
    for _ in range(steps):
        shoe = now.felt.shoe
        if shoe is not None and not shoe.out:
            box = list(luck.sample(PACK_32, 32))
        due = isinstance(foremost(now), p.Dealing | p.Buying)
        passes = box and shoe and ((due and luck.random() < 0.9) or luck.random() < 0.003)
        word: Input = (
            CardSeen(card=box.pop()) if passes else luck.choice(choices(now, luck, mistakes))
        )
        try:
            after, told = step(now, word)
        except Refusal as refusal:
            yield word, now, (), refusal
            if passes and word.card is not None:  # type: ignore[attr-defined]
                box.append(word.card)  # type: ignore[attr-defined]
            continue
        now = after
        for event in told:
            match event:
                case PartieBegun():
                    aside = []
                case DealSetAside(dealer=dealer):
                    aside.append((dealer, box))
                case DealResumed(dealer=dealer):  # its own talon again (ER-29)
                    again = next(one for one in aside if one[0] == dealer)
                    aside.remove(again)
                    box = again[1]
        yield word, now, told, None
