"""The printed rules as pure functions and data. They use Python's standard library only."""
