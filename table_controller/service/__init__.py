"""Writes the journal: inbox, journal, recovery, outbox. This layer knows no device and no rule."""
