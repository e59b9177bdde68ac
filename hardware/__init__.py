"""The Pi's own pins and the reference firmware. Each device has its twin."""
