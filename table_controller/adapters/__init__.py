"""Adapters to broker, board and page. Each turns pictures of now into its own language."""
