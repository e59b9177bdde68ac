"""Adapters connect a table to broker, board, voice and pages, and send its pictures to them."""
