"""Connects game, service and devices into one table, and reads the table's settings."""
