"""Card faces in pictures: finds cards, straightens them, reads their index corners and wholes.

Needs cv2 and numpy only.
"""
