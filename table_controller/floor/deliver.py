"""Sends a message to a person by e-mail or by a webhook. It knows SMTP and HTTP, but no table.

A message consists of lines of plain text. So no table can add a header, an address or a link to a
message.
"""

from __future__ import annotations

import smtplib
import ssl
import urllib.error
import urllib.request
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

import msgspec

from table_controller.floor.alerts import MailSettings, PersonSettings
from table_controller.floor.sanitising import unmarked

#: How long a mail or web server may take for each step.
TIMEOUT_S: Final = 10.0
#: How many alerts one message lists. It says how many more there are.
MOST_LISTED: Final = 20


class NotDelivered(Exception):
    """The message did not reach the person's server. The text says why."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect.

    A redirected POST becomes a GET without the message, at a host that nobody set.
    """

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


def letter(sentences: Sequence[str], page: str) -> tuple[str, str]:
    """Write a message about alerts. Return its subject and its body.

    `sentences` has one line per alert, and `page` is the address of the page of all alerts. What a
    table says has no markup for the programs that show a message.
    """
    first, *rest = sentences = [unmarked(one) for one in sentences]
    subject = f"{first[:150]}{f' (and {len(rest)} more)' if rest else ''}"
    lines = [*sentences[:MOST_LISTED]]
    if len(sentences) > MOST_LISTED:
        lines.append(f"… and {len(sentences) - MOST_LISTED} more")
    return subject, "\n".join([*lines, "", f"Whoever goes there says so at {page}"])


def deliver(mail: MailSettings | None, person: PersonSettings, subject: str, body: str) -> None:
    """Send a message to a person by every way that is set.

    Raises NotDelivered if one of them fails.
    """
    if person.mail and mail:
        _mail(mail, person.mail, subject, body)
    if person.webhook:
        _post(person.webhook, subject, body)


def _mail(mail: MailSettings, to: str, subject: str, body: str) -> None:
    context = ssl.create_default_context()
    try:
        made = EmailMessage()
        made["From"], made["To"], made["Subject"] = mail.sender, to, subject
        made["Date"], made["Message-ID"] = formatdate(), make_msgid(domain="schlitten.invalid")
        made["Auto-Submitted"] = "auto-generated"  # nobody's holiday answer is wanted
        made.set_content(body)
        with (
            smtplib.SMTP_SSL(mail.host, mail.port, timeout=TIMEOUT_S, context=context)
            if mail.tls == "tls"
            else smtplib.SMTP(mail.host, mail.port, timeout=TIMEOUT_S)
        ) as server:
            if mail.tls == "starttls":
                server.starttls(context=context)
            if mail.username:
                server.login(mail.username, _secret(mail.password))
            server.send_message(made)
    except (OSError, ValueError, smtplib.SMTPException) as error:
        raise NotDelivered(f"{mail.host}:{mail.port} takes no mail: {_why(error)}") from None


def _post(url: str, subject: str, body: str) -> None:
    """Post the message to a webhook as JSON.

    Slack, Mattermost and the like read the field `text`.
    """
    said = msgspec.json.encode({"text": f"{subject}\n{body}", "title": subject, "message": body})
    request = urllib.request.Request(  # noqa: S310 - the settings allow http and https only
        url, said, {"Content-Type": "application/json", "User-Agent": "schlitten-floor"}
    )
    try:
        with _OPENER.open(request, timeout=TIMEOUT_S):
            pass
    except (OSError, ValueError, HTTPException) as error:  # HTTPError is an OSError too
        raise NotDelivered(f"the webhook takes nothing: {_why(error)}") from None


def _secret(path: Path | None) -> str:
    return path.read_text(encoding="utf-8").strip() if path else ""


def _why(error: Exception) -> str:
    """Describe the error in one short line without any address.

    A webhook's address contains a secret.
    """
    if isinstance(error, urllib.error.HTTPError):
        return f"it answers {error.code}"
    if isinstance(error, urllib.error.URLError):
        return str(getattr(error.reason, "strerror", None) or error.reason)[:120]
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answers {error.smtp_code}"
    return str(getattr(error, "strerror", None) or error.__class__.__name__)[:120]
