"""Errors of keys, journals and recordings. Each is worded so that a person can act.

Every text names the thing, the value and the remedy. No text reveals a sealed value.
"""

from __future__ import annotations

import msgspec

#: The errors that msgspec raises on bytes other than the expected JSON. Invalid UTF-8 has its own
#: error.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)


class ConfigError(ValueError):
    """Settings that cannot be used. The text names file, line and value, and what is allowed."""


class ServiceError(Exception):
    """Something that the service needs is missing, damaged, or belongs to another table or game."""


class KeyFileError(ServiceError):
    """The file with the table's key cannot be used."""


class JournalError(ServiceError):
    """The journal cannot be opened, read or written. The state has not changed."""


class JournalBusy(JournalError):
    """Another service is writing this journal. `process` is its number, "" if it is not known."""

    def __init__(self, text: str, process: str = "") -> None:
        super().__init__(text)
        self.process = process


class JournalFull(JournalError):
    """The disk has no room for the journal. The same commit can be tried again."""


class JournalDamaged(JournalError):
    """The file is torn, altered, or no journal of a Schlitten table."""


class WrongKey(JournalError):
    """The journal was sealed with another key."""


class RecoveryError(ServiceError):
    """The inputs, played again, do not cause the events that the journal contains."""


class RecordingError(ServiceError):
    """The recording is broken, incomplete, or no recording of a Schlitten table."""


class NothingToExport(RecordingError):
    """The journal contains nothing that may be exported."""


class VerifyError(ServiceError):
    """The file is neither a journal, nor a recording, nor a captured stream."""


class BadInput(ServiceError):
    """The message is not an input of this game. Nothing was journaled.

    `plain` is the error's text for people at other machines. It does not repeat the message.
    """

    def __init__(self, text: str, plain: str = "") -> None:
        super().__init__(text)
        self.plain = plain or text
