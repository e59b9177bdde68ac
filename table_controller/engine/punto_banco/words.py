"""The table's question in words: news, the one sentence, its reason, and the rule's id.

The names of bets depend on data; they are shown, and never used as input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Tone
from table_controller.engine.punto_banco import state as s
from table_controller.engine.punto_banco.inputs import Side
from table_controller.engine.punto_banco.play import lacking, may_be_free, staked_on
from table_controller.engine.table.felt import MisdealDue, Stray
from table_controller.engine.table.schlitten import NoSchlitten
from table_controller.engine.table.words import SILENT, Asked, held, load, stopped
from table_controller.engine.views import Prompt
from table_controller.rules.punto_banco.coup import Winner

# ---- The table's question in words: news, the one sentence, its reason, and the rule's id

#: The sides and the tie, as a dealer calls them.
SIDES: Final = {Side.PLAYER: phrase("Player"), Side.BANKER: phrase("Banker")}
WINS: Final = {
    Winner.PLAYER: phrase("Player wins, {won} over {lost}."),
    Winner.BANKER: phrase("Banker wins, {won} over {lost}."),
    Winner.TIE: phrase("Tie, {won} each."),
}
#: For a ruling that overrides the points.
_RULED: Final = {
    Winner.PLAYER: phrase("Player wins, by a ruling."),
    Winner.BANKER: phrase("Banker wins, by a ruling."),
    Winner.TIE: phrase("A tie, by a ruling."),
}


def awaited(table: s.Table) -> Prompt:
    """The table's question now, in words."""
    phase = s.foremost(table)
    felt = table.felt
    begins = isinstance(phase, s.Betting) or (isinstance(phase, s.Dealing) and not phase.number)
    asked = held(felt, begins=begins) or _first(table) or _own(table, phase)
    asked = asked or stopped(felt, coup=s.under_way(table))
    assert asked is not None
    news, ask, why, rule, seats = asked
    if felt.withdrawn is not None:
        news = phrase("Taken back: {what}.", what=felt.withdrawn)
    return Prompt(id=table.prompt, news=news, ask=ask, why=why, rule=rule, seats=seats)


def _own(table: s.Table, phase: s.Awaited) -> Asked | None:
    asks = _ASK.get(type(phase))
    return asks(table, phase) if asks else None


def _first(table: s.Table) -> Asked | None:
    """The prompt that comes before all others: a card is due and the Schlitten is empty (PB-25)."""
    if lacking(table):
        return (
            phrase("A card is due, and none is left."),
            phrase("Annul the coup"),
            phrase("Stakes go back, and the Schlitten is over."),
            "PB-25",
            (),
        )
    return None


def result(deal: s.Announced) -> Phrase:
    """The announced result: the winner, and the points if they decided it (PB-8, PB-26)."""
    won, lost = max(deal.p, deal.b), min(deal.p, deal.b)
    equal, ahead = deal.p == deal.b, deal.p > deal.b
    if deal.winner is not (Winner.TIE if equal else Winner.PLAYER if ahead else Winner.BANKER):
        return _RULED[deal.winner]
    if equal:
        return phrase(WINS[Winner.TIE].text, won=won)
    return phrase(WINS[deal.winner].text, won=won, lost=lost)


_PREPARE: Final = (
    phrase("Mix all the cards"),
    phrase("A player cuts the cards"),
    phrase("Put the white card in, {n} from the end"),
)


def _no_schlitten(table: s.Table, phase: NoSchlitten) -> Asked:
    n = table.house.white_at
    ask = load(table.felt)
    if phase.done < len(_PREPARE):
        step = _PREPARE[phase.done]
        ask = phrase(step.text, n=n) if phase.done == 2 else step
    news = SILENT
    if table.felt.number and not phase.done:
        coups = table.felt.coups - table.felt.first_coup + 1
        news = phrase(
            "Schlitten {n} is closed and counted. Coups: {count}.",
            n=table.felt.number,
            count=coups,
        )
    why = phrase("To be mixed and cut, with the white card {n} from the end.", n=n)
    return news, ask, why, "PB-3", ()


def _burning(_table: s.Table, phase: s.Burning) -> Asked:
    if phase.left is None:
        why = phrase("As many cards as its value are burned face down.")
        return SILENT, phrase("Turn the first card"), why, "PB-2", ()
    why = phrase("The cards are burned face down: no player sees them.")
    return SILENT, phrase("Burn: {left} more", left=phase.left), why, "PB-2", ()


def _betting(table: s.Table, _phase: s.Betting) -> Asked:
    news = SILENT
    if table.felt.last_coup > table.felt.coups:
        news = phrase("The last coup.")
    if not table.house.bets:
        return news, phrase("The next coup"), phrase("Its first card begins it."), "PB-4", ()
    if not staked_on(table) and not may_be_free(table):
        why = phrase("No further coup without a stake: somebody bets first.")
        return news, phrase("Place your bets"), why, "PB-16", ()
    why = phrase("The first card closes the bets.")
    return news, phrase("Place your bets"), why, "PB-4", ()


def _dealing(_table: s.Table, phase: s.Dealing) -> Asked:
    count = len(phase.player) + len(phase.banker)
    side = Side.BANKER if count % 2 else Side.PLAYER
    news = SILENT if phase.number else phrase("No more bets.")
    why = phrase("Player, Banker, Player, Banker: one card each.")
    return news, phrase("A card for {side}", side=SIDES[side]), why, "PB-4", ()


def _to_open(table: s.Table, phase: s.Deal) -> Asked:
    sides = s.to_open(phase)
    seats = tuple(seat for side in sides if (seat := squeezes(table, side)))
    ask = (
        phrase("Show both hands")
        if len(sides) > 1
        else phrase("Show the cards of {side}", side=SIDES[sides[0]])
    )
    why = phrase("Until they are shown, any further card is one too many.")
    return SILENT, ask, why, "PR-3", seats


def squeezes(table: s.Table, side: Side) -> int:
    """The place with the highest stake on a side, whose player may open the side's cards (PB-15).

    0 if nobody has staked on the side.
    """
    found = [bet for bet in table.bets if bet.spot == side.value]
    return max(found, key=lambda bet: (bet.chips, -bet.seat)).seat if found else 0


def _player_due(_table: s.Table, phase: s.PlayerDue) -> Asked:
    news = _points(phase)
    why = phrase("Player draws with 0 to 5.")
    return news, phrase("A card for {side}", side=SIDES[Side.PLAYER]), why, "PB-6", ()


def _points(phase: s.Lying) -> Phrase:
    return phrase("Player {player}, Banker {banker}.", player=phase.p, banker=phase.b)


def _banker_due(_table: s.Table, phase: s.BankerDue) -> Asked:
    why = (
        phrase("Player has drawn: the table of draws says so.")
        if len(phase.player) > 2
        else phrase("Player stands: Banker draws with 0 to 5.")
    )
    ask = phrase("A card for {side}", side=SIDES[Side.BANKER])
    return _points(phase), ask, why, "PB-7", ()


def _announced(_table: s.Table, phase: s.Announced) -> Asked:
    if phase.contradicted:
        ask = phrase("A supervisor: confirm the result, or rule?")
        return result(phase), ask, phrase("The second reading says otherwise."), "PB-37", ()
    why = phrase("Nothing is paid before.")
    return result(phase), phrase("Does the table agree?"), why, "PB-8", ()


def _paying(_table: s.Table, phase: s.Paying) -> Asked:
    why = phrase("Collect from the last place on; then pay from the first on.")
    return result(phase.deal), phrase("Collect and pay"), why, "PB-14", ()


def _over(_table: s.Table, _phase: s.Over) -> Asked:
    why = phrase("No further coup is dealt from it.")
    return SILENT, phrase("Close and count the Schlitten"), why, "PB-3", ()


def _stray(table: s.Table, _phase: Stray) -> Asked:
    news = phrase("A card left the Schlitten and none was due.")
    ask = phrase("Has anybody seen it?")
    if table.house.extra_card == "kept":
        why = phrase("Unseen, it is the next card that is due; seen, it is burned.")
    else:
        why = phrase("In this house it is burned.")
    return news, ask, why, "PR-3" if s.to_open(table.phase) else "PB-21", ()


def _misdeal(table: s.Table, _phase: MisdealDue) -> Asked:
    news = phrase("Cards were laid to the wrong hand.")
    if table.house.wrong_hand == "void":
        void = phrase("In this house the coup is void.")
        return news, phrase("Annul the coup"), void, "PB-24", ()
    why = phrase("Where nobody knows their order, the coup is void.")
    return news, phrase("Put them right by their order"), why, "PB-24", ()


_ASK: Final[dict[type, Callable[[s.Table, Any], Asked]]] = {
    NoSchlitten: _no_schlitten,
    s.Burning: _burning,
    s.Betting: _betting,
    s.Dealing: _dealing,
    s.ToOpen: _to_open,
    s.PlayerDue: _player_due,
    s.PlayerToOpen: _to_open,
    s.BankerDue: _banker_due,
    s.BankerToOpen: _to_open,
    s.Announced: _announced,
    s.Paying: _paying,
    s.Over: _over,
    Stray: _stray,
    MisdealDue: _misdeal,
}


# ---- Labels that depend on data: the names of bets

#: Each bet's name, by its spot.
SPOTS: Final[dict[str, Phrase]] = {
    "player": phrase("Player"),
    "banker": phrase("Banker"),
    "tie": phrase("Tie"),
    "player_pair": phrase("Player pair"),
    "banker_pair": phrase("Banker pair"),
    "either_pair": phrase("Either pair"),
    "perfect_pair": phrase("Perfect pair"),
    "dragon_7": phrase("Dragon 7"),
    "panda_8": phrase("Panda 8"),
    "super_6": phrase("Super 6"),
    "lucky_6": phrase("Lucky 6"),
    "big": phrase("Big"),
    "small": phrase("Small"),
}
TONES: Final[dict[str, Tone]] = {"player": "blue", "banker": "red", "tie": "green"}
