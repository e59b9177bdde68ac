"""The training of the net that reads index corners.

It needs the extra `train`; a table never does.
"""
