"""Serves a table on a small disk until it is full, makes room, goes on, and reports what it saw."""

import sys
from pathlib import Path

from table_controller.service.errors import JournalError
from table_controller.service.verify import verify
from tests.service import evenings
from tests.service.counting import Add


def main(folder):
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(300_000))
    journal = evenings.open_journal(folder / "table.db")
    table = evenings.serve(journal)
    before = table.state
    try:
        while True:
            before = table.state
            table.take(Add(chips=1, actor="x" * 3000), 1)
    except JournalError as error:
        print(type(error).__name__)
    print("state kept" if table.state == before else "state changed")
    ballast.unlink()
    table.take(Add(chips=1), 2)
    print("went on" if table.state.total == before.total + 1 else "lost its count")
    journal.close()
    verdict = verify(folder / "table.db", evenings.KEYS)
    print("holds" if verdict.holds else verdict)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
