"""The board's line on a tape: compares the bytes sent then with those that are due today.

The module knows the line's frames, and boards in a world with its own time. It knows no game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

from firmware_bridge.frames import BadFrame, Splitter, decode
from firmware_bridge.messages import LAYOUTS, Picture, pack
from table_controller.adapters.answering import ANSWERED
from table_controller.commands import observed
from table_controller.commands.rehearse import rung_of
from table_controller.commands.world import Cable, World

_SEATS = 12


def compare(sent: bytes, shown: Sequence[Picture], board: str) -> tuple[int, str]:
    """Compare the recorded bytes with the pictures due today.

    Then have a board show these pictures. Return the number of pictures sent, and the first
    difference as a sentence, or "".
    """
    now = [(picture, pack(picture)[1]) for picture in shown]
    at, held, count = 0, set[Picture](), 0
    for count, body in enumerate(_pictures(sent), 1):
        place = next((n for n in range(at, len(now)) if _alike(body, now[n][1])), None)
        if place is None:
            return count, (
                f"Picture {count} on the board's line is none of those that the table shows now: "
                f"{_told(body)}."
            )
        at = place
        held.add(now[place][0])
    pictures = [picture for picture in dict.fromkeys(shown) if picture in held]
    return count, _show(pictures, board) if board else ""


def _pictures(sent: bytes) -> Iterator[bytes]:
    """Yield the bytes of every `Picture`. If one was sent repeatedly, yield it once."""
    layout, last = LAYOUTS["picture"], (0, b"")
    for frame in Splitter().feed(sent):
        with suppress(BadFrame):
            content = decode(frame)
            if content[0] == layout.tag and (content[1], content[2:]) != last:
                last = content[1], content[2:]
                yield content[2:]


def _alike(then: bytes, now: bytes) -> bool:
    """Whether two pictures are the same, apart from the lamps and tones that answer a press."""
    lamps = zip(then[:_SEATS], now[:_SEATS], strict=True)
    answers = all(one in (other, ANSWERED.byte) for one, other in lamps)
    return answers and then[_SEATS:-1] == now[_SEATS:-1]


def _told(body: bytes) -> str:
    *lamps, first, second, tone = LAYOUTS["picture"].unpack(body)
    return f"lamps {' '.join(map(str, lamps))}, numbers {first} and {second}, tone {tone}"


def _show(pictures: Sequence[Picture], board: str) -> str:
    with rung_of(board) as there:
        assert there
        world = World(speed=0.0)
        world.wire = Cable(there)
        try:
            return world.run_until_complete(_shown(world, pictures))
        finally:
            world.close()


async def _shown(world: World, pictures: Sequence[Picture]) -> str:
    """Have the board show the pictures one by one. Return the first difference, or ""."""
    wire = world.wire
    assert wire
    board = wire.board("tape", lambda _: None)
    serving, why = asyncio.create_task(board.run()), ""
    for picture in pictures:
        board.show(picture)
        await board.wait_shown(picture)
        await asyncio.sleep(2 * observed.RHYTHM_US / 1e6)
        since = wire.rung.us - observed.RHYTHM_US
        seen, asked = observed.look(wire.rung, since, since, picture), observed.as_asked(picture)
        figures = (seen.first.strip(), seen.second.strip())
        if (seen.lamps, *figures) != (asked.lamps, asked.first.strip(), asked.second.strip()):
            why = (
                f"The board shows lamps {', '.join(seen.lamps)} and {' '.join(figures)} for the "
                f"picture {', '.join(asked.lamps)} and {asked.first.strip()} "
                f"{asked.second.strip()}."
            )
            break
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    return why
