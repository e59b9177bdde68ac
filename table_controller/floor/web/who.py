"""Who is at the page. The one place that says so."""

from __future__ import annotations

from starlette.requests import Request


def who(_request: Request) -> str:
    """Return the name that a table's journal notes for what is pressed here."""
    return "this machine"
