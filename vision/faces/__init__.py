"""Faces of cards in pictures: find, straighten, read index corners. Needs cv2 and numpy only."""
