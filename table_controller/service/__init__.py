"""The layer around the journal: inbox, recovery, outbox, copies. It knows no device and no rule."""
