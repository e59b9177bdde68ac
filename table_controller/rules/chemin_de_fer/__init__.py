"""What is chemin de fer's own among the rules: its houses, its custom, its calls."""
