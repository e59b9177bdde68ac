"""Pictures of an evening at Zoppot, as a game would project them, for the page's tests."""

from __future__ import annotations

import msgspec

from table_controller.engine.messages import Audience, Severity, phrase
from table_controller.engine.views import (
    AdviceView,
    AlertView,
    CoupView,
    Offer,
    PaymentView,
    Prompt,
    SeatView,
    Secret,
    ShoeView,
    Snapshot,
    Sum,
)
from table_controller.rules.cards import Card, hand

NAMES = ("K.", "A.", "L.", None, "B.", "R.", "O.", None, "S.")
BALANCES = (420, 180, 96, None, 1240, 310, 75, None, 560)

LAST = tuple(
    CoupView(
        coup=20 + n,
        winner=winner,
        banker=bank,
        pointeur=hand_,
        banker_seat=1,
        pointeur_seat=2 + n,
        pot=80,
        paid=80,
        cagnotte=4 if winner == "bank" else 0,
    )
    for n, (winner, bank, hand_) in enumerate(
        [
            ("bank", 7, 2),
            ("bank", 9, 4),
            ("pointeur", 3, 8),
            ("tie", 6, 6),
            ("bank", 5, 0),
            ("pointeur", 1, 7),
            ("bank", 8, 6),
            ("bank", 6, 5),
            ("bank", 9, 4),
        ]
    )
)

STEPS = tuple(
    map(
        phrase,
        ("staked", "dealt", "“carte”", "opened", "banker draws?", "pointeur opens", "settle"),
    )
)

MORE = (
    Offer(input={"type": "take_back"}, label=phrase("↶ take back “carte”"), group="more"),
    Offer(
        input={"type": "asked_schlitten"}, label=phrase("“Was macht der Schlitten?”"), group="more"
    ),
    Offer(
        input={"type": "stray_ruled", "ruling": "kept"},
        label=phrase("A card left by mistake, still closed"),
        group="mistake",
    ),
    Offer(
        input={"type": "stray_ruled", "ruling": "burned"},
        label=phrase("A card left by mistake and was seen: burn it"),
        group="mistake",
    ),
    Offer(
        input={"type": "annulled", "reason": "ruling"},
        label=phrase("Annul the coup, stakes go back"),
        group="supervisor",
        hold=True,
    ),
)


def seats(**changes: dict[str, object]) -> tuple[SeatView, ...]:
    """The nine seats; `s1={…}` changes seat 1."""
    plain = [
        SeatView(seat=n, taken=name is not None, name=name, balance=balance)
        for n, name, balance in zip(range(1, 10), NAMES, BALANCES, strict=True)
    ]
    return tuple(
        msgspec.structs.replace(seat, **changes.get(f"s{seat.seat}", {})) for seat in plain
    )


def offer(kind: str, label: str, **more: object) -> Offer:
    """An offer whose input has only a type and a seat."""
    return Offer(input={"type": kind, "seat": 1}, label=phrase(label), **more)


ADVICE_LIT = Snapshot(
    house="zoppot-1934",
    title="Zoppot 1934 · Table 3",
    game="chemin-de-fer",
    unit="G",
    coup=29,
    shoe=ShoeView(id="s2", number=2, cards=312, left=171, white_at=7),
    pot=160,
    against=160,
    play="banco_solo",
    seats=seats(
        s1={"role": "banker", "acts": True, "cards": hand("Kd 5s"), "points": 5},
        s2={
            "role": "pointeur",
            "marks": ("prime",),
            "stake": 160,
            "cards": (None, None, Card("4h")),
        },
    ),
    prompt=Prompt(
        id=412,
        news=phrase("Seat 1 opened 5, seat 2 took the 4 ♥"),
        ask=phrase("Seat {seat}: card or stay?", seat=1),
        why=phrase("Plays free. The custom leaves this one to him, 5 against 4:"),
        rule="ZX-2",
        seats=(1,),
    ),
    steps=STEPS,
    step=4,
    last=LAST,
    advice=AdviceView(
        point=5, given=4, duty="choose", text=phrase("5 against 4: as he chooses"), rule="ZX-2"
    ),
    offers=(
        Offer(input={"type": "spoke", "seat": 1, "word": "draws"}, label=phrase("takes a card")),
        Offer(input={"type": "spoke", "seat": 1, "word": "stands"}, label=phrase("stays")),
        *MORE,
    ),
    cagnotte=38,
)

BEFORE_STAKING = msgspec.structs.replace(
    ADVICE_LIT,
    pot=20,
    against=0,
    play="",
    coup=29,
    advice=None,
    step=0,
    seats=seats(s3={"role": "banker"}, s5={"marks": ("prime",)}, s2={"marks": ("suivi",)}),
    prompt=Prompt(
        id=398,
        news=phrase("Seat 2 lost: the Schlitten passes to seat 3"),
        ask=phrase("Seat 3: how much is the bank?"),
        why=phrase("Any sum he likes, but not under 10 G."),
        rule="ZP-5, Z-1",
        seats=(3,),
    ),
    offers=(
        Offer(
            input={"type": "banks", "seat": 3},
            label=phrase("10 Gulden banco"),
            fields=(Sum(label=phrase("chips"), least=10, most=96, suggested=20),),
        ),
        Offer(input={"type": "passes", "seat": 3}, label=phrase("passes on")),
        *MORE[3:],
    ),
)

TO_SPEAK = msgspec.structs.replace(
    ADVICE_LIT,
    advice=None,
    step=2,
    seats=seats(
        s1={"role": "banker", "cards": (None, None)},
        s2={
            "role": "pointeur",
            "acts": True,
            "stake": 160,
            "marks": ("prime",),
            "cards": (None, None),
        },
    ),
    prompt=Prompt(
        id=409,
        news=phrase("Two cards each lie closed"),
        ask=phrase("Seat 2: Schlag, card or stay?"),
        why=phrase("With 8 or 9 he lays his cards open at once."),
        rule="ZP-7, ZP-8",
        seats=(2,),
    ),
    offers=(
        Offer(input={"type": "spoke", "seat": 2, "word": "carte"}, label=phrase("“Carte”")),
        Offer(input={"type": "spoke", "seat": 2, "word": "reste"}, label=phrase("“Reste”")),
        Offer(input={"type": "opened", "seat": 2}, label=phrase("Schlag: opens"), hold=True),
        *MORE,
    ),
)

NO_INFORMATION = msgspec.structs.replace(
    ADVICE_LIT,
    seats=seats(
        s1={"role": "banker", "acts": True, "cards": hand("Kd 5s"), "points": 5},
        s2={"role": "pointeur", "stake": 160, "cards": (None, None)},
    ),
    prompt=msgspec.structs.replace(
        ADVICE_LIT.prompt,
        id=413,
        news=phrase("Seat 2 said “reste”, seat 1 opened 5"),
        why=phrase("He is free: no card was given."),
        rule="Z-20",
    ),
    advice=AdviceView(
        point=5,
        given=None,
        duty="no_information",
        text=phrase("Für eine nicht gezogene Karte keine Auskunft."),
        rule="Z-20",
    ),
)

SETTLEMENT = msgspec.structs.replace(
    ADVICE_LIT,
    advice=None,
    step=6,
    coup=29,
    seats=seats(
        s1={"role": "banker", "cards": hand("Kd 5s 3c"), "points": 8, "outcome": "won"},
        s2={
            "role": "pointeur",
            "stake": 160,
            "cards": hand("2h Tc 4h"),
            "points": 6,
            "outcome": "lost",
        },
    ),
    prompt=Prompt(
        id=418,
        news=phrase("Bank 8 : 6, the bank wins"),
        ask=phrase("Collect and pay, in this order"),
        why=phrase("The next coup waits until all is paid."),
        rule="Z-26",
    ),
    payments=(
        PaymentView(text=phrase("collect from the table"), seat=5, chips=40, done=True),
        PaymentView(text=phrase("collect from the prime"), seat=2, chips=120, done=False),
        PaymentView(text=phrase("cagnotte, 5 %"), seat=0, chips=8, done=False),
        PaymentView(text=phrase("into the pot"), seat=1, chips=152, done=False),
    ),
    last=(
        *LAST[1:],
        CoupView(
            coup=29,
            winner="bank",
            banker=8,
            pointeur=6,
            banker_seat=1,
            pointeur_seat=2,
            pot=160,
            paid=152,
            cagnotte=8,
        ),
    ),
    offers=(
        offer("paid", "All paid", hold=True),
        *MORE[:1],
        *MORE[2:],
    ),
)

ALERT = msgspec.structs.replace(
    TO_SPEAK,
    alerts=(
        AlertView(
            id="unread-1207",
            code="card_unread",
            severity=Severity.STOP,
            what=phrase("A card was not read at the lip"),
            remedy=phrase(
                "Show it to the lip's camera again, or two people each enter it, unseen by others."
            ),
        ),
        AlertView(
            id="lost-board",
            code="device_lost",
            severity=Severity.WARNING,
            what=phrase("The board does not answer"),
            remedy=phrase("Look at its USB plug. Lamps and digits come back by themselves."),
        ),
    ),
    prompt=Prompt(
        id=407,
        news=phrase("A card left the Schlitten unread"),
        ask=phrase("Which card is it? First person"),
        why=phrase("Nobody guesses a card: two entries must agree."),
        rule="R-6",
    ),
    offers=(
        Offer(
            input={"type": "card_named"},
            label=phrase("Enter the card"),
            fields=(Secret(label=phrase("the card, unseen")),),
        ),
        Offer(input={"type": "unread_ruled"}, label=phrase("It was no card"), group="mistake"),
        *MORE[2:],
        *(
            Offer(
                input={"type": "alert_acknowledged", "alert": alert},
                label=phrase("seen"),
                group="alert",
            )
            for alert in ("unread-1207", "lost-board")
        ),
    ),
)

LAST_COUP = msgspec.structs.replace(
    TO_SPEAK,
    shoe=ShoeView(id="s2", number=2, cards=312, left=5, white_at=7, white_out=True, last_coup=True),
    prompt=msgspec.structs.replace(
        TO_SPEAK.prompt, news=phrase("The white card is out: der letzte Coup"), rule="R-6"
    ),
)

TWELVE = msgspec.structs.replace(
    ADVICE_LIT,
    title="Nemzeti Casino · Table 1",
    unit="K",
    pot=24680,
    against=24680,
    seats=tuple(
        SeatView(
            seat=n,
            taken=n != 7,
            name=f"Player {n}",
            balance=n * 1370,
            stake=50 * n if n > 4 and n != 7 else 0,
            role={3: "banker", 4: "pointeur"}.get(n, ""),
            cards={3: hand("9s Qh"), 4: (None, None, Card("Td"))}.get(n, ()),
            points=9 if n == 3 else None,
        )
        for n in range(1, 13)
    ),
)

ALL = {
    "before-staking": BEFORE_STAKING,
    "to-speak": TO_SPEAK,
    "advice": ADVICE_LIT,
    "no-information": NO_INFORMATION,
    "settlement": SETTLEMENT,
    "alert": ALERT,
    "last-coup": LAST_COUP,
    "twelve": TWELVE,
}

RULES = {
    "ZX-2": "The tableau, or the custom: what the banker does on his points and the "
    "third card given.\n\nOn 5 having given a 4 he chooses.",
    "Z-20": "After “reste” the croupier gives no information on a card that was not drawn.",
}


def project(snapshot: Snapshot, audience: Audience) -> Snapshot:
    """The picture for an audience, from the croupier's."""
    if audience is Audience.CROUPIER:
        return snapshot
    return msgspec.structs.replace(
        snapshot,
        seats=tuple(msgspec.structs.replace(s, name=None, balance=None) for s in snapshot.seats),
        alerts=tuple(msgspec.structs.replace(a, what=None, remedy=None) for a in snapshot.alerts),
        offers=(),
        cagnotte=None,
    )


def with_pot(pot: int) -> Snapshot:
    """Advice, with another pot."""
    return msgspec.structs.replace(ADVICE_LIT, pot=pot, against=pot)
