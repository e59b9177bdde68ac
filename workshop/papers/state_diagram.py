"""Draws the phases of chemin de fer: docs/STATES.md, from the state machine and the coup scripts.

The inputs that a phase admits are read from the handlers of `step`. The phase after each input is
found by playing the coup scripts, and by one step away from each script: every lit button is
pressed once in each phase. `scripts/generate` writes the page.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import Table, foremost
from table_controller.engine.chemin_de_fer.step import ALWAYS, CASES
from table_controller.engine.messages import Audience, Input, Refusal
from table_controller.engine.table import common
from table_controller.rules.citations import Citations
from table_controller.rules.rulebook import rules
from table_controller.words.glossary import terms
from tests.engine import script
from tests.engine.filling import filled
from tests.engine.playing import COUPS, table_of

PAGE = Path(__file__).parents[2] / "docs" / "STATES.md"


class Group(NamedTuple):
    """Phases that a newcomer meets together, and a sentence about them."""

    title: str
    about: str
    phases: tuple[str, ...]


GROUPS = (
    Group(
        "The Schlitten",
        "The cards are mixed and loaded; when no coup can follow, the Schlitten is counted.",
        ("NoSchlitten", "PlayersDue", "Over"),
    ),
    Group(
        "The bank",
        "The Schlitten goes round until somebody puts up a pot. A bank that won can be sold.",
        ("BankDue", "Auction", "TakeOver"),
    ),
    Group(
        "The stakes",
        "Somebody plays against the pot, or the table stakes against it together.",
        ("StakesDue", "Staking", "Sharing", "BankStakeDue"),
    ),
    Group(
        "The deal",
        "Four closed cards, the pointeur's word, his third card, the banker's, and all are open.",
        (
            "Dealing", "PointeurToSpeak", "BankerToOpen", "ThirdCardDue", "BankerToChoose",
            "BankerCardDue", "PointeurToOpen",
        ),
    ),
    Group("The reckoning", "Who won is announced, and the money goes its way.", ("Settled",)),
    Group(
        "Disputes",
        "Somebody dealt, asked or claimed what he should not have; a word decides.",
        ("MisdealDue", "FauxOffered", "ClaimDisputed"),
    ),
)  # fmt: skip
#: Phases that may interrupt any other phase, which continues after a ruling.
INTERRUPTS = {
    "Unread": "a card left without a sure reading",
    "Stray": "a card left when none was due",
    "WhiteDisputed": "the white card came out where the count does not expect it",
}
#: In how many phases of a group an input must lead to the same place to be drawn from the group.
TOGETHER = 3
TAKES_BACK = "takes_back"


class Move(NamedTuple):
    """An input that was taken in one phase, and the phase after it (perhaps the same)."""

    before: str
    said: str
    after: str


#: For two phases, the inputs that lead from one to the other.
Arrows = Mapping[tuple[str, str], set[str]]


def where(now: Table) -> str:
    """The name of the phase that a table is in."""
    return type(foremost(now)).__name__


def tag(kind: type[Input]) -> str:
    """The input's name, as in recordings."""
    return str(kind.__struct_config__.tag)


def admitted() -> dict[str, set[str]]:
    """The inputs that each phase admits by `CASES`, besides those that are always admitted."""
    found: dict[str, set[str]] = defaultdict(set)
    for phase, said in CASES:
        found[phase.__name__].add(tag(said))
    return found


def always() -> set[str]:
    """The inputs that are admitted in every phase."""
    return {tag(kind) for kind in (*common.ALWAYS, *ALWAYS)}


def unknown(moves: Iterable[Move]) -> set[Move]:
    """The moves whose input is neither in `CASES` for that phase nor always admitted."""
    cases = admitted()
    return {m for m in moves if m.said not in cases[m.before] | always()}


def tried(now: Table, said: Input) -> tuple[Table, Move | None]:
    """The table after `said`, and the move that it made; None if `said` was refused."""
    try:
        after, _ = game.step(now, said)
    except Refusal:
        return now, None
    return after, Move(where(now), tag(type(said)), where(after))


def scripts(paths: Iterable[Path] = COUPS) -> Iterator[tuple[Table, Move]]:
    """Yield every move of the coup scripts, with the table before the move."""
    for path in paths:
        text = path.read_text()
        now = table_of(text)
        for said, _ in script.lines(text):
            before, (now, move) = now, tried(now, said)
            if move:
                yield before, move


def aside(moments: Iterable[Table]) -> Iterator[Move]:
    """Press every button once in each phase. Yield the moves, whether or not a script has them."""
    pressed: set[tuple[str, str, str]] = set()
    luck = random.Random("aside")
    for now in moments:
        for offer in game.snapshot(now, Audience.CROUPIER).offers:
            kind = str(offer.input["type"])
            resumes = type((now.phase, *now.felt.stops[:-1])[-1]).__name__
            if offer.secret or (where(now), resumes, kind) in pressed:
                continue
            pressed.add((where(now), resumes, kind))
            _, move = tried(now, msgspec.convert(filled(offer, luck), game.inputs))
            if move:
                yield move


def made() -> Mapping[Path, str]:
    """The page as it should be, by its path, for `scripts/generate`."""
    walked = list(scripts())
    moves = {move for _, move in walked}
    return {PAGE: page(moves, {*aside(now for now, _ in walked)})}


# The page

_HEAD = """\
# The phases of chemin de fer, and each game's map

Made by `scripts/generate` from the list of cases in `table_controller/engine/chemin_de_fer/step.py`
and from what the coup scripts do; a test says when it is out of date. A box is what the table waits
for, an arrow what somebody says or deals then, a dashed box a phase of another group. Read the
groups in their order: they are one coup. The tables have exactly what each phase admits. [At the
end](#what-answers-and-what-offers), of every game: what answers each word, and what offers it.

Three things are left out of the drawings, since they can happen nearly anywhere:

- **taking back** leads to where the table was before the last word, until a card is opened or money
  moves;
- what changes no phase, as everything said [at any time](#at-any-time);
- [what interrupts](#what-interrupts): the table stands still, and goes on where it was.
"""


def page(scripted: set[Move], beside: set[Move]) -> str:
    """The text of docs/STATES.md."""
    parts = [_HEAD, _overview(scripted | beside)]
    parts += [_section(group, scripted | beside) for group in GROUPS]
    parts += [_interrupts(scripted | beside), _always(), _unwalked(scripted, beside), _map()]
    return "\n".join(parts)


def _group_of(phase: str) -> Group:
    return next(group for group in GROUPS if phase in group.phases)


def words(name: str) -> str:
    """`PointeurToSpeak` or `pointeur_to_speak` as words."""
    spaced = "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name)
    return spaced.replace("_", " ").strip()


def _drawn(moves: set[Move]) -> Arrows:
    """The arrows between phases with their inputs, without those that the page leaves out."""
    arrows: dict[tuple[str, str], set[str]] = defaultdict(set)
    for before, said, after in moves:
        interrupted = {before, after} & set(INTERRUPTS)
        if not interrupted and before != after and said != TAKES_BACK:
            arrows[before, after].add(said)
    return arrows


def _key(title: str) -> str:
    return title.title().replace(" ", "")


def _labels(said: Iterable[str]) -> str:
    """The text at an arrow. It has two inputs in a line, so that no text is wide."""
    told = [words(name) for name in sorted(said)]
    pairs = [", ".join(told[start : start + 2]) for start in range(0, len(told), 2)]
    return ",<br>".join(pairs)


def _overview(moves: set[Move]) -> str:
    """The drawing of the groups and the ways between them."""
    ways: dict[tuple[str, str], set[str]] = defaultdict(set)
    for before, after in _drawn(moves):
        one, other = _group_of(before).title, _group_of(after).title
        if one != other:
            ways[one, other].add(before)
    lines = [f'    {_key(g.title)}["{g.title}"]' for g in GROUPS]
    lines += [f"    {_key(one)} --> {_key(other)}" for one, other in sorted(ways)]
    return "\n".join(["## Overview", "", "```mermaid", "flowchart LR", *lines, "```", ""])


def _section(group: Group, moves: set[Move]) -> str:
    """One group: its drawing, and a table of what its phases wait for and admit."""
    rows = [f"| {words(name)} | {_waits(name)} | {_leads(name, moves)} |" for name in group.phases]
    return "\n".join(
        [
            f"## {group.title}", "", group.about, "",
            "```mermaid", "flowchart TD", *_diagram(group, _drawn(moves)), "```", "",
            _from_most(group, _drawn(moves)),
            "| phase | what it is | what is said or dealt, and where it leads |", "|---|---|---|",
            *rows, "",
        ]
    )  # fmt: skip


def _diagram(group: Group, arrows: Arrows) -> list[str]:
    """Draw the group's phases and, dashed, the other phases to which they lead."""
    own = {way: said for way, said in arrows.items() if way[0] in group.phases}
    framed = _framed(group, own)
    own = {way: said - framed[way[1]] for way, said in own.items() if said - framed[way[1]]}
    outside = sorted({after for _, after in own} - set(group.phases))
    return [
        *(f'    {phase}("{words(phase)}")' for phase in group.phases),
        *(f'    {phase}["{words(phase)}"]' for phase in outside),
        *(f'    {one} -- "{_labels(said)}" --> {to}' for (one, to), said in sorted(own.items())),
        "    classDef elsewhere stroke-dasharray: 4",
        *([f"    class {','.join(outside)} elsewhere"] if outside else []),
    ]


def _from_most(group: Group, arrows: Arrows) -> str:
    """The inputs that lead from many of the group's phases to the same phase outside.

    The page names each of these inputs once, and draws no arrows for them.
    """
    own = {way: said for way, said in arrows.items() if way[0] in group.phases}
    told = [
        f"**{words(name)}** to {words(after)}"
        for after, said in sorted(_framed(group, own).items())
        for name in sorted(said)
    ]
    return f"From most of them also: {', '.join(told)}.\n" if told else ""


def _framed(group: Group, own: Arrows) -> dict[str, set[str]]:
    """For each phase outside, the inputs that lead to it from many of the group's phases."""
    many = Counter((after, name) for (_, after), said in own.items() for name in said)
    framed: dict[str, set[str]] = defaultdict(set)
    for (after, name), times in many.items():
        if times >= TOGETHER and after not in group.phases:
            framed[after].add(name)
    return framed


def _leads(phase: str, moves: set[Move]) -> str:
    """Each input that the phase admits by `CASES`, and every phase after it."""
    told = []
    for said in sorted(admitted()[phase] | {"card_seen"}):
        after = sorted({words(m.after) for m in moves if (m.before, m.said) == (phase, said)})
        told += [f"**{words(said)}**: {', '.join(after)}"] if after else []
    return "; ".join(told)


def _waits(phase: str) -> str:
    """What a phase waits for: the first sentence of the docstring of the phase's class."""
    kind = next(kind for kind, _ in CASES if kind.__name__ == phase)
    return (kind.__doc__ or "").strip().splitlines()[0]


def _interrupts(moves: set[Move]) -> str:
    """A row for each interrupting phase: where it was seen, and what ends it."""
    rows = []
    for name, why in INTERRUPTS.items():
        came = {before for before, _, after in moves if after == name and before not in INTERRUPTS}
        ends = {said for before, said, after in moves if before == name and after != name}
        ends -= {TAKES_BACK} | (always() - {"card_seen"})
        rows.append(
            f"| {words(name)} | {why} | {', '.join(words(phase) for phase in sorted(came))} "
            f"| {', '.join(words(said) for said in sorted(ends))} |"
        )
    head = "| stops | because | seen in | ended by |\n|---|---|---|---|"
    return f"## What interrupts\n\n{head}\n" + "\n".join(rows) + "\n"


def _always() -> str:
    told = ", ".join(words(said) for said in sorted(always()))
    return f"## At any time\n\nWhatever the table waits for: {told}.\n"


def _unwalked(scripted: set[Move], beside: set[Move]) -> str:
    """The cases that no script contains. A star marks a case that a press of a button reached."""
    walked, pressed = ({(m.before, m.said) for m in some} for some in (scripted, beside))
    rows = []
    for phase, admits in sorted(admitted().items()):
        left = sorted(said for said in admits if (phase, said) not in walked)
        told = [f"{words(said)}{'*' if (phase, said) in pressed else ''}" for said in left]
        rows += [f"| {words(phase)} | {', '.join(told)} |"] if told else []
    head = (
        "## What no coup script walks\n\nThe list of cases admits it, and no script says it there. "
        "With a star: its button was pressed\nto draw this page.\n\n| phase | admits |\n|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"


_TITLES = {term.game.replace("-", "_"): term.heading for term in terms()} | {"table": "Every table"}
_MAP = """\
## What answers, and what offers

Of each word of people and devices: the handlers that `CASES` and `ALWAYS` of the game's `step.py`
name, the functions that offer it, and the rules that these handlers cite. Of a rule the same stands
in [RULEBOOK.md](RULEBOOK.md).
"""


def _map() -> str:
    """A list of inputs and handlers for each game, and one for the inputs that all games share."""
    cited, parts = Citations(PAGE.parents[1]), [_MAP]
    cites = {one.place: one.cites for one in cited.functions}
    for name in cited.games():
        rows = []
        for kind, handlers in sorted(cited.answering(name).items()):
            ids = set[str]().union(*(cites[place] for place in handlers))
            ruled = ", ".join(each.id for each in rules() if each.id in ids)
            offers = cited.offering(name, kind)
            named = (_named(handlers, name), _named(offers, name), ruled)
            rows.append(f"| {_spaced(kind)} | {' | '.join(named)} |")
        head = "| said or dealt | handlers | offers | rules |\n|---|---|---|---|"
        parts.append(f"### {_TITLES[name]}\n\n{head}\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _spaced(kind: str) -> str:
    """The name of an input's type in words: `BancoWithTable` is `banco with table`."""
    return re.sub(r"(?<!^)([A-Z])", r" \1", kind).lower()


def _named(places: Iterable[str], own: str) -> str:
    """The name of a handler such as `bank.banks`, with its folder if that is not `own`."""
    told = []
    for place in places:
        file, _, name = place.partition(".py::")
        folder, module = file.split("/")[-2:]
        told.append(f"`{'' if folder == own else f'{folder}/'}{module}.{name}`")
    return ", ".join(told)


def main(arguments: list[str]) -> int:
    """Write the page with `--write`, else say whether it is out of date. Return the exit code."""
    (content,) = made().values()
    if arguments == ["--write"]:
        PAGE.write_text(content)
        return 0
    stale = not PAGE.is_file() or PAGE.read_text() != content
    print(f"{PAGE.name}: {'out of date' if stale else 'as the code has it'}")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
