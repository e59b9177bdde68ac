"""The promises of every game to the layers above it (`service/game.py`), tested by its interface.

They are tested with chemin de fer and the tests' counting game. A new game is one more line in
`games.py`.
"""

from __future__ import annotations

import random
from base64 import b64encode
from itertools import islice
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.engine.messages import Audience, CardSeen, StalePrompt
from table_controller.engine.table.events import Withdrawn
from table_controller.engine.table.offers import MOST_BROUGHT
from table_controller.engine.views import Offer
from tests.contract import holds, walks
from tests.contract.games import PLAYED
from tests.contract.judged import JUDGED
from tests.engine.filling import edges, read

any_game = pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.game.name)
LONG = 400


def evening(played, seed, *, packs=6, closing=False, steps=LONG):
    """So many whims at a table of the game."""
    begun = played.begun(seed, packs)
    box = walks.mixed(played, seed, packs)
    found = walks.walk(played, begun, random.Random(seed), box, closing=closing)
    yield from (step for _, step in zip(range(steps), found, strict=False))


# Whims


@any_game
@pytest.mark.parametrize("seed", range(6))
def test_whatever_people_do_nothing_crashes_and_sums_come_out(played, seed):
    """R-16: money comes and goes with who brings it; a refusal changes nothing and says why."""
    public = []
    for step in evening(played, seed, closing=True):
        holds.fair(played, step)
        public += [e for e in step.told if e.audience is Audience.PUBLIC]

    assert played.game.sums([msgspec.to_builtins(event) for event in public]) is None


@any_game
@pytest.mark.parametrize("seed", range(4))
def test_an_answer_to_an_older_question_is_refused(played, seed):
    """Whatever it is, and whatever the table waits for."""
    kinds = [kind for kind in get_args(played.game.inputs) if walks.tag(kind) not in played.faults]
    luck = random.Random(seed)
    for step in evening(played, seed, steps=60):
        late = walks.anything(luck.choice(kinds), luck)
        late = replace(late, prompt=played.game.prompt(step.after) - 1)
        with pytest.raises(StalePrompt):
            played.game.step(step.after, late)


@any_game
@pytest.mark.parametrize("seed", range(4))
def test_its_people_play_on_and_are_never_refused(played, seed):
    """A game brings who plays it in simulations: what they say is taken, card by card."""
    people = played.game.players(random.Random(seed), faults=frozenset())
    state, boxes, words = played.begun(seed, 6), {}, set()
    for _ in range(300):
        said = people.say(state)
        if said is None:
            number = people.progress(state).schlitten
            box = boxes.setdefault(number, walks.mixed(played, number, 6))
            said = CardSeen(card=box.pop())
        step = walks.taken(played.game, state, said)
        assert step.refusal is None, (said, str(step.refusal))
        state, _ = step.after, words.add(walks.tag(said))
    assert len(words) > 2


# Offers


@any_game
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_offered_is_taken(played, seed):
    """As it stands: with any seat, its least or its greatest sum, any words."""
    luck = random.Random(seed)
    for step in evening(played, seed, closing=True, steps=100):
        for offer in walks.offers(played.game, step.after):
            if any(field.name == "card" for field in offer.fields):
                continue  # the same card again is no correction
            said = walks.pressed(played, offer, luck)
            assert walks.taken(played.game, step.after, said).refusal is None, said


@any_game
@pytest.mark.parametrize("seed", range(4))
def test_a_sum_goes_as_far_as_its_button_and_no_further(played, seed):
    """Both bounds are taken, and one beyond is refused; what is brought has no bound of its own."""
    tried = 0
    for step in evening(played, seed, closing=True, steps=60):
        for offer in walks.offers(played.game, step.after):
            for words, within in edges(offer):
                said = read(words, played.game.inputs)
                if getattr(said, "chips", 0) <= MOST_BROUGHT:
                    tried += 1
                    came = walks.taken(played.game, step.after, said)
                    assert (came.refusal is None) is within, said
    assert tried > 100


def in_other_words(played, came, offers):
    """Whether a button does the same: a hand that is laid open is the Schlag that it shows."""
    buttons = (offer.input for offer in offers if not offer.fields)
    said = (read(words, played.game.inputs) for words in buttons)
    return any(walks.taken(played.game, came.before, one).after == came.after for one in said)


@any_game
@pytest.mark.parametrize("seed", range(4))
def test_what_no_button_says_is_refused(played, seed):
    """Any word of any kind that is not offered in any form; devices and the clock excepted."""
    kinds = [kind for kind in get_args(played.game.inputs) if walks.tag(kind) not in played.faults]
    luck = random.Random(seed)
    for step in evening(played, seed, closing=True, steps=100):
        picture = played.game.snapshot(step.after, Audience.CROUPIER)
        lit = {str(offer.input["type"]) for offer in picture.offers} | played.unoffered
        for kind in (kind for kind in kinds if walks.tag(kind) not in lit):
            said = walks.anything(kind, luck)
            came = walks.taken(played.game, step.after, said)
            assert came.refusal or in_other_words(played, came, picture.offers), said


@any_game
@pytest.mark.parametrize("seed", range(4))
def test_what_no_button_says_just_so_is_refused_or_judged(played, seed):
    """Any word of a kind that has a button now, but not with these places, sums and choices."""
    luck, game = random.Random(seed), played.game
    for step in evening(played, seed, closing=True, steps=60):
        picture = game.snapshot(step.after, Audience.CROUPIER)
        lit: dict[str, list[Offer]] = {}
        for offer in picture.offers:
            lit.setdefault(str(offer.input["type"]), []).append(offer)
        for kind in (kind for kind in get_args(game.inputs) if walks.tag(kind) in lit):
            for said in (walks.anything(kind, luck) for _ in range(3)):
                if not any(walks.said_by(game, offer, said) for offer in lit[walks.tag(kind)]):
                    came = walks.taken(game, step.after, said)
                    judged = walks.tag(kind) in JUDGED | dict.fromkeys(played.unoffered)
                    assert came.refusal or judged, said


# Secrecy


@any_game
@pytest.mark.parametrize("seed", range(8))
def test_no_card_is_named_before_it_is_opened(played, seed):
    """R-13: events, pictures and refusals for public and staff, through evenings of mistakes."""
    bare, closed = set(), 0
    for step in evening(played, seed, packs=1):
        bare |= walks.opened(step) | walks.laid(played, step)
        closed += len(walks.ordinals(step, "card_identified"))
        seen = walks.unpicked(walks.seen(played.game, step))

        assert walks.named(seen) <= bare, walks.tag(step.said)
    assert closed > played.closed


# On paper


@any_game
@pytest.mark.parametrize("seed", range(6))
def test_a_closed_schlitten_comes_back_from_paper_without_its_key(played, seed):
    """`load` is the inverse of `save` wherever recovery may begin."""
    game, key, saved = played.game, played.key, 0
    for luck in range(seed, seed + 60, 6):  # by whim, some evenings close none
        begun = played.begun(luck, 6)
        for step in evening(played, luck, closing=True):
            if any(getattr(event, "CHECKPOINT", False) for event in step.told):
                paper, saved = game.save(step.after), saved + 1
                assert game.load(begun, paper) == step.after
                keys = (key, key.hex().encode(), b64encode(key))
                assert not [form for form in keys if form in paper]
        if saved:
            return
    raise AssertionError("no Schlitten was closed")


@any_game
@pytest.mark.parametrize("seed", range(3))
def test_any_input_reads_back_from_its_line_or_has_none(played, seed):
    """Every notation parses what it prints; what no line can hold is refused."""
    luck = random.Random(seed)
    for kind in get_args(played.game.inputs):
        tried = (_reads_back(played, walks.anything(kind, luck)) for _ in range(300))
        assert [*islice(filter(None, tried), 5)], kind


def _reads_back(played, said):
    """Whether the input has a line; then it reads back as it was."""
    try:
        line = played.game.write(said)
    except ValueError:
        return False
    assert "\n" not in line
    assert played.game.read(line) == said, line
    return True


@any_game
@given(text=st.text(max_size=60))
def test_any_text_reads_or_is_refused(played, text):
    """Nothing but a ValueError comes of a torn line; what was read is written again."""
    try:
        said = played.game.read(text)
    except ValueError:
        return

    assert played.game.read(played.game.write(said)) == said


# Undo


@any_game
def test_what_is_taken_back_is_named_by_its_events(played):
    """R-20: `withdrawn` says where they stand among all public events, so that nobody guesses."""
    named = sum(_named(played, seed) for seed in range(20))

    assert named >= 5


def _named(played, seed):
    """How many withdrawals of an evening name events, each checked against what was said."""
    public, said, named = 0, [], 0
    for step in evening(played, seed):
        mine = [event for event in step.told if event.audience is Audience.PUBLIC]
        if step.refusal is None:
            said.append((walks.tag(step.said), public, len(mine)))
        for at, event in enumerate(mine, public):
            if isinstance(event, Withdrawn):
                last = next(n for n in reversed(range(len(said))) if said[n][0] == event.said)
                _, first, count = said.pop(last)
                assert (event.events, event.ago) == (count, at - first if count else 0)
                named += bool(count)
        public += len(mine)
    return named


@any_game
def test_what_is_taken_back_was_never_said(played):
    """R-20: the money lies and the same is offered as at some moment before, under a new id."""
    game, times = played.game, 0
    for seed in range(20):  # whims seldom agree on it where a stake must lie
        if seed > 5 < times:
            break
        before = []
        for step in evening(played, seed, closing=True):
            if walks.tag(step.said) == "takes_back" and step.refusal is None:
                times += 1
                money, offers = holds.look(game, step.after)
                if any(offer.input["type"] == "stray_ruled" for offer in offers):
                    # Cards that left since are strays now, and wait for a word first.
                    assert money in [lay for lay, _ in before]
                else:
                    assert (money, offers) in before
                assert game.prompt(step.after) > game.prompt(step.before)
            before.append(holds.look(game, step.before))
    assert times > 5
