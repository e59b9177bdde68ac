from dataclasses import replace

import numpy as np
import pytest

from tests.vision.decks import clutter, deck, glyphs, lens
from vision.faces import window
from vision.faces.letters import GLYPHS
from vision.faces.read import CornerReader
from workshop.training import crops, proof, signs, strange, wholes


def test_no_card_is_named_where_none_can_be_read(reader):
    """Felt, backs, jokers, hands, print, codes, strange cards: one per cent of the soak."""
    assert proof.accepted(12, 11, reader) == []


def test_most_unknown_decks_are_read_and_hardly_any_wrongly(reader):
    """Letters and artwork kept from training, in hard conditions: a share of the soak."""
    said = list(proof.readings(proof.exposures(40, 12, reader)))

    answers = [(card, reading.card) for card, reading in said if reading.card is not None]
    assert len(answers) > 22
    assert sum(card != answer for card, answer in answers) <= 1


def test_pictures_without_a_card_are_pictures():
    """Each kind is drawn, is the size asked for and is no blank; the same seed draws the same."""
    for kind in (clutter.page, clutter.headline, clutter.code, clutter.hand, clutter.dice):
        one, two = (kind(np.random.default_rng(4), (120, 160)) for _ in range(2))

        assert one.shape == (120, 160, 3)
        assert one.std() > 1
        assert np.array_equal(one, two)


def test_foreign_signs_are_of_many_forms_and_none_is_empty():
    """What the net learns to call no suit."""
    rng = np.random.default_rng(6)

    drawn = [signs.foreign(rng) for _ in range(80)]

    assert all(sign.max() == 255 and min(sign.shape) > 20 for sign in drawn)
    assert len({sign.tobytes() for sign in drawn}) > 40
    assert np.array_equal(*(signs.foreign(np.random.default_rng(7)) for _ in range(2)))


def _ours(card, style, rng):
    """Whether its index is that of one of our cards of the same style."""
    ours = [deck.face(style, rank, suit, rng) for rank in "27K" for suit in "cdhs"]
    return any((card[:100, :80] == one[:100, :80]).all() for one in ours)


def _greenest(part):
    """By how much, at most, green exceeds blue and red."""
    return (part[..., 1].astype(int) - part[..., [0, 2]].max(-1)).max()


def test_a_strange_card_taught_is_not_one_of_ours():
    """Its index differs from that of each of our cards of the same style."""
    rng = np.random.default_rng(8)
    style = deck.style(rng)

    for _ in range(20):
        card = strange.foreign(style, rng, own=1.0)
        assert not _ours(card, style, rng)


def test_small_pips_in_a_frame_stand_beside_the_index_and_leave_it_whole():
    """What a card with large indices shows: the same index, then the frame's line."""
    rng = np.random.default_rng(12)
    seen = 0
    while seen < 20:
        style = replace(deck.style(rng, kinds=deck.JUMBO), panel=True, four=False, frame=False)
        rank = "3456789T"[rng.integers(8)]
        boxes = deck.index(style, rank)
        beyond = round(max(x + wide for x, _, wide, _ in boxes) * deck.PX)
        if beyond > 22 * deck.PX:
            continue  # the frame is as narrow as it can be, and such an index reaches into it
        seen += 1
        card = deck.face(style, rank, "c", rng)
        bare = deck.blank(style)
        for mask, box in zip(
            (deck.rank_mask(style, rank), deck.suit_mask(style, "c")), boxes, strict=True
        ):
            deck.stamp(bare, mask, box, style.colours["c"])

        half = card[: card.shape[0] // 2]
        assert (half[:, :beyond] == bare[: len(half), :beyond]).all()
        line = half[-60:, beyond : beyond + 3 * deck.PX] != style.paper
        assert line.any(2).all(0).any()


def test_a_german_card_taught_bears_a_green_sign_or_a_letter_that_no_class_is():
    """A leaf in black would be a spade; a D is a queen."""
    rng = np.random.default_rng(9)
    court = np.full((60, 40, 3), 255, np.uint8)
    style = replace(deck.style(rng), four=False, frame=False)
    green = []

    for _ in range(30):
        card = strange.german(style, rng, court)
        assert not _ours(card, style, rng)
        green.append(_greenest(card[:100, :80]) > 40)
    assert 0.4 < np.mean(green) < 0.9  # the others have a suit of ours
    assert not set(strange.GERMAN_RANKS) & set("".join(GLYPHS))
    leaf = signs.german(np.random.default_rng(2))
    assert leaf.max() == 255
    assert min(leaf.shape) > 20


#: Takes mm on the card to pixels of a crop whose top left is the card's.
SHOWN = np.diag([window.WIDE / (0.42 * 63), window.HIGH / (0.42 * 88), 1.0])
BOXES = ((2.0, 2.0, 6.0, 8.0), (2.0, 10.5, 5.0, 6.0))


@pytest.mark.parametrize(
    ("past", "share"),
    [((0, 0), 1.0), ((2, 2), 1.0), ((5, 0), 0.4), ((0, 6), 0.5), ((7, 0), 0.0), ((-22, 0), 0.4)],
)
def test_of_a_cut_index_it_is_known_how_much_is_in_sight(past, share):
    """The crop begins so many mm past the card's corner; the part that is cut more counts."""
    aside = np.eye(3)
    aside[:2, 2] = -np.array(past)

    assert crops.in_sight(BOXES, 0, SHOWN @ aside) == pytest.approx(share, abs=0.1)


def test_the_index_of_each_corner_is_looked_for_where_it_stands():
    """Turned round at the lower ones, mirrored at those on the right."""
    turn = np.array([[-1.0, 0, 63], [0, -1, 88], [0, 0, 1]])
    aside = np.array([[1.0, 0, -63 * 0.58], [0, 1, 0], [0, 0, 1]])

    places = [crops.in_sight(BOXES, n, SHOWN @ move) for n, move in ((2, turn), (1, aside))]
    assert places == pytest.approx([1, 1])
    assert crops.in_sight(BOXES, 3, SHOWN @ aside @ turn) == pytest.approx(1)
    assert crops.in_sight(BOXES, 0, SHOWN @ turn) == 0


def test_a_crop_that_cuts_the_index_teaches_none():
    """Whatever is labelled as a card has most of its index, here a white bar, in the picture."""
    rng = np.random.default_rng(12)
    card = np.full((deck.HEIGHT * deck.PX, deck.WIDTH * deck.PX, 3), 20, np.uint8)
    bar = (1.5, 1.5, 5.0, 20.0)  # mm: a tenth of the crop
    for place in (bar, deck.turned(bar)):
        deck.stamp(card, np.full((4, 4), 255, np.uint8), place, (250, 250, 250))
    shown = crops.Shown(crops.lay(card, rng), crops.label("7", "h"), False, 9.0, (bar, bar))

    taught = [crops.crop(shown, rng) for _ in range(300)]

    light = [crop[..., 1].astype(int) for crop, label in taught if label != crops.NONE]
    shares = [np.mean(crop[2:40] > (crop.max() + np.median(crop)) / 2) for crop in light]
    assert len(shares) > 150
    assert sum(share < 0.05 for share in shares) < 5  # glare apart


@pytest.mark.parametrize("letter", [6.5, 12, 40])
def test_a_webcam_takes_away_detail_but_not_the_letter(letter):
    """As large as before, softer, and the dark bar is still the darkest place."""
    flat = np.full((120, 90, 3), 240, np.uint8)
    flat[40 : 40 + int(letter), 30:60] = 20

    for seed in range(8):
        seen = lens.webcam(np.random.default_rng(seed), flat, letter=letter)

        darker = np.delete(seen, np.s_[20:70], 1).mean((1, 2)) - seen[:, 30:60].mean((1, 2))
        assert seen.shape == flat.shape
        assert 37 < darker.argmax() < 43 + letter


@pytest.mark.parametrize("four", [False, True])
def test_a_crop_of_an_index_says_which_and_other_crops_say_none(four):
    """The labels that training learns from."""
    rng = np.random.default_rng(5)
    style = deck.style(rng)
    card = deck.face(style, "7", "h", rng)
    shown = crops.Shown(
        crops.lay(card, rng), crops.label("7", "h"), four, 9.0, deck.index(style, "7")
    )

    labels = [crops.crop(shown, rng)[1] for _ in range(200)]

    assert set(labels) == {crops.label("7", "h"), crops.NONE}
    assert 0.6 < labels.count(crops.label("7", "h")) / 200 < 0.9


def test_a_whole_card_says_what_it_is_unless_it_lies_or_is_elsewhere():
    """Either way up, and where something covers a part of it."""
    rng = np.random.default_rng(5)
    style = deck.style(rng)
    shown = crops.drawn(style, deck.face(style, "7", "h", rng), "7h", rng)

    labels = [wholes.crop(shown, rng)[1] for _ in range(400)]

    assert set(labels) == {shown.label, crops.NONE}
    assert 0.88 < labels.count(shown.label) / 400 < 0.96


def test_what_covers_a_whole_card_leaves_an_index_in_sight():
    """So what it is can be told, and is learnt."""
    rng = np.random.default_rng(6)
    card = np.full((352, 252, 3), (0, 255, 0), np.uint8)
    for x, y in ((24, 32), (-24, -32)):
        card[y - 16 : y + 16, x - 12 : x + 12] = (0, 0, 255)
    picture = np.pad(card, ((32, 32), (32, 32), (0, 0)))
    shares = []
    for _ in range(300):
        seen = wholes.covered(picture, rng)
        left = (seen == picture).all(2)
        assert max(left[48:80, 44:68].mean(), left[336:368, 248:272].mean()) > 0.95
        shares.append(left[32:-32, 32:-32].mean())

    assert min(shares) < 0.75
    assert np.mean(shares) > 0.8


def test_every_face_of_letters_draws_all_ranks():
    """A missing glyph would teach the net an empty box."""
    for font in glyphs.fonts()[:40]:
        shapes = {glyphs.text(font, letters).tobytes() for letters in "A23456789JQK"}

        assert len(shapes) == 12, font


def test_a_net_is_there_without_torch():
    """What is committed is all that the table needs."""
    assert list(CornerReader().corners([])) == []
