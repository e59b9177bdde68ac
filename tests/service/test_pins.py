"""PINs that everybody would try first are refused."""

import pytest

from table_controller.service.pins import weak


@pytest.mark.parametrize(
    "pin",
    ["112233", "123123", "121212", "111222", "123321", "123456", "987654", "890123", "135791",
     "000001", "111111", "12312312", "11223344"],
)  # fmt: skip
def test_a_pattern_is_no_pin(pin):
    assert str(weak(pin)).startswith("Everybody would try this one first")


@pytest.mark.parametrize("pin", ["482913", "730156", "112234", "123124", "915264", "90210347"])
def test_digits_without_one_are(pin):
    assert weak(pin) is None


@pytest.mark.parametrize(
    "pin",
    ["48291", "4829134829137", "48291a", "", "48 913", "\u0664\u0668\u0662\u0669\u0661\u0663"],
)
def test_a_pin_has_6_to_12_digits(pin):
    assert str(weak(pin)) == "A PIN has 6 to 12 digits and nothing else."
