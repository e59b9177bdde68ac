"""Whole Schlitten of punto banco, typed at the page of a real process. Each mishap occurs once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.whole.test_punto_banco_page import schlitten


def run(share: float) -> list[tuple[str, str]]:
    """Play eight packs, open and squeezed. At least two are played."""
    packs, rows = max(2, round(8 * share)), []
    for dealing in ("open", "squeezed"):
        with TemporaryDirectory() as folder:
            coups, dealer = schlitten(Path(folder), packs, dealing)
        told = "PB-20 to PB-27 ruled on; no closed card on a page"
        found = f"{len(dealer.all)} cards, {coups} coups, {told}"
        rows.append((f"{packs} packs at the page, {dealing} dealing", found))
    return rows
