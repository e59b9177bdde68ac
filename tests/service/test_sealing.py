import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.service import sealing
from table_controller.service.errors import JournalDamaged, KeyFileError
from table_controller.service.sealing import BLOCK, CREDENTIAL, Keys, Sealer, load_keys, make_key

KEYS = Keys.derive(b"m" * 32)


@given(st.binary(max_size=1000), st.integers(0, 2**63))
def test_what_was_sealed_opens_again(plain, row):
    """Any text, also one that ends like the padding."""
    sealer = Sealer(KEYS, "j")

    assert sealer.open(b"input", row, sealer.seal(b"input", row, plain)) == plain


def test_equal_texts_look_unlike_in_other_rows_kinds_and_journals():
    """Two sevens of hearts cannot be told to be equal."""
    seals = {
        Sealer(KEYS, journal).seal(kind, row, b"7h")
        for journal in ("a", "b")
        for kind in (b"input", b"event")
        for row in (1, 2)
    }

    assert len(seals) == 8


def test_a_size_says_nothing():
    """Every reading fits one block."""
    sealer = Sealer(KEYS, "j")

    sizes = {len(sealer.seal(b"input", 1, b"x" * length)) for length in range(BLOCK)}

    assert len(sizes) == 1


@pytest.mark.parametrize("change", ["row", "kind", "journal", "bytes", "key", "empty"])
def test_a_sealed_text_opens_nowhere_else(change):
    """It is bound to journal, kind, row and key, and altered bytes are found."""
    sealed = Sealer(KEYS, "j").seal(b"input", 1, b"7h")
    keys = Keys.derive(b"n" * 32) if change == "key" else KEYS
    other = Sealer(keys, "k" if change == "journal" else "j")
    if change == "bytes":
        sealed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    if change == "empty":
        sealed = b""

    with pytest.raises(JournalDamaged, match="does not open"):
        other.open(b"event" if change == "kind" else b"input", 2 if change == "row" else 1, sealed)


def test_keys_show_nothing():
    """Neither repr nor str holds a byte of a key, and the three differ."""
    shown = repr(KEYS) + str(KEYS)

    assert shown.count("SecretKey(…)") == 8
    assert KEYS.chain.value.hex() not in shown
    assert len({KEYS.seal.value[:32], KEYS.chain.value, KEYS.commit.value}) == 3


def test_a_made_key_is_private_and_loads_again(tmp_path):
    """`make_key` writes what `load_keys` reads."""
    made = make_key(tmp_path / "key")

    assert load_keys(tmp_path / "key", {}) == made
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_key_is_never_overwritten(tmp_path):
    """Its journals would be lost."""
    make_key(tmp_path / "key")

    with pytest.raises(KeyFileError, match="exists"):
        make_key(tmp_path / "key")


def test_a_key_comes_from_systemd(tmp_path):
    """Without a configured file the unit's credential is taken."""
    made = make_key(tmp_path / CREDENTIAL)

    assert load_keys(None, {"CREDENTIALS_DIRECTORY": str(tmp_path)}) == made


def test_a_credential_may_be_read_by_the_services_group(tmp_path):
    """So Debian 13's systemd hands it over, in a folder that the service alone may enter."""
    made = make_key(tmp_path / CREDENTIAL)
    (tmp_path / CREDENTIAL).chmod(0o440)

    assert load_keys(None, {"CREDENTIALS_DIRECTORY": str(tmp_path)}) == made

    (tmp_path / CREDENTIAL).chmod(0o444)
    with pytest.raises(KeyFileError, match="mode 0444"):
        load_keys(None, {"CREDENTIALS_DIRECTORY": str(tmp_path)})


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("ab" * 32, 0o644, "mode 0644: others may read it. Run: chmod 600"),
        ("ab" * 31, 0o600, "holds 62 characters that are not 64 hex digits"),
        ("zz" * 32, 0o600, "not 64 hex digits"),
        (None, 0, "No such file"),
    ],
)
def test_a_bad_key_file_is_refused(tmp_path, text, mode, said):
    """The text names the file and the remedy, and no digit of the key."""
    path = tmp_path / "key"
    if text:
        path.write_text(text)
        path.chmod(mode)

    with pytest.raises(KeyFileError, match=said) as caught:
        load_keys(path, {})

    assert str(path) in str(caught.value)
    assert text is None or text not in str(caught.value)


def test_at_the_console_the_installed_key_is_taken(tmp_path, monkeypatch):
    """So that root can ask the table's own journal; a configured or passed one goes before."""
    monkeypatch.setattr(sealing, "INSTALLED", tmp_path / "table.key")
    made = make_key(tmp_path / "table.key")
    (tmp_path / "passed").mkdir()
    passed = make_key(tmp_path / "passed" / CREDENTIAL)

    assert load_keys(None, {}) == made
    assert load_keys(None, {"CREDENTIALS_DIRECTORY": str(tmp_path / "passed")}) == passed


def test_no_key_at_all_is_said(tmp_path, monkeypatch):
    """Neither configured nor passed by systemd, nor installed."""
    monkeypatch.setattr(sealing, "INSTALLED", tmp_path / "no.key")
    with pytest.raises(KeyFileError, match="Set `key` in the configuration"):
        load_keys(None, {})


def test_a_key_that_cannot_be_written_is_named_with_why(tmp_path):
    """The folder is not there."""
    with pytest.raises(KeyFileError, match=r"Cannot write the key .*table\.key: No such file"):
        make_key(tmp_path / "nowhere" / "table.key")
