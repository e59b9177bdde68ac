"""An evening to watch: a whole table with twins, and simulated people who play with a seed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import replace as replaced
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import replace

from hardware.board_tool import port_named
from table_controller.adapters.mqtt_names import TableId
from table_controller.commands.live import Line, Say, where
from table_controller.commands.players import seeded as simulated
from table_controller.engine.messages import Audience, CardSeen, Input, Refused
from table_controller.engine.players import Players
from table_controller.engine.seen import Seen
from table_controller.engine.table.devices import failing
from table_controller.engine.views import Prompt, Snapshot
from table_controller.rules.houses import House
from table_controller.service.archive import Archive
from table_controller.service.errors import ConfigError, RecordingError
from table_controller.service.game import closes, settled
from table_controller.service.sealing import make_key
from table_controller.service.store import Lock
from table_controller.service.table import Told
from table_controller.wiring.app import Service
from table_controller.wiring.config import BrokerSettings, PageSettings
from table_controller.wiring.inputs import card_input
from table_controller.wiring.plan import Plan, evening_accounts, own_address
from table_controller.words import text
from vision import generator, manifest, recording
from vision.frame import Frame
from vision.reader import Reader, Sight

# ---- The demo's texts: that it is a demo, why the table asks for each thing, and which files
#      remain

#: The speed at which people read a sentence on the page, and the most time that they get.
SIGNS_A_SECOND, MOST_S = 22.0, 8.0
BEGINS: Final = (
    "A demonstration: nobody plays, and no money is staked. Made-up people follow the rules of\n"
    "{title}; the cards are read from generated pictures, the board is a twin.\n"
    "Whatever the table asks for the first time is told here, with the reason and its rule\n"
    "(`schlitten rule {rule}` says more); the pages show all of it. You may press there too."
)


class Story:
    """A listener that counts coups and prints public events as `lines`.

    It also prints the reason of each request, but only once for each kind of reason.
    """

    def __init__(
        self, picture: Callable[[], Snapshot], lines: Line | None, say: Say | None
    ) -> None:
        """`say` gets the texts about requests; None means no such texts."""
        self._picture, self._lines, self._say = picture, lines, say
        self._told: set[str] = set()
        self.coups = self.events = 0

    def tell(self, told: Sequence[Told], _state: object) -> None:
        """Note the events of an input. The table calls this."""
        for event, row in told:
            self.coups += settled((event,))
            if row.audience is Audience.PUBLIC:
                self.events += 1
                if self._lines:
                    self._lines({"t_ms": row.t_ms, "seq": row.seq, "event": to_builtins(event)})
        if self._say:
            for caption in self._captions(self._picture()):
                self._say(caption)

    def _captions(self, now: Snapshot) -> Iterator[str]:
        """Yield the reason of the prompt, unless such a reason was given before."""
        why = now.prompt.why.text
        if why and why not in self._told:
            self._told.add(why)
            yield f"coup {now.coup}: {caption(now)}"


def caption(now: Snapshot) -> str:
    """Return the request, its reason and its rule, in English like all of the demo's output."""
    prompt, game = now.prompt, now.game
    rule = f" ({prompt.rule})" if prompt.rule else ""
    ask = text(prompt.ask, "en", game)
    end = "" if ask.endswith((".", "?", "!", ":")) else "."
    return f"{ask}{end} {text(prompt.why, 'en', game)}{rule}"


def begins(house: House, rule: str) -> str:
    """Return the text at the beginning of the demo."""
    return BEGINS.format(title=house.title, rule=rule or "R-1")


def reading_s(prompt: Prompt) -> float:
    """Return the seconds that somebody needs to read the page's current text."""
    said = (text(one, "en") for one in (prompt.news, prompt.ask, prompt.why))
    return min(sum(map(len, said)) / SIGNS_A_SECOND, MOST_S)


def ends(folder: Path, *, kept: bool) -> str:
    """Return a text about the files that the demo leaves, where they are, and what they are for."""
    if not kept:
        return (
            "Nothing is kept: the journal and its key were in a folder that is deleted now.\n"
            "`--keep FOLDER` keeps them, for `schlitten evenings`, `recall` and `verify`."
        )
    return (
        f"Kept in {folder}: table.db, the journal with every event, its closed cards sealed; and\n"
        "table.key, which opens them. What can be done with it:\n"
        f"  schlitten evenings {folder}/table.db   the evening, coup by coup\n"
        f"  schlitten recall {folder}/table.db     the last coups\n"
        f"  schlitten verify {folder}/table.db     checks the events, and the promise of every card"
    )


# ---- An evening to watch: a whole table with twins, and simulated people who play with a seed

TABLE = TableId("demo", "table-1")
SHOE = "demo"
#: The key of the labels' tokens. A demonstration has no secrets.
SECRET = bytes(32)
#: Seconds for drawing a card, for speaking, and for looking at a result, at speed 1.
CARD_S, WORD_S, RESULT_S = 0.7, 1.4, 4.0
#: Seconds for which people wait before they try again while the table waits for disk space or mains
#
HALTED_S = 0.2


class Cards:
    """Reads the cards of one Schlitten after another: frames come in, verdicts go out."""

    def __init__(
        self,
        house: House,
        seed: int,
        film: Path | None,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`warn` gets a sentence about each damaged frame.

        Raises RecordingError if `film` is not a recording.
        """
        self._house, self._seed, self._film, self._warn = house, seed, film, warn
        if film:
            _frames(film)
        self._manifest = labelled(house)
        self._number = 0
        self._passages: Iterator[tuple[int, Seen]] = iter(())

    def next(self, number: int) -> CardSeen | None:
        """Return the next verdict of Schlitten `number`; None at the end of its recording.

        Decoding the frames takes time, so call it in a thread.
        """
        if number != self._number:
            self._number = number
            frames = (
                _frames(self._film)
                if self._film
                else dealt(self._manifest, self._house, self._seed + number)
            )
            reader = Reader(frames, Sight(manifest=self._manifest), self._warn)
            self._passages = reader.passages()
        _, seen = next(self._passages, (0, None))
        return card_input(seen) if seen else None


def _frames(film: Path) -> Iterator[Frame]:
    """Yield the frames of a camera recording. Raises RecordingError."""
    try:
        return recording.read(film)
    except recording.FilmError as error:
        raise RecordingError(f"{error}.") from None


def labelled(house: House) -> manifest.Manifest:
    """Return the manifest of the demo's cards: the house's packs, with labels."""
    return manifest.make(SHOE, SECRET, house.packs, house.pack)


def dealt(cards: manifest.Manifest, house: House, seed: int) -> Iterator[Frame]:
    """Yield frames that show these cards passing the lip, in an order that `seed` decides.

    The white card is among the cards, at the place that the house gives it.
    """
    return generator.schlitten(cards, seed, white_at=house.white_at)


def film(path: Path, house: House, seed: int) -> Iterator[int]:
    """Write the camera recording of the demo's first Schlitten. Yield the number of frames done.

    If somebody ends the program (Ctrl-C), the torn recording is removed, so that the same command
    can be given again.
    """
    with recording.Writer(path) as writer:
        try:
            for number, frame in enumerate(dealt(labelled(house), house, seed + 1), 1):
                writer.add(frame)
                yield number
        except (KeyboardInterrupt, GeneratorExit):
            path.unlink(missing_ok=True)
            raise


def plan(
    folder: Path,
    house: House,
    warn: Callable[[str], None],
    *,
    page_port: int,
    broker_port: int,
    board: str = "twin",
) -> Plan:
    """Return the parts of the demo's table. `folder` is for key and journal.

    Port 0 takes any free port. `warn` gets sentences about damaged frames.
    """
    accounts = evening_accounts(TABLE)
    return Plan(
        table=TABLE,
        house=house,
        keys=make_key(folder / "table.key"),
        journal=folder / "table.db",
        board=board,
        broker=BrokerSettings(port=broker_port),
        accounts=accounts,
        address=own_address(accounts),
        page=PageSettings(port=page_port),
        warn=warn,
    )


def cleared(folder: Path, *, again: bool) -> None:
    """Make room in `folder` for a demo. If `again`, delete the files of an earlier demo.

    Raises ConfigError if there are files that stay: those of an earlier demo without `again`, and
    those of any other table.
    """
    journal, key = folder / "table.db", folder / "table.key"
    if not journal.exists() and not key.exists():
        return
    if not journal.exists() or not _is_demo(journal):
        raise ConfigError(
            f"{folder} has the files of another table, which a demo never replaces: name another "
            "folder."
        )
    if not again:
        raise ConfigError(
            f"{folder} has the evening of an earlier demo. Give --replace to delete that evening "
            "and keep the new one, or name another folder."
        )
    Lock(journal).release()  # it is refused while that demo still runs
    for name in (*(f"table.db{more}" for more in ("", "-wal", "-shm", ".lock")), "table.key"):
        (folder / name).unlink(missing_ok=True)


def _is_demo(journal: Path) -> bool:
    """Whether the journal is of demos alone."""
    with closing(Archive.read(journal)) as archive:
        return {boot.source for boot in archive.boots() if boot.id} == {TABLE.source}


async def evening(
    service: Service, people: Players[Any], cards: Cards, *, speed: float, once: bool
) -> None:
    """Let people play until cancelled; or, with `once`, until the first Schlitten is closed.

    With `speed` 0 they never pause. A visitor's press on the page counts as any other input does.
    """
    for said in people.arrive(service.table.state):
        await service.table.ask(said)
    async for said in _said(service, people, cards):
        await asyncio.sleep(_pause(service, people, said) / speed if speed else 0)
        told = await service.table.ask(said)
        while _halted(told):
            await asyncio.sleep(HALTED_S)
            now = service.table.now
            if not failing(now.alerts):
                told = await service.table.ask(replace(said, prompt=now.prompt))
        if once and closes(event for event, _ in told):
            return


def _halted(told: Sequence[Told]) -> bool:
    """Whether the table refused to begin a coup because a device has failed (R-53)."""
    return any(isinstance(event, Refused) and event.rule == "R-53" for event, _ in told)


async def _said(service: Service, people: Players[Any], cards: Cards) -> AsyncIterator[Input]:
    while True:
        now = service.table.now
        said = people.say(now.state)
        if said is not None:
            # A visitor may have pressed meanwhile. Then this input is too late, and is refused.
            yield replace(said, prompt=now.prompt)
            continue
        seen = await asyncio.to_thread(cards.next, people.progress(now.state).schlitten)
        if seen is None:
            return
        yield seen


def _pause(service: Service, people: Players[Any], said: Input) -> float:
    """Return how many seconds people pause before this input, at speed 1.

    The pause is long enough to read the page's text.
    """
    if isinstance(said, CardSeen):
        return CARD_S
    least = RESULT_S if people.progress(service.table.state).settled else WORD_S
    return max(least, reading_s(service.hub.snapshot(Audience.CROUPIER).prompt))


def _ended(folder: Path, *, kept: bool, say: Say) -> None:
    if (folder / "table.db").exists():
        say(ends(folder, kept=kept))


async def run_demo(
    folder: Path,
    house: House,
    *,
    page_port: int,
    broker_port: int,
    seed: int,
    speed: float,
    once: bool,
    film: Path | None,
    board: str,
    lines: Line | None,
    say: Say,
    keep: bool = False,
) -> None:
    """Run the demo's evening. Say where to watch it and, at the end, which files remain.

    `keep` says whether `folder` is kept.
    """
    cards, began = Cards(house, seed, film, say), time.monotonic()
    async with AsyncExitStack() as stack:
        if lines is None:
            stack.callback(_ended, folder, kept=keep, say=say)  # also by Ctrl-C
        # `emulated` is the real firmware behind a pty, started here. Other ports are used as given.
        port = stack.enter_context(port_named(board))
        shown = replaced(house, title=f"{house.title} · Demonstration")
        made = plan(folder, shown, say, page_port=page_port, broker_port=broker_port, board=port)
        service = await stack.enter_async_context(Service(made))
        picture = partial(service.hub.snapshot, Audience.CROUPIER)
        heard = Story(picture, lines, say if speed and lines is None else None)
        service.table.listen(heard)
        if lines is None:
            say(begins(house, picture().prompt.rule))
        say(where(service, made.accounts))
        people = simulated(service.game, seed)
        await evening(service, people, cards, speed=speed, once=once)
        if service.publisher:
            await service.publisher.told()
        summary = {
            "coups": heard.coups,
            "public_events": heard.events,
            "seconds": round(time.monotonic() - began, 1),
            "journal": str(made.journal),
        }
        if lines:
            lines({"summary": summary})
        else:
            say(
                f"{heard.coups} coups, {heard.events} public events in {summary['seconds']} s; "
                f"journal {made.journal}"
            )
