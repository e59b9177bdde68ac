"""Connect a table to broker, board, voice and pages. Each adapter shows the current pictures."""
