"""Runs `floor simulate` with three nodes of nats-server and PostgreSQL, started for the run.

`python -m workshop.floor_trial --tables 1000 --seconds 60 --json`; the options are those of
`schlitten floor simulate`. `scripts/soak` installs what the program needs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.databases import Postgres
from workshop.nats import HOSTS, Cluster


def main() -> int:
    """Run the command with these options. Return its exit code."""
    database = Postgres(durable=True)
    with TemporaryDirectory(prefix="floor-trial-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        cluster = Cluster(folder / "nats", (), "a trial's")
        try:
            secret = folder / "secret"
            secret.touch(0o600)
            secret.write_text("a trial's")
            (folder / "floor.toml").write_text(
                f'[database]\nurl = "{database.url()}"\n[broker]\nhosts = {json.dumps(HOSTS)}\n'
                f'port = {cluster.port}\npassword = "{secret}"\n'
            )
            call = [sys.executable, "-m", "table_controller", "floor", "simulate"]
            return subprocess.call([*call, "--folder", str(folder), *sys.argv[1:]])
        finally:
            cluster.stop()
            database.stop()


if __name__ == "__main__":
    sys.exit(main())
