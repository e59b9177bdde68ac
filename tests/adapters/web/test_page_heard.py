"""A screen's sounds: none until somebody chooses them, then a sound for each new thing."""

from __future__ import annotations

from msgspec.structs import replace

from table_controller.engine.messages import phrase
from tests.adapters.web.samples import ADVICE_LIT, ALERT

HEARD = "document.documentElement.dataset.heard"


def told(served, news):
    prompt = replace(ADVICE_LIT.prompt, id=ADVICE_LIT.prompt.id + 1, news=phrase("{n}", n=news))
    served.tell(replace(ADVICE_LIT, prompt=prompt))


def test_a_screen_is_silent_until_somebody_chooses_otherwise(look, served):
    page = look(ADVICE_LIT)
    told(served, 71)
    page.get_by_text("71").first.wait_for()

    assert page.evaluate(HEARD) is None
    assert page.locator("#heard option:enabled").count() == 2  # here no voice is installed


def test_a_new_prompt_and_an_alert_sound_each_in_its_way(look, served):
    page = look(ADVICE_LIT)
    page.locator("#heard").select_option("sounds")
    told(served, 72)
    page.locator("html[data-heard=result]").wait_for()
    served.tell(ALERT)

    page.locator("html[data-heard=alert]").wait_for()


def test_the_choice_stays_with_the_screen(look):
    page = look(ADVICE_LIT)
    page.locator("#heard").select_option("sounds")
    page.reload()

    assert page.locator("#heard").input_value() == "sounds"
