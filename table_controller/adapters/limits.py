"""All limits on how much of this program's resources its clients may use.

A table's service has 1,024 file handles and 512 MiB, a floor's 8,192 handles. Even if all these
limits are reached together, some of them are left.
"""

from __future__ import annotations

from typing import Final

# The page

#: Connections that may be open simultaneously. A further connection closes the one that is idle for
#: longest, or is refused.
MOST_CONNECTIONS: Final = 192
#: Of these, the live streams of the staff, and of everybody. The rest stays free for presses, even
#: if somebody crowds the public page.
MOST_STAFF_SCREENS: Final = 64
MOST_PUBLIC_SCREENS: Final = 66
#: Of the connections to a floor's page, the live streams of everybody.
MOST_FLOOR_SCREENS: Final = 128
#: This many waiting connections are let in together. If there are more, one is closed.
BACKLOG: Final = 64
#: Connections that are not let in yet, for example during a TLS handshake.
MOST_KNOCKING: Final = 64
#: How often each address may connect: at first as often as all screens of a house together, then
#: this often a second. Only the garbage collector frees the memory of an unfinished TLS handshake.
MOST_KNOCKS: Final = 2048
KNOCKS_A_SECOND: Final = 16.0
#: Seconds for which a connection may be idle, or take to send a request.
SILENT_S: Final = 5.0
#: Seconds for which a stream may leave waiting data unread.
UNREAD_S: Final = 30.0
#: Bytes of a press. The longest legitimate press is a reason typed by the supervisor.
MOST_PRESS_BYTES: Final = 2048
#: Characters of the random id that a page gives a press.
MOST_PRESS_ID: Final = 64

# The embedded broker

#: Connections at its port, including those that have not yet signed in. The table itself uses a
#: socket of its own.
MAX_CONNECTIONS: Final = 256
#: Bytes of a packet. The largest legitimate packet is an answer to `replay`.
MAX_PACKET: Final = 256 * 1024
#: Messages and bytes under way to one client, and those that may wait for it. The client fetches
#: the rest with `replay`.
MAX_INFLIGHT: Final = 64
MAX_INFLIGHT_BYTES: Final = 64 * 1024
MAX_QUEUED: Final = 1000
MAX_QUEUED_BYTES: Final = 2 * 1024 * 1024
#: Bytes of all data that it keeps.
MAX_MEMORY: Final = 64 * 1024 * 1024

# The floor's port for tables

#: Connections that have sent nothing yet, and those that have begun TLS but are not signed in. One
#: more closes the oldest of the address that has most of them. A thousand tables may come together.
MOST_SILENT: Final = 1024
MOST_BEGUN: Final = 1200
#: Seconds within which a table must have signed in, and bytes of the packet with which it does so.
#: That packet has the last will.
CONNECT_S: Final = 10.0
MOST_CONNECT_BYTES: Final = 16 * 1024 - 1

# Metrics

#: Bytes of a request's head, the seconds for sending it, and the clients that may ask
#: simultaneously.
MOST_HEAD_BYTES: Final = 4096
HEAD_S: Final = 5.0
MOST_ASKING: Final = 8

# People who sign in

#: The number of wrong PINs for one name that cost nothing. After that, each wrong PIN makes the
#: next attempt wait. The wait doubles every time, up to the most.
FREE_GUESSES: Final = 3
#: The same for all names that are typed at one address.
FREE_AT_AN_ADDRESS: Final = 12
FIRST_WAIT_S: Final = 5.0
MOST_WAIT_S: Final = 300.0
#: Seconds after which somebody who guesses too early is told so.
HELD_S: Final = 1.0
#: A sign-in lasts one night.
SESSION_S: Final = 12 * 3600.0
#: Names and addresses whose wrong PINs are counted. Beyond that the lowest count is dropped.
MOST_COUNTED: Final = 4096
#: Sessions that a person may have open simultaneously. One more ends that person's oldest.
MOST_SESSIONS: Final = 8
