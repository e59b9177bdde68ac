"""Scenarios written by hand, and the pytest plugin that plays them on any board."""
