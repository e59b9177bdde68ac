"""The floor: one page for many tables. A client of their brokers; no table depends on it."""
