"""Another program that uses a journal, as long as a test wants it."""

import subprocess
import sys
from contextlib import contextmanager

#: Another program, such as a database browser, that writes and does not end; until it may.
HOLDER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
db.execute("ROLLBACK")
"""
#: One that reads, and never ends.
READER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN")
db.execute("SELECT count(*) FROM inputs").fetchone()
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path, program=HOLDER):
    """A process that holds the journal's write lock meanwhile, or runs another program."""
    call = [sys.executable, "-c", program, path]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        yield other
        other.stdin.close()
        other.wait(60)
