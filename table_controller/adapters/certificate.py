"""Makes the certificate of a table's page, and a root for tablets to trust.

The module knows no table. The root's key signs this one certificate and is never written to disk.
So nobody can steal the key and pretend to be the table. A later certificate has its own root, which
must be installed on the tablets again.
"""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

#: The longest validity that tablets accept, in days.
DAYS: Final = 825
_CURVE: Final = ec.SECP256R1()


class Made(NamedTuple):
    """PEM texts of the root, the page's certificate and its key; and the certificate's SHA-256."""

    root: bytes
    page: bytes
    key: bytes
    fingerprint: str


def make(names: tuple[str, ...], *, now: datetime | None = None) -> Made:
    """Make a certificate for these addresses or host names. The first one names it."""
    since = (now or datetime.now(UTC)) - timedelta(hours=1)  # a tablet's clock may be slow
    root_key, key = ec.generate_private_key(_CURVE), ec.generate_private_key(_CURVE)
    issuer = _called(f"Schlitten, {names[0]}")
    root = (
        _begun(issuer, issuer, root_key.public_key(), root_key.public_key(), since)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .sign(root_key, hashes.SHA256())
    )
    page = (
        _begun(_called(names[0]), issuer, key.public_key(), root_key.public_key(), since)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([*map(_name, names)]), critical=False)
        .sign(root_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return Made(
        root.public_bytes(pem), page.public_bytes(pem), private,
        page.fingerprint(hashes.SHA256()).hex(":").upper(),
    )  # fmt: skip


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    signer: ec.EllipticCurvePublicKey,
    since: datetime,
) -> x509.CertificateBuilder:
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(since)
        .not_valid_after(since + timedelta(days=DAYS))
        .add_extension(own, critical=False)
        .add_extension(by, critical=False)
    )


def _called(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name[:64])])


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs,
        content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
