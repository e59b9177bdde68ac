"""The commands that set a machine up, try it, and keep its program new."""
