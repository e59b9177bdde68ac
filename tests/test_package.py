"""The installed files: a wheel has everything a table needs, built from a tree like a clone."""

import gettext
import json
import os
import shutil
import zipfile

import pytest

from hatch_build import CATALOGUES, compile_catalogues
from table_controller.commands import version
from table_controller.words import LOCALES
from tests import packaged
from tests.packaged import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel of a tree that is no repository, and that has one test."""
    tree = packaged.tree(tmp_path_factory.mktemp("clone"))
    (tree / "tests").mkdir()
    (tree / "tests" / "test_free.py").write_text("def test_" + "pb_16_is_free(): ...\n")
    return packaged.wheel(tree, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel(built):
    """The names of all files in it."""
    return set(zipfile.ZipFile(built).namelist())


def test_it_holds_the_texts_of_every_language(wheel):
    """Compiled while it was built: the tree had none."""
    compiled = {name for name in wheel if name.endswith(".mo")}

    assert compiled == {f"{CATALOGUES.replace('*', locale)}/schlitten.mo" for locale in LOCALES}


def test_it_holds_what_a_table_reads(wheel):
    assert {
        "table_controller/houses/zoppot-1934.toml",
        "table_controller/rules/chemin_de_fer/rulebook.toml",
        "table_controller/adapters/web/templates/page.html",
        "table_controller/adapters/web/static/page.js",
        "table_controller/shipped/systemd/schlitten.service",
    } <= wheel


def test_it_holds_nothing_that_no_table_needs(wheel):
    """No training of the nets, no tests, no texts to translate."""
    assert not [name for name in wheel if name.startswith(("workshop", "tests", "docs"))]
    assert not [name for name in wheel if name.endswith((".po", ".pyc"))]


def test_it_says_of_what_it_was_built(built):
    """Of no repository: nobody knows, so it is no release."""
    carried = zipfile.ZipFile(built).read(f"table_controller/{version.CARRIED}")

    assert json.loads(carried) == {"commit": "", "release": False}


def test_it_knows_the_code_and_the_tests_of_a_rule(built):
    """The tests themselves are not in it."""
    index = json.loads(zipfile.ZipFile(built).read("table_controller/rules/index.json"))

    assert index["PB-16"]["handlers"] == ["engine/punto_banco/play.py::free_coup"]
    assert index["PB-16"]["tests"] == ["tests/test_free.py::test_pb_16_is_free"]


@pytest.fixture
def clone(tmp_path):
    """A tree with one catalogue, compiled by nobody yet."""
    po = tmp_path / CATALOGUES.replace("*", "de") / "schlitten.po"
    po.parent.mkdir(parents=True)
    shutil.copy(ROOT / po.relative_to(tmp_path), po)
    return tmp_path, po


def test_a_changed_text_is_compiled_anew_and_an_unchanged_one_is_not(clone):
    """Also where the .po has become older, as a switch to another commit may make it."""
    root, po = clone
    mo = po.with_suffix(".mo")

    assert compile_catalogues(root) == [mo]
    assert compile_catalogues(root) == []

    text = po.read_text()
    at = text.index('\nmsgid "Nothing lies aside."\nmsgstr "')
    po.write_text(text[:at] + text[at:].replace('msgstr "', 'msgstr "Gar ', 1))
    os.utime(po, ns=(1, 1))

    assert compile_catalogues(root) == [mo]
    with mo.open("rb") as file:
        assert gettext.GNUTranslations(file).gettext("Nothing lies aside.").startswith("Gar ")
    assert sorted(path.name for path in po.parent.iterdir()) == ["schlitten.mo", "schlitten.po"]
