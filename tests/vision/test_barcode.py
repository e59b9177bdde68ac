import cv2
import numpy as np
import pytest

from vision.barcode import DecoderSettings, decode
from vision.cardstock import label_picture
from vision.lip import SHIPPED
from vision.witness import Witness


def _picture(text="VTV3ESBZ6YGNYA", x=320, y=96, shape=(192, 640)):
    """A label on bare paper with its middle at x, y."""
    picture = np.full(shape, 190, np.uint8)
    label = label_picture(text, SHIPPED)
    half = label.shape[0] // 2
    picture[y - half : y - half + label.shape[0], x - half : x - half + label.shape[1]] = label
    return picture


@pytest.mark.parametrize("decoder", [Witness.ZXING, Witness.ZBAR])
@pytest.mark.parametrize("x", [120, 320, 520])
def test_each_decoder_reads_a_label_within_reach_and_says_where(decoder, x):
    """Both ends of the reach, and the gate."""
    codes = decode(_picture(x=x), SHIPPED, DecoderSettings(decoders=(decoder,)))

    assert [(code.decoder, code.text) for code in codes] == [(decoder, "VTV3ESBZ6YGNYA")]
    assert codes[0].x == pytest.approx(x, abs=8)
    assert codes[0].y == pytest.approx(96, abs=8)


@pytest.mark.parametrize("rows", [192, 480])
def test_the_region_is_in_the_middle_of_any_picture(rows):
    """A whole picture and one cut to the label's rows are read alike."""
    codes = decode(_picture(y=rows // 2, shape=(rows, 640)), SHIPPED)

    assert {code.decoder for code in codes} == {Witness.ZXING, Witness.ZBAR}
    assert codes[0].y == pytest.approx(rows // 2, abs=8)


def test_nothing_is_read_outside_the_region():
    """A label at the picture's edge belongs to no card in the gate."""
    assert decode(_picture(x=58), SHIPPED) == ()
    assert decode(_picture(y=80, shape=(480, 640)), SHIPPED) == ()


@pytest.mark.parametrize("angle", [0, 4, 90, 180, 271])
def test_a_label_is_read_whichever_way_it_is_turned(angle):
    """Cards lie either way round, and people stick as they like."""
    picture = _picture()
    turn = cv2.getRotationMatrix2D((320, 96), angle, 1)
    turned = cv2.warpAffine(picture, turn, (640, 192), borderValue=190)

    assert {code.decoder for code in decode(turned, SHIPPED)} == {Witness.ZXING, Witness.ZBAR}


def test_only_qr_is_read():
    """Other codes on a card are print."""
    import zxingcpp

    picture = np.full((192, 640), 190, np.uint8)
    code = zxingcpp.create_barcode("12345678", zxingcpp.BarcodeFormat.Code128)
    bars = np.asarray(code.to_image(scale=3))
    picture[20 : 20 + bars.shape[0], 150 : 150 + bars.shape[1]] = bars[:160]

    assert zxingcpp.read_barcode(picture).text == "12345678"
    assert decode(picture, SHIPPED) == ()


def _reads(settings, *, smear, noise):
    """In how many of 20 noisy pictures of a smeared label something is read."""
    luck = np.random.default_rng(1)
    picture = cv2.blur(_picture(), (smear, 1)) * 0.8
    pictures = (np.clip(picture + luck.normal(0, noise, picture.shape), 0, 255) for _ in range(20))
    return sum(bool(decode(noisy.astype(np.uint8), SHIPPED, settings)) for noisy in pictures)


def test_smoothing_reads_what_noise_hides():
    """Smeared by 5 px, noise of 12, in weak light: the worst of the range."""
    zxing = (Witness.ZXING,)
    bare = DecoderSettings(decoders=zxing, zxing_smooth=(0, 0), sharpen=0)
    smoothed = DecoderSettings(decoders=zxing, sharpen=0)

    assert _reads(bare, smear=5, noise=12) <= 4
    assert _reads(smoothed, smear=5, noise=12) >= 18


def test_sharpening_reads_what_motion_smears():
    """Smeared by 7 px, beyond the range."""
    zxing = (Witness.ZXING,)
    smoothed, shipped = DecoderSettings(decoders=zxing, sharpen=0), DecoderSettings(decoders=zxing)

    assert _reads(shipped, smear=7, noise=6) >= _reads(smoothed, smear=7, noise=6) + 4


def test_the_second_decoder_is_asked_where_the_first_found_nothing():
    """Smeared by 6 px zbar reads nothing; the other still sees the whole region."""
    order = DecoderSettings(decoders=(Witness.ZBAR, Witness.ZXING))
    codes = decode(cv2.blur(_picture(x=450), (6, 1)), SHIPPED, order)

    assert [code.decoder for code in codes] == [Witness.ZXING]
