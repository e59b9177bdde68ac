"""The notation of a coup: it reads everything that it prints, and reports what it cannot read."""

import typing

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.engine.chemin_de_fer import inputs as i
from table_controller.engine.messages import CardSeen, DeviceLost, Role
from table_controller.engine.seen import Unknown
from table_controller.engine.table import events as te
from table_controller.engine.table import inputs as ti
from table_controller.rules.cards import Card
from tests.engine.script import lines, parse, write
from tests.engine.strategies import INPUTS, ids, inputs, words

actors = st.one_of(st.just("croupier"), st.from_regex(r"[a-z]+(:[a-z]+)?", fullmatch=True))


@given(inputs, actors, st.none() | st.integers(1, 99))
@example(ti.Sits(seat=3, name="Anna [lip]", chips=10), "croupier", None)
@example(ti.Sits(seat=3, name="Anna ", chips=10), "croupier", None)
@example(ti.Sits(seat=3, name="# => carte", chips=10), "croupier", None)
@example(DeviceLost(device="lip", why="a: b"), "croupier", None)
@example(ti.Annulled(reason=""), "croupier", None)
def test_a_line_reads_back_as_the_input_it_was_written_from(said, actor, prompt):
    """Every input either writes to a line that reads back to itself, or says that none can."""
    said = replace(said, actor=actor, prompt=prompt)
    try:
        line = write(said)
    except ValueError as error:
        line, why = None, str(error)

    if line is None:
        assert why == f"an input that no script line can hold: {type(said).__name__}"
        return
    assert "\n" not in line
    assert parse(line) == replace(said, prompt=None)
    assert [again for again, _ in lines(f"{line}   # {line}\n")] == [parse(line)]


@pytest.mark.parametrize("kind", INPUTS, ids=lambda kind: kind.__name__)
def test_every_kind_of_input_has_a_line(kind):
    """None of them is left out of the notation: each has some input that can be written."""
    sample = {
        "seat": 3,
        "chips": 50,
        "card": Card("7h"),
        "name": "Anna B.",
        "shoe": "b-2",
        "device": "lip",
        "why": "it is unplugged; plug it in",
        "alert": "card-unread",
        "word": i.Word.CARTE,
        "reason": "no light",
        "role": Role.CROUPIER,
        "account": "anna-tablet",
        "proof": "$7$101$c2FsdA==$aGFzaA==",
        "to": 5,
        "other": 6,
        "partner": 7,
        "line": 2,
        "ordinal": 11,
        "boot": "5eed",
        **{name: n for n, name in enumerate(te.ReadingNoted.__struct_fields__) if n},
    }
    fields = {f.name: sample.get(f.name) for f in msgspec.structs.fields(kind) if f.required}
    fields = {
        name: next(iter(ti.StrayRuling if kind is ti.StrayRuled else ti.WhiteRuling))
        if name == "ruling"
        else value
        for name, value in fields.items()
    }
    said = CardSeen(white=True) if kind is CardSeen else kind(**fields)

    assert parse(write(said)) == said


def test_the_strategies_know_every_input():
    """A new input that the properties do not know would go untested."""
    assert set(INPUTS) == set(typing.get_args(i.CheminDeFerInput))


@given(ids, words, st.sampled_from(list(Unknown)))
def test_words_that_sound_like_something_else_stay_what_they_are(shoe, word, unknown):
    """`seat 2 opens` is an opening, `schlitten closed` closes: no line is read as another."""
    assert parse("seat 2 opens") == i.Opened(seat=2)
    assert parse("seat 2 passes") == i.Passes(seat=2)
    assert parse(f"seat 2 {word}") == i.Spoke(seat=2, word=word)
    assert parse(f"card unread {unknown}") == CardSeen(unknown=unknown)
    if shoe != "closed":
        assert parse(f"schlitten {shoe}") == ti.SchlittenLoaded(shoe=shoe)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "=> seat 2 closed card",
        "seat",
        "seat 2",
        "seat two carte",
        "seat 2 sings",
        "seat -1 carte",
        "seat 2 banks 1.5",
        "seat 2 banks -10",
        "seat 2 banco",
        "card",
        "card 1h",
        "card 7x",
        "card 7h 8h",
        "card 7h copy",
        "card 7h copy 12",
        "card unread because",
        "card unread",
        "stray eaten",
        "white bread",
        "lost lip",
        "SEAT 2 CARTE",
        "seat 2 carte\x00",
        "seat 2 carte [",
        "seat \u0662 opens ",
    ],
)
def test_a_hostile_line_is_refused_by_name(line):
    """The caller quotes the line, which he has, with its number."""
    with pytest.raises(ValueError, match="not a line of a coup script"):
        parse(line)


@given(st.text(max_size=60))
def test_any_text_reads_or_is_refused_by_name(text):
    """Nothing but a ValueError comes of a torn script."""
    try:
        said, why = parse(text), ""
    except ValueError as error:
        said, why = None, str(error)

    assert parse(write(said)) == said if said else "not a line of a coup script" in why


def test_a_script_keeps_what_is_expected_apart():
    """No arrow expects nothing in particular; an arrow with nothing behind it expects silence."""
    text = "# a comment\n\nseat 2 carte [lip]  # why\npaid =>\npaid => gone; lost\n"

    assert list(lines(text)) == [
        (i.Spoke(seat=2, word=i.Word.CARTE, actor="lip"), None),
        (ti.Paid(), ""),
        (ti.Paid(), "gone; lost"),
    ]


def test_a_line_whose_word_is_none_of_the_tables_says_which():
    """The line is of a kind that there is; what it holds is not."""
    with pytest.raises(ValueError, match="coup script: Invalid enum value 'banana'"):
        parse("card unread banana")
    with pytest.raises(ValueError, match=r"coup script; here could stand signs in$"):
        parse("sing")


def test_a_device_and_an_alert_have_names_without_blanks():
    """So that where they end is clear."""
    for line in ("lost the lip: gone", "back the lip", "seen an alert", "schlitten of mine"):
        with pytest.raises(ValueError, match="not a line of a coup script"):
            parse(line)
