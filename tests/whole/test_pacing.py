"""A recording in a camera's place. Its cards leave once the table awaits one, and not before."""

import asyncio

from table_controller.commands import demo
from table_controller.commands.players import seeded
from table_controller.engine.messages import Refused
from table_controller.wiring.app import Service
from table_controller.wiring.config import ShoeSettings
from tests.limits import PATIENCE_S
from tests.whole.commands import short_film
from tests.whole.lips import until
from tests.whole.plans import paged
from vision import manifest
from vision.camera import Playback

CARDS = 7


def test_a_recording_waits_for_people(tmp_path):
    """The first card rests in the gate until it is due; each is taken, in its order."""
    manifest.save(manifest.make(demo.SHOE, demo.SECRET), tmp_path / "shoe.manifest")
    film = short_film(tmp_path / "evening.film", cards=CARDS)
    settings = ShoeSettings(
        reader="recording", camera=str(film), height=192, manifests=(tmp_path / "shoe.manifest",)
    )
    heard = []

    class Ear:
        def tell(self, told, _now):
            heard.extend(event for event, _ in told)

    async def play():
        async with asyncio.timeout(PATIENCE_S), Service(paged(tmp_path)) as service:
            service.table.listen(Ear())
            lip = service.lip(settings)
            service.start("reading", lip.run, ends=True)
            film, stood = lip.reader.frames, []
            assert isinstance(film, Playback)
            held = film.held
            film.held = lambda: held() and not stood.append(True)
            await until(lambda: len(stood) > 20)
            assert lip.reader.in_gate
            assert not any(isinstance(event, Refused) for event in heard)
            people = seeded(service.game, 1)
            for said in people.arrive(service.table.state):
                await service.table.ask(said)
            while not people.progress(service.table.state).settled:
                said = people.say(service.table.state)
                await (service.table.ask(said) if said else asyncio.sleep(0.005))
            return service.table.state.felt.shoe.out

    out = asyncio.run(play())

    assert not any(isinstance(event, Refused) for event in heard)
    assert 4 <= out <= 6
