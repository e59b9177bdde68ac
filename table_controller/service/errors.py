"""What can go wrong with keys, journals and recordings, each said so that a person can act.

Every text names the thing, the value and what to do. None holds a sealed value.
"""

from __future__ import annotations

import msgspec

#: What msgspec raises at bytes that are not the JSON asked for; text in no UTF-8 has its own.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)


class ConfigError(ValueError):
    """Settings that cannot be used: names file, line, value and what is allowed."""


class ServiceError(Exception):
    """Something the service needs is missing, damaged or not its own."""


class KeyFileError(ServiceError):
    """The key file cannot be used."""


class JournalError(ServiceError):
    """The journal cannot be opened, read or written. The state has not changed."""


class JournalBusy(JournalError):
    """Another service writes this journal."""


class JournalFull(JournalError):
    """There is no room to write. The same commit can be tried again."""


class JournalDamaged(JournalError):
    """The file is torn, altered or no journal of ours."""


class WrongKey(JournalError):
    """The journal was sealed with another key."""


class RecoveryError(ServiceError):
    """Replay does not tell the story that the journal holds."""


class RecordingError(ServiceError):
    """The recording is broken, foreign or not whole."""


class NothingToExport(RecordingError):
    """The journal holds nothing that a recording may hold."""


class VerifyError(ServiceError):
    """The file is nothing that can be verified."""


class BadInput(ServiceError):
    """What somebody sent is no input of this game. Nothing was journaled.

    `plain` says it without anything of what was sent, for whoever is not at this machine.
    """

    def __init__(self, text: str, plain: str = "") -> None:
        super().__init__(text)
        self.plain = plain or text
