"""A publisher in a separate process that is killed: `child.py PORT ROWS MARKS DIES`.

Its outbox has ROWS public rows. The file MARKS lists those marked as sent, as a journal would. It
dies as if by kill -9 just before it writes its mark number DIES, while more rows are under way.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
from tests.adapters.mqtt.kit import Box, talking


class KeptBox(Box):
    """Marks survive the process."""

    def __init__(self, rows: int, marks: Path, dies: int) -> None:
        super().__init__()
        self.add_public(rows)
        for row_id in marks.read_text().split() if marks.exists() else ():
            self.waiting.pop(int(row_id))
        self._marks = marks.open("a", buffering=1)
        self._left = dies

    def delivered(self, row_id: int) -> None:
        super().delivered(row_id)
        self._left -= 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        self._marks.write(f"{row_id}\n")


async def main(port: int, rows: int, marks: Path, dies: int) -> None:
    async with talking(port, box=KeptBox(rows, marks, dies)) as table:
        await table.publisher.told()


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
