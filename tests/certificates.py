"""Certificates for tests: real ones, signed by the test's own authority."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_PEM = serialization.Encoding.PEM


class Authority:
    """Signs certificates into a folder: for 127.0.0.1 and until an hour from now, if not said."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key, self._name = ec.generate_private_key(ec.SECP256R1()), _name("authority")
        own = self._signed(self._name, self._key, authority=True)
        self.own = folder / "ca.pem"
        self.own.write_bytes(own.public_bytes(_PEM))

    def sign(
        self, file: str, common_name: str, *, address: str = "127.0.0.1", hours: float = 1
    ) -> tuple[Path, Path]:
        """Write `file`.pem and `file`.key; the certificate ends in so many hours from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        signed = self._signed(
            _name(common_name), key, authority=False, address=address, hours=hours
        )
        certificate, secret = self._folder / f"{file}.pem", self._folder / f"{file}.key"
        certificate.write_bytes(signed.public_bytes(_PEM))
        secret.write_bytes(
            key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        return certificate, secret

    def _signed(self, subject, key, *, authority, address="127.0.0.1", hours=1.0):
        now = datetime.datetime.now(datetime.UTC)
        here = x509.IPAddress(ipaddress.ip_address(address))
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=2))
            .not_valid_after(now + datetime.timedelta(hours=hours))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([here]), critical=False)
            # Python checks from 3.13 on that these are there, as RFC 5280 asks.
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(_usage(signs=authority), critical=True)
        )
        return builder.sign(self._key, hashes.SHA256())


def _usage(*, signs):
    """An authority's key signs certificates, any other signs what it says."""
    never = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    never += ("crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, **dict.fromkeys(never, False)
    )


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
