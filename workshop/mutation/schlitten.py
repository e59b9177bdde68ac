"""Slips in the Schlitten, the count, repairs and the step itself."""

from __future__ import annotations

from workshop.mutation.kinds import GAME, OFFERED, TABLE, Mutation, offered, slips

SLIPS: tuple[Mutation, ...] = (
    *slips(
        f"{GAME}/schlitten.py",
        ("Z-25", "replace(bank, pot=bank.won,", "replace(bank, pot=bank.pot,"),
        ("Z-25 rest", "Chips(bank.aside + bank.pot - bank.won)", "bank.aside"),
        ("R-30 whole", "not bank.won or bank.whole:", "not bank.won:"),
        (
            "R-30 replay",
            "table.coup and table.coup.tie and lacking(table)",
            "table.coup and table.coup.tie",
        ),
        (
            "R-37 replay",
            "table.coup and table.coup.tie and lacking(table)",
            "table.coup and lacking(table)",
        ),
        (
            "R-57 mixed",
            "annul(table, said.reason)\n    return at(table, phase), told",
            "annul(table, said.reason)\n    return table, told",
        ),
        (
            "N-9 coup",
            "    if table.coup:\n        table, told = annul",
            "    if False:\n        table, told = annul",
        ),
    ),
    *slips(
        f"{GAME}/repair.py",
        ("R-46 spare", "*_cards(then), *spare, *old.felt.kept", "*_cards(then), *old.felt.kept"),
        ("R-46 declared", "    if _declared_before(table):\n", "    if False:\n"),
        ("R-20 strays", "    for dealt in _drawn_since(table, back):", "    for dealt in ():"),
        (
            "R-20 burned",
            "        if dealt in thirds or (now and dealt.ordinal in now.shown):",
            "        if False:",
        ),
        ("R-20 open", "    if lies_open and not unpaid:", "    if False:"),
        (
            "R-20 unpaid",
            "isinstance(phase, p.Settled) and not any(line.done for line in phase.payments)",
            "isinstance(phase, p.Settled)",
        ),
    ),
    *slips(
        f"{TABLE}/undo.py",
        ("R-46 croupier", "        croupier=felt.croupier,\n", ""),
        ("R-20 final", "final or (kind not in BESIDE and kind not in idle)", "final"),
        (
            "R-20 stopped",
            "waits = final or (stops and isinstance(stops[-1], STOPPED))",
            "waits = final",
        ),
    ),
    *slips(
        f"{TABLE}/repairs.py",
        ("Z-27 nobody", "    if said.to:\n        present(felt, said.to)\n", ""),
        ("R-20 promise", "said.card, 0, old.attempt + 1,", "said.card, 0, old.attempt,"),
        ("R-20 count", "leaving(restored(felt.shoe, old),", "leaving(felt.shoe,"),
        ("R-20 reason", "    if not reason.strip():", "    if False:"),
        (
            "Z-27 money",
            "for seat, chips in ((said.seat, -said.chips), (said.to, said.chips)):",
            "for seat, chips in ((said.to, said.chips),):",
        ),
        ("Z-27 cagnotte", "    elif said.chips > felt.cagnotte:", "    elif False:"),
    ),
    *slips(
        f"{GAME}/step.py",
        ("R-20 Schlag", "opened = isinstance(said, i.Spoke) and", "opened = False and"),
        ("R-20 last line", "opened or (kind is ti.Ticked and", "opened or (False and"),
        ("R-20 settled", "final = type(s.foremost(now)) is p.Settled and", "final = False and"),
        ("R-20 label", '    i.Suite: phrase("Suite"),\n', ""),
        ("R-38 ends", "    if _coup(now) != _coup(table):", "    if False:"),
        ("Z-16 ends", "    if now.prompt != table.prompt:", "    if False:"),
    ),
    *slips(
        "table_controller/engine/chemin_de_fer/sums.py",
        ("R-7 sums", '"bank": before + staked - house', '"bank": before + staked'),
    ),
    *(
        Mutation(rule, f"{GAME}/{file}.py", old, new, ("tests/engine/test_sums.py",))
        for rule, file, old, new in (
            ("R-16 points", "laid", "if bank in self._thrown or told != due:", "if False:"),
            ("R-16 thrown", "laid", "his = 0 if self._thrown - {bank} else", "his ="),
            ("R-16 forfeit", "laid", "or (self._known and not lost)", ""),
            ("R-16 given back", "laid", "self._place[ordinal] = _GIVEN_BACK", "pass"),
            ("R-16 amid", "laid", "        if not self._known:\n", "        if False:\n"),
            ("R-16 hand", "laid", "if _points(cards) != told:", "if False:"),
        )
    ),
    *slips(
        f"{TABLE}/felt.py",
        ("R-10", " if seats[candidate - 1] is not None]", "]"),
        ("ZP-19 round", "*range(1, seat))", "*range(2, seat))"),
        (
            "ZP-19 next",
            "seat % len(felt.seats) + 1)), seat)",
            "(seat + 1) % len(felt.seats) + 1)), seat)",
        ),
    ),
    *slips(
        f"{TABLE}/white.py",
        ("R-6 white", "    if left == want:", "    if left <= want:"),
        ("R-6 during", "(felt.coups if coup else", "(felt.coups + 1 if coup else"),
        ("Z-24 last", "replace(felt, last_coup=felt.coups), told", "felt, told"),
        ("R-45", "shoe=replace(felt.shoe, white_out=None, cut_sensed=None)", "shoe=felt.shoe"),
        ("R-46 white", "number = came_in or (", "number = ("),
        ("R-6 decided", "return stopped(felt, WhiteDisputed(left)),", "return felt,"),
    ),
    *slips(
        f"{TABLE}/cards.py",
        ("R-6 missed", "left < felt.house.white_at and shoe", "left < 2 and shoe"),
        ("Z-13 kept", "kept = sorted((*felt.kept, dealt),", "kept = sorted(felt.kept,"),
        (
            "Z-13 order",
            "key=lambda card: card.ordinal)\n            felt",
            "key=lambda card: -card.ordinal)\n            felt",
        ),
        ("Z-13 burned", "told = (*opened(felt, 0, (dealt,)), *told)", "pass"),
        ("R-59 amid", "    if coup:\n        raise", "    if False:\n        raise"),
        ("R-59 two", "    if stop.cards == 1:\n        return felt, ()", "    return felt, ()"),
        ("R-19 back", "restored(put_back(felt.shoe), dealt)", "put_back(felt.shoe)"),
        ("R-19 count", "restored(put_back(felt.shoe), dealt)", "restored(felt.shoe, dealt)"),
    ),
    *slips(
        f"{GAME}/cards.py",
        (
            "N-9 face up",
            "    return at(table, p.Dealing(deal)), (*opened(table.felt, 0, (last,)), removed)",
            "    return at(table, phase), (*opened(table.felt, 0, (last,)), removed)",
        ),
        ("Z-5 no deal", "and not unlimited:", "and True:"),
        ("R-56", "devices.waiting(alerts)", "devices.failing(alerts)"),
        ("R-58", " or kept_deal(table):", ":"),
        ("R-58 waits", " or devices.waiting(felt.alerts):", ":"),
        ("R-58 few", " or short(felt) or", " or"),
        ("R-59 annulled", "under_way(table) or (unbegun", "under_way(table) or (False"),
        (
            "R-4 dealt on",
            "isinstance(phase, p.Settled) and not ended(",
            "isinstance(phase, p.Settled) and ended(",
        ),
        (
            "R-10 resumed",
            "return resumed(table, now.felt), told\n\n\ndef face_up_card",
            "return now, told\n\n\ndef face_up_card",
        ),
    ),
    *slips(
        "table_controller/engine/shoe.py",
        ("duplicate", "or shoe.labelled & (bit :=", "or 0 * (bit :="),
        ("six equals", ">> place & 15) >= packs", ">> place & 15) > packs"),
    ),
    *offered(
        ("R-9 offered", "stakes", "if ledger.rank(table, seat, play) < held", "if True"),
        ("Z-3 partner", "stakes", "and has[one] + has[other] >= bank.pot", ""),
        ("Z-3 bounds", "stakes", "other: (bank.pot - has[other], None)", "other: (None, None)"),
        ("N-3 offered", "stakes", "max(least, lies if dealt else 0)", "least"),
        ("N-3 consent", "stakes", "consent=True,", "consent=False,"),
        ("Z-4 offered", "bank", "ledger.valued(bank).own < house.least_pot", "False"),
        ("Z-5 offered", "bank", "if missing > 0:", "if missing > 99:"),
        ("N-1 offered", "people", "if not s.in_play(table, place)", ""),
        ("R-25 offered", "people", "if not may_declare(table.phase):\n        return ()", "pass"),
    ),
    Mutation(
        "R-5 offered",
        f"{TABLE}/offers.py",
        "if not between:\n        return leaving",
        "pass",
        OFFERED,
    ),
)
