"""What pages show and take beside the game's own."""

import pytest

from table_controller.engine.chemin_de_fer.view import snapshot
from table_controller.engine.messages import Audience
from table_controller.shown import entered, with_entries
from tests.engine.playing import play, table

SOLO = ("seat 1 banks 10", "seat 2 banco solo")


def enterable(now, *, reads):
    picture = with_entries(snapshot(now, Audience.CROUPIER), now, reads=reads)
    return any(offer.input["type"] == "card_seen" for offer in picture.offers)


def test_cards_are_entered_only_where_nothing_reads_them():
    """R-13: without a reader, and while it is lost; no longer once it is back."""
    now = play(table(), *SOLO)
    lost = play(now, "lost camera: it is unplugged")

    assert enterable(now, reads=False)
    assert not enterable(now, reads=True)
    assert enterable(lost, reads=True)
    assert not enterable(play(now, "lost board: it is unplugged"), reads=True)
    assert not enterable(play(lost, "back camera"), reads=True)


@pytest.mark.parametrize(
    ("said", "actor", "wanted"),
    [
        ({"type": "card_seen", "card": "7h"}, "croupier", "hand:croupier"),
        ({"type": "card_named", "card": "7h"}, "croupier", "croupier"),
        ({"type": "card_named", "card": "7h", "by": " Anna  B. "}, "croupier", "croupier:Anna B."),
        ({"type": "card_named", "card": "7h", "by": "Anna"}, "supervisor:Eva", "supervisor:Anna"),
        ({"type": "sits", "seat": 1, "name": "Anna"}, "croupier", "croupier"),
    ],
)
def test_whose_word_it_is(said, actor, wanted):
    """A typed card is a reader's word by hand; a name typed beside one is the actor's."""
    heard, who = entered(said, actor)

    assert who == wanted
    assert heard == {key: value for key, value in said.items() if key != "by"}
