"""Connects what reads the cards, as the settings of `[shoe]` say."""
