"""Turns bytes into messages and back, for the table board and the barcode module.

The table board is the circuit board that drives a table's lamps and displays and reports its
buttons and sensors. The package knows no card game.
"""
