"""A card that had already left.

The staff learn that; all others learn only that the table stopped.
"""

import msgspec
import pytest

from table_controller.engine.chemin_de_fer.step import step
from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import AlertDetailed, AlertRaised, Audience, CardSeen
from table_controller.engine.seen import Unknown
from table_controller.engine.table import events as te
from table_controller.rules.cards import Card
from tests.engine.playing import play, table
from tests.engine.test_secrecy import named

SOLO = ("seat 1 banks 10", "seat 2 banco solo")
WHAT = "A card left the Schlitten that had left it before, or one more than it can hold."
REMEDY = (
    "It may be a second label or a card brought in: call the supervisor. Then show it again, or "
    "two people each enter it, unseen."
)
SEVENTH = play(table(), *["card 9h", "stray burned"] * 6, *SOLO), CardSeen(card=Card("9h"))
OPEN = ("card 9h copy 3", "stray burned")
COPY = play(table(), *OPEN, *SOLO), CardSeen(card=Card("9h"), copy=3)
READER = play(table(), *SOLO), CardSeen(unknown=Unknown.DUPLICATE)
ILLEGIBLE = play(table(), *SOLO), CardSeen(unknown=Unknown.UNSURE)


@pytest.mark.parametrize("case", [SEVENTH, COPY, READER], ids=["seventh", "copy", "reader"])
def test_the_staff_are_told_that_a_card_was_seen_twice(case):
    """The case of a cheat: what, and whom to call; the card is not named (R-13)."""
    now, told = step(*case)
    detailed = [event for event in told if isinstance(event, AlertDetailed)]
    (shown,) = snapshot(now, Audience.CROUPIER).alerts

    assert [(str(event.what), str(event.remedy)) for event in detailed] == [(WHAT, REMEDY)]
    assert (str(shown.what), str(shown.remedy)) == (WHAT, REMEDY)
    assert named([*told, shown]) - {"9h"} == set()
    assert named([shown, *detailed]) == set()


@pytest.mark.parametrize("case", [SEVENTH, COPY, READER], ids=["seventh", "copy", "reader"])
def test_the_public_learn_only_that_the_coup_stands_still(case):
    """R-13: "seen twice" names a card to whoever counted them: with six out, there is but one."""
    now, told = step(*case)
    _, illegible = step(*ILLEGIBLE)
    public = [event for event in told if event.audience is Audience.PUBLIC]

    assert [type(event) for event in public] == [
        type(event) for event in illegible if event.audience is Audience.PUBLIC
    ]
    assert [e.reason for e in public if isinstance(e, te.CardUnread)] == [Unknown.UNSURE]
    assert [(e.code, e.severity) for e in public if isinstance(e, AlertRaised)] == [
        ("card_unread", "stop")
    ]
    sent = msgspec.json.encode([public, snapshot(now, Audience.PUBLIC)])
    assert b"duplicate" not in sent
    assert b"before, or" not in sent


def test_seen_twice_when_it_is_shown_again():
    """First illegible, then a second label: the staff's alert says so; nothing new is public."""
    now = play(table(), *OPEN, *SOLO, "card unread no_read", "seen card-unread-2")
    now, told = step(now, CardSeen(card=Card("9h"), copy=3))
    (shown,) = snapshot(now, Audience.CROUPIER).alerts

    assert (str(shown.what), shown.acknowledged) == (WHAT, True)  # the public would see it change
    assert told == (te.CardUnread(ordinal=2, reason=Unknown.UNSURE),)
    now, told = step(now, CardSeen(unknown=Unknown.NO_READ))
    (shown,) = snapshot(now, Audience.CROUPIER).alerts
    assert str(shown.what) == WHAT
    assert told == (te.CardUnread(ordinal=2, reason=Unknown.NO_READ),)


def test_two_people_who_agree_on_a_card_that_cannot_be():
    """Six of it are out: the entry is not taken, and the staff learn why."""
    now, _ = SEVENTH
    now = play(now, "card unread no_read", "named 9h")
    now = play(now, "named 9h [croupier:Berta]")
    (shown,) = snapshot(now, Audience.CROUPIER).alerts

    assert str(shown.what) == WHAT
