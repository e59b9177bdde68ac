"""A table's journal as far as the floor can see it: rows in streams, restored from copies."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from table_controller.floor.inbox import ToldRow
from table_controller.service.rows import FIRST_LINK, link

SOURCE = "/schlitten/2/casino/one"


@dataclass
class Telling:
    """One audience's rows, as they are valid now."""

    audience: str = "public"
    stream: int = 1
    rows: list[ToldRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.stream:016d}"

    def tell(self, text: str = "") -> ToldRow:
        """Tell one more row."""
        seq = len(self.rows) + 1
        body = json.dumps({"type": "card_drawn", "text": text or f"{self.stream}/{seq}"}).encode()
        id_ = f"{self.name}-{self.stream:016x}-{self.audience}-{seq}"
        row = ToldRow(self.audience, seq, 1_700_000_000_000 + seq, id_, SOURCE, "card_drawn", body)
        self.rows.append(row)
        return row

    def restore(self, at: int) -> None:
        """Put back a copy that ends at this row: another stream goes on from there."""
        del self.rows[at:]
        self.stream += 1

    def replay(self, first: int, last: int) -> list[ToldRow]:
        """What the table answers."""
        return self.rows[first - 1 : last]

    @property
    def heads(self) -> list[bytes]:
        """The chain's value after each row, by the chain's definition in `service/rows.py`."""
        found = [FIRST_LINK]
        for row in self.rows:
            bound = f"{row.id} {SOURCE} schlitten.{row.kind}".encode()
            found.append(link(found[-1], row.seq, row.t_ms, row.body, bound))
        return found
