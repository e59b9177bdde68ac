"""The voice: the newest sentence, never the table's time, and the real program."""

from __future__ import annotations

import asyncio
import shutil
import sys
import wave
from itertools import pairwise

import pytest
from msgspec.structs import replace

from table_controller.adapters import voice
from table_controller.adapters.voice import CannotSpeak, Speaker
from table_controller.engine.chemin_de_fer import game
from table_controller.engine.messages import Audience, phrase
from table_controller.wiring.calls_aloud import CallsAloud
from table_controller.wiring.config import VoiceSettings
from table_controller.words import LOCALES
from tests.adapters.web.samples import ADVICE_LIT
from tests.limits import PATIENCE_S
from tests.whole import past


def test_what_was_not_begun_gives_way_to_the_newest():
    """A slow voice is never behind by more than one sentence."""
    said, going = [], asyncio.Event()

    async def story():
        begun = asyncio.Event()

        async def slowly(sentence):
            said.append(sentence)
            begun.set()
            await going.wait()

        speaker = Speaker(slowly)
        task = asyncio.create_task(speaker.run())
        async with asyncio.timeout(PATIENCE_S):
            speaker.say("one")
            await begun.wait()
            for more in ("two", "three", "four"):
                speaker.say(more)  # returns at once, whatever the voice does
            begun.clear()
            going.set()
            await begun.wait()
        task.cancel()

    asyncio.run(story())

    assert said == ["one", "four"]


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="no espeak-ng here")
@pytest.mark.parametrize("language", LOCALES)
def test_espeak_ng_speaks_every_language(tmp_path, language):
    file = tmp_path / "said.wav"

    asyncio.run(voice.ended(voice.espeak_words(language, 150, "-w", str(file)), "7, 9."))

    with wave.open(str(file)) as sound:
        assert sound.getnframes() / sound.getframerate() > 0.5


def test_a_program_that_is_missing_or_fails_is_named_with_its_remedy():
    async def run(*words, within_s=PATIENCE_S):
        await voice.ended(words, "x", within_s=within_s)

    failing = (sys.executable, "-c", "import sys; sys.exit('no sound card')")
    hanging = (sys.executable, "-c", "import time; time.sleep(60)")
    with pytest.raises(CannotSpeak, match="no sound card"):
        asyncio.run(run(*failing))
    with pytest.raises(CannotSpeak, match="over 0 s"):
        asyncio.run(run(*hanging, within_s=0.2))


def test_a_missing_engine_is_said_at_the_start(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    aloud = CallsAloud(lambda: None, VoiceSettings(engine="espeak-ng"))

    with pytest.raises(CannotSpeak, match="apt install espeak-ng"):
        asyncio.run(aloud.run())


def heard(moments, end):
    """What is said over an evening up to a moment, in order."""
    told, pictures = [], [game.snapshot(one.table, Audience.PUBLIC) for one in moments[:end]]
    now = iter(pictures)
    aloud = CallsAloud(lambda: next(now), VoiceSettings(engine="espeak-ng"))
    aloud._speaker.say = told.append
    for moment in moments[:end]:
        aloud.tell((), moment.table)
    return told


@pytest.mark.parametrize(
    ("game_", "said"),
    [
        ("chemin-de-fer", "The Schlitten is over. Coups: 7."),
        ("punto-banco", "The shoe is over. Coups: 7."),
    ],
)
def test_the_news_are_said_in_the_words_of_the_game(game_, said):
    before = replace(ADVICE_LIT, game=game_)
    over = replace(before.prompt, news=phrase("The Schlitten is over. Coups: {count}.", count=7))
    now, told = iter((before, replace(before, prompt=over))), []
    aloud = CallsAloud(lambda: next(now), VoiceSettings(engine="espeak-ng"))
    aloud._speaker.say = told.append
    for _ in range(2):
        aloud.tell((), None)

    assert told == [said]


def test_the_news_of_the_public_picture_are_said_once_each():
    one = past.played("zoppot-1934", coups=3)
    told = heard(one.moments, len(one.moments))

    assert any("Bank" in sentence for sentence in told)
    assert all(a != b for a, b in pairwise(told))
    assert not any(mark in sentence for sentence in told for mark in "♠♥♦♣{}")
