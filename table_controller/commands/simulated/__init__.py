"""Evenings at a whole table in simulated time, with faults by name and time, and with checks."""
