"""The renderer. Each part shows the picture, and is rendered again only if that part changed."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import Audience
from tests.adapters.web import samples


class Noting(Renderer):
    """Notes which templates it rendered."""

    def __init__(self):
        super().__init__()
        self.rendered = []

    def render(self, template, **seen):
        self.rendered.append(template.removeprefix("parts/").removesuffix(".html"))
        return super().render(template, **seen)


@pytest.mark.parametrize("audience", [Audience.CROUPIER, Audience.PUBLIC])
@pytest.mark.parametrize("name", samples.ALL)
def test_what_was_shown_before_shows_in_nothing(audience, name):
    """Before and after every other picture of the samples, each is drawn as at first sight."""
    renderer = Renderer()
    picture = samples.project(samples.ALL[name], audience)
    first = renderer.parts(picture, audience)

    for other in samples.ALL.values():
        renderer.parts(samples.project(other, audience), audience)
        assert renderer.parts(picture, audience) == first == Renderer().parts(picture, audience)


def test_only_what_shows_a_changed_sum_is_rendered():
    """A seat, its hand and what is told of it may have figures, so all of them look."""
    renderer = Noting()
    renderer.parts(samples.with_pot(100), Audience.PUBLIC)
    renderer.rendered.clear()
    renderer.parts(samples.with_pot(200), Audience.PUBLIC)

    assert sorted(renderer.rendered) == ["cells", "middle", "sums", "told", "trays"]


@pytest.mark.parametrize(("part", "name"), [("cells", ">K.<"), ("trays", " · K.<")])
def test_audiences_share_no_part(part, name):
    """The staff's names who sits there and whose hand it is, whoever looked before."""
    renderer = Renderer()
    staff = renderer.parts(samples.ADVICE_LIT, Audience.CROUPIER)[part]
    guests = renderer.parts(samples.ADVICE_LIT, Audience.PUBLIC)[part]

    assert name in staff
    assert name not in guests


def test_an_alert_says_since_when_and_whether_it_goes_by_itself(monkeypatch):
    """By the clock on the wall, for the staff; guests are told neither."""
    monkeypatch.setenv("TZ", "Europe/Warsaw")
    time.tzset()
    at = 1_800_000_000_000  # 2027-01-15, nine in the morning
    alerts = [
        replace(alert, since_ms=at, clears=clears)
        for alert, clears in zip(samples.ALERT.alerts, ("croupier", "itself"), strict=True)
    ]
    shown = Renderer().parts(replace(samples.ALERT, alerts=tuple(alerts)), Audience.CROUPIER)

    first, second = shown["alerts"].split('data-key="alert-')[1:]
    assert "since 09:00" in first
    assert "goes by itself" not in first
    assert "since 09:00 · goes by itself" in second
    public = samples.project(samples.ALERT, Audience.PUBLIC)
    assert "since" not in str(Renderer().parts(public, Audience.PUBLIC))
    monkeypatch.undo()
    time.tzset()


def test_a_page_made_beside_the_loop_is_the_same():
    """With its pauses, in any theme."""
    renderer = Renderer(theme="light")
    seen = {"id": "Z-24", "text": "Nichts geht mehr.\n\nDie <weisse> Karte.", "theme": "auto"}

    made = renderer.render_beside("rule.html", **seen)

    assert made == renderer.render("rule.html", **seen)
    assert 'data-theme="light"' in made
