"""Generated files match the code, the tests and the tables."""

import pytest

from table_controller.adapters.web import assets
from workshop import generated
from workshop.papers import page_pictures


@pytest.mark.parametrize("name", generated.MAKERS)
def test_nothing_generated_is_stale(name):
    """The rule index, schemas, catalogues, headers, drawings: one command mends them all."""
    stale = [str(path.relative_to(generated.ROOT)) for path, _ in generated.stale(name)]

    assert stale == [], f"run {generated.MENDED_BY}"


def test_a_page_that_has_changed_is_drawn_again_and_no_other(monkeypatch):
    async def drawn(shown):
        return f"{shown.path} of {shown.size}".encode()

    monkeypatch.setattr(page_pictures, "_drawn", drawn)
    unchanged = page_pictures.made()
    monkeypatch.setattr(assets, "page_version", lambda: "another style")
    changed = page_pictures.made()

    pictures = [path for path in unchanged if path.suffix == ".png"]
    assert all(unchanged[path] == path.read_bytes() for path in pictures)
    assert changed[page_pictures.DOCS / "phone.png"] == b"/public of (390, 844)"
    assert not any(changed[path] == unchanged[path] for path in changed)


@pytest.fixture
def one(tmp_path, monkeypatch):
    """A maker of one file that is right and one that is not."""
    (tmp_path / "right").write_text("as it is")
    (tmp_path / "wrong").write_text("as it was")
    made = {tmp_path / "right": "as it is", tmp_path / "wrong": b"as it is", tmp_path / "a/new": ""}
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    monkeypatch.setattr(generated, "MAKERS", {"a thing": lambda: made})
    return tmp_path


def test_checking_names_what_is_stale_and_the_mending_command(one, capsys):
    """And writes nothing."""
    assert generated.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "stale: wrong (a thing)\nstale: a/new (a thing)\nRun scripts/generate.\n"
    )
    assert (one / "wrong").read_text() == "as it was"
    assert not (one / "a").exists()


def test_writing_mends_it_and_touches_nothing_else(one, capsys):
    """So that a second time there is nothing to do."""
    before = (one / "right").stat().st_mtime_ns

    assert generated.main([]) == 0
    assert capsys.readouterr().out == "wrote: wrong (a thing)\nwrote: a/new (a thing)\n"
    assert (one / "wrong").read_text() == "as it is"
    assert (one / "right").stat().st_mtime_ns == before
    assert generated.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_any_other_use_is_explained(one, capsys):
    assert generated.main(["--chek"]) == 2
    assert "usage: scripts/generate [--check]" in capsys.readouterr().out
    assert (one / "wrong").read_text() == "as it was"
