"""No closed card in any message, log line, page or byte for the board before it is opened."""

import asyncio
import hashlib
import re
from typing import Any

import pytest
import structlog
from msgspec.structs import replace

from table_controller.adapters import board
from table_controller.adapters.web.screens import Renderer
from table_controller.engine import alerts
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.chemin_de_fer.state import deal_of
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.table import cards, schlitten
from table_controller.engine.table import events as te
from table_controller.rules.points import points
from table_controller.service import game as any_game
from table_controller.service.table import Table
from table_controller.wiring import outputs as out
from tests.limits import LONG_S
from tests.whole import simulated
from tests.whole.leaks import Leak

#: Whole evenings, programs and films: minutes, on a machine that is busy.
pytestmark = pytest.mark.timeout(LONG_S)

NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
WORDS = {"A": "ace", "T": "ten", "J": "jack", "Q": "queen", "K": "king"}


def test_nothing_names_a_closed_card(mosquitto, tmp_path):
    """Nor one that left unread, that two people entered blind, or that came when none was due."""
    kept = asyncio.run(simulated.play(tmp_path, mosquitto.port, name="clean"))
    looked = kept.look_for_leaks()
    said = [said["type"] for said in kept.inputs()]
    told = [event["type"] for _, _, event in kept.rows()]

    assert looked["messages"] > 100  # of pictures at most one a second
    assert looked["the page /"] > 100 < looked["the page /public"]
    assert looked["the part trays of /live"] > 10 < looked["the part trays of /public/live"]
    assert looked["board"] > 10
    assert said.count("card_named") == 2
    assert {"card_unread", "card_removed", "refused"} <= set(told)


class Spy:
    """Looks at the table's state, as whoever leaks a card would have to."""

    def __init__(self, monkeypatch) -> None:
        self.patch, self._state = monkeypatch.setattr, None
        step = Table._step

        def watched(table, said):
            self._state = table.state
            outcome = step(table, said)
            self._state = outcome[1]
            return outcome

        monkeypatch.setattr(Table, "_step", watched)

    def card(self, state=None):
        """A closed card of now, or None."""
        state = state or self._state
        deal = deal_of(state.phase) if state else None
        if deal is None or deal.pointeur_open or not deal.pointeur:
            return None
        return deal.pointeur[0].card

    @property
    def code(self) -> str:
        card = self.card()
        return card.value if card else ""


def seen_by(audience):
    """A picture shows the pointeur's first card before he opens it."""

    def leak(spy):
        honest = game.snapshot

        def snapshot(state, who):
            now, card = honest(state, who), spy.card(state)
            if who is not audience or card is None:
                return now
            hands = tuple(
                replace(hand, cards=(card, *hand.cards[1:])) if hand.name == "pointeur" else hand
                for hand in now.hands
            )
            return replace(now, hands=hands)

        spy.patch(game, "snapshot", snapshot)

    return leak


def told_to(audience):
    """The sealed event goes to somebody."""
    return lambda spy: spy.patch(te.CardIdentified, "audience", audience)


def promised_without_a_nonce(spy):
    """A hash over the bare card: 52 tries."""
    spy.patch(schlitten, "promise", lambda _, card: hashlib.sha256(card.encode()).hexdigest())


def refused_by_name(spy):
    """A refusal says which card lies there."""
    honest = any_game.tell
    spy.patch(any_game, "tell", lambda said: f"{honest(said)} on {spy.code}")


def alerted_by_name(spy):
    """An alert says which card lies there."""
    honest: Any = alerts.Alert

    def alert(*fields):
        *rest, remedy = fields
        return honest(*rest, phrase("{was}: not the {card}.", was=str(remedy), card=spy.code))

    spy.patch(cards, "Alert", alert)


def logged_as(write):
    """A line in the log, at any level."""

    def leak(spy):
        honest = out.Outputs.tell

        def tell(outputs, told, now):
            if spy.code:
                write(spy.code)
            honest(outputs, told, now)

        spy.patch(out.Outputs, "tell", tell)

    return leak


def logged_nonce(spy):
    """The nonce of a closed card."""
    honest = schlitten._nonce

    def nonce(table, dealt):
        value = honest(table, dealt)
        structlog.get_logger().debug("promised", nonce=value.hex())
        return value

    spy.patch(schlitten, "_nonce", nonce)


def rendered_as(spelled):
    """The page has it somewhere in its text."""

    def leak(spy):
        honest = Renderer.parts

        def parts(renderer, snapshot, *seen):
            made = honest(renderer, snapshot, *seen)
            if spy.code:
                made["foot"] = made["foot"].replace("</footer>", f"{spelled(spy.code)}</footer>")
            return made

        spy.patch(Renderer, "parts", parts)

    return leak


def in_words(code):
    return f'<p hidden="hidden">{WORDS.get(code[0], code[0])} of {NAMES[code[1]]}</p>'


def in_markup(code):
    return f'<i data-card="{code}"></i>'


def log_line(code):
    structlog.get_logger().debug("drawn", card=code)


def drawn(code):
    rank = code[0].replace("T", "10")
    return f'<text class="rank">{rank}</text>\n<use href="#suit-{code[1]}"/>'


def shown_on_the_board(spy):
    """The second display tells the points of a closed card."""
    honest = board.picture

    def picture(now, language):
        card, shown = spy.card(), honest(now, language)
        return replace_stakes(shown, points([card])) if card else shown

    def replace_stakes(shown, value):
        return type(shown)(
            lamps=shown.lamps, display_1=shown.display_1, display_2=value, buzzer=shown.buzzer
        )

    module = type(out)("leaky")
    vars(module)["picture"] = picture
    spy.patch(out, "board_picture", module)


LEAKS = {
    "the public picture": (seen_by(Audience.PUBLIC), "the page /public "),
    "the croupier's picture": (seen_by(Audience.CROUPIER), "the page / "),
    "an event to all": (told_to(Audience.PUBLIC), "message at public"),
    "an event to the staff": (told_to(Audience.CROUPIER), "message at croupier"),
    "a promise without a nonce": (promised_without_a_nonce, "message at public"),
    "a refusal": (refused_by_name, "message at croupier"),
    "an alert": (alerted_by_name, "the page / "),
    "a structured log line": (logged_as(log_line), "the log"),
    "a printed line": (logged_as(lambda code: print(f"drawn: {code}")), "the log"),
    "a nonce in the log": (logged_nonce, "the log .*holds the nonce"),
    "a page in words": (rendered_as(in_words), "the page / "),
    "a page's markup": (rendered_as(in_markup), "the page / "),
    "a page's card": (rendered_as(drawn), "the page / "),
    "the board": (shown_on_the_board, "the board was sent"),
}


@pytest.mark.parametrize(("leak", "where"), LEAKS.values(), ids=LEAKS.keys())
def test_a_leak_on_purpose_is_found(leak, where, mosquitto, tmp_path, monkeypatch):
    """Whoever lets a closed card out, wherever, fails the test above."""
    leak(Spy(monkeypatch))
    name = re.sub("[^a-z0-9]+", "-", tmp_path.name)
    kept = asyncio.run(simulated.play(tmp_path, mosquitto.port, name=name, coups=1))

    with pytest.raises(Leak, match=where):
        kept.look_for_leaks()
