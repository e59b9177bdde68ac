"""Parts for pictures of an evening at Zoppot: labels, hands, coups, the wall."""

from __future__ import annotations

from table_controller.engine.messages import phrase
from table_controller.engine.pieces import (
    Cell,
    Drawer,
    Figure,
    Grid,
    Hand,
    Mark,
    Person,
    Result,
    Tray,
)
from table_controller.engine.views import (
    Offer,
    SeatView,
)

NAMES = ("K.", "A.", "L.", None, "B.", "R.", "O.", None, "S.")
BALANCES = (420, 180, 96, None, 1240, 310, 75, None, 560)
PRIME = Mark(name="prime", label=phrase("prime"))
SUIVI = Mark(name="suivi", label=phrase("suivi"))
WON = Mark(name="won", label=phrase("WON"))
LOST = Mark(name="lost", label=phrase("LOST"))


def figure(name: str, label: str, value: int, unit: str = "G") -> Figure:
    """A sum in Gulden."""
    return Figure(name=name, label=phrase(label), value=value, unit=unit)


def pot_and(pot: int, against: int, unit: str = "G", *, over: bool = False) -> tuple[Figure, ...]:
    """What the bank puts up, and what is staked against it; `over`: what was."""
    return (
        figure("pot", "Pot now" if over else "Pot", pot, unit),
        figure("against", "played" if over else "against it", against, unit),
    )


def banker(seat: int, **more: object) -> Hand:
    """The bank's hand."""
    return Hand(name="banker", label=phrase("BANK"), seat=seat, tone="gold", **more)


def pointeur(seat: int, **more: object) -> Hand:
    """The hand against it."""
    return Hand(name="pointeur", label=phrase("POINTEUR"), seat=seat, tone="blue", **more)


TRAYS = (
    Tray(name="pointeur", label=phrase("POINTEUR"), tone="blue", slots=3),
    Tray(name="banker", label=phrase("BANK"), tone="gold", slots=3),
)


def counted(points: int) -> dict[str, object]:
    """What a hand counts, in words and as a number."""
    return {"points": phrase("{n} points", n=points), "count": points}


#: Who may win: the letter and the colour that say so.
WINNERS = {"banker": ("B", "gold"), "pointeur": ("P", "blue"), "tie": ("=", "grey")}


def coup(number: int, name: str, text: str, count: int, seat: int, *, pot: int = 80) -> Result:
    """A coup that `name` won at `seat`."""
    sign, tone = WINNERS[name]
    won = name != "tie"
    took = (figure("cagnotte", "cagnotte", pot // 20),) if name == "banker" else ()
    return Result(
        coup=number,
        name=name,
        text=phrase(text),
        sign=sign,
        tone=tone,
        count=count,
        winner=phrase("seat {n} wins", n=seat) if won else phrase(""),
        paid=figure("paid", "the bank pays" if name == "pointeur" else "", pot) if won else None,
        after=phrase("" if won else "the coup is replayed"),
        figures=(figure("pot", "pot", pot), *took),
    )


LAST = (
    coup(20, "banker", "Bank 7 : 2", 7, 1),
    coup(21, "banker", "Bank 9 : 4", 9, 1),
    coup(22, "pointeur", "Pointeur 8 : 3", 8, 4),
    coup(23, "tie", "En carte 6 : 6", 6, 0),
    coup(24, "banker", "Bank 5 : 0", 5, 1),
    coup(25, "pointeur", "Pointeur 7 : 1", 7, 7),
    coup(26, "banker", "Bank 8 : 6", 8, 1),
    coup(27, "banker", "Bank 6 : 5", 6, 1),
    coup(28, "banker", "Bank 9 : 4", 9, 1),
)

DRAWS = Cell(sign="●", text=phrase("draws"))
STANDS = Cell(sign="–", text=phrase("stands"))
CHOOSES = Cell(sign="◐", text=phrase("as he chooses"))
_SIGNS = {"D": DRAWS, "S": STANDS, "?": CHOOSES}
WALL = Grid(
    name="tableau",
    label=phrase("Tableau: bank's points, third card given"),
    rule="ZX-2",
    rows=("3", "4", "5", "6"),
    columns=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
    cells=tuple(
        tuple(_SIGNS[sign] for sign in row)
        for row in ("DDDDDDDS?D", "SDDDDDDSSS", "SSS?DDDSSS", "SSSSSDDSSS")
    ),
    key=(DRAWS, STANDS, CHOOSES),
)
DRAWERS = (
    Drawer(name="banco", label=phrase("Banco solo")),
    Drawer(name="stakes", label=phrase("stakes"), stays=True),
    Drawer(name="bids", label=phrase("bids"), stays=True),
)

STEPS = tuple(
    map(
        phrase,
        ("staked", "dealt", "“carte”", "opened", "banker draws?", "pointeur opens", "settle"),
    )
)

MORE = (
    Offer(input={"type": "take_back"}, label=phrase("take back “carte”"), group="back"),
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


def seats(host: int = 1, **marks: tuple[Mark, ...]) -> tuple[SeatView, ...]:
    """The nine seats; `s1=(PRIME,)` is written beside seat 1."""
    return tuple(
        SeatView(seat=n, taken=name is not None, marks=marks.get(f"s{n}", ()), host=n == host)
        for n, name in enumerate(NAMES, 1)
    )


PEOPLE = tuple(
    Person(seat=n, name=name, balance=balance or 0)
    for n, (name, balance) in enumerate(zip(NAMES, BALANCES, strict=True), 1)
    if name
)


def offer(kind: str, label: str, **more: object) -> Offer:
    """An offer whose input has only a type and a seat."""
    return Offer(input={"type": kind, "seat": 1}, label=phrase(label), **more)
