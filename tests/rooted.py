"""Tests that only root can run. An ordinary user runs them in a namespace in which he is root.

They are marked `root`. The files they make there belong to ids that /etc/subuid gives the user, as
Debian does for each user it adds. They can change nothing of the machine itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
AS_ROOT = ("unshare", "--map-root-user", "--map-auto")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run such a test again, in a process that is root."""
    if os.geteuid() == 0 or not pyfuncitem.get_closest_marker("root"):
        return None
    able = subprocess.run([*AS_ROOT, "true"], check=False, capture_output=True, text=True)
    if able.returncode:
        pytest.skip(f"only root can; {' '.join(AS_ROOT)}: {able.stderr.strip()} (Debian: uidmap)")
    # A folder of the outer run's, that another user's tests of the same name are not in the way.
    folder = pyfuncitem._request.getfixturevalue("tmp_path_factory").mktemp("as-root")
    words = ("-q", "-n", "0", "-p", "no:cacheprovider", f"--basetemp={folder / 'tmp'}")
    run = subprocess.run(
        [*AS_ROOT, sys.executable, "-m", "pytest", *words, pyfuncitem.nodeid],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        pytest.fail(f"as root:\n{run.stdout}{run.stderr}", pytrace=False)
    return True
