"""The demo's texts: that it is a demo, why the table asks for each thing, and which files remain.

The module knows a table's pictures and events. It prints through functions that are passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import to_builtins

from table_controller.commands.show import Line, Say
from table_controller.engine.messages import Audience
from table_controller.engine.views import Prompt, Snapshot
from table_controller.rules.houses import House
from table_controller.service.game import settled
from table_controller.service.table import Told
from table_controller.words import text

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
