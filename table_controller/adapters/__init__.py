"""Adapters connect a table to broker, board, voice and pages, and show them its pictures."""
