"""The croupier's page and the public one: server-rendered, live by server-sent events.

Knows snapshots, offers and phrases; knows no game's state, and no closed card reaches it.
"""
