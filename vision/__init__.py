"""Turns frames from the lip camera into sightings. The package knows no table and no device bus."""
