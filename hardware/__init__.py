"""The Pi's own pins and the reference firmware. Each part of the hardware has its twin."""
