"""A table joins a floor, the page of several tables, by a code and three requests over HTTP.

A person types the code, which contains the floor's address, a digest of the floor's authority, and
a secret that works once. The table asks for the authority, compares it with the code, and only then
sends the secret, over TLS that this authority has signed. On one machine (127.0.0.1) there is no
TLS. The module knows no database.
"""

from __future__ import annotations

import ssl
from base64 import b32encode
from hashlib import sha256
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from secrets import token_bytes
from typing import Final, TypeVar

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from msgspec import Struct

from table_controller.adapters.addresses import is_loopback
from table_controller.service.errors import ServiceError

#: Where the floor answers: its authority, a table that enrols, a table that asks if it has arrived.
ROOT_AT: Final = "/floor-root.pem"
ENROL_AT: Final = "/enrol"
ARRIVED_AT: Final = "/enrol/arrived"
#: Bytes of the authority's digest in a code, and of a secret, which works for a quarter of an hour
#: and is guessed a few times a minute at most.
_ROOT, _SECRET = 16, 10
_ANSWER_S: Final = 10.0
_MOST_BYTES: Final = 64 * 1024


class NotEnrolled(ServiceError):
    """The table has not joined the floor. The text says why, and what to do."""


class EnrolmentAsked(Struct, frozen=True):
    """The table's request to join: the secret of its code."""

    secret: str


class EnrolmentRefused(Struct, frozen=True):
    """The floor's answer if it does not let a table join: why not."""

    why: str


class Joined(Struct, frozen=True):
    """The data that a table needs for the floor's broker. `password` is sent only this once."""

    site: str
    table: str
    port: int
    username: str
    password: str


class HasArrived(Struct, frozen=True):
    """The floor's answer: whether it has read the table's `info` since the table joined."""

    arrived: bool


class EnrolmentCode(Struct, frozen=True):
    """A code to join: `host:port/authority/secret`, in capitals, so that a QR code is small."""

    host: str
    port: int
    root: str
    secret: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}/{self.root}/{self.secret}".upper()

    __repr__ = object.__repr__  # never the secret


A = TypeVar("A")


def new_secret() -> str:
    """Return a new random secret for a code."""
    return _written(token_bytes(_SECRET))


def digest_of(pem: bytes) -> str:
    """Return the digest that names an authority in a code. Raises ValueError for a bad `pem`."""
    der = x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)
    return _written(sha256(der).digest()[:_ROOT])


def _written(what: bytes) -> str:
    return b32encode(what).decode().rstrip("=")


def read_code(text: str) -> EnrolmentCode:
    """Read a code as a person typed it. Raises NotEnrolled."""
    at, _, rest = text.strip().upper().partition("/")
    root, _, secret = rest.partition("/")
    host, _, port = at.rpartition(":")
    lengths = len(_written(bytes(_ROOT))), len(_written(bytes(_SECRET)))
    if not (host and port.isdecimal() and (len(root), len(secret)) == lengths):
        raise NotEnrolled(
            f"{text[:80]!r} is no code of a floor: want address:port/{lengths[0]} letters/"
            f"{lengths[1]} letters, as `schlitten floor add SITE TABLE` prints it."
        )
    return EnrolmentCode(host.strip("[]").lower(), int(port), root, secret)


def authority(code: EnrolmentCode) -> bytes:
    """Fetch the floor's authority (PEM) and check it against the code. Raises NotEnrolled.

    Only the certificate that the code names is returned: whoever is in between could add another,
    which the table would trust from then on.
    """
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # what comes is compared
    said = _asked(code, context, "GET", ROOT_AT)
    pem = b""
    try:
        pem = x509.load_pem_x509_certificate(said).public_bytes(Encoding.PEM)
        same = digest_of(pem) == code.root
    except ValueError:
        same = False
    if not same:
        raise NotEnrolled(
            f"Another program than the floor of this code answers at {code.host}:{code.port}: "
            "compare the address, and type the code again."
        )
    return pem


def enrol(code: EnrolmentCode, root: bytes) -> Joined:
    """Ask the floor to let this table join, and return its answer. Raises NotEnrolled."""
    return _said(code, root, ENROL_AT, Joined)


def arrived(code: EnrolmentCode, root: bytes) -> bool:
    """Ask the floor whether it has read the table's `info`. Raises NotEnrolled."""
    return _said(code, root, ARRIVED_AT, HasArrived).arrived


def _said(code: EnrolmentCode, root: bytes, at: str, kind: type[A]) -> A:
    context = ssl.create_default_context(cadata=root.decode())
    answer = _asked(code, context, "POST", at, msgspec.json.encode(EnrolmentAsked(code.secret)))
    try:
        return msgspec.json.decode(answer, type=kind)
    except ValueError:
        raise NotEnrolled(
            f"What answers at {code.host}:{code.port} is no floor of this version: update the "
            "older one."
        ) from None


def _asked(
    code: EnrolmentCode, context: ssl.SSLContext, method: str, at: str, body: bytes = b""
) -> bytes:
    """Send one request and return the answer's body. Raises NotEnrolled."""
    if is_loopback(code.host):
        line = HTTPConnection(code.host, code.port, timeout=_ANSWER_S)
    else:
        line = HTTPSConnection(code.host, code.port, timeout=_ANSWER_S, context=context)
    try:
        line.request(method, at, body or None, {"Content-Type": "application/json"})
        answer = line.getresponse()
        content = answer.read(_MOST_BYTES)
    except ssl.SSLCertVerificationError as error:
        raise NotEnrolled(
            f"The floor's certificate is not valid ({error.verify_message}): set this machine's "
            "clock, and compare the address with that of the floor."
        ) from None
    except (OSError, HTTPException) as error:
        raise NotEnrolled(
            f"Nothing answers at {code.host}:{code.port} ({error}): is the floor running, and is "
            "this machine in its network?"
        ) from None
    finally:
        line.close()
    if answer.status != 200:
        raise NotEnrolled(_why(content, answer.status))
    return content


def _why(content: bytes, status: int) -> str:
    try:
        return msgspec.json.decode(content, type=EnrolmentRefused).why
    except ValueError:
        return f"The floor answers with status {status}: is the address the floor's page?"
