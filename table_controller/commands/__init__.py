"""The program `schlitten`: the work of each of its commands, and their output."""
