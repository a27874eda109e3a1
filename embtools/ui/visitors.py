"""Open pages: counted, and limited to what the host allows; more visitors see that the server is full."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from embtools import settings
from embtools.messages import counted

RETRY = 20  # seconds after which a browser asks again
_STREAM = "/_stcore/stream"
_open = [0]  # changed by the event loop only

FULL = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{retry}">
<title>The server is full</title>
<style>
:root {{ color-scheme: light dark; font-family: sans-serif; line-height: 1.5; }}
main {{ max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; }}
</style>
</head>
<body>
<main>
<h1>The server is full</h1>
<p>This server shows the BERT Embedding Explorer to at most {visitors} at the same time, and all places are
taken.</p>
<p>Leave this page open. It tries again every {retry} seconds and then shows the page that you wanted.</p>
<p>{links}</p>
</main>
</body>
</html>
"""


def count() -> int:
    """Return how many pages are open now, each with a connection to this server."""
    return _open[0]


def middleware(script: str) -> list[Any]:
    """Return what `st.App` needs in order to count visitors, in the form of what Starlette reads from its Middleware;
    `script` is the path of app.py, next to the pages."""
    names = {path.stem for path in (Path(script).parent / "pages").glob("*.py")}
    return [(Door, (), {"limit": settings.current().visitors, "pages": names})]


class Door:
    """ASGI middleware that counts connections of pages, and lets at most `limit` in (0: any number).

    Further visitors get a small page with status 503, before a session begins. A page that has lost its connection may
    come back beyond the limit, up to twice as many, so that nobody is sent away in the middle of their work.
    """

    def __init__(self, app: Any, limit: int, pages: Iterable[str]) -> None:
        self.app, self.limit, self.pages = app, limit, {"", *pages}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket" and scope["path"].endswith(_STREAM):
            await self._connect(scope, receive, send)
        elif scope["type"] == "http" and self._full() and self._is_page(scope):
            await self._refuse(send)
        else:
            await self.app(scope, receive, send)

    async def _connect(self, scope: Any, receive: Any, send: Any) -> None:
        if self._full(2 if _comes_back(scope) else 1):
            await receive()
            await send({"type": "websocket.close", "code": 1013})  # try again later
            return
        _open[0] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            _open[0] -= 1

    def _full(self, times: int = 1) -> bool:
        return bool(self.limit) and count() >= self.limit * times

    def _is_page(self, scope: Any) -> bool:
        """Whether a browser asks for one of the app's pages, and not for a script, a picture or the health check."""
        base = st.get_option("server.baseUrlPath").strip("/")
        path = scope["path"].strip("/")
        name = path.removeprefix(base).strip("/") if base else path
        accepted = next((value for key, value in scope["headers"] if key == b"accept"), b"")
        return scope["method"] == "GET" and name in self.pages and b"text/html" in accepted

    async def _refuse(self, send: Any) -> None:
        body = FULL.format(retry=RETRY, visitors=counted(self.limit, "visitor"), links=links()).encode()
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"retry-after", str(RETRY).encode()),
        ]
        await send({"type": "http.response.start", "status": 503, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _comes_back(scope: Any) -> bool:
    """Whether a page that had a session before connects again: Streamlit names it as the third subprotocol."""
    named = next((value for key, value in scope["headers"] if key == b"sec-websocket-protocol"), b"")
    parts = [part.strip() for part in named.split(b",")]
    return len(parts) > 2 and bool(parts[2])


def links() -> str:
    """Return the host's links to a legal notice and a privacy notice as HTML, "" if there are none."""
    now = settings.current()
    named = (("Legal notice", now.legal_link), ("Privacy", now.privacy_link))
    return " · ".join(
        f'<a href="{escape(link, quote=True)}" target="_blank" rel="noopener noreferrer">{label}</a>'
        for label, link in named
        if link
    )
