"""A tablet at the table, as in docs/TABLET.md: its certificate, and who trusts it."""

from __future__ import annotations

import datetime
import re
import ssl
import subprocess
import urllib.request
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from table_controller.service.sealing import make_key
from tests.whole.commands import Running

ROOT = Path(__file__).parents[2]


@pytest.fixture
def house(tmp_path):
    """The house's authority with a page's certificate, made as the document says."""
    page = (ROOT / "docs" / "TABLET.md").read_text("utf-8")
    (line,) = re.findall(r"`sh (systemd/mosquitto/make-ca .*?)`", page)
    words = line.replace("192.168.1.40", "127.0.0.1").split()
    subprocess.run(["sh", ROOT / words[0], *words[1:]], cwd=tmp_path, check=True)
    return tmp_path / "ca"


def test_the_pages_certificate_is_one_that_tablets_accept(house):
    """At most 825 days, made out to the address, for a server, by the house's own authority."""
    made = x509.load_pem_x509_certificate((house / "page-127.0.0.1.pem").read_bytes())
    good_for = made.not_valid_after_utc - made.not_valid_before_utc
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    uses = made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value

    assert datetime.timedelta(days=800) < good_for <= datetime.timedelta(days=825)
    assert [str(ip) for ip in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1"]
    assert list(uses) == [ExtendedKeyUsageOID.SERVER_AUTH]


def test_who_believes_the_authority_opens_the_page_and_nobody_else(house, tmp_path):
    """Strictly, as Python 3.13 and browsers check it."""
    make_key(tmp_path / "table.key")
    settings = tmp_path / "table.toml"
    settings.write_text(
        f'[journal]\npath = "{tmp_path}/table.db"\nkey = "{tmp_path}/table.key"\n'
        f'[broker]\nkind = "none"\n[page]\nport = 0\ncertificate = "{house}/page-127.0.0.1.pem"\n'
        f'key = "{house}/page-127.0.0.1.key"\n'
    )
    believes = ssl.create_default_context(cafile=str(house / "ca.pem"))
    believes.verify_flags |= ssl.VERIFY_X509_STRICT
    with Running("run", "--config", settings) as running:
        url = running.says(r"croupier's page\s+(https://\S+)/")[1]
        with urllib.request.urlopen(f"{url}/public", context=believes) as answer:
            assert answer.status == 200
        with pytest.raises(OSError, match="certificate verify failed"):
            urllib.request.urlopen(f"{url}/public", context=ssl.create_default_context())
