"""The printed Schlitten: its measures (`plan.py`) and its parts (`model.py`, with the extra `cad`)."""
