"""Card faces in pictures: finds cards, straightens them, reads index corners and whole cards.

Needs cv2 and numpy only.
"""
