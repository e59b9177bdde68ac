"""Speaks the table's public sentences with a speech program of this machine.

Speaking never delays the table: only the newest sentence waits, and a program that takes too long
is ended. The module knows programs and sentences, but no table.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from firmware_bridge.trouble import Trouble, TroubleError
from table_controller.service.errors import ServiceError

#: Seconds. The longest sentence takes less, so a program that takes longer hangs.
MOST_S: Final = 20.0
#: espeak-ng's names of the languages.
_ESPEAK: Final = {"en": "en-gb", "de": "de", "fr": "fr-fr", "hu": "hu", "sv": "sv"}

Speak = Callable[[str], Awaitable[None]]


class CannotSpeak(TroubleError, ServiceError):
    """A program that speaks is missing or fails. The reason names the remedy."""


class Speaker:
    """Says sentences one after the other.

    Of the sentences that wait, only the newest is said.
    """

    def __init__(self, speak: Speak) -> None:
        self._speak = speak
        self._next, self._news = "", asyncio.Event()

    def say(self, sentence: str) -> None:
        """Let a sentence be said next, in place of one that waits. Returns immediately."""
        self._next = sentence
        self._news.set()

    async def run(self) -> None:
        """Speak until cancelled. Raises CannotSpeak."""
        while True:
            await self._news.wait()
            self._news.clear()
            sentence, self._next = self._next, ""
            if sentence:
                await self._speak(sentence)


def espeak_ng(language: str, *, words_a_minute: int = 150) -> Speak:
    """Return a function that speaks with espeak-ng, which also plays the sound."""

    async def speak(sentence: str) -> None:
        await ended(espeak_words(language, words_a_minute), sentence)

    return speak


def espeak_words(language: str, words_a_minute: int, *more: str) -> tuple[str, ...]:
    """Return the command line of espeak-ng, which reads the sentence from its standard input."""
    return ("espeak-ng", "-v", _ESPEAK[language], "-s", str(words_a_minute), *more, "--stdin")


def piper(voice: Path) -> Speak:
    """Return a function that speaks with piper and a voice file. ALSA's `aplay` plays the sound."""

    async def speak(sentence: str) -> None:
        with TemporaryDirectory(prefix="schlitten-voice-") as folder:
            sound = Path(folder) / "said.wav"
            await ended(("piper", "--model", str(voice), "--output_file", str(sound)), sentence)
            await ended(("aplay", "--quiet", str(sound)), "")

    return speak


async def ended(words: Sequence[str], sentence: str, *, within_s: float = MOST_S) -> None:
    """Run a program, give it a sentence as input, and wait until it has ended.

    Raises CannotSpeak.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
    except FileNotFoundError:
        raise _missing(words[0]) from None
    try:
        async with asyncio.timeout(within_s):
            _, complaint = await process.communicate(sentence.encode())
    except TimeoutError:
        raise CannotSpeak(
            Trouble(
                "{program} took over {s} s: look at its sound.",
                program=words[0],
                s=round(within_s),
            )
        ) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
            await process.wait()
    if process.returncode:
        last = complaint.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise CannotSpeak(
            Trouble(
                "{program} failed ({error}): test it at the console.",
                program=words[0],
                error=last[0][:120],
            )
        )


def require(program: str) -> None:
    """Raise CannotSpeak if a program is not installed."""
    if shutil.which(program) is None:
        raise _missing(program)


def _missing(program: str) -> CannotSpeak:
    return CannotSpeak(_MISSING[program])


_MISSING: Final = {
    "espeak-ng": Trouble(
        "espeak-ng is not installed: apt install espeak-ng, or set voice.engine = 'none'."
    ),
    "piper": Trouble(
        "piper is not installed: install it with the voice that voice.model names, or set "
        "voice.engine = 'espeak-ng'."
    ),
    "aplay": Trouble("aplay is not installed: apt install alsa-utils."),
}
