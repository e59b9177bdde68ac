"""The picture of now for one audience. The only place that decides what a screen may hold."""

from __future__ import annotations

from table_controller.engine.chemin_de_fer import ledger
from table_controller.engine.chemin_de_fer.events import Side
from table_controller.engine.chemin_de_fer.facts import CoupRecord, Deal, Totals
from table_controller.engine.chemin_de_fer.hands import duty_of
from table_controller.engine.chemin_de_fer.offers import offers
from table_controller.engine.chemin_de_fer.phases import (
    BankDue,
    BankerCardDue,
    BankerToChoose,
    BankerToOpen,
    BankStakeDue,
    ClaimDisputed,
    Dealing,
    FauxOffered,
    PointeurToOpen,
    PointeurToSpeak,
    Settled,
    Sharing,
    StakesDue,
    Staking,
    ThirdCardDue,
)
from table_controller.engine.chemin_de_fer.settle import counted
from table_controller.engine.chemin_de_fer.state import Table, deal_of, uninterrupted, value
from table_controller.engine.chemin_de_fer.words import ADVICE, awaited
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.table.felt import player
from table_controller.engine.views import (
    STANDING,
    AdviceView,
    AlertView,
    CoupView,
    PaymentView,
    SeatView,
    ShoeView,
    Snapshot,
    TotalView,
)
from table_controller.rules.cards import Card

STEPS = (
    phrase("bank"),
    phrase("stakes"),
    phrase("deal"),
    phrase("the word"),
    phrase("bank opens"),
    phrase("card given"),
    phrase("banker draws?"),
    phrase("pointeur opens"),
    phrase("settle"),
)

_STEP: dict[type, int] = {
    BankDue: 0,
    StakesDue: 1,
    Staking: 1,
    Sharing: 1,
    BankStakeDue: 1,
    Dealing: 2,
    PointeurToSpeak: 3,
    BankerToOpen: 4,
    ThirdCardDue: 5,
    BankerToChoose: 6,
    BankerCardDue: 6,
    PointeurToOpen: 7,
    FauxOffered: 7,
    ClaimDisputed: 7,
    Settled: 8,
}


def snapshot(table: Table, audience: Audience) -> Snapshot:
    """Everything a screen of `audience` needs. Closed cards are None for all (R-13)."""
    staff = audience is not Audience.PUBLIC
    deal = deal_of(table.phase)
    prompt = awaited(table)
    bank, coup, record = table.bank, table.coup, _settled(table)
    phase = uninterrupted(table.phase)
    return Snapshot(
        house=table.house.id,
        title=table.house.title,
        game="chemin-de-fer",
        unit=table.house.unit,
        coup=table.felt.coups,
        shoe=_shoe(table),
        pot=record.pot_after if record else bank.pot if bank else 0,
        against=record.staked if record else ledger.covered(table),
        play=coup.play.value if coup else "",
        seats=tuple(
            _seat(table, seat, deal, record, staff=staff, acts=seat in prompt.seats)
            for seat in (*range(1, len(table.felt.seats) + 1), *_standing(table))
        ),
        prompt=prompt,
        steps=STEPS,
        step=_STEP.get(type(phase), -1),
        last=tuple(map(_coup, table.last)),
        advice=_advice(table),
        payments=_payments(table),
        alerts=_alerts(table, staff=staff),
        offers=offers(table) if staff else (),
        cagnotte=table.felt.cagnotte if staff else None,
        tips=table.felt.tips if staff else None,
        croupier=table.felt.croupier if staff else None,
        totals=_totals(table) if staff else (),
    )


def _standing(table: Table) -> list[int]:
    """Places of the standing players (ZP-17)."""
    return [n for n, who in enumerate(table.felt.standing, STANDING + 1) if who]


def _settled(table: Table) -> CoupRecord | None:
    return table.phase.record if isinstance(table.phase, Settled) else None


def _shoe(table: Table) -> ShoeView | None:
    shoe = table.felt.shoe
    if shoe is None:
        return None
    return ShoeView(
        id=shoe.id,
        number=table.felt.number,
        cards=shoe.cards,
        left=shoe.left,
        white_at=table.house.white_at,
        white_out=shoe.white_out is not None,
        last_coup=table.felt.last_coup > 0,
        kept=len(table.felt.kept),
    )


def _seat(
    table: Table,
    seat: int,
    deal: Deal | None,
    record: CoupRecord | None,
    *,
    staff: bool,
    acts: bool,
) -> SeatView:
    who = player(table.felt, seat)
    side = _side(table, seat, record)
    cards: tuple[Card | None, ...] = ()
    points = None
    if deal and side:
        dealt = deal.banker if side is Side.BANK else deal.pointeur
        cards = tuple(
            card.card if card.ordinal in deal.shown or place >= 2 else None
            for place, card in enumerate(dealt)
        )
        points = value(dealt) if len(dealt) >= 2 and deal.lies_open(dealt) else None
    coup = table.coup
    return SeatView(
        seat=seat,
        taken=who is not None,
        name=who.name if who and staff else None,
        balance=who.balance if who and staff else None,
        stake=coup.stake_of(seat) if coup else 0,
        role={Side.BANK: "banker", Side.POINTEUR: "pointeur"}[side] if side else "",
        marks=_marks(table, seat),
        acts=acts,
        cards=cards,
        points=points,
        outcome=_outcome(side, record),
    )


def _marks(table: Table, seat: int) -> tuple[str, ...]:
    """Words beside a seat: its rights and what its player declared."""
    who, bank = player(table.felt, seat), table.bank
    marks = {
        "prime": seat == ledger.prime(table),
        "suivi": seat == table.suivi,
        "partner": bank is not None and seat in dict(bank.partners),
        "by_schlitten": who is not None and who.by_schlitten,
        "must_pass": who is not None and who.must_pass > 0,
    }
    return tuple(mark for mark, holds in marks.items() if holds)


def _side(table: Table, seat: int, record: CoupRecord | None) -> Side | None:
    """Whose hand lies at `seat`; after the settlement whose it was."""
    banker = record.banker_seat if record else table.bank.seat if table.bank else 0
    pointeur = record.pointeur_seat if record else table.coup.pointeur if table.coup else 0
    if seat == banker:
        return Side.BANK
    return Side.POINTEUR if seat == pointeur else None


def _outcome(side: Side | None, record: CoupRecord | None) -> str:
    if record is None or side is None:
        return ""
    if record.winner is None:
        return "tie"
    return "won" if record.winner is side else "lost"


def _coup(record: CoupRecord) -> CoupView:
    return CoupView(
        coup=record.number,
        winner=record.winner.value if record.winner else "tie",
        banker=record.banker,
        pointeur=record.pointeur,
        banker_seat=record.banker_seat,
        pointeur_seat=record.pointeur_seat,
        pot=record.pot,
        paid=record.staked if record.winner else 0,
        cagnotte=record.cagnotte,
    )


def _totals(table: Table) -> tuple[TotalView, ...]:
    """What the last coup, this Schlitten and the evening came to."""
    last = tuple(counted(Totals(), record) for record in table.last[-1:])
    names = ("coup", "schlitten", "evening")[-2 - len(last) :]
    return tuple(
        TotalView(
            of=name,
            coups=total.coups,
            bank=total.bank,
            pointeur=total.pointeur,
            ties=total.ties,
            staked=total.staked,
            cagnotte=total.cagnotte,
        )
        for name, total in zip(names, (*last, *table.totals), strict=True)
    )


def _advice(table: Table) -> AdviceView | None:
    if not isinstance(table.phase, BankerToChoose):
        return None
    point, given, duty = duty_of(table, table.phase.deal)
    text, rule = ADVICE[duty]
    return AdviceView(point=point, given=given, duty=duty.value, text=text, rule=rule)


def _payments(table: Table) -> tuple[PaymentView, ...]:
    if not isinstance(table.phase, Settled):
        return ()
    return tuple(
        PaymentView(
            text=phrase("cagnotte")
            if line.seat == 0
            else phrase("collect")
            if line.chips < 0
            else phrase("pay"),
            seat=line.seat,
            chips=abs(line.chips),
            done=line.done,
        )
        for line in table.phase.payments
    )


def _alerts(table: Table, *, staff: bool) -> tuple[AlertView, ...]:
    return tuple(
        AlertView(
            id=alert.id,
            code=alert.code,
            severity=alert.severity,
            acknowledged=alert.acknowledged,
            what=alert.what if staff else None,
            remedy=alert.remedy if staff else None,
        )
        for alert in table.felt.alerts
    )
