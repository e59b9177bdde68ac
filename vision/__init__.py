"""Turns frames from the lip camera into what was seen. Knows no table and no device bus."""
