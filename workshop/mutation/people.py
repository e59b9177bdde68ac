"""Slips in the code by which people type what a device should report, and in its texts."""

from __future__ import annotations

from workshop.mutation.kinds import GAME, TABLE, Mutation, slips

HELD = (
    "tests/engine/test_by_hand.py",
    "tests/engine/test_seen_twice.py",
    "tests/engine/test_coups.py",
)


def _held(file: str, *those: tuple[str, str, str]) -> list[Mutation]:
    """Slips that the tests in `HELD` must notice."""
    return [Mutation(one.rule, one.file, one.old, one.new, HELD) for one in slips(file, *those)]


SLIPS: tuple[Mutation, ...] = (
    *_held(
        f"{TABLE}/entering.py",
        ("people name", "name or leads or kind", "leads or name or kind"),
        ("people case", "alike(name or leads or kind)", "(name or leads or kind)"),
        ("people leads", 'if kind == "croupier" else ""', 'if kind == "x" else ""'),
        ("people by hand", '.partition(":")[0] == BY_HAND', " == BY_HAND"),
    ),
    *_held(
        f"{TABLE}/cards.py",
        (
            "people two",
            "if person(felt, said.actor) == person(felt, first):",
            "if False:",
        ),
        ("people seventh", "if said.card and by_hand(said):", "if False:"),
        ("people alone", "        if by_hand(said):\n", "        if False:\n"),
        (
            "people twice",
            "instead(replace(table.felt, alerts=alerts), again)",
            "instead(table.felt, again)",
        ),
    ),
    *_held(
        f"{TABLE}/unread.py",
        ("people R-13", "Unknown.UNSURE if twice else phase.reason", "phase.reason"),
        (
            "people staff",
            "_TWICE if phase.reason is Unknown.DUPLICATE else _ILLEGIBLE",
            "_ILLEGIBLE",
        ),
        ("people which", "if alert.id == now.id else alert", "if False else alert"),
    ),
    *_held(
        f"{GAME}/offers_by_hand.py",
        ("people due", 'group = "main" if', 'group = "more" if'),
        (
            "people welcome",
            "_WELCOME = p.BankerToChoose | p.Settled | p.Staking",
            "_WELCOME = p.Over",
        ),
    ),
    *_held(
        f"{TABLE}/offers_by_hand.py",
        ("people waits", "or isinstance(first(felt), Unread):", "or False:"),
        ("people white", "and felt.shoe.white_out is None:", "and True:"),
        ("people asked", "or stop.named is None:", "or False:"),
    ),
    *_held(
        f"{GAME}/words_settled.py",
        ("people own", "if line.seat == seat)", ")"),
        ("people rest", "rest=staked - own", "rest=staked"),
    ),
    *_held(
        f"{TABLE}/words.py",
        ("people coups", "felt.coups - felt.first_coup + 1", "felt.coups"),
        ("people closed", "if felt.number and not phase.done:", "if felt.number:"),
    ),
    *_held(
        f"{TABLE}/undo.py",
        ("people news", "if now.felt.withdrawn and kind not in UNHEARD", "if False"),
        (
            "people unheard",
            "        TakesBack, DeviceLost, DeviceBack,",
            "        TakesBack, DeviceBack,",
        ),
        ("people chips", "if chips is None:", "if True:"),
    ),
    *_held(
        f"{GAME}/step.py",
        ("people word", "_WORDS.get(said.word, what)", "what"),
    ),
)
