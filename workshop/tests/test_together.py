"""Two cards together, filmed: a small sample of `scripts/soak --only together`."""

import pytest

from workshop.soak import together


@pytest.mark.parametrize(("fps", "wide"), [(60.0, 640), (60.0, 832)])
def test_no_pair_is_silent_whatever_the_rate_shows(monkeypatch, fps, wide):
    """Six, turned by up to 5 degrees; where the window shows both ends each is told."""
    monkeypatch.setattr(together, "PAIRED", 6)
    monkeypatch.setattr(together, "ALONE", 2)
    pairs = [one for one in together.film(3, fps, wide, 5.0) if one.way and one.out_mm > 0.7]
    quick = together.pairs_mps(together.lip(wide), fps)

    assert pairs
    assert "silent" not in {one.said for one in pairs}
    assert {one.said for one in pairs if one.mps <= quick} <= {"told"}
