"""Packs of 52 and 32 cards, from the command to the Schlitten."""

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from table_controller.commands.cli import app
from table_controller.commands.players import Box
from table_controller.rules.cards import PACKS


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], {"packs": 6, "pack": 52, "cards": 312}),
        (["--packs", "1", "--pack", "32"], {"packs": 1, "pack": 32, "cards": 32}),
    ],
    ids=["52", "32"],
)
def test_the_command_makes_a_manifest_of_such_a_pack(options, told, tmp_path):
    """`schlitten manifest --pack 32`, and the 52 of before where nothing is said."""
    key, file = str(tmp_path / "key"), str(tmp_path / "blue-2.manifest")
    said = ["manifest", "blue-2", "--key", key, "--new-key", "--out", file, *options, "--json"]
    result = CliRunner().invoke(app, said)

    assert result.exit_code == 0, result.output
    assert json.loads(result.output) == {"shoe": "blue-2", **told, "manifest": file}


def test_a_pack_that_does_not_exist_is_refused_by_name(tmp_path):
    """And no manifest is written."""
    key, file = tmp_path / "key", tmp_path / "blue-2.manifest"
    said = ["manifest", "blue-2", "--key", str(key), "--new-key", "--out", str(file)]
    result = CliRunner().invoke(app, [*said, "--pack", "36"])

    assert result.exit_code == 2
    assert "a pack of 36 cards: there are packs of 32 or 52" in " ".join(result.output.split())
    assert not file.exists()


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("packs", [1, 6])
def test_a_mixed_schlitten_holds_each_card_of_its_packs_once(pack, packs):
    """And the white card before the last seven."""
    cards = Box(7, 1, packs=packs, pack=pack).cards
    wanted = [(card, copy) for card in PACKS[pack] for copy in range(1, packs + 1)]

    assert Counter(cards) == Counter([*wanted, None])
    assert cards.index(None) == pack * packs - 7
    assert Box(8, 1, packs=packs, pack=pack).cards != cards
