"""Finds who uses the floor's page, and which pages a role opens.

It is the tables' sign-in with other roles.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from table_controller.adapters.addresses import is_loopback, is_same
from table_controller.adapters.web.entrance import Entrance
from table_controller.adapters.web.error_pages import refused
from table_controller.adapters.web.gate import SignIn
from table_controller.adapters.web.guard import locale
from table_controller.adapters.web.screens import Renderer
from table_controller.engine.messages import phrase
from table_controller.engine.table.roles import CONSOLE
from table_controller.floor.roles import FloorPerson, Right

Page = Callable[[Request], Awaitable[Response]]
OF_A_FLOOR: Final = phrase("This page is for the people of this floor.")
NO_RIGHT: Final = phrase("Your role does not open this page.")


class FloorDoor:
    """Checks sign-ins and rights.

    Until somebody has a role, this machine's users may do everything.
    """

    def __init__(
        self, gate: SignIn[FloorPerson], renderers: Mapping[str, Renderer], language: str
    ) -> None:
        self._gate, self._renderers, self._language = gate, renderers, language
        self._entrance = Entrance(
            gate, renderers, language, lambda: "Schlitten", public=False, whose=OF_A_FLOOR
        )

    def person(self, request: Request) -> FloorPerson | None:
        """The person who has signed in and sent this request; None if nobody has signed in."""
        return self._gate.person(request)

    def actor(self, request: Request) -> str:
        """The sender of the request, by the name that the audit uses."""
        person = self._gate.person(request)
        return person.actor if person else CONSOLE

    def name(self, request: Request) -> str:
        """The sender's name, as a table's journal records it for a press on this page."""
        person = self._gate.person(request)
        return person.name if person else "this machine"

    def may(self, request: Request, right: Right) -> bool:
        """Whether the sender of the request has this right."""
        person = self._gate.person(request)
        return person.may(right) if person else self._gate.open_to(request)

    def behind(self, right: Right, page: Page) -> Page:
        """Restrict a page to people who have this right."""

        async def guarded(request: Request) -> Response:
            return self.closed(request, right) or await page(request)

        return guarded

    def near_or_behind(self, right: Right, page: Page) -> Page:
        """Restrict a page to people who have this right and to programs on this machine."""

        async def guarded(request: Request) -> Response:
            return (None if _near(request) else self.closed(request, right)) or await page(request)

        return guarded

    def closed(self, request: Request, right: Right) -> Response | None:
        """The answer to a person who may not open a page; None if the person may open it."""
        if self.may(request, right):
            return None
        if self._gate.person(request) is None:
            return self._entrance.page(request)
        return refused(self._renderers[locale(request, self._language)], NO_RIGHT, 403)

    def routes(self) -> list[Route]:
        """The routes for signing in and out."""
        return [
            Route("/sign-in", self._another),
            Route("/sign-in", self._entrance.sign_in, methods=["POST"]),
            Route("/sign-out", self._entrance.sign_out, methods=["POST"]),
        ]

    async def _another(self, request: Request) -> Response:
        """The sign-in page, also for a person who has signed in and needs another role."""
        return self._entrance.page(request, 200)


def _near(request: Request) -> bool:
    """Whether a request comes from this machine: from loopback, or from the page's own address."""
    asking = request.client.host if request.client else ""
    return is_loopback(asking) or is_same(asking, (request.scope.get("server") or ("",))[0])
