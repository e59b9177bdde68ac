# ruff: noqa: E501  -- a slip is the line that it spoils, however long
"""Slips of the pen, each in a place where a rule is decided: the tests must notice every one."""

from __future__ import annotations

from dataclasses import dataclass

#: The tests that hold a coup; of rules, each module has its own.
FAST = (
    "tests/engine/test_coups.py",
    "tests/engine/test_orders.py",
    "tests/engine/test_rulings.py",
    "tests/engine/test_repairs.py",
)
OFFERED = ("tests/engine/test_offers.py", "tests/engine/test_whims.py")
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


def _offered(*slips: tuple[str, str, str, str]) -> list[Mutation]:
    """Slips in what is offered: the part of the offers behind the rule."""
    return [
        Mutation(rule, f"{_GAME}/offers_{part}.py", old, new, OFFERED)
        for rule, part, old, new in slips
    ]


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
        ("Z-13", "table.kept[:3]", "table.kept[:2]"),
        (
            "Z-6",
            "len(deal.banker) == 1 and deal.lies_open",
            "len(deal.banker) == 3 and deal.lies_open",
        ),
        (
            "ZP-7 shown",
            "if value(deal.pointeur) >= 8:\n        return at(table, BankerToOpen",
            "if value(deal.pointeur) >= 9:\n        return at(table, BankerToOpen",
        ),
        ("ZP-8", "or value(deal.banker) >= 8:", "or value(deal.banker) >= 9:"),
        ("ZP-7 ends", "if deal.word is Word.SCHLAG or value", "if value"),
        (
            "Z-8 Schlag",
            "        if value(deal.pointeur) >= 8:\n            return to_pointeur",
            "        if value(deal.pointeur) >= 9:\n            return to_pointeur",
        ),
        (
            "ZP-12",
            "if deal.word is Word.CARTE and not deal.thrown:",
            "if deal.word is Word.RESTE and not deal.thrown:",
        ),
        ("R-31", "if deal.word is Word.CARTE and not deal.thrown:", "if deal.word is Word.CARTE:"),
        ("ZX-2 total", "point = value(deal.banker[:2])", "point = value(deal.pointeur[:2])"),
        ("ZX-2 given", "given = PIPS[deal.given.card] if deal.given else None", "given = None"),
        (
            "ZP-9",
            "if said.word is Word.STANDS:\n        table",
            "if said.word is Word.DRAWS:\n        table",
        ),
        ("Z-9", "*opened(table, coup.pointeur, (dealt,))", ""),
        ("Z-9 bank", "*opened(table, bank.seat, (dealt,))", ""),
        (
            "ZP-12 last",
            "if deal.pointeur_open or deal.thrown:\n        return _decided",
            "if True:\n        return _decided",
        ),
        (
            "R-34",
            "return at(table, PointeurToSpeak(replace(deal, bound=True))), told",
            "return at(table, PointeurToSpeak(deal)), told",
        ),
        (
            "R-34 word",
            "    if phase.deal.pointeur_open:\n        raise",
            "    if False:\n        raise",
        ),
        ("ZP-12 whose", "    if seat != due:", "    if seat == 0:"),
        (
            "Z-17",
            "    if not by_schlitten(table, said.seat):\n        raise",
            "    if False:\n        raise",
        ),
        (
            "R-18 corrects",
            "    if not by_schlitten(table, said.seat):\n        raise",
            "    if True:\n        raise",
        ),
        ("Z-19", "bound=phase.deal.bound or binds", "bound=phase.deal.bound"),
        ("R-27", "binds = duty in (Duty.DRAW, Duty.STAND)", "binds = True"),
        (
            "R-18 bound",
            "return duty if deal.bound or by_schlitten(table, bank.seat) else None",
            "return duty if deal.bound else None",
        ),
        (
            "Z-8 bound",
            "return duty if deal.bound or by_schlitten(table, bank.seat) else None",
            "return duty if by_schlitten(table, bank.seat) else None",
        ),
        (
            "ZP-9 free",
            "return duty if deal.bound or by_schlitten(table, bank.seat) else None",
            "return duty",
        ),
        ("R-18 draw", "if commanded is Duty.DRAW and said.word is Word.STANDS:", "if False:"),
        ("Z-21 warned", "if commanded is Duty.STAND and said.word is Word.DRAWS:", "if False:"),
        ("Z-21 banker", "    if bound(table, phase.deal) is Duty.STAND:", "    if False:"),
        ("ZP-11", "return pointeur_duty(value(deal.pointeur[:2])) is Duty.STAND", "return False"),
        (
            "R-25 free",
            "or deal.thrown or not by_schlitten(table, coup.pointeur):",
            "or deal.thrown:",
        ),
        (
            "R-18 drew",
            "if len(deal.banker) == 2 and value(deal.banker) < 8:",
            "if value(deal.banker) < 8:",
        ),
        ("Z-21 gives back", "pointeur=deal.pointeur[:2], spare=spare)", "spare=spare)"),
        ("Z-21 serves", "banker=(*deal.banker, deal.spare)", "banker=deal.banker"),
        (
            "N-3 held",
            "coup=replace(coup, taken_up=True, closed=True)",
            "coup=replace(coup, closed=True)",
        ),
        (
            "Z-16",
            "    return replace(table, alerts=alerts, phase=phase), told",
            "    return table, ()",
        ),
    ),
    *_in(
        f"{_GAME}/mistakes.py",
        (
            "Z-6 both",
            "((coup.pointeur, deal.pointeur[:1]), (bank.seat, deal.banker[:1]))",
            "((coup.pointeur, deal.pointeur[:1]),)",
        ),
        (
            "Z-8",
            "deal, table = replace(deal, bound=True), held(table, coup)",
            "table = held(table, coup)",
        ),
        ("Z-10", "    if said.seat == bank.seat and not phase.deal.banker_open:", "    if False:"),
        (
            "Z-11",
            "    if said.seat == bank.seat:\n        table, after",
            "    if False:\n        table, after",
        ),
        ("Z-15", "deal = replace(phase.deal, thrown=True)", "deal = phase.deal"),
        ("Z-12", 'if deal is None or table.house.retablir == "always":', "if deal is None:"),
        ("N-4", "        return not thirds", "        return True"),
        (
            "R-15",
            "len(deal.pointeur) + len(deal.banker) < 3",
            "len(deal.pointeur) + len(deal.banker) < 4",
        ),
        ("N-4 refused", "    if not mendable(table, phase):", "    if False:"),
        ("Z-12 extra", "hidden=(*table.hidden, phase.extra))", "hidden=table.hidden)"),
        ("R-35 strays", "hidden=(*table.hidden, *strays(phase)), alerts=alerts)", "alerts=alerts)"),
    ),
    *_in(
        f"{_GAME}/settle.py",
        ("R-3", "if banker == pointeur:", "if banker == pointeur < 8:"),
        ("ZP-9", "Side.BANK if banker > pointeur", "Side.BANK if banker < pointeur"),
        (
            "Z-11 lost",
            "    if banker is None or pointeur is None:\n        return Side.POINTEUR",
            "    if banker is None or pointeur is None:\n        return Side.BANK",
        ),
        ("R-31", "0 if deal.thrown else value(deal.pointeur)", "value(deal.pointeur)"),
        ("R-7", "{Side.BANK: staked - house,", "{Side.BANK: staked,"),
        ("R-7 lost", "Side.POINTEUR: -staked,", "Side.POINTEUR: 0,"),
        ("ZP-20", "house = cagnotte(staked,", "house = cagnotte(bank.pot + staked,"),
        ("R-8 only wins", "if winner is Side.BANK else NONE", "if winner else NONE"),
        ("R-23", "at_risk = ledger.cover(table)", "at_risk = coup.stakes"),
        ("R-23 back", "stake.chips - risk)", "0 * risk)"),
        (
            "ZP-9 paid",
            "            for stake in at_risk:\n                table = pay(table, stake.seat, stake.chips)",
            "            for stake in ():\n                table = pay(table, stake.seat, stake.chips)",
        ),
        ("Z-25 won", "won = Chips(record.staked - record.cagnotte)", "won = Chips(record.staked)"),
        (
            "R-8 house",
            "cagnotte=Chips(table.cagnotte + record.cagnotte)",
            "cagnotte=table.cagnotte",
        ),
        ("ZP-13 suivi", "suivi=coup.pointeur,", "suivi=0,"),
        (
            "ZP-13 won",
            "replace(ledger.end_bank(table), suivi=0)",
            "replace(ledger.end_bank(table), suivi=coup.pointeur)",
        ),
        ("ZP-18 tie", "replace(table, bank=replace(bank, won=NONE)), ()", "table, ()"),
        ("Z-26 ticked", "    if not all(line.done for line in lines):", "    if True:"),
        (
            "N-5",
            "table = replace(table, coup=replace(coup, tie=True))\n    if table",
            "table = replace(table, coup=replace(coup, tie=True))\n    return table, ()\n    if table",
        ),
        ("N-5 aside", "aside = Chips(bank.aside + bank.pot - staked)", "aside = bank.aside"),
        ("N-5 held", "held=coup.held or coup.stake_of(coup.pointeur),", "held=NONE,"),
        ("ZP-19", "    if lost:\n        to = next", "    if not lost:\n        to = next"),
        ("R-6", "in_box(table) + drawn < table", "in_box(table) + drawn <= table"),
        ("R-6 fewer", "in_box(table) + drawn < table.house.white_at", "in_box(table) + drawn < 6"),
        ("R-6 last", "played = 0 < table.last_coup <= table.coups", "played = False"),
        ("R-6 kept", "+ len(table.kept)", ""),
        ("R-4", "return Dealing() if table.coup.closed else Staking()", "return StakesDue()"),
        ("N-5 stakes", "return Dealing() if table.coup.closed else Staking()", "return Dealing()"),
        (
            "Z-24 stake",
            "replace(ledger.give_back(table), bank=bank,",
            "replace(table, coup=None, bank=bank,",
        ),
        (
            "R-30",
            "replace(table.bank, won=NONE) if table.bank and deal",
            "table.bank if table.bank and deal",
        ),
        ("R-20 moved", "    if any(line.done for line in phase.payments) or", "    if"),
        ("R-20 books", "table = pay(table, one.seat, -one.chips)", "pass"),
        ("R-20 cagnotte", "cagnotte=house,\n        suivi=old", "suivi=old"),
        (
            "R-35",
            "(*table.hidden, *(closed(deal) if deal else ()), *strays(table.phase))",
            "(*table.hidden, *strays(table.phase))",
        ),
        (
            "R-35 stray",
            "(*table.hidden, *(closed(deal) if deal else ()), *strays(table.phase))",
            "(*table.hidden, *(closed(deal) if deal else ()))",
        ),
    ),
    *_in(
        f"{_GAME}/ledger.py",
        (
            "Z-14",
            "first = bank.giver if bank and bank.giver else table.place",
            "first = bank.seat if bank else table.place",
        ),
        (
            "N-7 order",
            "first = bank.giver if bank and bank.giver else table.place",
            "first = table.place",
        ),
        ("R-10 prime", "first % len(table.seats) + 1", "first"),
        (
            "Z-26 round",
            "    return tuple(around)",
            "    return tuple(reversed(around))",
        ),
        ("Z-26 last", "        behind.append(latest)", "        behind.insert(0, latest)"),
        ("ZP-17", "[(stake.chips, stake.seat)", "[(-stake.chips, stake.seat)"),
        (
            "ZP-17 seated",
            "    behind += [seat for _, seat in sorted(standing)]",
            "    behind[:0] = [seat for _, seat in sorted(standing)]",
        ),
        ("R-22 first", "    return coup.pointeur, *behind", "    return *behind, coup.pointeur"),
        ("R-23 pot", "left, covered = bank.pot, []", "left, covered = bank.pot + 1, []"),
        ("ZP-13", "    if seat == table.suivi:", "    if False:"),
        ("ZP-13 prime", "    if seat == prime(table):", "    if False:"),
        ("R-9 game", "return 2, _PLAYS.index(play), distance", "return 2, 0, distance"),
        ("R-9 seat", "return 2, _PLAYS.index(play), distance", "return 2, _PLAYS.index(play), 0"),
        (
            "ZP-16",
            "    most = max(stake.chips for stake in stakes)",
            "    most = min(stake.chips for stake in stakes)",
        ),
        (
            "R-22 seated",
            "(seat > STANDING, rank(table, seat, Play.OPEN))",
            "(seat <= STANDING, rank(table, seat, Play.OPEN))",
        ),
        (
            "R-22 rank",
            "(seat > STANDING, rank(table, seat, Play.OPEN))",
            "(seat > STANDING, -seat)",
        ),
        ("Z-4 share", "share = chips * part // parts", "share = chips * part // (parts + 1)"),
        (
            "Z-4 worth",
            "worth, parts = bank.pot + bank.aside,",
            "worth, parts = bank.own + sum(part for _, part in bank.partners),",
        ),
        (
            "R-7 aside",
            "out_of_bank(table, bank, bank.pot + bank.aside)",
            "out_of_bank(table, bank, bank.pot)",
        ),
        ("Z-3", "    if chips > who.balance:", "    if chips > who.balance + 1:"),
        ("Z-1", "    if chips > who.balance:", "    if chips >= who.balance:"),
        (
            "ZP-6 own bank",
            "if seat == bank.seat or seat in dict(bank.partners):",
            "if seat in dict(bank.partners):",
        ),
        (
            "Z-4 partner",
            "if seat == bank.seat or seat in dict(bank.partners):",
            "if seat == bank.seat:",
        ),
        ("Z-22", "bank.pot < 2 * seller.bid:", "bank.pot < seller.bid:"),
        ("R-29", "bank.pot < 2 * seller.bid:", "bank.pot <= 2 * seller.bid:"),
        (
            "Z-22 partner",
            "if seat in (seller.seat, *seller.partners) and",
            "if seat == seller.seat and",
        ),
    ),
    *_in(
        f"{_GAME}/stakes.py",
        ("R-6 refused", "if in_box(table) < table.house.white_at:", "if in_box(table) < 0:"),
        (
            "R-9",
            "ledger.rank(table, said.seat, play) >= ledger.rank",
            "ledger.rank(table, said.seat, play) > ledger.rank",
        ),
        ("Z-7", "and not (deal and len(deal.pointeur) >= 2)", ""),
        ("R-24", "and not (deal and len(deal.pointeur) >= 2)", "and not deal"),
        ("R-24 stakes", "stake = Chips(stake + coup.stake_of(seat))", "stake = Chips(stake)"),
        ("R-33 games", 'if table.house.stakes != "games" or bank.open:', "if bank.open:"),
        (
            "R-32",
            'if table.house.stakes != "games" or bank.open:',
            'if table.house.stakes != "games":',
        ),
        ("ZP-15 least", "if chips < min(table.house.least_stake, pot):", "if chips < 0:"),
        ("ZP-15 half", "if not pot <= 2 * chips < 2 * pot:", "if not pot < 2 * chips < 2 * pot:"),
        ("ZP-15 less", "if not pot <= 2 * chips < 2 * pot:", "if not chips < pot:"),
        ("ZP-15 all", "if not pot <= 2 * chips < 2 * pot:", "if not pot <= 2 * chips:"),
        ("ZP-15 partner", "partner: Chips(pot - chips)}", "partner: Chips(pot - chips - 1)}"),
        ("ZP-15 solo", "return {seat: pot}", "return {seat: Chips(pot // 2)}"),
        (
            "ZP-16 least",
            "if said.chips and said.chips < table.house.least_stake:",
            "if said.chips and said.chips <= table.house.least_stake:",
        ),
        (
            "ZP-16 none",
            "if said.chips and said.chips < table.house.least_stake:",
            "if said.chips < 0:",
        ),
        (
            "N-3 taken up",
            "late = coup.taken_up",
            "late = dealt and not highest",
        ),
        ("N-3 closed", "if late or (coup.closed and not (said.consent and highest)):", "if late:"),
        (
            "N-3 consent",
            "if late or (coup.closed and not (said.consent and highest)):",
            "if late or coup.closed:",
        ),
        (
            "ZP-16 consent",
            "if late or (coup.closed and not (said.consent and highest)):",
            "if late or (coup.closed and not said.consent):",
        ),
        ("N-3 over cards", "    if dealt and not said.consent and", "    if False and"),
        ("N-5 keeps", "if coup.held and coup.stake_of(coup.pointeur) >= coup.held:", "if False:"),
        (
            "N-5 loses",
            "if coup.held and coup.stake_of(coup.pointeur) >= coup.held:",
            "if coup.held:",
        ),
        (
            "N-5 once",
            "coup=replace(coup, pointeur=holder, held=NONE)",
            "coup=replace(coup, pointeur=holder)",
        ),
        ("R-32 no coup", "    if not coup.stakes:\n", "    if False:\n"),
        ("R-21", "if coup.play is Play.BANCO_TABLE and coup.staked < bank.pot:", "if False:"),
        ("Z-5", "if coup.play is Play.OPEN_BANK and bank.pot < coup.staked:", "if False:"),
        (
            "Z-4 open",
            "max(coup.staked, table.house.least_pot) - bank.pot",
            "coup.staked - bank.pot",
        ),
        (
            "R-21 order",
            "tuple(seat for seat in ledger.round_table(table) if seat != coup.pointeur)",
            "tuple(seat for seat in reversed(ledger.round_table(table)) if seat != coup.pointeur)",
        ),
        ("R-21 part", "not 0 < said.chips <= phase.missing:", "not 0 < said.chips:"),
    ),
    *_in(
        f"{_GAME}/bank.py",
        ("ZP-19 place", "    if seat != table.place:", "    if seat == 0:"),
        ("N-1 passes", "    if who.must_pass:\n        raise", "    if False:\n        raise"),
        ("N-1 counted", "must_pass=who.must_pass - 1", "must_pass=0"),
        ("ZP-5", "    if chips < house.least_pot:", "    if chips <= house.least_pot:"),
        ("ZP-5 none", "    if chips < house.least_pot:", "    if chips < 1:"),
        ("R-12", "chips > house.most_pot:", "chips >= house.most_pot:"),
        ("Z-5 least", "    if said.chips < phase.least:", "    if said.chips < 1:"),
        (
            "R-5 pot",
            "if isinstance(phase, Staking) and not (table.coup and table.coup.tie):",
            "if False:",
        ),
        ("Z-25 fixed", "return bool(bank.won) and table.coups < table.first_coup", "return False"),
        ("R-7 from aside", "from_aside = min(bank.aside, said.chips)", "from_aside = 0"),
        (
            "N-5 once",
            "or bank.halved or deal_of(phase) or bank.pot < 2:",
            "or deal_of(phase) or bank.pot < 2:",
        ),
        ("N-5 half", "half = bank.pot // 2", "half = bank.pot // 3"),
        ("N-3 reopened", "coup = replace(coup, closed=False, held=", "coup = replace(coup, held="),
        ("R-33 shrinks", "Chips(min(coup.held, bank.pot - half))", "coup.held"),
        ("R-33 further", "Chips(min(coup.held, bank.pot - half))", "Chips(0)"),
        ("Z-4 first", "    if bank.own < table.house.least_pot:", "    if False:"),
        (
            "N-7 offered",
            "if bank and bank.pot and (bank.won or lies) and",
            "if bank and bank.pot and bank.won and",
        ),
        ("R-5 lies", "    if lies:\n        raise", "    if False:\n        raise"),
        (
            "ZP-18",
            'if not bank.won or table.house.sale != "auction":',
            'if table.house.sale != "auction":',
        ),
        ("N-7 suite", 'if not bank.won or table.house.sale != "auction":', "if not bank.won:"),
        (
            "Z-3 bid",
            "    ledger.money_lies(table, said.seat, said.chips)\n    least_pot(table, said.chips)\n    if said.seat in",
            "    least_pot(table, said.chips)\n    if said.seat in",
        ),
        (
            "ZP-5 bid",
            "    ledger.money_lies(table, said.seat, said.chips)\n    least_pot(table, said.chips)\n    if said.seat in",
            "    ledger.money_lies(table, said.seat, said.chips)\n    if said.seat in",
        ),
        ("ZP-18 seller", "    if said.seat in (phase.seller, *phase.partners):", "    if False:"),
        ("R-28 highest", "            bid.chips,\n", "            -bid.chips,\n"),
        ("R-28 equal", "-(around.index(bid.seat) if", "(around.index(bid.seat) if"),
        ("R-29 chain", "sellers = (*phase.sellers, Seller(", "sellers = (Seller("),
        (
            "R-29 bid",
            "Seller(phase.seller, phase.partners, best.chips)",
            "Seller(phase.seller, phase.partners, NONE)",
        ),
        ("N-7 halved", "own=phase.pot, halved=True, giver", "own=phase.pot, giver"),
        ("N-7 height", "Bank(said.seat, phase.pot,", "Bank(said.seat, Chips(phase.pot - 1),"),
        ("N-7 giver", "if said.seat == phase.giver or", "if"),
    ),
    *_in(
        f"{_GAME}/again.py",
        ("Z-3 again", "and ledger.able(table, stake.seat, stake.chips)", ""),
        ("N-3 laid again", "and not (coup and coup.stake_of(stake.seat))", ""),
    ),
    *_in(
        f"{_GAME}/seating.py",
        ("N-1 twice", "replace(who, must_pass=2)", "replace(who, must_pass=1)"),
        ("N-1 swap", "replace(other, must_pass=2)", "other"),
        ("N-1 swap other", "replace(one, must_pass=2)", "one"),
        ("N-1 taken", "    if player(table, seat):\n        raise", "    if False:\n        raise"),
        ("ZP-3", "if not 1 <= seat <= len(table.seats):", "if not 1 <= seat <= 99:"),
        (
            "R-25",
            "    if not may_declare(phase):",
            "    if False:",
        ),
        ("ZP-13 player", "suivi=new(table.suivi)", "suivi=table.suivi"),
        ("Z-22 player", "replace(one, seat=new(one.seat),", "replace(one, seat=one.seat,"),
        ("R-10", "    table = reseated(table, phase)\n    gone", "    gone"),
    ),
    *_in(
        f"{_GAME}/schlitten.py",
        ("Z-25", "replace(bank, pot=bank.won,", "replace(bank, pot=bank.pot,"),
        ("Z-25 rest", "Chips(bank.aside + bank.pot - bank.won)", "bank.aside"),
        ("R-35 hidden", "(*table.hidden, *table.kept)", "table.hidden"),
        ("R-35 kept", "(*table.hidden, *table.kept)", "table.kept"),
        ("ZP-4", "    if phase.done == len(PREPARING):", "    if False:"),
        ("N-9 coup", "    if table.coup or isinstance(phase, Unread | Stray):", "    if False:"),
    ),
    *_in(
        f"{_GAME}/repair.py",
        ("R-20 strays", "    for dealt in _drawn_since(table, old):", "    for dealt in ():"),
        ("R-20 burned", "        if dealt in thirds:", "        if False:"),
        ("R-20 open", "    if lies_open and not unpaid:", "    if False:"),
        (
            "R-20 unpaid",
            "isinstance(phase, Settled) and not any(line.done for line in phase.payments)",
            "isinstance(phase, Settled)",
        ),
        ("R-20 promise", "said.card, 0, old.attempt + 1)", "said.card, 0, old.attempt)"),
        ("R-20 count", "without(restored(shoe, old), said.card, 0)", "without(shoe, said.card, 0)"),
        ("R-20 reason", "    if not reason.strip():", "    if False:"),
        (
            "Z-27 money",
            "for seat, chips in ((said.seat, -said.chips), (said.to, said.chips)):",
            "for seat, chips in ((said.to, said.chips),):",
        ),
        ("Z-27 cagnotte", "    elif said.chips > table.cagnotte:", "    elif False:"),
    ),
    *_in(
        f"{_GAME}/step.py",
        (
            "R-20 final",
            "(kind in FINAL or type(now.phase) is s.Settled)",
            "type(now.phase) is s.Settled",
        ),
        (
            "R-20 Schlag",
            "final = type(now.phase) in STOPPED or _opens(said)",
            "final = type(now.phase) in STOPPED",
        ),
        ("R-20 stopped", "final = type(now.phase) in STOPPED or", "final ="),
        ("Z-16 ends", "    if now.alerts and now.prompt != table.prompt:", "    if False:"),
    ),
    *_in(
        "table_controller/engine/chemin_de_fer/sums.py",
        ("R-7 sums", '"bank": before + staked - house', '"bank": before + staked'),
    ),
    *_in(
        f"{_GAME}/state.py",
        ("R-10", " if seats[candidate - 1] is not None]", "]"),
        ("ZP-19 round", "*range(1, seat))", "*range(2, seat))"),
        (
            "ZP-19 next",
            "seat % len(table.seats) + 1)), seat)",
            "(seat + 1) % len(table.seats) + 1)), seat)",
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
        ("Z-13 kept", "kept = sorted((*table.kept, dealt),", "kept = sorted(table.kept,"),
        (
            "Z-13 order",
            "key=lambda card: card.ordinal)\n            table",
            "key=lambda card: -card.ordinal)\n            table",
        ),
        (
            "N-9 face up",
            "    return at(table, Dealing(deal)), (*opened(table, 0, (last,)), removed)",
            "    return at(table, phase), (*opened(table, 0, (last,)), removed)",
        ),
        ("Z-5 no deal", "and not unlimited:", "and True:"),
        ("Z-13 burned", "told = (*opened(table, 0, (dealt,)), *told)", "pass"),
        ("R-19 back", "restored(put_back(table.shoe), dealt)", "put_back(table.shoe)"),
        ("R-19 count", "restored(put_back(table.shoe), dealt)", "restored(table.shoe, dealt)"),
        (
            "R-4 dealt on",
            "isinstance(phase, Settled) and not ended(table",
            "isinstance(phase, Settled) and ended(table",
        ),
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
    *_offered(
        ("R-9 offered", "stakes", "if ledger.rank(table, seat, play) < held", "if True"),
        ("Z-3 partner", "stakes", "and has[one] + has[other] >= bank.pot", ""),
        ("Z-3 bounds", "stakes", "other: (bank.pot - has[other], None)", "other: (None, None)"),
        ("N-3 offered", "stakes", "max(least, lies if dealt else 0)", "least"),
        ("N-3 consent", "stakes", "consent=True,", "consent=False,"),
        ("Z-4 offered", "bank", "ledger.valued(bank).own < house.least_pot", "False"),
        ("Z-5 offered", "bank", "if missing > 0:", "if missing > 99:"),
        ("N-1 offered", "people", "if not in_play(table, table.phase, place)", ""),
        ("R-25 offered", "people", "if not may_declare(table.phase):", "if False:"),
    ),
    *_in(
        f"{_GAME}/offers_repairs.py",
        ("R-20 offered", "return inner is phase and undoable(table, inner)", "return True"),
    ),
    *_in(
        f"{_GAME}/words.py",
        ("ZP-4 call", "        return isinstance(table.phase, _BEFORE)", "        return False"),
        ("R-6 call", "and shoe.left + dealt > shoe.white_out", ""),
        ("Z-20 once", "if duty is Duty.NO_INFORMATION:", "if False:"),
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
        "        whose(0, 1, 'x')\n",
        SECRET,
    ),
    Mutation(
        "R-13 picture",
        f"{_GAME}/view.py",
        "card.card if card.ordinal in deal.shown or place >= 2 else None",
        "card.card if card.ordinal in deal.shown or place >= 1 else None",
        SECRET,
    ),
    Mutation(
        "R-13 points",
        f"{_GAME}/view.py",
        "points = value(dealt) if len(dealt) >= 2 and deal.lies_open(dealt) else None",
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
        f"{_GAME}/events_coup.py",
        "    audience: ClassVar[Audience] = Audience.SEALED\n",
        "    audience: ClassVar[Audience] = Audience.CROUPIER\n",
        SECRET,
    ),
)
