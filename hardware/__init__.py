"""The Pi's own pins and the reference firmware, each device with its twin."""
