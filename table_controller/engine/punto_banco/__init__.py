"""Punto banco: the house holds the bank, the cards say who draws."""
