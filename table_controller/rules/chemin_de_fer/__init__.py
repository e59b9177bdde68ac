"""The rules specific to chemin de fer: its houses, its custom, its calls."""
