"""The bytes for the board, written out by hand: every word of the lamp language, both displays.

A lamp is two hex digits, as on the line. The first digit is its colour: 1 red, 2 green, 3 yellow, 4
blue, 5 magenta, 6 cyan, 7 white. The second digit is its rhythm: 1 on, 2 blink, 3 pulse. 00 is
dark.
"""

import pytest
from msgspec.structs import replace

from firmware_bridge.messages import Picture, pack
from hardware.lamps import load
from table_controller.adapters.board import picture
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import Audience, Severity, phrase
from table_controller.engine.pieces import Figure, Hand, Mark
from table_controller.engine.views import AlertView, SeatView
from table_controller.wiring import config
from tests.engine.playing import NEMZETI, deal, play, table

OURS = config.lamp_language(NEMZETI)

DARK = "00 00 00 00 00 00 00 00 00 00 00 00"
STOP = AlertView(id="count", code="count", severity=Severity.STOP)
SEEN = AlertView(id="count", code="count", severity=Severity.STOP, acknowledged=True)
WARNING = AlertView(id="slow", code="slow", severity=Severity.WARNING)

#: Another house's lamp language: no lamp is like ours, and no two are alike.
HOUSE = """
banker   pulse white
pointeur on magenta
prime    blink green
suivi    on green
to_act   pulse yellow
won      blink white
lost     on red
alert    pulse red
"""


LABEL = phrase("")


def now(*said, of=None, **changed):
    """The public picture of a table at which only the seats `said` are as given."""
    public = game.snapshot(of or table(), Audience.PUBLIC)
    prompt = replace(public.prompt, seats=tuple(one["seat"] for one in said if one["acts"]))
    known = {one["seat"]: one for one in said}
    return replace(
        public,
        **{
            "seats": tuple(_free(at.seat, known.get(at.seat, {})) for at in public.seats),
            "hands": tuple(_hand(one) for one in said if one["role"]),
            "prompt": prompt,
            **changed,
        },
    )


def _free(number, said):
    marks = tuple(Mark(name=name, label=LABEL) for name in said.get("marks", ()))
    return SeatView(seat=number, taken=True, marks=marks, host=said.get("role") == "banker")


def _hand(said):
    outcome = Mark(name=said["outcome"], label=LABEL) if said["outcome"] else None
    return Hand(name=said["role"], label=LABEL, seat=said["seat"], outcome=outcome)


def seat(number=1, *, role="", marks=(), acts=False, outcome=""):
    return {"seat": number, "role": role, "marks": marks, "acts": acts, "outcome": outcome}


def figures(pot, against):
    return tuple(
        Figure(name=name, label=LABEL, value=value)
        for name, value in (("pot", pot), ("against", against))
    )


def sent(snapshot, language=None):
    """Lamps, pot, stakes and buzzer in hex, as the message `picture` carries them."""
    body = pack(picture(snapshot, language or OURS))[1]
    return tuple(part.hex(" ") for part in (body[:12], body[12:16], body[16:20], body[20:]))


def language(tmp_path, words):
    path = tmp_path / "lamps.toml"
    rows = (row.split() for row in words.strip().splitlines())
    path.write_text("".join(f'[{w}]\nmode = "{m}"\ncolour = "{c}"\n' for w, m, c in rows))
    return load(path, OURS)


@pytest.mark.parametrize(
    ("said", "ours", "other"),
    [
        ({}, "00", "00"),
        ({"role": "banker"}, "31", "73"),
        ({"role": "banker", "acts": True}, "32", "72"),
        ({"role": "pointeur"}, "41", "51"),
        ({"role": "pointeur", "acts": True}, "42", "52"),
        ({"acts": True}, "62", "33"),
        ({"marks": ("prime",)}, "63", "22"),
        ({"marks": ("suivi",)}, "43", "21"),
        # the result over the role; an equal result says nothing, and nobody is asked any more
        ({"role": "banker", "outcome": "won"}, "61", "72"),
        ({"role": "banker", "outcome": "lost"}, "13", "11"),
        ({"role": "banker", "outcome": "tie"}, "31", "73"),
        ({"role": "pointeur", "outcome": "won"}, "61", "72"),
        ({"role": "pointeur", "outcome": "lost"}, "13", "11"),
        ({"role": "pointeur", "outcome": "tie"}, "41", "51"),
        ({"role": "banker", "outcome": "won", "acts": True}, "61", "72"),
        ({"role": "pointeur", "outcome": "won", "acts": True}, "61", "72"),
        ({"role": "pointeur", "outcome": "tie", "acts": True}, "41", "51"),
        # the role over a right
        ({"role": "banker", "marks": ("prime",)}, "31", "73"),
        ({"role": "pointeur", "marks": ("prime",)}, "41", "51"),
        ({"role": "pointeur", "marks": ("prime", "suivi"), "acts": True}, "42", "52"),
        ({"role": "pointeur", "marks": ("suivi",), "outcome": "lost"}, "13", "11"),
        # of two rights the first; of what has no lamp nothing
        ({"marks": ("prime", "suivi")}, "63", "22"),
        ({"marks": ("partner", "by_schlitten", "must_pass")}, "00", "00"),
        ({"marks": ("prime", "by_schlitten")}, "63", "22"),
        ({"marks": ("partner", "suivi")}, "43", "21"),
        # a right is no role: who is asked without a role blinks as `to_act` says
        ({"marks": ("prime",), "acts": True}, "62", "33"),
        ({"marks": ("suivi",), "acts": True}, "62", "33"),
        ({"marks": ("partner",), "acts": True}, "62", "33"),
    ],
)
def test_a_seat_s_lamp_says_one_thing(said, ours, other, tmp_path):
    """In our language and in another house's."""
    own, house = OURS, language(tmp_path, HOUSE)
    snapshot = now(seat(4, **said))

    assert sent(snapshot, own)[0] == DARK[:9] + ours + DARK[11:]
    assert sent(snapshot, house)[0] == DARK[:9] + other + DARK[11:]


@pytest.mark.parametrize(
    ("said", "ours", "other"),
    [
        ({"role": "banker"}, "12", "13"),
        ({"role": "banker", "acts": True}, "12", "13"),
        ({"role": "banker", "outcome": "won"}, "12", "13"),
        ({"role": "banker", "outcome": "lost", "acts": True}, "12", "13"),
        ({"role": "pointeur"}, "41", "51"),
        ({"role": "pointeur", "acts": True}, "42", "52"),
        ({"role": "pointeur", "outcome": "lost"}, "13", "11"),
        ({"marks": ("prime",)}, "63", "22"),
        ({"acts": True}, "62", "33"),
        ({}, "00", "00"),
    ],
)
@pytest.mark.parametrize("alert", [STOP, SEEN], ids=["new", "seen"])
def test_an_alert_that_stops_the_table_is_the_banker_s_lamp_alone(
    said, ours, other, alert, tmp_path
):
    """Over all that his lamp would say, until the alert is gone; it sounds twice."""
    snapshot = now(seat(12, **said), of=table(house=NEMZETI), alerts=(WARNING, alert))

    lamps, _, _, buzzer = sent(snapshot, OURS)
    assert (lamps, buzzer) == (DARK[:-2] + ours, "02")
    lamps, _, _, buzzer = sent(snapshot, language(tmp_path, HOUSE))
    assert (lamps, buzzer) == (DARK[:-2] + other, "02")


def test_a_warning_changes_no_lamp_and_is_not_heard():
    """The page says it; nobody at the table need look up."""
    quiet = sent(now(seat(1, role="banker"), alerts=(WARNING,)))

    assert quiet == ("31" + DARK[2:], "00 00 00 00", "00 00 00 00", "00")


@pytest.mark.parametrize(
    ("mode", "lamps"),
    [
        ("off", "00 00 00 00 00 00 00"),
        ("on", "11 21 31 41 51 61 71"),
        ("blink", "12 22 32 42 52 62 72"),
        ("pulse", "13 23 33 43 53 63 73"),
    ],
)
@pytest.mark.parametrize("word", ["won", "lost", "prime", "suivi", "banker", "pointeur"])
def test_each_word_takes_each_colour_and_rhythm(word, mode, lamps, tmp_path):
    """A house may say it with any lamp there is."""
    said = {
        "won": {"role": "banker", "outcome": "won"},
        "lost": {"role": "pointeur", "outcome": "lost"},
        "prime": {"marks": ("prime",)},
        "suivi": {"marks": ("suivi",)},
        "banker": {"role": "banker"},
        "pointeur": {"role": "pointeur"},
    }[word]
    colours = ("red", "green", "yellow", "blue", "magenta", "cyan", "white")
    for colour, lamp in zip(colours, lamps.split(), strict=True):
        rows = [row for row in HOUSE.strip().splitlines() if not row.startswith(word)]
        words = language(tmp_path, "\n".join([*rows, f"{word} {mode} {colour}"]))

        assert sent(now(seat(2, **said)), words)[0] == "00 " + lamp + DARK[5:]


def test_each_seat_has_its_own_lamp():
    """Seat 1 is the first byte, seat 12 the last."""
    for number in range(1, 13):
        lamps = sent(now(seat(number, role="banker"), of=table(house=NEMZETI)))[0]

        assert lamps.split().index("31") == number - 1
        assert lamps.split().count("00") == 11


@pytest.mark.parametrize(
    ("pot", "against", "shown"),
    [
        (0, 0, ("00 00 00 00", "00 00 00 00")),
        (100, 0, ("64 00 00 00", "00 00 00 00")),
        (195, 80, ("c3 00 00 00", "50 00 00 00")),
        (2, 2400, ("02 00 00 00", "60 09 00 00")),
        (99_999_999, 99_999_998, ("ff e0 f5 05", "fe e0 f5 05")),
        (100_000_000, 10, ("ff ff ff 7f", "0a 00 00 00")),  # as `--------`
        (10, 100_000_000, ("0a 00 00 00", "ff ff ff 7f")),
    ],
)
def test_the_first_display_is_the_pot_and_the_second_the_stakes(pot, against, shown):
    """Little-endian, as they travel."""
    assert sent(now(figures=figures(pot, against)))[1:3] == shown


def test_two_figures_of_one_name_stand_side_by_side():
    """0-3 is not 3: thousands of the left one, and the right one, from 1 000 000 000 on."""
    marks = tuple(Figure(name="marks", label=phrase("marks"), value=n) for n in (0, 3))

    assert sent(now(figures=marks, displays=("marks",)))[1:3] == ("03 ca 9a 3b", "00 00 00 80")


def test_both_displays_are_dark_without_a_schlitten():
    """Whatever the table still says."""
    assert sent(now(shoe=None, displays=(), figures=figures(10, 20)))[1:3] == (
        "00 00 00 80",
        "00 00 00 80",
    )


def test_standing_players_have_no_lamp_at_a_full_table():
    """ZP-17: twelve seats are taken and somebody stands; the twelve lamps are the seats'."""
    full = play(table(house=NEMZETI), "standing 500 Anna", "seat 1 banks 100")

    assert sent(game.snapshot(full, Audience.PUBLIC))[0] == "31 63" + DARK[5:]


def test_a_standing_pointeur_lights_no_seat_s_lamp():
    """ZP-17: at nine seats the tenth lamp stays dark, however many stand and whatever they do."""
    staked = play(
        table(),
        *("standing 500 Anna", "standing 500 Berta", "standing 500 Clara", "standing 500 Dora"),
        *("seat 1 banks 100", "all may stake", "seat 101 stakes 50", "nichts geht mehr"),
        *deal("2h Kc", "9d Ks"),
    )
    settled = play(staked, "seat 101 reste", "seat 1 opens", "seat 101 opens")

    assert sent(game.snapshot(staked, Audience.PUBLIC)) == (
        "31 63" + DARK[5:], "64 00 00 00", "32 00 00 00", "00",
    )  # fmt: skip
    assert sent(game.snapshot(settled, Audience.PUBLIC)) == (
        "61 63" + DARK[5:], "94 00 00 00", "32 00 00 00", "00",
    )  # fmt: skip


def test_nothing_is_lit_that_nobody_said():
    """A table at which nothing happens is dark, but for its zeros."""
    assert picture(now(), OURS) == Picture(display_1=0, display_2=0)
