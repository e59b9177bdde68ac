"""Écarté as a state machine."""
