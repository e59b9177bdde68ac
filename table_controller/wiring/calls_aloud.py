"""Speaks the table's public news aloud.

The module is part of the wiring, as app.py is. It speaks the news of the public picture, which
contains no closed card (R-13).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from table_controller.adapters.voice import Speak, Speaker, espeak_ng, piper, require
from table_controller.engine.messages import Phrase
from table_controller.engine.views import Snapshot
from table_controller.service.table import Told
from table_controller.wiring.config import VoiceSettings
from table_controller.words import speech

#: The program that each engine starts.
PROGRAMS: Final = {"none": (), "espeak-ng": ("espeak-ng",), "piper": ("piper", "aplay")}


class CallsAloud:
    """A listener of the table that speaks each piece of public news once.

    `picture` returns the current public picture.
    """

    def __init__(self, picture: Callable[[], Snapshot], settings: VoiceSettings) -> None:
        self._picture, self._settings = picture, settings
        self._said: Phrase | None = None
        self._speaker = Speaker(voice(settings))

    async def run(self) -> None:
        """Speak until cancelled. Raises CannotSpeak, immediately if a program is missing."""
        for program in PROGRAMS[self._settings.engine]:
            require(program)
        await self._speaker.run()

    def tell(self, _told: Sequence[Told], _state: Any) -> None:
        """Speak the news since the last call, or since the start."""
        picture = self._picture()
        news = picture.prompt.news
        if self._said is not None and news != self._said and news.text:
            self._speaker.say(speech(news, self._settings.language, picture.game))
        self._said = news


def voice(settings: VoiceSettings) -> Speak:
    """Return the function that speaks, as these settings say; `engine` must not be `none`."""
    if settings.engine == "piper" and settings.model:
        return piper(settings.model)
    return espeak_ng(settings.language, words_a_minute=settings.words_a_minute)
