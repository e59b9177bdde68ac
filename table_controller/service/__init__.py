"""The one writer: inbox, journal, recovery and outbox. Knows no device and no rule."""
