"""Turns frames from the lip camera into verdicts. The package knows no table and no device bus."""
