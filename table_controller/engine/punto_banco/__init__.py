"""Punto banco: the house holds the bank, and fixed rules say who draws."""
