"""Evenings at a whole table in virtual time, with faults by name and time. Each checks itself."""
