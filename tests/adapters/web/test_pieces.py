"""Pieces: a screen gets the changes of a part, and shows the whole."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from table_controller.adapters.web import pieces
from table_controller.adapters.web.screens import Renderer, changed
from table_controller.engine.messages import Audience, phrase
from table_controller.engine.pieces import Party, Tray
from tests.adapters.web import samples
from tests.adapters.web.served import show

#: An empty stand-in: its element, and its key.
STANDS = re.compile(r'<(\w+) data-key="([^"]*)" data-same></\1>')
#: What a screen is sent.
FOLLOWS = "header, .felt, .unseen, .words, #result, #roads, footer"
HTML = "all => all.map(one => one.innerHTML)"
#: No frame comes until it is let; what is sent meanwhile is counted.
HELD = """() => {
  const parse = JSON.parse;
  window.came = 0;
  window.requestAnimationFrame = frame => { window.held = frame; };
  JSON.parse = text => { window.came += 1; return parse(text); };
}"""

made = st.dictionaries(st.integers(0, 9), st.text("ab <>&", max_size=4), max_size=6)


def marked(html, within=""):
    """A piece, as a template marks it."""
    return str(pieces.piece(within, caller=lambda: html))


def part(rows):
    """A part of keyed pieces."""
    return "".join(marked(f'<li data-key="{key}">{text}</li>') for key, text in rows)


def test_a_piece_that_stands_there_is_not_sent_again():
    """Its key stands in for it; what is new or other comes as it is."""
    shown = part([(1, "one"), (2, "two")])

    assert pieces.since(part([(1, "one"), (2, "TWO"), (3, "three")]), shown) == (
        '<li data-key="1" data-same></li><li data-key="2">TWO</li><li data-key="3">three</li>'
    )


def test_a_card_whose_tray_changed_its_row_is_sent():
    """In the other row nothing stands that its key could stand for."""
    card = '<li data-key="card-elder-1-closed"></li>'
    before, now = marked(card, "0"), marked(card, "2")

    assert pieces.since(now, before) == pieces.whole(now) == card
    assert pieces.since(now, now) == '<li data-key="card-elder-1-closed" data-same></li>'


@given(st.dictionaries(st.text(), st.text("'\"&<>=; a") | st.integers() | st.none()))
def test_a_value_as_an_attribute_is_read_back_as_it_was(value):
    """Whatever a name holds: no sign of it ends the attribute or the element."""
    read = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            read.append((tag, dict(attrs)))

    Reader().feed(f"<b data-input={pieces.quoted(value)} data-hold>")

    assert [tag for tag, _ in read] == ["b"]
    assert read[0][1].keys() == {"data-input", "data-hold"}
    assert msgspec.json.decode(read[0][1]["data-input"]) == value


def test_a_piece_that_moved_into_another_drawer_is_sent():
    """What stands in for it would find nothing there."""
    form = '<form data-key="sits"></form>'

    assert pieces.since(marked(form, "people"), marked(form, "more")) == form


def test_a_seat_that_moved_to_a_side_is_sent():
    """A cell among those who wait is not the one of a side, though both look the same."""
    waits = replace(
        samples.ADVICE_LIT, trays=(Tray(name="trump", label=phrase("x"), slots=1, row=1),), hands=()
    )
    sides = tuple(Party(label=phrase("x"), seats=seats) for seats in ((1,), (2,)))
    renderer = Renderer()
    shown = renderer.parts(waits, Audience.PUBLIC)
    now = renderer.parts(replace(waits, parties=sides), Audience.PUBLIC)

    sent = changed(now, shown)["cells"]

    for seat in (1, 2):
        assert f'<b class="disc">{seat}</b>' in sent
    assert '<div data-key="seat-3" data-same></div>' in sent


def test_what_people_type_is_no_mark():
    """A name that looks like one is escaped, as everything is."""
    people = [replace(one, name="<!--]-->") for one in samples.ADVICE_LIT.people]
    picture = replace(samples.ADVICE_LIT, people=tuple(people))
    html = Renderer().parts(picture, Audience.CROUPIER)["cells"]

    assert pieces.whole(html).count("&lt;!--]--&gt;") == len(people)
    assert html.count("<!--]-->") == len(picture.seats)


@given(made, made)
def test_with_what_stood_there_a_part_is_whole_again(before, after):
    """Whatever changed, came or went."""
    shown, now = part(before.items()), part(after.items())
    stood = {key: f'<li data-key="{key}">{text}</li>' for key, text in before.items()}

    sent = pieces.since(now, shown)

    assert STANDS.sub(lambda found: stood[int(found[2])], sent) == pieces.whole(now)


@pytest.mark.parametrize("audience", [Audience.CROUPIER, Audience.PUBLIC])
def test_a_first_look_is_sent_everything(audience):
    """Nothing stands there yet; and no mark is sent ever."""
    for name, html in changed(Renderer().parts(samples.ADVICE_LIT, audience), {}).items():
        assert "data-same" not in html, name
        assert "<!--" not in html, name


@pytest.mark.parametrize("path", ["/", "/public"])
def test_who_followed_sees_what_a_newcomer_sees(look, served, path):
    """Through all samples, forwards and backwards: the same elements, word for word."""
    follows = look(samples.ADVICE_LIT, path)
    names = [*samples.ALL, *reversed(samples.ALL)]
    for number, (_, name) in enumerate(pairwise(names)):
        show(follows, served, samples.ALL[name], number)
        if number % 5:
            continue
        fresh = look(None, path)
        fresh.locator("#title span", has_text=f"Coup {900 + number}").wait_for()

        one, other = (page.locator(FOLLOWS).evaluate_all(HTML) for page in (follows, fresh))
        assert one == other, name

        fresh.context.close()


def test_pictures_that_come_within_a_frame_build_on_each_other(look, served):
    """A slow screen is sent two before it shows one: pieces of the first stay."""
    page = look(samples.BEFORE_STAKING)
    show(page, served, samples.ADVICE_LIT, 1)
    page.evaluate(HELD)
    for count, picture in enumerate((samples.BEFORE_STAKING, samples.SETTLEMENT), 1):
        served.tell(picture)
        page.wait_for_function("count => came === count", arg=count, polling=20)
    page.evaluate("window.held()")

    fresh = look(None)
    one, other = (each.locator(FOLLOWS).evaluate_all(HTML) for each in (page, fresh))
    assert one == other
