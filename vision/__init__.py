"""Frames of the lip camera in, what was seen out. Knows no table and no device bus."""
