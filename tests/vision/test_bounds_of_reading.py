"""Manifest and reader at their limits, which are met exactly and missed by a little."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256

import numpy as np
import pytest

from table_controller.engine.seen import Seen, Unknown
from table_controller.wiring.config import ShoeSettings
from table_controller.wiring.shoe import eyes
from tests.vision.conftest import KEY
from tests.vision.passing import opened_ms
from vision import manifest
from vision.beam import MISSED
from vision.frame import Frame
from vision.manifest import LabelVerdict, Lookup, ManifestError
from vision.reader import Reader, Sight
from vision.witness import Reading, Witness


def picture(*papers, light=190):
    told = np.full((192, 640), 28, np.uint8)
    for start, end in papers:
        told[:, start:end] = light
    return told


# -- the manifest


def test_a_token_is_the_keyed_digest_of_what_it_stands_for(shoe):
    """Computed independently here: labels printed years ago must still be known."""
    letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    for entry in (shoe.cards[0], shoe.cards[-1], shoe.white):
        what = f"schlitten-manifest/1/blue-1/{entry.card or 'white'}/{entry.copy}/0"
        number = int.from_bytes(hmac.new(KEY, what.encode(), sha256).digest(), "big")
        token = ""
        for _ in range(14):
            number, place = divmod(number, 32)
            token += letters[place]
        assert (entry.token, entry.digits) == (token, str(number % 100_000_000).rjust(8, "0"))


def test_a_shoes_cards_are_in_the_order_of_its_packs(shoe):
    """Ace to king of clubs first; the white card last, which is no copy of any."""
    assert [(e.card, e.copy) for e in shoe.entries[:2]] == [("Ac", 1), ("2c", 1)]
    assert [(e.card, e.copy) for e in shoe.entries[51:53]] == [("Ks", 1), ("Ac", 2)]
    assert [(e.card, e.copy) for e in shoe.entries[-2:]] == [("Ks", 6), (None, 0)]
    assert (shoe.entries[0].name, shoe.white.name) == ("Ac copy 1", "white cut card")
    assert len(shoe.cards) == 312


@pytest.mark.parametrize(("packs", "cards"), [(1, 52), (8, 416)])
def test_a_schlitten_holds_one_to_eight_packs(packs, cards):
    assert len(manifest.make("blue-1", KEY, packs).cards) == cards


@pytest.mark.parametrize("packs", [0, 9])
def test_no_other_number_of_packs_has_a_manifest(packs):
    with pytest.raises(ManifestError, match=f"^{packs} packs: a Schlitten holds 1 to 8$"):
        manifest.make("blue-1", KEY, packs)


def test_a_key_has_32_bytes_at_least():
    """And more do no harm."""
    with pytest.raises(ManifestError, match=r"^the key has 31 bytes: it needs 32; make a new one$"):
        manifest.make("blue-1", KEY[:31])
    assert manifest.make("blue-1", KEY + b"x", 1).packs == 1


def test_a_shoe_is_named_by_64_signs_at_most():
    assert manifest.make("x" * 64, KEY, 1).shoe == "x" * 64
    with pytest.raises(ManifestError, match="take 1 to 64 of a-z"):
        manifest.make("x" * 65, KEY, 1)


def test_what_a_text_is_to_a_shoe_says_whose_it_is(shoe, other_shoe):
    """Its own, another's of the house, nobody's."""
    ours, theirs = shoe.cards[0], other_shoe.cards[0]

    assert shoe.lookup(ours.token, [other_shoe]) == Lookup(
        LabelVerdict.KNOWN, ours, "blue-1", False
    )
    assert shoe.lookup(ours.digits) == Lookup(LabelVerdict.KNOWN, ours, "blue-1", True)
    assert shoe.lookup(theirs.token, [shoe, other_shoe]).shoe == "red-2"
    assert shoe.lookup("nothing", [other_shoe]) == Lookup(LabelVerdict.FOREIGN, None, "", False)


def digest_of(told, *names):
    """Over these fields in this order, as text without spaces."""
    body = json.dumps({name: told[name] for name in names}, separators=(",", ":"))
    return sha256(body.encode()).hexdigest()


def test_a_manifest_is_kept_as_it_was_written_first(tmp_path):
    """The file's form, down to the digest: files of years ago must still be read."""
    path = tmp_path / "shoe.json"
    made = manifest.make("blue-1", KEY, 1)
    manifest.save(made, path)
    told = json.loads(path.read_text())

    assert sorted(told) == ["digest", "entries", "format", "pack", "packs", "shoe"]
    assert (told["format"], told["shoe"]) == ("schlitten-manifest/1", "blue-1")
    assert (told["packs"], told["pack"]) == (1, 52)
    assert told["entries"][0] == [made.entries[0].token, made.entries[0].digits, "Ac", 1]
    assert told["entries"][52][2:] == [None, 0]
    assert told["digest"] == digest_of(told, "format", "shoe", "packs", "pack", "entries")
    assert manifest.load(path) == made

    del told["pack"]  # as they were written when every pack had 52 cards
    told["digest"] = digest_of(told, "format", "shoe", "packs", "entries")
    path.write_text(json.dumps(told, indent=0) + "\n")
    assert manifest.load(path) == made


def test_a_key_file_is_64_digits_and_an_end(tmp_path):
    """So that it can be typed from its copy on paper."""
    key = manifest.new_key(tmp_path / "key")

    assert (tmp_path / "key").read_text() == key.hex() + "\n"
    assert len(key) == 32


@pytest.mark.parametrize("mode", [0o601, 0o610, 0o604, 0o602])
def test_any_bit_for_others_is_refused(tmp_path, mode):
    path = tmp_path / "key"
    manifest.new_key(path)
    path.chmod(mode)

    with pytest.raises(ManifestError, match=f"mode {mode:04o}"):
        manifest.load_key(path)


def test_manifests_of_a_house_are_read_together(shoe, other_shoe, tmp_path):
    """The one on the table, and the others in their order."""
    for one in (shoe, other_shoe):
        manifest.save(one, tmp_path / one.shoe)

    for names, first, others in (
        (("blue-1", "red-2"), shoe, (other_shoe,)), (("red-2",), other_shoe, ())
    ):  # fmt: skip
        settings = ShoeSettings(manifests=tuple(tmp_path / name for name in names))
        read = eyes.sight(settings)
        assert (read.manifest, tuple(read.others)) == (first, others)


# -- the reader


def frame(t_ms, *papers):
    return Frame(t_ms, picture(*papers))


CARD = (80, 584)


def reader_of(shoe, *frames, told=None, beams=None, **sight):
    asked = []

    def eye(_picture):
        asked.append(1)
        return [Reading(Witness.ZXING, shoe.cards[0].token)]

    made = Reader(
        frames,
        Sight(manifest=shoe, witnesses=[eye], **sight),
        (told if told is not None else []).append,
        on_beam=(beams if beams is not None else []).append,
    )
    return made, asked


def test_only_frames_with_paper_in_the_gate_are_read(shoe):
    """A clear one tells where the card went."""
    frames = (frame(0, CARD), frame(8, CARD), frame(16, (400, 640)), frame(24), frame(200))
    reader, asked = reader_of(shoe, *frames)

    assert list(reader.passages()) == [(96, Seen(card=shoe.cards[0].card, copy=1))]
    assert len(asked) == 2


def test_a_card_that_rests_is_not_read_in_every_frame(shoe):
    """Nor is a frame decoded that holds no picture."""
    reader, asked = reader_of(shoe, *(frame(8.0 * n, CARD) for n in range(20)))
    assert [seen.unknown for _due, seen in reader.passages()] == [Unknown.PARTIAL]
    assert len(asked) == 16

    reader.decode(Frame(0.0, None, "lost"))
    assert len(asked) == 16


def test_a_fault_is_told_again_after_frames_that_could_be_read(shoe):
    """And another one at once."""
    lost, torn = Frame(0.0, None, "lost"), Frame(0.0, None, "torn")
    told = []
    reader, _ = reader_of(shoe, told=told)
    for one in (lost, lost, torn, frame(1), torn, torn, lost):
        reader.watch(one)

    assert told == ["lost", "torn", "torn", "lost"]
    assert reader.take_quality().unreadable == 6


def test_what_is_wrong_with_the_beam_is_told_once_and_that_it_is_well_again(shoe):
    """By the next picture."""
    beams = []
    reader, _ = reader_of(shoe, beams=beams, beam=True)
    reader.watch(frame(0))
    reader.beam_away("no pins here")
    reader.watch(frame(8))
    reader.watch(frame(16))
    reader.edge(20, blocked=True)
    for t_ms in (24, 60):
        reader.watch(frame(t_ms, CARD))
    reader.edge(80, blocked=False)
    reader.watch(frame(84, (400, 640)))

    assert beams == ["no pins here", ""]


def test_a_beam_that_can_be_heard_again_is_well_by_the_next_picture(shoe):
    """Also where no picture came while it could not be heard: then there is nothing to tell."""
    beams = []
    reader, _ = reader_of(shoe, beams=beams, beam=True)
    reader.watch(frame(0))
    reader.beam_away("no pins here")
    reader.beam_back()
    reader.watch(frame(8))
    assert beams == []

    reader.beam_away("no pins here")
    reader.watch(frame(16))
    reader.beam_back()
    reader.watch(frame(24))
    assert beams == ["no pins here", ""]


def test_a_beam_that_is_back_and_misses_a_card_is_told_anew(shoe):
    """Its wires may be broken: being heard is no proof that it sees."""
    beams = []
    reader, _ = reader_of(shoe, beams=beams, beam=True)
    reader.watch(frame(0))
    reader.beam_away("no pins here")
    reader.beam_back()
    for t_ms in range(8, 88, 8):
        reader.watch(frame(t_ms, CARD))
    for t_ms in range(88, 240, 8):
        reader.watch(frame(t_ms))

    assert beams == [MISSED]


def test_what_the_table_asks_and_the_module_says_reaches_the_passage(shoe):
    """A card shown again in a hand; a line; a frame that was given up."""
    reader, _ = reader_of(shoe)
    reader.ask_again(True)
    reader.watch(frame(0, CARD))
    assert (opened_ms(reader._passages), reader.next_due_ms) == (0, None)
    reader.line(4, shoe.cards[5].token)
    reader.watch(frame(8, (0, 200)))
    assert (opened_ms(reader._passages), reader.next_due_ms) == (None, 88)
    reader.dropped()
    reader.dropped()

    assert reader.due(87) == []
    assert reader.due(88) == [(88, Seen(card=shoe.cards[5].card, copy=1))]
    reader.ask_again(False)
    quality = reader.take_quality()
    assert (quality.dropped, quality.retries, quality.cards) == (2, 1, 1)


def test_a_sight_without_a_manifest_knows_no_text():
    """And asks for no label; with one, both decoders are asked."""
    assert Sight(manifest=None, witnesses=()).lookup() is None
    assert list(Sight(manifest=None, witnesses=()).eyes()) == []
    assert len(Sight(manifest=None).eyes()) == 1
