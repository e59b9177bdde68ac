"""Slips in offers and events, and in who may know them (R-13, R-17)."""

from __future__ import annotations

from workshop.mutation.kinds import GAME, SECRET, TABLE, Mutation, slips

SLIPS: tuple[Mutation, ...] = (
    *slips(
        f"{GAME}/offers_repairs.py",
        ("R-20 offered", "return undoable(table, phase)", "return True"),
    ),
    *slips(
        f"{GAME}/offers.py",
        (
            "R-20 held",
            "phase.payments, label, hold=not again)",
            "phase.payments, label, hold=False)",
        ),
        ("R-4 label", "again = phase.record.winner is None and", "again ="),
    ),
    *slips(
        f"{GAME}/view.py",
        (
            "ZP-12 shown",
            "value(dealt) if deal and len(dealt) >= 2 and deal.lies_open(dealt) else None",
            "None",
        ),
    ),
    *slips(f"{TABLE}/view.py", ("Z-13 shown", "kept=len(felt.kept),", "kept=0,")),
    *slips(
        f"{GAME}/words.py",
        ("Z-13 asked", "if phase.deal else first_kept(table)", "if phase.deal else ()"),
        (
            "ZP-4 call",
            "        return isinstance(foremost(table), _BEFORE)",
            "        return False",
        ),
        ("R-6 call", "and shoe.left + dealt > shoe.white_out", ""),
        ("Z-20 once", "if duty is Duty.NO_INFORMATION:", "if False:"),
    ),
    Mutation(
        "R-17 word",
        f"{GAME}/deal.py",
        "    return at(table, p.PointeurToSpeak(deal), felt=felt), told",
        "    due = p.BankerToOpen if value(deal.banker) >= 8 else p.PointeurToSpeak\n"
        "    return at(table, due(deal), felt=felt), told",
        SECRET,
    ),
    Mutation(
        "R-17 admits",
        f"{GAME}/faux.py",
        "return forbids(deal) if deal.pointeur_open else True",
        "return forbids(deal)",
        SECRET,
    ),
    Mutation(
        "R-17 carte",
        f"{GAME}/deal.py",
        "    word = Said(seat=said.seat, word=said.word)\n",
        "    word = Said(seat=said.seat, word=said.word)\n"
        "    if said.word is Word.CARTE and value(phase.deal.pointeur) > 5:\n"
        "        whose(0, 1, 'x')\n",
        SECRET,
    ),
    Mutation(
        "R-13 picture",
        f"{GAME}/view.py",
        "card.card if card.ordinal in shown or place >= 2 else None",
        "card.card if card.ordinal in shown or place >= 1 else None",
        SECRET,
    ),
    Mutation(
        "R-13 points",
        f"{GAME}/view.py",
        "value(dealt) if deal and len(dealt) >= 2 and deal.lies_open(dealt) else None",
        "value(dealt) if deal else None",
        SECRET,
    ),
    Mutation(
        "R-13 promise",
        "table_controller/engine/promises.py",
        "made.update(nonce + card.encode())",
        "made.update(card.encode())",
        SECRET,
    ),
    Mutation(
        "R-13 nonce",
        "table_controller/engine/promises.py",
        '{shoe}.{number}"',
        '{shoe}"',
        SECRET,
    ),
    Mutation(
        "R-13 alert",
        f"{TABLE}/cards.py",
        'phrase("A card left the Schlitten and none was due.")',
        'phrase("{card} left.", card=dealt.card.value)',
        ("tests/contract/test_contract.py",),
    ),
    Mutation(
        "R-13 audience",
        f"{TABLE}/events.py",
        "    audience: ClassVar[Audience] = Audience.SEALED\n",
        "    audience: ClassVar[Audience] = Audience.CROUPIER\n",
        SECRET,
    ),
)
