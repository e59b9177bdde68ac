"""Connects game, service and devices into one served table, and reads its settings."""
