"""The floor's certificate authority, and the certificate of its page and its port for tables.

Every table learns the authority when it is enrolled, and each tablet installs the authority once.
So the authority's key stays in the floor's folder, and signs a new certificate when the floor's
address changes.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from msgspec import Struct

from table_controller.adapters.certificate import Root, names_of
from table_controller.service.errors import ServiceError

#: How long the authority is valid, and how long before its end a certificate is made again.
ROOT_DAYS: Final = 3650
AGAIN: Final = timedelta(days=60)


class CannotCertify(ServiceError):
    """The floor's certificates cannot be read or written. The text says why."""


class Certificates(Struct, frozen=True):
    """PEM files: the authority that others trust, and the served certificate with its key."""

    root: Path
    served: Path


def ready(folder: Path, names: tuple[str, ...]) -> Certificates:
    """Return the certificates for these addresses or names. Missing ones are made.

    Raises CannotCertify.
    """
    found = Certificates(folder / "floor-root.pem", folder / "floor.pem")
    root_key = folder / "floor-root.key"
    try:
        if not root_key.exists():
            root = Root.make(f"Schlitten floor, {names[0]}", days=ROOT_DAYS)
            _write(found.root, root.pem, 0o644)
            _write(root_key, root.key, 0o600)  # last: with it, the authority is whole
        root = Root.load(found.root.read_bytes(), root_key.read_bytes())
        if not _serves(found, names):
            made = root.sign(names)
            _write(found.served, made.key + made.page, 0o600)
    except (OSError, ValueError) as error:
        raise CannotCertify(
            f"The floor's certificates in {folder} cannot be used ({error}): put the folder back "
            "from its backup. Without floor-root.key every table must be enrolled again."
        ) from None
    return found


def _serves(found: Certificates, names: tuple[str, ...]) -> bool:
    """Whether there is a certificate for these names that is still valid for a while."""
    if not found.served.exists():
        return False
    named, until = names_of(found.served.read_bytes())
    return set(names) <= set(named) and until - datetime.now(UTC) > AGAIN


def _write(file: Path, content: bytes, mode: int) -> None:
    """Write a file so that other programs see either the old content or all of the new."""
    fresh = file.with_name(file.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
