"""Punto banco: the house has the bank, and fixed rules say who draws a third card."""
