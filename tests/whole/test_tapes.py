"""A table's tapes: recorded live, killed, full, torn, and played again."""

import asyncio
import os
import re
from dataclasses import replace

import pytest
from msgspec.structs import replace as replaced

from table_controller.adapters.mqtt_names import TableId
from table_controller.commands import players
from table_controller.commands.hil import tapes
from table_controller.commands.players import seeded
from table_controller.engine.messages import CardSeen
from table_controller.rules.cards import Card
from table_controller.service.errors import WrongKey
from table_controller.service.sealing import Keys, make_key
from table_controller.service.tape import RecordKind, Tape, TapeError
from table_controller.wiring import config
from table_controller.wiring.app import Service
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.plan import Plan
from table_controller.wiring.shoe import taping
from table_controller.wiring.shoe.taping import TapePlan, Tapes
from tests import killer
from tests.whole import recorded

ZOPPOT = config.house("zoppot-1934")


def plan(folder, **of_tapes):
    """A table that records itself."""
    about = taping.about(ZOPPOT, config.lamp_language(ZOPPOT), ShoeSettings())
    return Plan(
        table=TableId("whole", "taped"),
        house=ZOPPOT,
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        tape=TapePlan(folder=folder / "tapes", begins=True, about=about, **of_tapes),
        clock=lambda: 1_700_000_000_000,
    )


async def deal(service, inputs, lip=None):
    """Let people play so many inputs."""
    people = seeded(service.game, 3)
    lip = lip or players.SimulatedLip(3, ZOPPOT)
    for said in people.arrive(service.table.state):
        await service.table.ask(said)
    for _ in range(inputs):
        state = service.table.state
        said = people.say(state) or lip.next(people.progress(state))
        await service.table.ask(replaced(said, prompt=service.table.now.prompt))


def played(folder, inputs=60, **of_tapes):
    """Record a table; return its plan and the only tape."""
    made = plan(folder, **of_tapes)

    async def evening():
        async with Service(made) as service:
            await deal(service, inputs)

    asyncio.run(evening())
    (tape,) = (folder / "tapes").iterdir()
    return made, tape


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "life", [None, killer.Life("card", 24)], ids=["to the end", "killed at a card"]
)
def test_a_recorded_evening_is_the_same_when_it_is_played_again(life):
    """Events with promises, pictures on the board, the reader's verdicts; also after `kill -9`."""
    seed, board = (0, "twin") if life else (2, "emulated")
    (tape,) = recorded.recorded(seed, life=life, count=12, board=board)

    assert tape.differences == []
    assert tape.holds
    assert tape.events > 20
    assert tape.pictures > 5
    assert tape.frames > 50
    assert tape.passages >= 4  # at the kill some ten are not on the tape yet


def test_what_was_said_otherwise_is_found(tmp_path):
    """A tape whose events are not those of now: the first one is named."""
    made, path = played(tmp_path)
    other = tmp_path / "other.tape"
    _altered(path, other, made.keys, b'"chips":', b'"chips":1')

    verdict = tapes.play(other, made.keys, board="")

    assert not verdict.holds
    assert re.match(r"Event \d+ differs in ", verdict.differences[0])


def _altered(path, written, keys, old, new):
    """The same tape with the first event that has these bytes changed."""
    from msgspec import json

    from table_controller.service.tape import TapeWriter

    tape = Tape(path, keys)
    writer, done = TapeWriter(written, tape.head, keys), False
    for kind, items in tape:
        assert kind is RecordKind.ITEMS
        lines = []
        for item in items:
            text = json.encode(item)
            if not done and item[0] == "event" and old in text:
                text, done = text.replace(old, new, 1), True
            lines.append(json.decode(text))
        writer.items(lines)
    writer.flush()
    writer.close()
    assert done


def test_another_house_version_and_key_are_named(tmp_path, monkeypatch):
    """What changed since is said; a key that does not open it, too."""
    made, path = played(tmp_path, inputs=20)
    renamed = replace(ZOPPOT, title="Zoppot 1935")
    monkeypatch.setattr(config, "house", lambda *_: renamed)
    monkeypatch.setattr("table_controller.commands.hil.tapes.version", lambda _: "9.9")

    verdict = tapes.play(path, made.keys, board="")

    assert verdict.holds
    assert any("this is 9.9" in note for note in verdict.notes)
    assert any("another today (title)" in note for note in verdict.notes)
    with pytest.raises(WrongKey, match="Name the key file"):
        tapes.play(path, Keys.derive(b"n" * 32), board="")
    with pytest.raises(TapeError, match="is no tape"):
        tapes.play(made.journal, made.keys, board="")


def test_closed_cards_change_neither_a_tapes_length_nor_when_it_is_written(tmp_path):
    """Two worlds: the same evening with other closed cards; without the key the files are alike."""
    shapes = []
    for world, cards in enumerate((("7h", "2c", "Kd"), ("As", "9s", "4h"))):
        folder = tmp_path / str(world)
        folder.mkdir()
        made = plan(folder)
        with_lip = [CardSeen(actor="lip", card=Card(code), copy=1) for code in cards]
        shapes.append(asyncio.run(_shape(made, with_lip)))

    assert shapes[0] == shapes[1]


async def _shape(made, seen):
    """Kinds and lengths of the records, and their number, turn by turn."""
    async with Service(replace(made, tape=None)) as service:
        recorder = Tapes(made.tape, made.journal, made.keys, made.clock)
        recorder.switch(on=True, full=True, by="a test")
        shape = []
        for said in (*_to_the_cards(service), *seen):
            await service.table.ask(said)
            recorder.frame(os.urandom(4000))
            recorder.turn()
            shape.append(recorder.status().size)
        recorder.stop()
    return shape


def _to_the_cards(service):
    """What is said until the first card is due."""
    lines = (
        "seat 1 sits 1000 Anna", "seat 2 sits 1000 Berta", "schlitten blue", "seat 1 banks 10",
        "seat 2 banco solo",
    )  # fmt: skip
    return [service.game.read(line) for line in lines]


def test_the_oldest_tapes_go_and_then_the_pictures(tmp_path):
    """The disk's share: closed parts first; what is being written goes on, inputs at least."""
    made = plan(tmp_path, budget_mib=64)
    folder = made.tape.folder
    folder.mkdir()
    old = [folder / f"2020010{day}-000000-000.tape" for day in (1, 2)]
    for path in old:
        path.write_bytes(bytes(30 << 20))
    told = []

    async def evening():
        async with Service(replace(made, tape=None)) as service:
            recorder = Tapes(made.tape, made.journal, made.keys, made.clock, told.append)
            recorder.switch(on=True, full=True, by="a test")
            await deal(service, 5)
            for _ in range(3):
                recorder.frame(bytes(5 << 20))
            recorder.turn()
            assert [path.exists() for path in old] == [False, True]
            for _ in range(14):
                recorder.frame(bytes(4 << 20))
            recorder.turn()
            assert [path.exists() for path in old] == [False, False]
            assert not recorder.full
            assert recorder.on
            recorder.stop()

    asyncio.run(evening())

    assert "used up their 64 MiB" in told[-1]


def test_what_does_not_fit_is_counted_on_the_tape(tmp_path):
    """A disk that is slower than the camera: nothing waits, and it is said how much is missing."""
    made = plan(tmp_path)

    async def evening():
        async with Service(replace(made, tape=None)) as service:
            recorder = Tapes(made.tape, made.journal, made.keys, made.clock)
            recorder.switch(on=True, full=True, by="a test")
            await deal(service, 5)
            for _ in range(40):
                recorder.frame(bytes(2 << 20))
            lost = recorder.status().lost
            recorder.turn()
            recorder.stop()
            return lost

    lost = asyncio.run(evening())
    (path,) = made.tape.folder.iterdir()
    items = [
        one for kind, some in Tape(path, made.keys) if kind is RecordKind.ITEMS for one in some
    ]

    assert lost == {"pictures": 9}
    assert [one[2:] for one in items if one[0] == "lost"] == [["pictures", 9]]


def test_a_tape_is_written_in_the_order_in_which_it_was_heard(tmp_path):
    """A write of many pictures that a kill cuts off: no verdict is left without its pictures."""
    made = plan(tmp_path)

    async def evening():
        async with Service(replace(made, tape=None)) as service:
            recorder = Tapes(made.tape, made.journal, made.keys, made.clock)
            recorder.switch(on=True, full=True, by="a test")
            await deal(service, 5)
            recorder.frame(b"first")
            recorder.item("verdict", 1)
            recorder.frame(b"second")
            recorder.frame(b"third")
            recorder.item("edge", 2.0, True)
            recorder.item("verdict", 3)
            recorder.stop()

    asyncio.run(evening())
    (path,) = made.tape.folder.iterdir()
    heard = []
    for kind, some in Tape(path, made.keys):
        heard += [some] if kind is RecordKind.FRAME else some

    assert heard[-6:] == [
        b"first", ["verdict", 1], b"second", b"third", ["edge", 2.0, True], ["verdict", 3]
    ]  # fmt: skip


def test_a_folder_that_cannot_be_written_is_an_alert_and_the_table_goes_on(tmp_path):
    """The journal has everything; the next tape begins once there is a place for it."""
    made = plan(tmp_path)
    made.tape.folder.write_text("a file is in the way")
    told = []

    async def evening():
        async with Service(replace(made, tape=None)) as service:
            recorder = Tapes(made.tape, made.journal, made.keys, made.clock, told.append)
            await deal(service, 5)
            recorder.turn()
            recorder.stop()

    asyncio.run(evening())

    assert "cannot be written: File exists" in told[0]
