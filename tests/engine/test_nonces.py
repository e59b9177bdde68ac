"""The secret behind a card's promise is HMAC-SHA-256, whatever makes it fast."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.promises import SecretKey, nonce
from table_controller.engine.shoe import Dealt
from table_controller.engine.table.events import CardDrawn, CardOpened
from table_controller.rules.cards import Card
from tests.engine.playing import events, play, table


@given(key=st.binary(max_size=200), ordinal=st.integers(1, 600), attempt=st.integers(0, 9))
def test_a_nonce_is_half_an_hmac(key, ordinal, attempt):
    """As RFC 2104 has it, for keys shorter and longer than a block of the hash."""
    message = f"schlitten-3.2/{ordinal}/{attempt}".encode()

    dealt = Dealt(ordinal, Card("7h"), attempt=attempt)
    made = nonce(SecretKey(key), "schlitten-3", 2, dealt)

    assert made == nonce(SecretKey(key), "schlitten-3.2", 0, dealt)
    assert made == hmac.new(key, message, hashlib.sha256).digest()[:16]


def test_the_start_that_drew_a_card_is_in_its_nonce():
    """R-13: two starts from one copy of a journal promise the same card each its own way."""
    key, message = b"k" * 32, b"5eed/schlitten-3.2/7/1"

    dealt = Dealt(7, Card("7h"), attempt=1, boot="5eed")
    made = nonce(SecretKey(key), "schlitten-3", 2, dealt)

    assert made == hmac.new(key, message, hashlib.sha256).digest()[:16]


def drawn(boot, *lines):
    """The promise of the last card that leaves, where the service started with `boot`."""
    told = events(play(table(), "seat 1 banks 10", f"booted {boot}"), *lines)
    return [event.commitment for event in told if isinstance(event, CardDrawn)][-1]


def test_a_card_keeps_the_start_in_which_it_left():
    """R-13: what was promised before a start is proven by the promise's own nonce after it."""
    now = play(table(), "seat 1 banks 10", "booted aa", "card 9h")
    promised = drawn("aa", "card 9h")
    (shown,) = [e for e in events(now, "booted bb", "stray burned") if isinstance(e, CardOpened)]

    assert hashlib.sha256(bytes.fromhex(shown.nonce) + b"9h").hexdigest() == promised
    assert promised != drawn("bb", "card 9h")


def test_no_start_is_forgotten_when_a_word_is_taken_back():
    """R-13, R-20: what is drawn after it hangs on the start that is, not on one before the word."""
    told = events(
        play(table(), "booted aa", "seat 1 banks 10", "booted bb", "take back"),
        "seat 1 banks 20",
        "card 9h",
    )
    (made,) = [event.commitment for event in told if isinstance(event, CardDrawn)]

    assert made == drawn("bb", "card 9h")
