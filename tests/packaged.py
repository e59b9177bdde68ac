"""The package as it is built: a tree as a clone has it, and the wheel of one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = ("table_controller", "vision", "firmware_bridge", "hardware", "systemd")
FILES = (".gitignore", "LICENSE", "README.md", "hatch_build.py", "pyproject.toml")
#: Of a commit that a test makes: whose it is, and when.
_WHO = ("-c", "user.name=Anna", "-c", "user.email=anna@localhost", "-c", "commit.gpgsign=false")
_WHEN = {"GIT_AUTHOR_DATE": "2026-11-23T12:00:00Z", "GIT_COMMITTER_DATE": "2026-11-23T12:00:00Z"}


def tree(folder: Path) -> Path:
    """What a wheel is built of, copied to `folder`; no repository."""
    for part in PARTS:
        ignored = shutil.ignore_patterns("*.mo", "__pycache__", "build")
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    return folder


def wheel(of: Path, out: Path, **env: str) -> Path:
    """Build the wheel of a tree."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out],
        cwd=of,
        check=True,
        env=os.environ | env,
    )
    (made,) = out.glob("*.whl")
    return made


def git(folder: Path, *words: str) -> str:
    """Run git there; what it said."""
    return subprocess.run(
        ["git", "-C", str(folder), *_WHO, *words],
        check=True,
        env=os.environ | _WHEN,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout.strip()


def committed(folder: Path, tag: str = "") -> str:
    """Make a repository of `folder`, with all of it in one commit; its name."""
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "Begin")
    if tag:
        git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")
