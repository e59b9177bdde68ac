"""Pictures of an evening at Zoppot, as a game would project them, for the page's tests."""

from __future__ import annotations

import msgspec

from table_controller.engine.messages import Audience, Severity, phrase
from table_controller.engine.pieces import (
    Advice,
    Ask,
    Cell,
    Entry,
    Person,
    Road,
    Stake,
)
from table_controller.engine.views import (
    AlertView,
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
from tests.adapters.web.pieces import (
    DRAWERS,
    LAST,
    LOST,
    MORE,
    PEOPLE,
    PRIME,
    STEPS,
    SUIVI,
    TRAYS,
    WALL,
    WON,
    banker,
    counted,
    coup,
    figure,
    offer,
    pointeur,
    pot_and,
    seats,
)

ADVICE_LIT = Snapshot(
    house="zoppot-1934",
    title="Zoppot 1934 · Table 3",
    game="chemin-de-fer",
    unit="G",
    coup=29,
    shoe=ShoeView(id="s2", number=2, cards=312, left=171, white_at=7),
    figures=pot_and(160, 160),
    displays=("pot", "against"),
    play=phrase("Banco solo"),
    seats=seats(s2=(PRIME,)),
    hands=(
        banker(1, cards=hand("Kd 5s"), **counted(5)),
        pointeur(2, cards=(None, None, Card("4h"))),
    ),
    stakes=(Stake(seat=2, chips=160),),
    people=PEOPLE,
    trays=TRAYS,
    wall=WALL,
    drawers=DRAWERS,
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
    advice=Advice(
        name="choose", row="5", column="4", text=phrase("5 against 4: as he chooses"), rule="ZX-2"
    ),
    offers=(
        Offer(input={"type": "spoke", "seat": 1, "word": "draws"}, label=phrase("takes a card")),
        Offer(input={"type": "spoke", "seat": 1, "word": "stands"}, label=phrase("stays")),
        *MORE,
    ),
    till=(figure("cagnotte", "in the cagnotte", 38), figure("tips", "tips", 0)),
)

BEFORE_STAKING = msgspec.structs.replace(
    ADVICE_LIT,
    figures=pot_and(20, 0),
    play=phrase(""),
    coup=29,
    advice=None,
    step=0,
    seats=seats(3, s5=(PRIME,), s2=(SUIVI,)),
    hands=(banker(3),),
    stakes=(),
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
    hands=(banker(1, cards=(None, None)), pointeur(2, cards=(None, None))),
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
    seats=seats(),
    hands=(banker(1, cards=hand("Kd 5s"), **counted(5)), pointeur(2, cards=(None, None))),
    prompt=msgspec.structs.replace(
        ADVICE_LIT.prompt,
        id=413,
        news=phrase("Seat 2 said “reste”, seat 1 opened 5"),
        why=phrase("He is free: no card was given."),
        rule="Z-20",
    ),
    advice=Advice(
        name="no_information",
        text=phrase("Für eine nicht gezogene Karte keine Auskunft."),
        rule="Z-20",
    ),
)

SETTLEMENT = msgspec.structs.replace(
    ADVICE_LIT,
    advice=None,
    step=6,
    coup=29,
    seats=seats(),
    hands=(
        banker(1, cards=hand("Kd 5s 3c"), outcome=WON, **counted(8)),
        pointeur(2, cards=hand("2h Tc 4h"), outcome=LOST, **counted(6)),
    ),
    figures=pot_and(160, 160, over=True),
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
        coup(29, "banker", "Bank 8 : 6", 8, 1, pot=160),
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
                "Show the card to the camera again, or two people each enter it, unseen by others."
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
    figures=pot_and(24680, 24680, "K"),
    seats=tuple(SeatView(seat=n, taken=n != 7) for n in range(1, 13)),
    people=tuple(
        Person(seat=n, name=f"Player {n}", balance=n * 1370) for n in range(1, 13) if n != 7
    ),
    stakes=tuple(Stake(seat=n, chips=50 * n) for n in (5, 6, 8, 9, 10, 11, 12)),
    hands=(
        banker(3, cards=hand("9s Qh"), **counted(9)),
        pointeur(4, cards=(None, None, Card("Td"))),
    ),
)


def signs(letters: str, *tones: str) -> tuple[Cell, ...]:
    """The key of a made-up road: a sign, its word, its tone."""
    return tuple(
        Cell(sign=sign, text=phrase(tone), tone=tone)
        for sign, tone in zip(letters, tones, strict=True)
    )


def fallen(count: int, *, signs: int = 2, step: int = 7) -> tuple[Entry, ...]:
    """So many entries, six to a column, in an order that is no game's."""
    return tuple(
        Entry(
            n % 6, n // 6, n * step % 5 % signs,
            count=n % 11 // 9, top_left=n % 9 == 1, bottom_right=n % 13 == 5,
        )
        for n in range(count)
    )  # fmt: skip


def beads(count: int) -> tuple[Entry, ...]:
    """Letters have no figures."""
    return tuple(msgspec.structs.replace(entry, count=0) for entry in fallen(count, signs=3))


def plain(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Only where they stand."""
    return tuple(Entry(entry.row, entry.column, entry.sign) for entry in entries)


def road(name: str, key: tuple[Cell, ...], entries: tuple[Entry, ...], **more: object) -> Road:
    """Six rows of it."""
    return Road(name=name, label=phrase(name), rows=6, key=key, entries=entries, **more)


NEXT = (Ask(phrase("blue"), "blue", 1), Ask(phrase("red"), "red", 0))
ROADS = msgspec.structs.replace(
    ADVICE_LIT,
    roads=(
        road(
            "beads", signs("RBG", "red", "blue", "green"), beads(74),
            figures=(
                figure("all", "coups", 74, ""),
                figure("red", "red ones", 31, ""),
                figure("blue", "blue ones", 33, ""),
            ),
        ),
        road("rings", signs("○○○", "red", "blue", "green"), fallen(290, signs=2)),
        road("eyes", signs("○○", "red", "blue"), plain(fallen(310)), ask=NEXT),
        road("discs", signs("●●", "red", "blue"), plain(fallen(120, step=3)), ask=NEXT),
        road(
            "slashes", signs("╱╱", "red", "blue"), plain(fallen(20)),
            ask=(NEXT[0], Ask(phrase("red"), "red", None)),
        ),
    ),
)  # fmt: skip

ALL = {
    "before-staking": BEFORE_STAKING,
    "to-speak": TO_SPEAK,
    "advice": ADVICE_LIT,
    "no-information": NO_INFORMATION,
    "settlement": SETTLEMENT,
    "alert": ALERT,
    "last-coup": LAST_COUP,
    "twelve": TWELVE,
    "roads": ROADS,
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
        alerts=tuple(msgspec.structs.replace(a, what=None, remedy=None) for a in snapshot.alerts),
        offers=(),
        people=(),
        till=(),
    )


def with_pot(pot: int, snapshot: Snapshot = ADVICE_LIT) -> Snapshot:
    """The same, with another pot."""
    return msgspec.structs.replace(snapshot, figures=pot_and(pot, pot))
