"""What every card table has, as plain functions over plain data; knows no game."""
