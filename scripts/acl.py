"""Who may read and write what, as the ACL file that a Mosquitto reads: systemd/mosquitto."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.adapters.broker_rules import User, readable, writable


def mosquitto_acl(users: Iterable[User]) -> str:
    """Return the ACL file for these users; whoever is not named may do nothing."""
    parts = []
    for user in users:
        root = user.table.root
        lines = [f"# {user.role} at {user.table.site}/{user.table.table}", f"user {user.name}"]
        lines += [f"topic read {root}/{pattern}" for pattern in readable(user)]
        lines += [f"topic write {root}/{pattern}" for pattern in writable(user)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
