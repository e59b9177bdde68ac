"""Bytes to messages and back: the table board and the barcode module. Knows no card game."""
