"""The events that tell of a ruling: a person, or the table, decided otherwise than the cards.

One list for a table's record, the floor's reports and search, and the pages, which name each kind.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from table_controller.engine.messages import Phrase, phrase


class RulingKind(NamedTuple):
    """How people call a kind of ruling, and the event's field that says why ("" if none does)."""

    label: Phrase
    why: str = ""


#: By the event's type.
RULINGS: Final[dict[str, RulingKind]] = {
    "ruling_noted": RulingKind(phrase("a supervisor's ruling"), "reason"),
    "moved": RulingKind(phrase("chips were moved"), "reason"),
    "mishap_ruled": RulingKind(phrase("a mishap was ruled on"), "reason"),
    "card_removed": RulingKind(phrase("a stray card was ruled on"), "ruling"),
    "coup_annulled": RulingKind(phrase("the coup was annulled"), "reason"),
    "deal_annulled": RulingKind(phrase("the deal was annulled"), "rule"),
    "card_corrected": RulingKind(phrase("a reading was corrected")),
    "withdrawn": RulingKind(phrase("an input was taken back"), "said"),
    "misdeal": RulingKind(phrase("a misdeal")),
    "result_changed": RulingKind(phrase("a result was changed")),
    "result_reopened": RulingKind(phrase("a result was reopened")),
    "rule_called": RulingKind(phrase("a matter to be ruled on"), "rule"),
    "schlitten_withdrawn": RulingKind(phrase("the Schlitten was withdrawn")),
    "faux_tirage": RulingKind(phrase("a faux tirage")),
    "claim_failed": RulingKind(phrase("a claimed faux tirage was not one")),
    "revoke_found": RulingKind(phrase("a revoke was found")),
}
