"""Card faces in images: finds cards, straightens them, reads index corners and whole cards.

An index is the small letter or figure with a suit sign in a card's corner. The package needs only
cv2 and numpy.
"""
