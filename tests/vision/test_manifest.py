import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.rules.cards import PACK, PACKS
from vision import manifest
from vision.manifest import LabelVerdict, ManifestError

KEY = bytes(range(32))


def test_six_packs_and_the_white_card_each_have_a_token(shoe):
    """312 cards, each copy once, and one cut card."""
    counted = Counter((entry.card, entry.copy) for entry in shoe.cards)

    assert counted == {(card, copy): 1 for card in PACK for copy in range(1, 7)}
    assert shoe.white.card is None
    assert len({entry.token for entry in shoe.entries}) == 313
    assert len({entry.digits for entry in shoe.entries}) == 313


@pytest.mark.parametrize(("pack", "packs", "cards"), [(52, 1, 52), (32, 1, 32), (32, 6, 192)])
def test_a_manifest_holds_so_many_packs_of_its_pack(pack, packs, cards, tmp_path):
    """52 or 32 cards to a pack; its file names which."""
    made = manifest.make("blue-1", KEY, packs=packs, pack=pack)
    manifest.save(made, tmp_path / "shoe.json")
    counted = Counter((entry.card, entry.copy) for entry in made.cards)

    assert len(made.cards) == cards
    assert counted == {(card, copy): 1 for card in PACKS[pack] for copy in range(1, packs + 1)}
    assert manifest.load(tmp_path / "shoe.json") == made
    assert json.loads((tmp_path / "shoe.json").read_text())["pack"] == pack


def test_a_manifest_of_before_packs_had_names_still_loads(tmp_path):
    """Then every pack had 52 cards, and no digest named it: this file was written then."""
    path = tmp_path / "blue-2.manifest"
    path.write_bytes((Path(__file__).parent / "blue-2.manifest").read_bytes())
    path.chmod(0o600)

    assert manifest.load(path) == manifest.make("blue-2", KEY, packs=1)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows.__setitem__(0, [*rows[0][:2], "6c", 1]),
        lambda rows: rows.__setitem__(0, [*rows[0][:2], *rows[1][2:]]),
        lambda rows: rows.pop(0),
        lambda rows: rows.pop(),
    ],
    ids=["foreign", "doubled", "missing", "no white card"],
)
def test_a_manifest_refuses_what_is_not_its_packs_once(spoil, tmp_path):
    """A foreign card, a doubled or a missing one, or no white card, whole though the file is."""
    path = tmp_path / "shoe.json"
    made = manifest.make("blue-1", KEY, packs=1, pack=32)
    rows = [[one.token, one.digits, one.card, one.copy] for one in made.entries]
    spoil(rows)
    entries = tuple(manifest.LabelledCard(*row) for row in rows)
    manifest.save(manifest.Manifest("blue-1", 1, entries, 32), path)

    with pytest.raises(ManifestError, match="each card of 1 packs of 32 once"):
        manifest.load(path)


def test_there_is_no_pack_of_36():
    """What there is, is named."""
    with pytest.raises(ManifestError, match="36 cards: there are packs of 32 or 52"):
        manifest.make("blue-1", KEY, pack=36)


def test_the_same_key_and_shoe_give_the_same_tokens_and_nothing_else_does(shoe, other_shoe):
    """A lost label can be printed again; another shoe or key shares no token."""
    tokens = {entry.token for entry in shoe.entries}

    assert manifest.make("blue-1", KEY) == shoe
    assert not tokens & {entry.token for entry in other_shoe.entries}
    assert not tokens & {entry.token for entry in manifest.make("blue-1", KEY[::-1]).entries}


def test_a_token_fits_qr_and_shows_nothing_of_its_card(shoe):
    """14 of QR's alphanumerics, whose first character says nothing of the rank."""
    firsts = Counter(entry.token[0] for entry in shoe.entries)

    assert all(len(entry.token) == 14 for entry in shoe.entries)
    assert all(entry.token.isalnum() and entry.token.isupper() for entry in shoe.entries)
    assert all(len(entry.digits) == 8 and entry.digits.isdigit() for entry in shoe.entries)
    assert max(firsts.values()) < 30


def test_lookup_names_what_a_text_is(shoe, other_shoe):
    """Known, of another shoe of the house, or foreign; digits are weak."""
    card, theirs = shoe.cards[30], other_shoe.cards[30]

    assert shoe.lookup(card.token).entry == card
    assert not shoe.lookup(card.token).weak
    assert shoe.lookup(card.digits).entry == card
    assert shoe.lookup(card.digits).weak
    other = shoe.lookup(theirs.token, [other_shoe])
    assert (other.verdict, other.entry, other.shoe) == (LabelVerdict.OTHER_SHOE, None, "red-2")
    assert not other.weak
    assert shoe.lookup(theirs.digits, [other_shoe]).weak
    assert shoe.lookup(theirs.token).verdict is LabelVerdict.FOREIGN


@given(st.text(max_size=20))
def test_no_text_but_a_token_is_known(text):
    """Whatever is on a foreign label, it is foreign."""
    shoe = manifest.make("blue-1", KEY, packs=1)
    known = {entry.token for entry in shoe.entries} | {entry.digits for entry in shoe.entries}

    assert (shoe.lookup(text).verdict is LabelVerdict.KNOWN) is (text in known)


def test_a_manifest_and_a_key_survive_their_files(shoe, tmp_path):
    """Both are written for the owner alone, and read back as they were."""
    manifest.save(shoe, tmp_path / "shoe.json")
    key = manifest.new_key(tmp_path / "key")

    assert manifest.load(tmp_path / "shoe.json") == shoe
    assert manifest.load_key(tmp_path / "key") == key
    assert (tmp_path / "shoe.json").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["manifest", "key"])
def test_a_secret_that_others_may_read_is_refused_with_the_remedy(shoe, tmp_path, kind):
    """It is no secret any more."""
    path = tmp_path / kind
    if kind == "manifest":
        manifest.save(shoe, path)
    else:
        manifest.new_key(path)
    path.chmod(0o640)

    with pytest.raises(ManifestError, match=f"mode 0640.*chmod 600 {path}"):
        manifest.load(path) if kind == "manifest" else manifest.load_key(path)


def test_nothing_is_overwritten(shoe, tmp_path):
    """A key that is lost means new labels on 312 cards."""
    manifest.save(shoe, tmp_path / "shoe.json")
    manifest.new_key(tmp_path / "key")

    with pytest.raises(ManifestError, match="never overwritten"):
        manifest.save(shoe, tmp_path / "shoe.json")
    with pytest.raises(ManifestError, match="never overwritten"):
        manifest.new_key(tmp_path / "key")


def test_a_torn_changed_or_foreign_file_is_named_with_what_to_do(shoe, tmp_path):
    """Every way a file can be wrong has its sentence."""
    path = tmp_path / "shoe.json"
    manifest.save(shoe, path)
    whole = path.read_text()
    swapped = json.loads(whole)
    swapped["entries"][0][2] = "9h"
    wrong = {
        "no whole manifest": whole[:-400],
        "changed or torn": json.dumps(swapped),
        "no whole manifest .*hello": '{"hello": 1}',
        "this program reads": whole.replace("manifest/1", "manifest/9"),
    }

    for sentence, text in wrong.items():
        path.write_text(text)
        with pytest.raises(ManifestError, match=f"{path}.*{sentence}"):
            manifest.load(path)


def test_an_error_names_no_token(shoe, tmp_path):
    """A torn manifest's error is logged: it must not print what it holds."""
    path = tmp_path / "shoe.json"
    manifest.save(shoe, path)
    path.write_text(path.read_text().replace('"6c"', '"6x"', 1))

    with pytest.raises(ManifestError) as caught:
        manifest.load(path)

    assert shoe.entries[5].token not in str(caught.value) + repr(shoe)


@pytest.mark.parametrize("text", ["", "00", "zz" * 32, "é"])
def test_a_torn_key_is_refused(tmp_path, text):
    """Half a key would make labels that no other copy of the key makes."""
    path = tmp_path / "key"
    path.touch(mode=0o600)
    path.write_text(text)

    with pytest.raises(ManifestError, match="is no key file"):
        manifest.load_key(path)


@pytest.mark.parametrize("shoe_id", ["", "Blue", "a b", "a/b", "x" * 65])
def test_a_shoe_id_is_plain(shoe_id):
    """It goes into file names and topics."""
    with pytest.raises(ManifestError, match=r"e\.g\. 'blue-2'"):
        manifest.make(shoe_id, KEY)


def test_a_short_key_and_no_packs_are_refused():
    """Both would make worthless labels."""
    with pytest.raises(ManifestError, match="16 bytes"):
        manifest.make("blue", KEY[:16])
    with pytest.raises(ManifestError, match="1 to 8"):
        manifest.make("blue", KEY, packs=0)


def test_a_missing_file_is_named(tmp_path):
    """The path and the system's reason."""
    with pytest.raises(ManifestError, match=r"nowhere.json: No such file"):
        manifest.load(tmp_path / "nowhere.json")
