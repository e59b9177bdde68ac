"""Card faces in pictures: finds cards, straightens them, reads index corners and whole cards.

It needs only cv2 and numpy.
"""
