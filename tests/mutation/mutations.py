"""Slips of the pen, each in a place where a rule is decided: the tests must notice every one."""

from __future__ import annotations

from dataclasses import dataclass

#: The tests that hold a coup; of rules, each module has its own.
FAST = ("tests/engine/test_coups.py", "tests/engine/test_rulings.py")
SECRET = ("tests/engine/test_secrecy.py",)

_GAME = "table_controller/engine/chemin_de_fer"
_TABLEAU = "table_controller/rules/tableau.py"


@dataclass(frozen=True)
class Mutation:
    """Replace `old`, found exactly once in `file`, by `new`; `tests` must then fail."""

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = FAST


def _own(file: str) -> tuple[str, ...]:
    folder, _, module = file.rpartition("/")
    return (f"tests/rules/test_{module}",) if folder.endswith("rules") else FAST


#: The tableau as it stands in the code, to be spoiled square by square (ZX-2, R-1, R-2).
_ROWS = (
    "0   -      D D D D D D D D D D",
    "1   -      D D D D D D D D D D",
    "2   -      D D D D D D D D D D",
    "3   -      D D D D D D D D S ?",
    "4   -      S S D D D D D D S S",
    "5   -      S S S S ? D D D S S",
    "6   -      S S S S S S D D S S",
    "7   -      S S S S S S S S S S",
)


def _squares() -> list[Mutation]:
    """Every square of the tableau turned into another, the column for "stood" included."""
    spoiled = {"D": "S", "S": "D", "?": "S", "-": "D"}
    places = [4, *range(11, 30, 2)]
    return [
        Mutation(
            f"ZX-2 row {row[0]} column {place}",
            _TABLEAU,
            row,
            row[:place] + spoiled[row[place]] + row[place + 1 :],
            _own(_TABLEAU),
        )
        for row in _ROWS
        for place in places
    ]


def _in(file: str, *slips: tuple[str, str, str]) -> list[Mutation]:
    return [Mutation(rule, file, old, new, _own(file)) for rule, old, new in slips]


MUTATIONS: tuple[Mutation, ...] = (
    *_squares(),
    *_in(
        _TABLEAU,
        ("ZP-8", "if point <= 4:", "if point <= 3:"),
        ("ZP-10", "if point == 5 else", "if point == 6 else"),
        ("ZX-2 choice", '"?": Duty.CHOOSE', '"?": Duty.DRAW'),
        ("Z-20", '"-": Duty.NO_INFORMATION', '"-": Duty.STAND'),
    ),
    *_in(
        "table_controller/rules/points.py",
        ("ZX-1 court", "card.rank if card.rank < 10 else 0", "card.rank if card.rank < 11 else 0"),
        ("ZX-1 units", ") % 10", ") % 9"),
        ("ZP-7", "points(cards) >= 8", "points(cards) >= 7"),
        ("ZP-7 two cards", "len(cards) == 2 and", ""),
    ),
    *_in(
        "table_controller/rules/money.py",
        ("R-8", "rate_bp // 10_000", "rate_bp // 1_000"),
        ("R-8 rounding", "winnings * rate_bp // 10_000", "-(-winnings * rate_bp // 10_000)"),
    ),
    *_in(
        "table_controller/rules/houses.py",
        ("ZP-2", "packs: int = 6", "packs: int = 8"),
        ("ZP-4", "white_at: int = 7", "white_at: int = 6"),
        ("ZP-5", "least_pot: int = 10", "least_pot: int = 2"),
        ("ZP-16", "least_stake: int = 2", "least_stake: int = 10"),
        ("R-8 default", "cagnotte_bp: int = 500", "cagnotte_bp: int = 50"),
        ("R-12", "most_pot: int = 0", "most_pot: int = 2400"),
        ("N-1", '("seats", 2, 12)', '("seats", 2, 9)'),
    ),
    *_in(
        f"{_GAME}/deal.py",
        ("ZP-6", "len(deal.pointeur) == len(deal.banker)", "len(deal.pointeur) > len(deal.banker)"),
        ("ZP-6 four", "if len(deal.banker) < 2:", "if len(deal.banker) < 1:"),
        ("Z-13", "table.kept[:3] if", "table.kept[:2] if"),
        ("ZP-7 shown", "if value(deal.pointeur) >= 8:", "if value(deal.pointeur) >= 9:"),
        ("ZP-8", "or value(deal.banker) >= 8:", "or value(deal.banker) >= 9:"),
        ("ZP-7 ends", "if deal.word is Word.SCHLAG or value", "if value"),
        ("ZP-12", "elif deal.word is Word.CARTE:", "elif deal.word is Word.RESTE:"),
        ("ZX-2 total", "point = value(deal.banker)", "point = value(deal.pointeur)"),
        ("ZX-2 given", "given = PIPS[deal.given.card] if deal.given else None", "given = None"),
        ("ZP-9", "if said.word is Word.DRAWS:", "if said.word is Word.STANDS:"),
        ("Z-9", "*opened(table, coup.pointeur, (dealt,))", ""),
        ("Z-9 bank", "*opened(table, bank.seat, (dealt,))", ""),
        (
            "ZP-12 last",
            "if deal.pointeur_open:\n        return settle",
            "if True:\n        return settle",
        ),
        ("R-34", "    if phase.deal.pointeur_open:\n        raise", "    if False:\n        raise"),
        ("ZP-12 whose", "    if seat != due:", "    if seat == 0:"),
    ),
    *_in(
        f"{_GAME}/settle.py",
        ("R-3", "if banker == pointeur:", "if banker == pointeur < 8:"),
        ("ZP-9", "Side.BANK if banker > pointeur", "Side.BANK if banker < pointeur"),
        ("R-7", "Chips(bank.pot + coup.stake - house)", "Chips(bank.pot + coup.stake)"),
        ("R-7 pot", "Chips(bank.pot + coup.stake - house)", "Chips(bank.pot - house)"),
        ("ZP-20", "house = cagnotte(coup.stake,", "house = cagnotte(bank.pot + coup.stake,"),
        ("ZP-9 paid", "coup.pointeur, 2 * coup.stake", "coup.pointeur, coup.stake"),
        ("Z-25 aside", "record.pot_after + bank.aside", "record.pot_after"),
        ("Z-25 won", "won = Chips(coup.stake - record.cagnotte)", "won = Chips(coup.stake)"),
        ("R-8 house", "Chips(table.cagnotte + record.cagnotte)", "Chips(record.cagnotte * 0)"),
        ("ZP-19", "    if lost:\n        to = next", "    if not lost:\n        to = next"),
        ("R-6", "in_box(table) + drawn < table", "in_box(table) + drawn <= table"),
        ("R-6 fewer", "in_box(table) + drawn < table.house.white_at", "in_box(table) + drawn < 6"),
        ("R-6 last", "played = 0 < table.last_coup <= table.coups", "played = False"),
        ("R-6 kept", "+ len(table.kept)", ""),
        ("R-4", "        return Dealing()  # a tie", "        return StakesDue()  # a tie"),
        ("Z-24 stake", "pay(table, coup.pointeur, coup.stake) if coup", "table.seats if coup"),
        ("R-30", "replace(table.bank, won=NONE) if table.bank", "table.bank if table.bank"),
        (
            "R-35",
            "(*table.hidden, *_closed(deal), *_strays(table.phase))",
            "(*table.hidden, *_strays(table.phase))",
        ),
        (
            "R-35 stray",
            "(*table.hidden, *_closed(deal), *_strays(table.phase))",
            "(*table.hidden, *_closed(deal))",
        ),
    ),
    *_in(
        f"{_GAME}/bank.py",
        ("ZP-5", "if said.chips < house.least_pot:", "if said.chips <= house.least_pot:"),
        ("ZP-5 none", "if said.chips < house.least_pot:", "if said.chips < 1:"),
        ("R-12", "said.chips > house.most_pot:", "said.chips >= house.most_pot:"),
        ("Z-3", "    if chips > who.balance:", "    if chips > who.balance + 1:"),
        ("Z-1", "    if chips > who.balance:", "    if chips >= who.balance:"),
        ("ZP-19 place", "if said.seat != table.place:", "if said.seat == 0:"),
        (
            "ZP-15",
            "coup = Coup(said.seat, Play.BANCO_SOLO, bank.pot)",
            "coup = Coup(said.seat, Play.BANCO_SOLO, Chips(bank.pot // 2))",
        ),
        ("ZP-6 own bank", "    if said.seat == bank.seat:", "    if said.seat == 0:"),
        ("R-6 refused", "if in_box(table) < table.house.white_at:", "if in_box(table) < 0:"),
        ("Z-25", "replace(bank, pot=bank.won,", "replace(bank, pot=bank.pot,"),
        ("Z-25 rest", "Chips(bank.aside + bank.pot - bank.won)", "bank.aside"),
        ("R-35 hidden", "(*table.hidden, *table.kept)", "table.hidden"),
        ("R-35 kept", "(*table.hidden, *table.kept)", "table.kept"),
        ("ZP-3", "if not 1 <= said.seat <= len(table.seats):", "if not 1 <= said.seat <= 99:"),
        ("R-16", "table.bank.pot + table.bank.aside)", "table.bank.pot)"),
        (
            "R-10",
            "_seated(replace(table, seats=seats), phase)\n    return table, (\n        PlayerLeft",
            "replace(table, seats=seats)\n    return table, (\n        PlayerLeft",
        ),
    ),
    *_in(
        f"{_GAME}/state.py",
        ("R-10", "        if table.seats[candidate - 1] is not None:", "        if True:"),
        ("ZP-19 round", "% count + 1", "% (count - 1) + 1"),
        (
            "ZP-19 next",
            "seat % len(table.seats) + 1), seat)",
            "(seat + 1) % len(table.seats) + 1), seat)",
        ),
    ),
    *_in(
        f"{_GAME}/cards.py",
        (
            "R-6 white",
            "    if left == table.house.white_at:",
            "    if left <= table.house.white_at:",
        ),
        (
            "R-6 during",
            "coup = table.coups if under_way else",
            "coup = table.coups + 1 if under_way else",
        ),
        ("R-6 missed", "shoe.left < table.house.white_at and", "shoe.left < 2 and"),
        (
            "R-6 decided",
            "    return at(table, WhiteDisputed(left, table.phase), alerts=alerts)",
            "    return replace(table, alerts=alerts)",
        ),
        ("Z-13 kept", "kept=(*table.kept, dealt)", "kept=table.kept"),
        ("Z-13 burned", "told = (*opened(table, 0, (dealt,)), *told)", "pass"),
        ("R-19 back", "restored(put_back(table.shoe), dealt)", "put_back(table.shoe)"),
        ("R-19 count", "restored(put_back(table.shoe), dealt)", "restored(table.shoe, dealt)"),
        ("R-4 dealt on", "and table.coup and not ended(table", "and ended(table"),
        ("two people", "    if said.actor == first:", "    if False:"),
        (
            "R-10 resumed",
            "    return resumed(table, phase.resume), (removed",
            "    return at(table, phase.resume), (removed",
        ),
    ),
    *_in(
        "table_controller/engine/shoe.py",
        ("duplicate", "return None if shoe.labelled & bit else", "return"),
        ("six equals", "gone(shoe, card) >= shoe.packs", "gone(shoe, card) > shoe.packs"),
    ),
    Mutation(
        "R-17 word",
        f"{_GAME}/deal.py",
        "    return at(table, PointeurToSpeak(deal), kept=kept), told",
        "    due = BankerToOpen if value(deal.banker) >= 8 else PointeurToSpeak\n"
        "    return at(table, due(deal), kept=kept), told",
        SECRET,
    ),
    Mutation(
        "R-17 carte",
        f"{_GAME}/deal.py",
        "    word = Said(seat=said.seat, word=said.word)\n",
        "    word = Said(seat=said.seat, word=said.word)\n"
        "    if said.word is Word.CARTE and value(phase.deal.pointeur) > 5:\n"
        "        _whose(0, 1, 'x')\n",
        SECRET,
    ),
    Mutation(
        "R-13 picture",
        f"{_GAME}/view.py",
        "card.card if shown or place >= 2 else None",
        "card.card if shown or place >= 1 else None",
        SECRET,
    ),
    Mutation(
        "R-13 points",
        f"{_GAME}/view.py",
        "points = value(dealt) if shown else None",
        "points = value(dealt)",
        SECRET,
    ),
    Mutation(
        "R-13 promise",
        "table_controller/engine/commitments.py",
        "hashlib.sha256(nonce + card.encode())",
        "hashlib.sha256(card.encode())",
        SECRET,
    ),
    Mutation(
        "R-13 nonce",
        f"{_GAME}/telling.py",
        '{table.shoe.id}.{table.number}"',
        '{table.shoe.id}"',
        SECRET,
    ),
    Mutation(
        "R-13 alert",
        f"{_GAME}/cards.py",
        'phrase("A card left the Schlitten and none was due.")',
        'phrase("{card} left.", card=dealt.card.value)',
        SECRET,
    ),
    Mutation(
        "R-13 audience",
        f"{_GAME}/messages.py",
        "    audience: ClassVar[Audience] = Audience.SEALED\n",
        "    audience: ClassVar[Audience] = Audience.CROUPIER\n",
        SECRET,
    ),
)
