"""Écarté: its table as a state machine."""
