"""What can go wrong with keys, journals and recordings, each worded so that a person can act.

Every text names the thing, the value and what to do. None reveals a sealed value.
"""

from __future__ import annotations

import msgspec

#: What msgspec raises on bytes that are not the expected JSON; invalid UTF-8 has its own error.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)


class ConfigError(ValueError):
    """Settings that cannot be used: names file, line, value and what is allowed."""


class ServiceError(Exception):
    """Something that the service needs is missing, damaged or not its own."""


class KeyFileError(ServiceError):
    """The key file cannot be used."""


class JournalError(ServiceError):
    """The journal cannot be opened, read or written. The state has not changed."""


class JournalBusy(JournalError):
    """Another service is writing this journal."""


class JournalFull(JournalError):
    """There is no room to write. The same commit can be tried again."""


class JournalDamaged(JournalError):
    """The file is torn, altered or not one of our journals."""


class WrongKey(JournalError):
    """The journal was sealed with another key."""


class RecoveryError(ServiceError):
    """Replay produces other events than the journal holds."""


class RecordingError(ServiceError):
    """The recording is broken, incomplete or not ours."""


class NothingToExport(RecordingError):
    """The journal holds nothing that may be exported."""


class VerifyError(ServiceError):
    """The file is not of a kind that can be verified."""


class BadInput(ServiceError):
    """What was sent is not an input of this game. Nothing was journaled.

    `plain` says so without repeating what was sent, for readers away from this machine.
    """

    def __init__(self, text: str, plain: str = "") -> None:
        super().__init__(text)
        self.plain = plain or text
