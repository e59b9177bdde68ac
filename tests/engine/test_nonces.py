"""The secret behind a card's promise: HMAC-SHA-256, whatever makes it fast."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from table_controller.engine.promises import Secret, nonce


@given(key=st.binary(max_size=200), ordinal=st.integers(1, 416), attempt=st.integers(0, 9))
def test_a_nonce_is_half_an_hmac(key, ordinal, attempt):
    """As RFC 2104 has it, for keys shorter and longer than a block of the hash."""
    message = f"schlitten-3.2/{ordinal}/{attempt}".encode()

    made = nonce(Secret(key), "schlitten-3.2", ordinal, attempt)

    assert made == hmac.new(key, message, hashlib.sha256).digest()[:16]
