"""The addresses that `run` and `doctor` name are those at which a browser can open the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_controller.adapters import certificate
from table_controller.wiring.config import PageSettings
from table_controller.wiring.page_addresses import page_addresses

HOUSE = ("192.168.1.40", "table.club.example")


@pytest.mark.parametrize(
    ("settings", "made_for", "own", "others"),
    [
        ({}, (), "http://127.0.0.1:8080", ()),
        ({"host": "::1"}, (), "http://[::1]:8080", ()),
        (
            {"host": "0.0.0.0", "names": HOUSE},
            (*HOUSE, "127.0.0.1"),
            "https://127.0.0.1:8080",
            ("https://192.168.1.40:8080", "https://table.club.example:8080"),
        ),
        (
            {"host": "0.0.0.0", "names": HOUSE[1:]},
            HOUSE[1:],
            "https://table.club.example:8080",
            ("https://table.club.example:8080",),
        ),
        (
            {"host": "0.0.0.0"},
            HOUSE[:1],
            "https://192.168.1.40:8080",
            ("https://192.168.1.40:8080",),
        ),
        (
            {"host": "192.168.1.40"},
            HOUSE,
            "https://192.168.1.40:8080",
            ("https://192.168.1.40:8080",),
        ),
        ({"host": "::"}, ("fd00::40",), "https://[fd00::40]:8080", ("https://[fd00::40]:8080",)),
    ],
    ids=["alone", "alone-6", "init", "no-loopback", "by-certificate", "bound", "six"],
)
def test_each_address_can_be_opened_from_where_it_is_named_for(
    tmp_path, settings, made_for, own, others
):
    """Nobody can open 0.0.0.0; and a browser warns of a name that the certificate lacks."""
    pair = {}
    if made_for:
        (tmp_path / "page.pem").write_bytes(certificate.make(made_for).page)
        pair = {"certificate": tmp_path / "page.pem", "key": tmp_path / "page.key"}

    assert page_addresses(PageSettings(**settings, **pair), 8080) == (own, others)


def test_a_certificate_that_cannot_be_read_hides_no_address():
    page = PageSettings(
        host="0.0.0.0", names=("192.168.1.40",), certificate=Path("/no.pem"), key=Path("/no.key")
    )

    assert page_addresses(page, 80).others == ("https://192.168.1.40:80",)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "only this machine can open the page: http://127.0.0.1:8080/"),
        (
            {"host": "0.0.0.0", "names": HOUSE},
            "other screens open http://192.168.1.40:8080/ or http://table.club.example:8080/",
        ),
    ],
)
def test_the_sentence_says_who_opens_what(settings, sentence):
    assert page_addresses(PageSettings(**settings), 8080).sentence == sentence
