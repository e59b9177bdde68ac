"""The croupier's page and the guests' page: made on the server, kept current by server-sent events.

The package knows snapshots, offers and phrases. It knows no game's state, and no closed card
reaches it.
"""
