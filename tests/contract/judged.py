"""Inputs that a game accepts although no button sends exactly that: by input, each with its reason.

Anything else that the table accepts without offering it is a fault of its handler, or of its
button.
"""

from __future__ import annotations

from typing import Final

_NAME: Final = "a name may be left blank: who has none is told by his place"
_REASON: Final = "the page asks for a reason in words; the ruling itself does not depend on them"
_LEAVE: Final = "leave that is not needed yet changes nothing"

JUDGED: Final[dict[str, str]] = {
    # At every table
    "croupier_changed": _NAME,
    "sits": _NAME,
    "stands": _NAME,
    "annulled": _REASON,
    "stray_ruled": _REASON,
    "thrown_away": _REASON,
    "schlitten_loaded": "a Schlitten may bear a name of its own; the button has the next number",
    # Chemin de fer
    "declares": "to play coup by coup may be said anew, where nothing else was said",
    # Punto banco
    "agrees": "a hall's button may name the winner that the table must agree on",
    # Écarté
    "dealt_out_of_turn": "whether anybody proposed before it was noticed only people know",
    "draws": "of two cards drawn together either may be entered first",
    "opponents": "a standing player may play for nothing, too; the button has the seats",
    "revoked": "which trick is meant only people know; where one lies it is that one",
    "stake_withdrawn": _LEAVE,
    "stakes": _LEAVE,
    "twins": "without a card it is the one that lies there, as in journals of earlier versions",
}
