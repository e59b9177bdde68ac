"""`schlitten --version`: number and commit, and `+dev` wherever it is not the release."""

import json
from importlib.metadata import version

import pytest

from table_controller.commands.version import CARRIED, of_git, sentence
from tests import packaged

NUMBER = version("schlitten")


@pytest.fixture
def checkout(tmp_path):
    """A repository with a package in it, and the name of its commit, which is the release."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "code.py").write_text("")
    return tmp_path, packaged.committed(tmp_path, f"v{NUMBER}")


def test_a_commit_with_the_tag_is_the_release(checkout):
    root, commit = checkout

    assert sentence(root / "package") == f"schlitten {NUMBER} ({commit[:12]})"


def test_what_is_changed_since_the_tag_is_no_release(checkout):
    """Committed or not."""
    root, commit = checkout
    (root / "package" / "code.py").write_text("changed")
    changed = sentence(root / "package")
    packaged.git(root, "commit", "--quiet", "--all", "-m", "Change it")
    later = packaged.git(root, "rev-parse", "HEAD")

    assert changed == f"schlitten {NUMBER}+dev ({commit[:12]})"
    assert sentence(root / "package") == f"schlitten {NUMBER}+dev ({later[:12]})"


@pytest.mark.parametrize("tag", ["", "v9.9.9", "v0", "release"])
def test_another_tag_makes_no_release(tmp_path, tag):
    (tmp_path / "code.py").write_text("")
    commit = packaged.committed(tmp_path, tag)

    assert of_git(tmp_path, NUMBER) == {"commit": commit, "release": False}


def test_without_git_nobody_knows(checkout, monkeypatch, tmp_path):
    root, _ = checkout
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))

    assert sentence(root / "package") == f"schlitten {NUMBER}+dev (commit unknown)"


def test_a_folder_in_another_repository_is_not_taken_for_it(checkout):
    """An unpacked archive in somebody's own project: its commit says nothing of ours."""
    root, _ = checkout
    (root / "unpacked" / "package").mkdir(parents=True)

    assert sentence(root / "unpacked" / "package").endswith("+dev (commit unknown)")


def test_a_wheel_says_what_it_carries(tmp_path):
    built = tmp_path / CARRIED
    built.parent.mkdir()
    built.write_text(json.dumps({"commit": "c0ffee" * 7, "release": True}))

    assert sentence(tmp_path) == f"schlitten {NUMBER} (c0ffeec0ffee)"
