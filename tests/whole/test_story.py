"""The demo's texts: each is told once, at a readable pace, and the last says what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.commands import demo
from table_controller.commands.demo import cleared, run_demo
from table_controller.commands.running import until_stopped
from table_controller.engine.messages import phrase
from table_controller.service.errors import ConfigError
from table_controller.wiring import config
from tests.adapters.web.samples import ADVICE_LIT, BEFORE_STAKING
from tests.whole import past

ONE, OTHER = BEFORE_STAKING.prompt, ADVICE_LIT.prompt


def test_each_reason_is_told_once_with_its_rule():
    """Although the table gives it again with other seats."""
    shown, said = [ADVICE_LIT], []
    told = demo.Story(lambda: shown[-1], None, said.append)
    for prompt in (ONE, OTHER, replace(ONE, ask=phrase("Seat {seat}: how much?", seat=4))):
        shown.append(replace(ADVICE_LIT, prompt=prompt, coup=5))
        told.tell((), None)

    asked, chosen = said
    assert asked == (
        "coup 5: Seat 3: how much is the bank? Any sum he likes, but not under 10 G. (ZP-5, Z-1)"
    )
    assert chosen.startswith("coup 5: Seat 1: card or stay? Plays free.")
    assert chosen.endswith("(ZX-2)")


@pytest.mark.parametrize(("signs", "seconds"), [(0, 0), (110, 5.0), (1000, 8.0)])
def test_people_get_time_to_read(signs, seconds):
    """22 signs a second, and never more than eight seconds."""
    said = phrase("{text}", text="x" * signs)
    prompt = replace(ONE, news=phrase(""), why=phrase(""), ask=said)

    assert demo.reading_s(prompt) == pytest.approx(seconds)


def test_it_says_that_it_is_one_and_what_it_kept(tmp_path):
    """First that nobody plays, last what lies where; each command that it names can be given."""
    said = []
    house = config.house("ecarte-german")

    until_stopped(
        run_demo(
            tmp_path, house, page_port=0, broker_port=0, seed=1, speed=0, once=True, film=None,
            board="twin", lines=None, say=said.append, keep=True,
        )
    )  # fmt: skip

    assert said[0].startswith("A demonstration: nobody plays, and no money is staked.")
    assert said[-1].startswith(f"Kept in {tmp_path}: table.db")
    assert "coup " not in "".join(said[2:-2])  # nobody could read that fast
    assert {path.name for path in tmp_path.iterdir()} >= {"table.db", "table.key"}

    with pytest.raises(ConfigError, match="Give --replace to delete that evening"):
        cleared(tmp_path, again=False)
    cleared(tmp_path, again=True)
    assert list(tmp_path.iterdir()) == []


def test_a_demo_never_replaces_another_table(tmp_path):
    """Not even if it is told to: a real journal is the only record of its evenings."""
    past.kept(tmp_path / "table.db", config.house("zoppot-1934"), ())
    (tmp_path / "table.key").write_text("a key")

    with pytest.raises(ConfigError, match="another table, which a demo never replaces"):
        cleared(tmp_path, again=True)
    (tmp_path / "table.db").unlink()
    with pytest.raises(ConfigError, match="name another folder"):
        cleared(tmp_path, again=True)
    assert (tmp_path / "table.key").read_text() == "a key"
    assert "Nothing is kept" in demo.ends(Path("/gone"), kept=False)
