"""How much anybody may take of this program: every number in one place. Knows nothing else.

A service has 1,024 file handles and 512 MiB; with all of these used up at once it has some left.
"""

from __future__ import annotations

from typing import Final

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
