"""Makes a page's certificate, and the root certificate that tablets and tables trust.

A table's root key signs one certificate and is never written to disk, so that nobody can steal the
key and pretend to be the table. A later certificate has another root, which must be installed on
the tablets again. A floor keeps its root's key, because every table trusts that root. The module
knows no table.
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
    """A root certificate, a page's certificate and that page's key, all as PEM.

    `fingerprint` is the SHA-256 of the page's certificate.
    """

    root: bytes
    page: bytes
    key: bytes
    fingerprint: str


class Root:
    """Our own authority: it signs the certificates of one page, or of one floor."""

    def __init__(self, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        self._certificate, self._key = certificate, key

    @classmethod
    def make(cls, name: str, *, days: int = DAYS, now: datetime | None = None) -> Root:
        """Make an authority that is valid for `days` days from `now`."""
        key, called = ec.generate_private_key(_CURVE), _called(name)
        certificate = (
            _begun(called, called, key.public_key(), key.public_key(), _valid(now, days))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs=True), critical=True)
            .sign(key, hashes.SHA256())
        )
        return cls(certificate, key)

    @classmethod
    def load(cls, certificate: bytes, key: bytes) -> Root:
        """Return the authority whose `pem` and `key` these are. Raises ValueError."""
        private = serialization.load_pem_private_key(key, None)
        if not isinstance(private, ec.EllipticCurvePrivateKey):
            raise ValueError("not a key of ours")  # noqa: TRY004 - of a file, not of an argument
        return cls(x509.load_pem_x509_certificate(certificate), private)

    @property
    def pem(self) -> bytes:
        """The authority's certificate (PEM), for the devices that should trust it."""
        return self._certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key(self) -> bytes:
        """The authority's private key (PEM).

        Its owner can pretend to be any page of the authority.
        """
        return _private(self._key)

    def sign(self, names: tuple[str, ...], *, now: datetime | None = None) -> Made:
        """Make a certificate for these addresses or host names.

        The first name is the certificate's name.
        """
        key = ec.generate_private_key(_CURVE)
        issuer, signer = self._certificate.subject, self._key.public_key()
        page = (
            _begun(_called(names[0]), issuer, key.public_key(), signer, _valid(now, DAYS))
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([*map(_name, names)]), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        return Made(
            self.pem, page.public_bytes(serialization.Encoding.PEM), _private(key),
            page.fingerprint(hashes.SHA256()).hex(":").upper(),
        )  # fmt: skip


def make(names: tuple[str, ...], *, now: datetime | None = None) -> Made:
    """Make a certificate for these addresses or host names, and a root that signs only this one."""
    return Root.make(f"Schlitten, {names[0]}", now=now).sign(names, now=now)


def names_of(pem: bytes) -> tuple[tuple[str, ...], datetime]:
    """Return the names in a certificate, and when the certificate expires. Raises ValueError."""
    found = x509.load_pem_x509_certificate(pem)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return tuple(str(one.value) for one in names), found.not_valid_after_utc


def _valid(now: datetime | None, days: int) -> tuple[datetime, datetime]:
    since = (now or datetime.now(UTC)) - timedelta(hours=1)  # a tablet's clock may be slow
    return since, since + timedelta(days=days)


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )  # fmt: skip


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    signer: ec.EllipticCurvePublicKey,
    valid: tuple[datetime, datetime],
) -> x509.CertificateBuilder:
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(valid[0])
        .not_valid_after(valid[1])
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
