"""The printed rules as pure functions and data. Standard library only."""
