"""The printed Schlitten: its measures (`plan.py`), its parts (`model.py`, extra `cad`)."""
