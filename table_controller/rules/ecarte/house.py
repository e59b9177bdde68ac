"""A house of écarté: the points on which three books (E07, E00, EDE) differ, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from table_controller.rules import houses

RANGES: houses.Ranges = {
    **houses.RANGES,
    "packs": (1, 1),
    "white_at": (0, 0),
    "least_stake": (1, 10**9),
    "least_bank": (1, 10**9),
    "most_renewals": (0, 9),
    "most_halvings": (0, 9),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class House(houses.House):
    """One house's way of playing écarté. A deal is a Schlitten of one pack (ER-20).

    Attributes:
        decks: packs used in turn: two of different colours (E07-2), or one (EDE-1).
        book: the book that screens and prompts quote, as a series of rule ids.
        cut_for_deal: who deals first: the `lower` card, ace low (E07-10, ER-12), or the `higher`
            (EDE-3).
        packets: how cards are dealt: in `either` order of packets, but the same for the whole
            partie (E07-13, E07-14); or always three, then two: `three_two` (EDE-4).
        cut_limits: whether at least two cards must be lifted and two left in the cut (E07-47).
        faced: what follows if a card is turned over in dealing: one of the cases `named` in the
            book (E07-15, E07-17), or always a `new_deal` by the same dealer (EDE-21).
        faced_bought: how long a player may annul the deal if a bought card was face up: `unseen`,
            until he looks at his other cards (E07-16); `always` (E00-16); or as the croupier
            `rules` (EDE).
        out_of_turn: what follows if the wrong player dealt, once a card is turned up. The deal
            `stands` (E07-18), is `set_aside` (E00-18), or `passes` back as a misdeal (EDE-20).
        wrong_number: what follows a wrong number of cards at the first distribution: it is `mended`
            if nobody has looked (E07-19), or the deal `passes` (EDE-20).
        bought_wrongly: what follows a wrong number of cards after the exchange: one of the cases
            `named` in the book (E07-20 to 24), or a ruling by the croupier, `ruled`.
        two_turned: what follows if more than one card was turned up: elder `chooses` (E07-25), or
            there is a `new_deal`.
        turned_king: when a king that was turned up may be marked: `unseen`, before the dealer looks
            (E07-26), or `always`.
        king_word: whether a player who says "le roi" keeps the right to mark it until the second
            lead (E07-27, E07-28); otherwise saying it already marks it (EDE-12).
        false_king: what follows if a player marked a king that he does not have: a `penalty`
            (E07-29), or the mark is only taken back, `unmarked` (ER-2).
        discards: when a player who touches the discards must play with open cards: `always`
            (E07-38), or on his opponent's `demand` (EDE-22).
        announced: whether a player must lead the suit that he announced (E07-32).
        revoke: how a revoke is put right: `mended` until the next lead, after which it costs one
            mark (E07-44); or `open`, that is, taken back at any time, but the player then plays
            with open cards and can mark only for the vole (EDE-27).
        revoke_of_two: what a player who revoked may mark if he would otherwise mark two: `one` or
            `nothing` (ER-9).
        marks: the way the counters move: `left_to_right` (E07-45) or `right_to_left` (EDE-16).
        marks_until: until when tricks may be marked: the next `turn_up` (E07-57), or `always`.
        own_hand: whether a mark made by anybody else is invalid (E07-58).
        fresh_cards: who pays for fresh cards: the player who `asks` (E07-48) or the `house`
            (E00-46).
        fallen: when a card that fell from a hand counts as played: `never` (E07-53), or once it is
            `covered` (E00-51).
        thrown: when a player who throws away all his cards gives his opponent two marks: `always`
            (E07-54), only if they are `mixed` beyond sorting (E00-52), or as `ruled` (EDE).
        leaving: when a player who leaves loses: except for `vis_major`, force majeure (E07-55);
            `always`, unless a partner plays on (E00-53); or as `ruled` (EDE).
        twins: what two identical cards do to the deal: it is `void` (E07-11), or they let it
            `stand` (E00-11).
        doubt: how a matter is decided that no rule covers: `against` the player who erred (E00-59),
            or as `ruled`.
        advice: `restricted` if a player may limit beforehand the advice that others give him
            (E07-59); otherwise `free`.
        chouette: the chouettes that the house has: `open_and_auctioned` (E07-4), `one_kind`
            (E00-4), or a `bank` (EDE-0).
        two_sides: whether the house also plays à deux côtés (E07-3).
        least_stake, least_bank: the least sums, in smallest chips.
        freezes: what closes the stakes before the cut: the call `rien_ne_va_plus` (E07-7) or `tenu`
            (E00-6), or the `cut` itself.
        most_renewals, most_halvings: how often an auctioned bank may be renewed or halved (E07-8).
        winner_doubles: whether a giver who has just won must lay twice the sum he bid (E07-8).
        shares: whether a player may give a part of his stake to players whose stakes the bank does
            not cover, in their order (E07-61).
        succession: who goes on with a chouette after a partner: by `lots` (E07-6), down the `list`
            (E00-5), or `anyone` (EDE-0).
        retired: where in the order a retired giver is entered: by the `result` of his last partie
            (E07-6), or as a `newcomer` (E00-5).
        renounced: a player who gives up his turn keeps his `place` (ER-18), or is `out` until his
            turn comes again (E00-4).
        side_bets: whether players may stake outside the bank (E07-62).
        practice: whether the table plays without stakes, with both hands open and the jeux de règle
            shown (EDE-19).
    """

    pack: ClassVar[int] = 32
    LIMITS: ClassVar[tuple[str, ...]] = ("least_stake", "least_bank")

    game: Literal["ecarte"] = "ecarte"
    packs: int = 1
    white_at: int = 0
    decks: Literal[1, 2] = 2
    book: Literal["E07", "E00", "EDE"] = "E07"
    cut_for_deal: Literal["lower", "higher"] = "lower"
    packets: Literal["either", "three_two"] = "either"
    cut_limits: bool = True
    faced: Literal["named", "new_deal"] = "named"
    faced_bought: Literal["unseen", "always", "rules"] = "unseen"
    out_of_turn: Literal["stands", "set_aside", "passes"] = "stands"
    wrong_number: Literal["mended", "passes"] = "mended"
    bought_wrongly: Literal["named", "ruled"] = "named"
    two_turned: Literal["chooses", "new_deal"] = "chooses"
    turned_king: Literal["unseen", "always"] = "unseen"
    king_word: bool = True
    false_king: Literal["penalty", "unmarked"] = "penalty"
    discards: Literal["always", "demand"] = "always"
    announced: bool = True
    revoke: Literal["mended", "open"] = "mended"
    revoke_of_two: Literal["one", "nothing"] = "one"
    marks: Literal["left_to_right", "right_to_left"] = "left_to_right"
    marks_until: Literal["turn_up", "always"] = "turn_up"
    own_hand: bool = True
    fresh_cards: Literal["asks", "house"] = "asks"
    fallen: Literal["never", "covered"] = "never"
    thrown: Literal["always", "mixed", "ruled"] = "always"
    leaving: Literal["vis_major", "always", "ruled"] = "vis_major"
    twins: Literal["void", "stand"] = "void"
    doubt: Literal["against", "ruled"] = "ruled"
    advice: Literal["restricted", "free"] = "restricted"
    chouette: Literal["open_and_auctioned", "one_kind", "bank"] = "open_and_auctioned"
    two_sides: bool = True
    least_stake: int = 1
    least_bank: int = 10
    freezes: Literal["rien_ne_va_plus", "tenu", "cut"] = "rien_ne_va_plus"
    most_renewals: int = 2
    most_halvings: int = 1
    winner_doubles: bool = True
    shares: bool = True
    succession: Literal["lots", "list", "anyone"] = "lots"
    retired: Literal["result", "newcomer"] = "result"
    renounced: Literal["place", "out"] = "place"
    side_bets: bool = True
    practice: bool = False

    def __post_init__(self) -> None:
        houses.within(self, RANGES)
