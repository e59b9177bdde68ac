"""Nothing covers anything else: whole evenings of each game on open pages, in Debian's Chromium.

Of each evening, only the pictures that together show everything are used. `scripts/soak --only
overlaps` puts every picture of every house on every page.
"""

from __future__ import annotations

import msgspec
import pytest

from table_controller.adapters.web.picture import keypad
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Severity, phrase
from table_controller.engine.pieces import Figure, Mark, Person, Stake
from table_controller.engine.views import Offer, SeatView, Secret
from table_controller.rules.cards import Card, hand
from table_controller.wiring import config
from table_controller.wiring.games import game
from tests.adapters.web import overlaps, pieces, samples
from tests.adapters.web.layouts import layouts, unlike
from tests.adapters.web.overlaps import SIZES, Looking, Screen
from tests.limits import LONG_S

DESK, LOW, PHONE = (1280, 800), (1024, 768), (390, 844)
BY = Mark(name="by", label=phrase("by the Schlitten"))
#: One of each game, and how many pictures of its evening of so many coups.
HOUSES, PICTURES, COUPS = ("zoppot-1934", "punto-banco", "ecarte-german"), 8, 45
#: All sizes; the two extremes also in the language with the longest words and with open sheets.
SCREENS = (
    *(Screen(path, size, "en", themes=size == DESK) for path in overlaps.PATHS for size in SIZES),
    *(Screen("/", size, "hu", sheets=True) for size in (DESK, PHONE)),
    *(Screen("/public", size, "hu") for size in (DESK, PHONE)),
)


@pytest.mark.timeout(LONG_S)
@pytest.mark.parametrize("name", HOUSES)
def test_nothing_lies_on_anything(browser, name):
    """No two boxes intersect, no word is cut, nothing needed lies below a fold or beside."""
    house = config.house(name)
    evening = overlaps.evening(house, coups=COUPS, mishaps=True)
    pictures = overlaps.telling(game(house.game), evening, PICTURES)
    looking = Looking(browser, SCREENS)

    found = overlaps.told(looking.faults(name, pictures))

    assert not found, "\n".join(found)
    assert looking.looks >= PICTURES * len(SCREENS) / 2
    assert looking.boxes > 20 * looking.looks / 2


@pytest.mark.timeout(LONG_S)
def test_nothing_lies_below_where_cards_are_typed(browser):
    """Keys, tableau and alert share the panel: on a low desk too, in a language with long words."""
    house = config.house("punto-banco")
    door = game(house.game)
    evening = overlaps.evening(house, coups=COUPS, mishaps=True)
    few = [one for one in overlaps.telling(door, evening, 40) if _typed(door, one)]
    looking = Looking(browser, [Screen("/", size, "hu") for size in SIZES[::2]])

    found = overlaps.told(looking.faults(house.id, few, by_hand=True))

    assert not found, "\n".join(found)
    assert len(few) >= 5


@pytest.mark.parametrize(
    ("seat", "marks", "plays", "many"),
    [
        (4, (pieces.PRIME, pieces.SUIVI, BY), 0, 2),  # beside a role
        (4, (pieces.PRIME, BY), 5, 1),
        (4, (pieces.PRIME, BY), 5, 2),
        (5, (pieces.PRIME, BY), 5, 1),
        (4, (), 5, 2),
        (5, (pieces.PRIME, BY), 5, 2),
    ],
)
def test_what_stands_beside_a_seat_has_room_under_alerts(look, seat, marks, plays, many):
    """Twelve seats and two who stand, on a low desk, in the language with the longest marks."""
    marked, further = SeatView(seat=seat, taken=True, marks=marks), (101, 102)
    seats = [marked if one.seat == seat else one for one in samples.TWELVE.seats]
    part = {"name": "plays", "label": phrase("at stake"), "unit": "K", "seat": seat}
    crowded = msgspec.structs.replace(
        samples.TWELVE,
        alerts=samples.ALERT.alerts[:many],
        seats=(*seats, *(SeatView(seat=n, taken=True) for n in further)),
        people=(*samples.TWELVE.people, *(Person(seat=n, name="A", balance=9) for n in further)),
        figures=(*samples.TWELVE.figures, *([Figure(value=plays, **part)] if plays else [])),
        stakes=(*samples.TWELVE.stakes, Stake(seat=4, chips=50)),
    )

    page = look(crowded, "/?lang=de", LOW, reduced_motion="reduce")

    assert page.locator(".seat", has_text="nach dem Schlitten").count() == (BY in marks)
    assert page.locator(".seat .marks i", has_text="im Spiel").count() == bool(plays)
    assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []


def test_three_alerts_push_nothing_over_the_seats(look):
    """The most urgent is whole; a key opens the others over the table, and Escape shuts them."""
    unread, board = samples.ALERT.alerts
    said = {"severity": Severity.NOTICE, "what": phrase("broker")}
    broker = msgspec.structs.replace(unread, id="broker", **said)
    standing = tuple(SeatView(seat=n, taken=True) for n in (101, 102))
    crowded = msgspec.structs.replace(
        samples.TWELVE, alerts=(broker, board, unread), seats=(*samples.TWELVE.seats, *standing)
    )

    page = look(crowded, "/?lang=de", DESK, reduced_motion="reduce")
    faults = f"({overlaps.OVERLAPS})({{ sheets: true }}).faults"
    others = page.locator(".others > summary")

    assert page.evaluate(faults) == []
    shown = page.locator(".alert:visible").evaluate_all("all => all.map(e => e.dataset.key)")
    assert shown == ["alert-unread-1207"]
    assert others.inner_text().split() == ["▲●", "weitere", "Alarme:", "2"]
    assert others.bounding_box()["height"] >= 44
    others.press("Enter")
    page.locator("[data-key=alert-broker]").wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-key=alert-broker]").wait_for(state="hidden")


def test_a_held_button_is_as_wide_as_its_neighbours(look):
    """However long their words are."""
    takes = (
        Offer(input={"type": "sold", "to": n}, label=phrase("seat {seat} takes over", seat=n))
        for n in (1, 3)
    )
    offers = (*takes, Offer(input={"type": "sold"}, label=phrase("nobody"), hold=True))
    asked = msgspec.structs.replace(samples.TO_SPEAK, offers=offers)

    page = look(asked, "/?lang=de", LOW, reduced_motion="reduce")

    assert page.evaluate(f"({overlaps.OVERLAPS})().faults") == []


def _typed(door, moment):
    """Whether a card is typed at that moment."""
    snap = overlaps.shot(door, moment, overlaps.PATHS["/"], by_hand=True)
    return any(isinstance(field, Secret) for field in _fields(snap))


def _fields(snap):
    """What is to fill in for the offers that the panel shows first."""
    return [field for one in snap.offers if one.group == "main" for field in one.fields]


def _people(snap):
    """From how many people two are chosen."""
    return sum(len(field.picks) for field in _fields(snap) if field.name in ("left", "right"))


def _notes(snap):
    """How many notes are under the question, and how long the question is."""
    return len(snap.notes), len(snap.prompt.ask.text)


def _keys(snap):
    """How much else is noted and offered while a card is typed under an alert."""
    typed = any(isinstance(field, Secret) for field in _fields(snap))
    return len(snap.notes) + len(snap.offers) if typed and snap.alerts else 0


def _left_out(snap):
    """How much is noted and offered around the cards to touch."""
    return len(snap.notes) + len(snap.offers) if any(map(keypad, _fields(snap))) else 0


LOW = SIZES[2]
#: The picture of an evening with the most of something, and whether its cards are typed there.
FULLEST = {
    "people": ("ecarte-nemzeti-1907", _people, False, Screen("/", LOW, "hu", sheets=True)),
    "notes": ("ecarte-german", _notes, False, Screen("/", DESK, "de", sheets=True)),
    "keys": ("ecarte-german", _keys, True, Screen("/", LOW, "de")),
    "left out": ("ecarte-nemzeti-1907", _left_out, False, Screen("/", LOW, "hu")),
}


@pytest.mark.parametrize(
    ("name", "count", "by_hand", "screen"), FULLEST.values(), ids=FULLEST.keys()
)
def test_nothing_lies_below_in_the_fullest_picture_of_ecarte(browser, name, count, by_hand, screen):
    """Two forms of eight people, five notes, or the keys of all cards: all is above the fold."""
    house = config.house(name)
    door, evening = game(house.game), overlaps.evening(house, coups=COUPS, mishaps=True)
    croupier = overlaps.PATHS["/"]
    fullest = max(
        evening, key=lambda one: count(overlaps.shot(door, one, croupier, by_hand=by_hand))
    )

    looking = Looking(browser, [screen])
    found = overlaps.told(looking.faults(name, [fullest], by_hand=by_hand))

    assert not found, "\n".join(found)
    assert looking.looks >= 1


def test_the_chosen_pictures_show_what_others_do():
    """Each of the first few has what none before it had; nothing is left in the end."""
    house = config.house("punto-banco")
    door, evening = game(house.game), overlaps.evening(house, coups=6)
    features = {
        one.number: overlaps.features(door.snapshot(one.table, overlaps.PATHS["/"]))
        for one in evening
    }

    few, all_ = (overlaps.telling(door, evening, most) for most in (5, len(evening)))

    assert len(few) == 5
    assert {one.number for one in few} <= {one.number for one in all_}
    assert len(all_) < len(evening)
    assert set().union(*(features[one.number] for one in all_)) == set().union(*features.values())


def test_a_picture_laid_out_like_one_before_is_left_out():
    """Other cards and digits move nothing; one more digit, mark, or sentence in a drawer does."""
    before = samples.ADVICE_LIT
    *_, last = before.offers
    longer = msgspec.structs.replace(last, label=phrase("something that nobody said before"))
    pictures = {
        "first": before,
        "other digits": samples.with_pot(999),
        "other cards": msgspec.structs.replace(before, hands=CARDS),
        "a digit more": samples.with_pot(1999),
        "a mark": msgspec.structs.replace(before, seats=pieces.seats(s9=(pieces.PRIME,))),
        "in a drawer": msgspec.structs.replace(before, offers=(*before.offers[:-1], longer)),
        "the first again": before,
    }
    renderer = Renderer()
    rendered = ((name, renderer.parts(one, overlaps.PATHS["/"])) for name, one in pictures.items())

    assert last.group == "supervisor"
    assert list(unlike(rendered, set())) == ["first", "a digit more", "a mark", "in a drawer"]


#: As in the sample, with other cards of the same points.
CARDS = (
    pieces.banker(1, cards=hand("Qc 5h"), **pieces.counted(5)),
    pieces.pointeur(2, cards=(None, None, Card("4d"))),
)

#: The page takes no style of another's; this one is put on from within.
PLANT = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""
#: What is done to the page, at which size, and what is found then: its kind, and a word of it.
PLANTED = {
    "a card on another": (
        DESK, "#trays svg.card { margin-left: -30px }", "over", "svg.card",
    ),
    "a name on a balance": (DESK, ".balance { translate: 0 -14px }", "over", "span.name"),
    "a chip as wide as a plate": (
        DESK, ".seat .chip { width: 90px; justify-self: end }", "over", "b.chip",
    ),
    "figures wider than their chip": (
        DESK, ".seat .chip { max-width: 20px }", "spills", "b.chip",
    ),
    "a seat that slid to the side": (DESK, "[data-key=seat-5] { translate: 60px }", "over", "seat"),
    "a number cut by its edge": (
        DESK, "#middle .sum { width: 20px; overflow: hidden }", "cut", "160",
    ),
    "a number cut with dots": (
        DESK, ".balance { width: 20px; overflow: hidden; text-overflow: ellipsis }", "cut", "G",
    ),
    "a word broken in the middle": (
        DESK, "#title strong { width: 30px; white-space: normal; overflow-wrap: anywhere }",
        "broken", "Zoppot",
    ),
    "a button below the fold": (DESK, ".act { margin-top: 700px }", "cut", "button"),
    "a rail beside the page": (PHONE, "#foot { translate: 200px }", "aside", "foot"),
    "a tableau too wide for its place": (
        PHONE, "#side table { width: 700px; max-width: none }", "cut", "td",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("size", "css", "kind", "word"), PLANTED.values(), ids=PLANTED.keys())
def test_what_is_put_there_on_purpose_is_found(look, size, css, kind, word):
    """Once it is there, and not before."""
    page = look(size=size, reduced_motion="reduce")
    faults = f"({overlaps.OVERLAPS})().faults"
    before = page.evaluate(faults)
    page.evaluate(PLANT, css)
    page.evaluate("measured.clear()")

    found = [fault for fault in page.evaluate(faults) if fault not in before]

    assert any(fault[0] == kind and word in " ".join(fault) for fault in found), found
    assert not any(fault[0] == kind and word in " ".join(fault) for fault in before)


def test_boxes_that_a_theme_moves_are_found(look):
    """By the place before and after."""
    page = look(size=DESK, reduced_motion="reduce")
    both = f"({overlaps.OVERLAPS})({{ themes: true }}).faults"
    assert [fault for fault in page.evaluate(both) if fault[0] in ("dark", "light")] == []

    page.evaluate(PLANT, ':root[data-theme="light"] #middle { padding-left: 9px }')
    page.evaluate("measured.clear()")

    assert [fault[0] for fault in page.evaluate(both) if fault[0] in ("dark", "light")] == ["light"]


def test_what_lies_wrong_in_a_sheet_is_found_by_its_title(look):
    """Looked into as if somebody had opened it, and shut again."""
    page = look(size=DESK, reduced_motion="reduce")
    sheets = f"({overlaps.OVERLAPS})({{ sheets: true }}).faults"
    page.evaluate(PLANT, "dl.totals dd { translate: -250px }")

    found = [fault for fault in page.evaluate(sheets) if fault[0] == "over"]

    assert any(fault[-1] == "in “totals”" for fault in found)
    assert page.locator("details[open]").count() == 0


def test_an_equal_layout_is_measured_once(look):
    """Another figure of as many digits moves nothing; a longer one does."""
    page = look(size=DESK, reduced_motion="reduce")
    looks = f"({overlaps.OVERLAPS})().looks"

    assert [page.evaluate(looks) for _ in range(2)] == [1, 0]
    for text, count in (("999\u00a0G", 0), ("1999\u00a0G", 1)):
        page.locator("#middle .sum").evaluate("(e, text) => { e.textContent = text; }", text)
        assert page.evaluate(looks) == count


@pytest.mark.parametrize("name", HOUSES)
def test_a_picture_is_not_looked_at_for_what_its_buttons_send(name):
    """Another seat, card or alert in what a button sends moves nothing on the page."""
    house = config.house(name)
    door, audience, renderer = game(house.game), overlaps.PATHS["/"], Renderer()

    for moment in overlaps.evening(house, coups=1):
        parts = renderer.parts(door.snapshot(moment.table, audience), audience)
        sent = {name: html.replace('"seat":', '"another":') for name, html in parts.items()}
        assert set(layouts(sent)) == set(layouts(parts))
    assert "data-input='" in "".join(parts.values())
