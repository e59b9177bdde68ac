import numpy as np
import pypdfium2
import pytest
import zxingcpp

from table_controller.rules.cards import PACK, PACK_32
from vision import manifest
from vision.labels import Symbology, write_sheets
from vision.lip import SHIPPED


@pytest.fixture(scope="module")
def printed(shoe, tmp_path_factory):
    """Sheets by kind: their texts, and what a scanner at the lip's scale reads on each."""
    sheets = {}
    for kind in Symbology:
        path = tmp_path_factory.mktemp("labels") / f"{kind}.pdf"
        count = write_sheets(shoe, path, kind=kind, deck="Piatnik")
        pdf = pypdfium2.PdfDocument(path)
        assert len(pdf) == count
        scale = SHIPPED.px_per_mm * 25.4 / 72
        pages = [page.render(scale=scale, grayscale=True).to_numpy().squeeze() for page in pdf]
        texts = [page.get_textpage().get_text_range() for page in pdf]
        sheets[kind] = (path, texts, pages)
    return sheets


def test_a_pack_of_32_prints_as_many_labels_and_the_white_one(tmp_path):
    """And none of a card that it has not."""
    made = manifest.make("blue-1", bytes(32), packs=1, pack=32)
    count = write_sheets(made, tmp_path / "labels.pdf")
    pdf = pypdfium2.PdfDocument(tmp_path / "labels.pdf")
    words = [word for page in pdf for word in page.get_textpage().get_text_range().split()]

    assert len(pdf) == count
    assert sorted(word for word in words if word in set(PACK)) == sorted(PACK_32)
    assert words.count("WHITE") == 1


def _codes(page):
    return zxingcpp.read_barcodes(np.ascontiguousarray(page), try_downscale=False)


def test_every_card_and_the_white_card_has_a_label_that_reads(shoe, printed):
    """All 313 printed QR codes are the manifest's tokens."""
    read = [code.text for page in printed[Symbology.QR][2] for code in _codes(page)]

    assert sorted(read) == sorted(entry.token for entry in shoe.entries)


def test_the_serial_modules_labels_read_too(shoe, printed):
    """Code 128: what is read of the printed sheets, at camera scale, is of the manifest."""
    read = {code.text for page in printed[Symbology.CODE128][2] for code in _codes(page)}

    assert read <= {entry.digits for entry in shoe.entries}
    assert len(read) > 200


def test_a_label_is_printed_in_the_lips_size(printed):
    """Half a millimetre a module: 10.5 mm from edge to edge of the code."""
    code = _codes(printed[Symbology.QR][2][0])[0].position
    side = abs(code.top_right.x - code.top_left.x) / SHIPPED.px_per_mm

    assert side == pytest.approx(10.5, abs=0.4)


def test_a_label_has_its_quiet_zone_inside_the_cut(printed):
    """Four modules of white on every side; the cutting marks begin there and not nearer."""
    page = printed[Symbology.QR][2][0]
    where = _codes(page)[0].position
    quiet = 4 * SHIPPED.module_mm * SHIPPED.px_per_mm
    left, top = where.top_left.x, where.top_left.y
    right, bottom = where.bottom_right.x, where.bottom_right.y

    def ink(out):
        rows = slice(round(top - out), round(bottom + out) + 1)
        columns = slice(round(left - out), round(right + out) + 1)
        return int((page[rows, columns] < 128).sum())

    assert ink(quiet - 3) == ink(2)
    assert ink(quiet + 6) > ink(2)


@pytest.mark.parametrize("kind", list(Symbology))
def test_every_sheet_says_that_it_is_for_the_face(printed, kind):
    """A label on a back is a marked card."""
    _path, texts, _pages = printed[kind]

    assert all("FACE. Never on a back" in text for text in texts)
    assert all("Schlitten blue-1, deck Piatnik" in text for text in texts)


def test_each_name_stands_beside_its_label_outside_the_cut(shoe, printed, tmp_path):
    """The name right of each code is that code's card; inside the marks there is only code."""
    path = printed[Symbology.QR][0]
    page = pypdfium2.PdfDocument(path)[0]
    texts = page.get_textpage()
    scale = SHIPPED.px_per_mm * 25.4 / 72
    picture = page.render(scale=scale, grayscale=True).to_numpy().squeeze()
    wanted = {entry.token: entry for entry in shoe.entries}

    for code in _codes(picture):
        right, middle = code.position.top_right.x / scale, code.position.top_right.y / scale
        below = page.get_height() - middle
        named = texts.get_text_bounded(right + 6, below - 30, right + 50, below)
        entry = wanted[code.text]
        assert named.split() == [entry.card, "pack", str(entry.copy)]
        inside = texts.get_text_bounded(right - 25, below - 30, right + 4, below)
        assert not inside.strip()


def test_the_sheets_are_for_the_owner_alone(printed):
    """They show which token is which card."""
    assert printed[Symbology.QR][0].stat().st_mode & 0o777 == 0o600
