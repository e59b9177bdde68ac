"""Adapters to broker, board and page. Each turns the current pictures into its own language."""
