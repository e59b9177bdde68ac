"""The only writer: inbox, journal, recovery and outbox. It knows no device and no rule."""
