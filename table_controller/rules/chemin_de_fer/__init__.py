"""The rules that only chemin de fer has: its houses, its custom, its calls."""
