"""The croupier's page and the public one: server-rendered, live by server-sent events.

Knows snapshots, offers and phrases; knows no game's state, and no closed card reaches it.
"""

from table_controller.adapters.web.app import app
from table_controller.adapters.web.hub import Answer, Hub
from table_controller.adapters.web.serve import CannotServe, Server, serve

__all__ = ["Answer", "CannotServe", "Hub", "Server", "app", "serve"]
