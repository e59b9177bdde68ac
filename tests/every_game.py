"""Every game by its name, loaded as a table loads its own game."""

from table_controller.wiring.games import DOORS

GAMES = {name: load() for name, load in DOORS.items()}
