"""How the net that reads index corners is made. Needs the extra `train`; the table never does."""
