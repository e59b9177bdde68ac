"""One or two per cent of what `scripts/soak` fuzzes."""

import shutil

import pytest

from tests.hil import fuzzing


@pytest.mark.parametrize("target", fuzzing.TARGETS)
def test_the_firmware_survives_its_corpus_and_more(target, tmp_path):
    """Sanitizers on: no crash, no hang, no frame with a wrong checksum."""
    if not shutil.which("clang"):
        pytest.skip("no clang here: install clang and libclang-rt-dev")

    assert fuzzing.fuzz_c(target, bytes_wanted=200_000, seed=1, scratch=tmp_path) >= 200_000


def test_the_host_survives_noise_and_accepts_only_whole_frames():
    """The host accepts exactly the frames that the twin's own parser does."""
    total, whole = fuzzing.fuzz_host(bytes_wanted=100_000, seed=1)

    assert total >= 100_000
    assert whole > 500


def test_the_barcode_lines_survive_noise():
    """Only codes that could be some come out."""
    _, codes = fuzzing.fuzz_barcodes(bytes_wanted=100_000, seed=1)

    assert codes > 100
