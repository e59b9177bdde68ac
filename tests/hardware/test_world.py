"""A world with a board on a port: its time is the wall clock's."""

import asyncio

from hardware.rungs import PortRung
from table_controller.commands.hil.virtual_time import Cable, World


class Older(PortRung):
    """A silent board that was switched on ten seconds before the world began."""

    us = 10_000_000

    def __init__(self):
        pass

    def run(self, _us, _data=b""):
        return b""


def test_a_board_that_was_on_before_does_not_move_the_worlds_clock():
    """Ten seconds would have passed at a stroke, and a limit of six would be over."""

    async def waited():
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(0.01)
        return asyncio.get_running_loop().time() - began

    world = World(speed=1.0, real=True)
    world.wire = Cable(Older())
    try:
        passed = world.run_until_complete(waited())
    finally:
        world.close()

    assert 0.01 <= passed < 6
