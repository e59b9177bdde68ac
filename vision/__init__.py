"""Takes frames from the lip camera, gives what was seen. Knows no table and no device bus."""
