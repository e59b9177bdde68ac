"""The rules of écarté as values, tables and pure functions."""
