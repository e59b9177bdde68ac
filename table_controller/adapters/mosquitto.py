"""Mosquitto's files: the passwords, the ACL (who may read and write what), and the settings.

The module knows users and proofs. It never stores a secret.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from table_controller.adapters import limits
from table_controller.adapters.broker_rules import (
    BrokerAccount,
    BrokerRole,
    User,
    readable,
    writable,
)

#: One round suffices, since nobody can guess 128 bits. Mosquitto hashes the password of every
#: connection again when a floor adds or removes a table, and serves nobody meanwhile: with 101
#: rounds and 1,000 tables for 0.2 s. The salt is the longest that Debian's Mosquitto reads.
_ROUNDS: Final = 1
_SALT: Final = 12


def new_secret() -> str:
    """Return a new secret of 128 random bits. A person sees it once."""
    return secrets.token_hex(16)


def proof(secret: str) -> str:
    """Return the password file's entry for a secret, in the form that mosquitto_passwd writes."""
    salt = secrets.token_bytes(_SALT)
    return f"$7${_ROUNDS}${b64encode(salt).decode()}${b64encode(_hash(secret, salt)).decode()}"


def _hash(secret: str, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, _ROUNDS)


def passwords(accounts: Iterable[BrokerAccount]) -> str:
    """Return the password file of these accounts. A secret made for one evening is hashed here."""
    return "".join(
        f"{account.user.name}:{account.secret if account.proved else proof(account.secret)}\n"
        for account in accounts
    )


def acl(users: Iterable[User]) -> str:
    """Return the ACL file for these users. Other users may do nothing."""
    parts = []
    for user in users:
        root = user.table.root
        lines = [f"# {user.role} at {user.table.site}/{user.table.table}", f"user {user.name}"]
        lines += [f"topic read {root}/{pattern}" for pattern in readable(user)]
        lines += [f"topic write {root}/{pattern}" for pattern in writable(user)]
        tells = user.role in (BrokerRole.TABLE, BrokerRole.OF_FLOOR)
        announced = "readwrite" if tells else "read"
        lines.append(f"topic {announced} {user.table.announced}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def embedded(folder: Path, host: str, port: int) -> str:
    """Return the embedded broker's settings: limits, this machine only, no stored messages.

    `folder` contains the password file, the ACL file and the table's socket. A user's client id is
    the user name, so that nobody can take over another user's connection.
    """
    door = "allow_anonymous false\nuse_username_as_clientid true\nmax_qos 1\n"
    return (
        f"listener {port} {host}\n{door}max_connections {limits.MAX_CONNECTIONS}\n"
        f"listener 0 {folder}/table.sock\n{door}"
        f"password_file {folder}/passwords\n"
        f"acl_file {folder}/acl\n"
        "set_tcp_nodelay true\n"
        "upgrade_outgoing_qos true\n"  # so that a flood waits for the table's PUBACK
        f"max_packet_size {limits.MAX_PACKET}\n"
        f"max_inflight_messages {limits.MAX_INFLIGHT}\n"
        f"max_inflight_bytes {limits.MAX_INFLIGHT_BYTES}\n"
        f"max_queued_messages {limits.MAX_QUEUED}\n"
        f"max_queued_bytes {limits.MAX_QUEUED_BYTES}\n"
        f"memory_limit {limits.MAX_MEMORY}\n"
        "persistence false\n"
        "sys_interval 0\n"
        "connection_messages false\n"
        "log_dest stderr\n"
        "log_type error\n"
    )
