"""The croupier's page and the public one: server-rendered, live by server-sent events.

The package knows snapshots, offers and phrases. It knows no game's state, and no closed card
reaches it.
"""
