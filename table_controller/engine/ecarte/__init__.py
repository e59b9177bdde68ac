"""The écarté table as a state machine."""
