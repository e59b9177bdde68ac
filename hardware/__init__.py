"""The Pi's own pins and the reference firmware; each device has its twin."""
