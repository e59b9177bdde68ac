"""Labels that depend on data: the names of bets. They are shown, and never used as input."""

from __future__ import annotations

from typing import Final

from table_controller.engine.messages import Phrase, phrase
from table_controller.engine.pieces import Tone

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
