"""Every game that there is, by its name, as a table loads the one that it plays."""

from table_controller.wiring.games import DOORS

GAMES = {name: load() for name, load in DOORS.items()}
