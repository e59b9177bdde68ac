"""Hardware in the loop: scenarios, tapes, films and lists of cards are played and compared."""
