"""The roles of a floor's people, and what each role may do. Pure: no page and no PIN."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from table_controller.engine.messages import Phrase, phrase


class FloorRole(StrEnum):
    """A person's role on the floor."""

    VIEWER = "viewer"
    PIT = "pit"
    MANAGER = "manager"
    INSPECTOR = "inspector"
    ADMIN = "admin"


class Right(StrEnum):
    """Something that a role may do."""

    LOOK = "look"  # all tables, and each table's picture
    ANSWER = "answer"  # answer alerts
    READ = "read"  # evenings, search and reports
    AUDIT = "audit"  # who did what


_EVERY: Final = frozenset(Right)
#: An inspector reads everything and changes nothing.
RIGHTS: Final[dict[FloorRole, frozenset[Right]]] = {
    FloorRole.VIEWER: frozenset({Right.LOOK}),
    FloorRole.PIT: frozenset({Right.LOOK, Right.ANSWER}),
    FloorRole.MANAGER: frozenset({Right.LOOK, Right.ANSWER, Right.READ}),
    FloorRole.INSPECTOR: frozenset({Right.LOOK, Right.READ, Right.AUDIT}),
    FloorRole.ADMIN: _EVERY,
}

#: Each role's name for people.
CALLED: Final[dict[FloorRole, Phrase]] = {
    FloorRole.VIEWER: phrase("viewer"),
    FloorRole.PIT: phrase("pit boss"),
    FloorRole.MANAGER: phrase("floor manager"),
    FloorRole.INSPECTOR: phrase("inspector"),
    FloorRole.ADMIN: phrase("administrator"),
}


class FloorPerson(Struct, frozen=True):
    """A person with a role on the floor. `proof` is made from the PIN and the floor's key."""

    name: str
    role: FloorRole
    proof: str = ""

    @property
    def actor(self) -> str:
        """The person's name in the audit, such as `pit:Anna`."""
        return f"{self.role}:{self.name}"

    @property
    def signs_in(self) -> bool:
        """Whether the person has a PIN."""
        return bool(self.proof)

    def may(self, right: Right) -> bool:
        """Whether the person's role has this right."""
        return right in RIGHTS[self.role]
