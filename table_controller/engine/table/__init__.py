"""The parts that every card table has, whatever is played on it."""
