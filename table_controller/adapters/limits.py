"""How much anybody may take of this program: every number in one place. Knows nothing else.

A service has 1,024 file handles and 512 MiB; with all of these used up at once it has some left.
"""

from __future__ import annotations

from typing import Final

# The page

#: Connections open at once. One more pushes out who has longest asked for nothing, or is refused.
MOST_CONNECTIONS: Final = 192
#: Of these, pictures that are followed: those of the staff, and everybody's. What is left is for
#: presses, whoever crowds the public page.
MOST_STAFF_SCREENS: Final = 64
MOST_PUBLIC_SCREENS: Final = 66
#: Of those that knock, so many are let in at once; only then is anybody pushed out.
BACKLOG: Final = 64
#: Connections that are not let in yet: a TLS handshake, for one.
MOST_KNOCKING: Final = 64
#: So often each address may knock: all of a house's screens at once, then so many in a second. What
#: a TLS handshake that nobody ends takes is free only once the garbage is collected.
MOST_KNOCKS: Final = 2048
KNOCKS_A_SECOND: Final = 16.0
#: How long a connection may ask for nothing, or take over a request.
SILENT_S: Final = 5.0
#: How long a stream may leave all that waits for it unread.
UNREAD_S: Final = 30.0
#: Of a press. The longest honest one is a reason typed by the supervisor.
MOST_PRESS_BYTES: Final = 2048
#: Of the random name that a page gives it.
MOST_PRESS_ID: Final = 64

# The embedded broker

#: Connections at its port, those that have not said yet who they are among them; the table itself
#: comes in by a socket of its own.
MAX_CONNECTIONS: Final = 256
#: Bytes of a packet. The largest honest one is an answer to `replay`.
MAX_PACKET: Final = 256 * 1024
#: Messages and bytes under way to one client, and those that may wait for it: the rest it gets by
#: `replay`.
MAX_INFLIGHT: Final = 64
MAX_INFLIGHT_BYTES: Final = 64 * 1024
MAX_QUEUED: Final = 1000
MAX_QUEUED_BYTES: Final = 2 * 1024 * 1024
#: Bytes of all that it keeps.
MAX_MEMORY: Final = 64 * 1024 * 1024

# Metrics

#: The head of a request may be so long and take so long; so many may ask at once.
MOST_HEAD_BYTES: Final = 4096
HEAD_S: Final = 5.0
MOST_ASKING: Final = 8

# People who sign in

#: So many wrong PINs of one name are free; then each makes the next one wait, twice as long as the
#: one before, up to the most.
FREE_GUESSES: Final = 3
FIRST_WAIT_S: Final = 5.0
MOST_WAIT_S: Final = 300.0
#: Whoever signed in has to do so again after a night.
SESSION_S: Final = 12 * 3600.0
#: Names and addresses of which wrong PINs are counted; then the least count goes.
MOST_COUNTED: Final = 4096
#: Open at once; one more ends the oldest.
MOST_SESSIONS: Final = 64
