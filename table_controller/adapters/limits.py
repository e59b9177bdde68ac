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
#: How long a connection may ask for nothing, or take over a request.
SILENT_S: Final = 5.0
#: How long a stream may leave all that waits for it unread.
UNREAD_S: Final = 30.0
#: Of a press. The longest honest one is a reason typed by the supervisor.
MOST_PRESS_BYTES: Final = 2048

# The embedded broker

#: Clients that were admitted, and of those that knock, who have not said yet who they are; one more
#: of these pushes out the one that has knocked longest.
MAX_CONNECTIONS: Final = 64
MAX_KNOCKING: Final = 32
#: How long one may knock, and how long a wrong secret waits for its answer.
CONNECT_S: Final = 5.0
WRONG_PASSWORD_S: Final = 0.5
#: Bytes of a packet, of the first one, and of what may wait for a client that does not read.
MAX_PACKET: Final = 256 * 1024
MAX_CONNECT: Final = 4 * 1024
MAX_UNREAD: Final = 1024 * 1024
MAX_FILTERS: Final = 64
#: Messages of QoS 2 that one client may leave unreleased; nobody here needs any.
MAX_UNRELEASED: Final = 4
#: Topics with a retained message: the table's alone.
MAX_RETAINED: Final = 256

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
#: Open at once; one more ends the oldest.
MOST_SESSIONS: Final = 64
