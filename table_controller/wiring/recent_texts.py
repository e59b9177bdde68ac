"""The words that people typed last, so that nobody has to type a name or a reason twice.

The journal contains these words, so they are known again after a restart. Words of sealed inputs
are an exception: a page offers them only until the restart. The module knows fields and kinds of
inputs, but no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from table_controller.engine.table.inputs import CroupierChanged, Sits, Stands
from table_controller.engine.table.roles import alike
from table_controller.engine.views import Offer, Snapshot, Text

#: The fields that contain such words.
_REASON: Final = "reason"
FIELDS: Final = ("name", _REASON)
#: At a start, this many inputs of the journal are read: a few evenings.
REACH: Final = 20_000
#: The number of words kept for each field, and the number of these that a page shows.
KEPT, SHOWN = 60, 12
#: Seated and standing players are one circle of people.
_GUESTS: Final = "guest"
_CIRCLES: Final = {str(kind.__struct_config__.tag): _GUESTS for kind in (Sits, Stands)}
_CROUPIERS: Final = str(CroupierChanged.__struct_config__.tag)

#: The kind of input, and the field.
_Where = tuple[str, str]


class Used:
    """The words that people typed last in each field.

    `past` are the journal's inputs with such words, as JSON.
    """

    def __init__(self, past: Iterable[bytes] = ()) -> None:
        self._words: dict[_Where, dict[str, str]] = {}
        for said in past:
            self.hear(msgspec.json.decode(said))

    def hear(self, said: Mapping[str, Any]) -> None:
        """Note the words of an input that was accepted."""
        for field in FIELDS:
            words = said.get(field)
            if isinstance(words, str) and words.strip():
                for where in {_where(said, field), ("", field)}:
                    self._note(where, words.strip())

    def _note(self, where: _Where, words: str) -> None:
        known = self._words.setdefault(where, {})
        known.pop(alike(words), None)
        known[alike(words)] = words
        if len(known) > KEPT:
            del known[next(iter(known))]

    def offered(self, picture: Snapshot) -> Snapshot:
        """Return the staff's picture, with these words to choose from in its offers.

        The names of people who are at the table now are left out.
        """
        there = {_GUESTS: {alike(person.name) for person in picture.people}}
        there[_CROUPIERS] = {alike(picture.croupier or "")}
        return replace(picture, offers=tuple(self._filled(one, there) for one in picture.offers))

    def _filled(self, offer: Offer, there: Mapping[str, set[str]]) -> Offer:
        if not any(isinstance(field, Text) for field in offer.fields):
            return offer
        fields = tuple(
            replace(field, known=self._latest(_where(offer.input, field.name), there))
            if isinstance(field, Text)
            else field
            for field in offer.fields
        )
        return replace(offer, fields=fields)

    def _latest(self, where: _Where, there: Mapping[str, set[str]]) -> tuple[str, ...]:
        """Return the words for a field, from the same kind of input.

        For a reason, the reasons of all other kinds of inputs follow. `there` are the names to
        leave out.
        """
        known = dict(reversed(self._words.get(where, {}).items()))
        if where[1] == _REASON:
            others = reversed(self._words.get(("", _REASON), {}).items())
            known |= {like: words for like, words in others if like not in known}
        gone = there.get(where[0], set())
        words = [words for like, words in known.items() if like not in gone]
        return tuple(words[:SHOWN])


def _where(said: Mapping[str, Any], field: str) -> _Where:
    kind = str(said.get("type", ""))
    return _CIRCLES.get(kind, kind), field
