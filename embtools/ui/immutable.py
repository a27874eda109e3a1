"""Streamlit's scripts and style sheets: read and compressed once, then sent to every browser from memory.

Streamlit reads them from the disk for each new browser and sends them uncompressed: about a hundred files and 8 MB for
the first chart, more work than drawing the page. A name contains the file's checksum, so a file never changes.
"""

import gzip
from concurrent.futures import ThreadPoolExecutor
from posixpath import normpath
from typing import Any

MOST_BYTES = 32_000_000
"""How much is compressed at most, as a limit for the work and the memory: all files of Streamlit have 25 MB."""

_LEVEL = 6  # of gzip's 9: 9 takes 1.4 times as long for 0.2% less
_compressing = ThreadPoolExecutor(1, "immutable")  # one core at most, so that the first visitor keeps the others
Headers = list[tuple[bytes, bytes]]


def middleware() -> list[Any]:
    """Return what `st.App` needs in order to keep these files."""
    return [(Immutable, (), {})]


class Immutable:
    """ASGI middleware that keeps the files which the app calls immutable, of up to `most` bytes, compressed with gzip.

    A browser that does not accept gzip, or asks for a part of a file or whether it has changed, is answered by the app.
    """

    def __init__(self, app: Any, most: int = MOST_BYTES) -> None:
        self.app, self.most = app, most
        self.stored: dict[str, tuple[Headers, bytes]] = {}
        self._taken: dict[str, int] = {}  # bytes of each file that is stored or being compressed

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not _asks_for_a_whole_file(scope):
            await self.app(scope, receive, send)
        elif (stored := self.stored.get(scope["path"])) is not None:
            headers, body = stored
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        else:
            await self._ask(scope, receive, send)

    async def _ask(self, scope: Any, receive: Any, send: Any) -> None:
        """Let the app answer, and keep its response if it never changes and nobody else is receiving it now."""
        path, whole = scope["path"], False
        headers: Headers | None = None
        parts: list[bytes] = []

        async def listening(message: Any) -> None:
            nonlocal headers, whole
            if message["type"] == "http.response.start" and self._has_room(path, _bytes_forever(message)):
                headers = list(message["headers"])
            elif message["type"] == "http.response.body" and headers is not None:
                parts.append(message.get("body", b""))
                whole = not message.get("more_body")
            await send(message)

        try:
            await self.app(scope, receive, listening)
        finally:
            if headers is not None and whole:
                _compressing.submit(self._keep, path, headers, b"".join(parts))
            elif headers is not None:  # the browser has gone
                del self._taken[path]

    def _has_room(self, path: str, size: int) -> bool:
        """Whether a file is to be stored; its room is then taken."""
        if not size or path in self._taken or sum(self._taken.values()) + size > self.most:
            return False
        self._taken[path] = size
        return True

    def _keep(self, path: str, headers: Headers, body: bytes) -> None:
        """Keep a response; called in a thread, since compressing it can take 0.2 s."""
        small = gzip.compress(body, _LEVEL, mtime=0)
        self.stored[path] = _compressed(headers, len(small)), small


def _asks_for_a_whole_file(scope: Any) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET" or scope.get("query_string"):
        return False
    if scope["path"] != "/" + normpath(scope["path"]).lstrip("/"):  # "/static//js" leads to the same files
        return False
    headers = dict(scope["headers"])
    accepted = [part.strip() for part in headers.get(b"accept-encoding", b"").split(b",")]
    return b"gzip" in accepted and not {b"range", b"if-none-match", b"if-modified-since"} & headers.keys()


def _bytes_forever(start: Any) -> int:
    """The length of a response that never changes, is for everybody, whole, and not compressed yet; 0 for others."""
    named = dict(start["headers"])
    if start["status"] != 200 or b"immutable" not in named.get(b"cache-control", b""):
        return 0
    if {b"set-cookie", b"content-encoding"} & named.keys():
        return 0
    return int(named.get(b"content-length", b"0"))


def _compressed(headers: Headers, length: int) -> Headers:
    """Return the headers of the compressed file. Its tag is a weak one, as its bytes differ from the file's."""
    changed = {
        b"content-length": str(length).encode(),
        b"content-encoding": b"gzip",
        b"vary": b"Accept-Encoding",
    }
    named = {name: value for name, value in headers if name not in (b"accept-ranges", *changed)}
    if (tag := named.get(b"etag")) is not None and not tag.startswith(b"W/"):
        named[b"etag"] = b"W/" + tag
    return [*named.items(), *changed.items()]
