"""Bytes to messages and back: the table board and the barcode module. It knows no card game."""
