"""The parts that every card table has, whatever game is played there."""
