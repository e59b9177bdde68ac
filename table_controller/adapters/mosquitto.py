"""What a Mosquitto reads of people: its password file, and its file of who may read and write what.

Knows users and proofs; never keeps a secret. The embedded broker checks the same proofs.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections.abc import Iterable
from typing import Final

from table_controller.adapters.broker_rules import Account, Role, User, readable, writable

#: 128 bits cannot be guessed however fast a guess is; a Mosquitto of Debian reads no longer salt.
_ROUNDS: Final = 101
_SALT: Final = 12


def new_secret() -> str:
    """128 random bits, as they are shown once."""
    return secrets.token_hex(16)


def proof(secret: str) -> str:
    """What a password file keeps of a secret: as mosquitto_passwd writes it."""
    salt = secrets.token_bytes(_SALT)
    return f"$7${_ROUNDS}${b64encode(salt).decode()}${b64encode(_hash(secret, salt)).decode()}"


def matches(secret: str, kept: str) -> bool:
    """Whether it is the secret of which this was kept."""
    try:
        _, kind, rounds, salt, wanted = kept.split("$")
        if (kind, rounds) != ("7", str(_ROUNDS)):
            return False
        return hmac.compare_digest(_hash(secret, b64decode(salt)), b64decode(wanted))
    except (ValueError, NoBase64):
        return False


def _hash(secret: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, _ROUNDS)


def passwords(accounts: Iterable[Account]) -> str:
    """Return the password file of these accounts."""
    return "".join(f"{account.user.name}:{account.secret}\n" for account in accounts)


def acl(users: Iterable[User]) -> str:
    """Return the ACL file for these users; whoever is not named may do nothing."""
    parts = []
    for user in users:
        root = user.table.root
        lines = [f"# {user.role} at {user.table.site}/{user.table.table}", f"user {user.name}"]
        lines += [f"topic read {root}/{pattern}" for pattern in readable(user)]
        lines += [f"topic write {root}/{pattern}" for pattern in writable(user)]
        announced = "readwrite" if user.role is Role.TABLE else "read"
        lines.append(f"topic {announced} {user.table.announced}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
