"""Card faces in images: finds cards, straightens them, reads index corners and whole cards.

It needs only cv2 and numpy.
"""
