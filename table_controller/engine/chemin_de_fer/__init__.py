"""Chemin de fer: `step(table, input) -> (table, events)` by the printed rules of a house."""
