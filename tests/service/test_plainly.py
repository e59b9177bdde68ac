"""A library's complaints about a value are reworded for people."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from table_controller.service.plain_errors import plainly


class Settings(Struct, forbid_unknown_fields=True):
    """One field of each kind."""

    least: Annotated[int, Meta(ge=1)] = 1
    most: Annotated[int, Meta(le=9)] = 1
    name: Annotated[str, Meta(max_length=4)] = ""
    form: Annotated[str, Meta(pattern="^a+$")] = "a"
    pair: tuple[int, int] = (0, 0)
    share: Annotated[float, Meta(gt=0)] = 0.5
    either: int | None = None
    which: Literal["a", "b"] = "a"
    on: bool = True


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"least": 0}', "want a whole number from 1 on"),
        ('{"most": 10}', "want a whole number of at most 9"),
        ('{"name": "zebra"}', "want a text of at most 4 characters"),
        ('{"form": "zebra"}', "want a text of another form"),
        ('{"pair": [1]}', "want a list of 2 entries"),
        ('{"share": 0}', "want a number above 0.0"),
        ('{"either": "zebra"}', "want a whole number or nothing"),
        ('{"which": "zebra"}', "it is not one of the allowed values"),
        ('{"on": 1}', "want true or false"),
        ('{"zebra": 1}', "it has an unknown field"),
        ("[]", "want a table of fields"),
        ("zebra", "it is no JSON"),
        ('{"least"', "it is no JSON"),
    ],
)
def test_each_of_its_sentences_has_one_of_ours(text, words):
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(text, type=Settings)

    assert plainly(str(caught.value)) == words
