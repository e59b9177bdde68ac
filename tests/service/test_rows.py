import msgspec
import pytest

from table_controller.service.rows import (
    Boot,
    EventRow,
    InputRow,
    event_mac,
    first_mac,
    input_mac,
    link,
)

INPUT = InputRow(1, 2, 0, 3, b"{}", None)
EVENT = EventRow(1, 2, 3, "public", 4, "counted", b"{}", None, b"link")


def of_a_start(key, previous, row):
    """The chain value of an input that was taken since starts are journaled."""
    return input_mac(key, previous, row, Boot(1, "j", "b" * 32))


def of_before(key, previous, row):
    """The chain value of an older one."""
    return input_mac(key, previous, row, Boot(0, "j"))


def test_older_rows_bind_neither_the_save_nor_the_money():
    """So that their chain goes on to hold."""
    beside = msgspec.structs.replace(INPUT, save=b"save", money=b"{}")

    assert of_before(b"key", b"", INPUT) == of_before(b"key", b"", beside)


@pytest.mark.parametrize(("mac", "row"), [(of_a_start, INPUT), (event_mac, EVENT)])
def test_every_stored_part_of_a_row_is_in_the_inner_chain(mac, row):
    """And the row before, and the key: none can change unseen."""
    whole = mac(b"key", b"before", row)
    numbers = dict.fromkeys(("n", "id", "t_ms", "outcome", "upto", "seq"), 9)
    parts = numbers | dict.fromkeys(("body", "sealed", "link", "save", "money"), b"other")
    parts |= {"audience": "croupier", "type": "noted"}
    changed = [
        mac(b"key", b"before", msgspec.structs.replace(row, **{name: value}))
        for name, value in parts.items()
        if name in row.__struct_fields__
    ]

    macs = {whole, mac(b"other", b"before", row), mac(b"key", b"other", row), *changed}

    assert len(macs) == 3 + len(row.__struct_fields__) - 1


def test_a_text_cannot_move_from_one_field_to_the_next():
    """What is sealed is not the same as what lies open."""
    sealed = msgspec.structs.replace(INPUT, body=None, sealed=b"{}")

    assert of_before(b"key", b"", INPUT) != of_before(b"key", b"", sealed)


def test_the_public_chain_is_as_published():
    """Anybody must be able to compute it: a vector, by hand."""
    import hashlib

    expected = hashlib.sha256(bytes(32) + bytes([0] * 7 + [1]) + bytes([0] * 7 + [5]) + b"{}")

    assert link(bytes(32), 1, 5, b"{}") == expected.digest()


def test_the_header_is_the_root_of_the_inner_chain():
    """A journal cannot be given another house."""
    assert first_mac(b"key", b'{"house":"a"}') != first_mac(b"key", b'{"house":"b"}')
