"""The addresses for phones: a small page of its own and its JSON, without a Streamlit session."""

import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from embtools.rooms import codes, opening
from embtools.rooms.batches import Batches
from embtools.rooms.rates import Rate, sender_of
from embtools.rooms.store import Seen, Unavailable

PATH = "room"
TOKEN = "x-room-token"  # a header, because other sites cannot make a browser send it
_MOST_BYTES = 300  # of a request's body
_HERE = Path(__file__).parent
_FILES = {"phone.css": "text/css", "phone.js": "text/javascript"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
_SAFE = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
}
_FRESH = {"cache-control": "private, no-cache", "x-content-type-options": "nosniff"}

# A whole school may have one address: 500 phones that join together and then ask every two seconds.
_ALL = Rate(burst=3_000, per_second=600)
_JOINS = Rate(burst=600, per_second=10)
_CROWD = Rate(burst=30, per_second=6)
"""Phones from one address that join one room: a class at once, and then 300 in a minute. A script cannot fill a room
before the teacher sees the number of phones, and can lock the room or give it another code."""
_WRONG = Rate(burst=120, per_second=2)
"""Codes of no room. Somebody who has tried too many cannot join for a while, not even with the code of a room."""

# Threads of their own for a store on another machine: while it does not answer, the rest of the app keeps its threads.
_THREADS = anyio.CapacityLimiter(8)
_PATIENCE = 2.0  # seconds that a request waits for one of them

UNKNOWN = "There is no room with this code. Check the code; rooms close after three hours."
GONE = "This room has ended, or it has another code now. Type the code on the projector, or ask your teacher for it."
CROWDED = "Many phones are joining at once. Yours will be let in in a few seconds."
BUSY = "Too many requests come from your network. Try again in a minute."
FULL = "This room takes no more phones. Ask your teacher."
CLOSED = "This question takes no more answers."
AWAY = "The room cannot be reached now."

Endpoint = Callable[[Request], Awaitable[Response]]


def routes() -> list[BaseRoute]:
    """Return the routes for `st.App`, below the path under which the app runs."""
    base = f"/{base_path()}/{PATH}" if base_path() else f"/{PATH}"
    return [
        Route(base, _to_folder),
        Route(f"{base}/files/{{name}}", _file),
        Route(f"{base}/api/join", _limited(_join), methods=["POST"]),
        Route(f"{base}/api/{{code}}/state", _limited(_state)),
        Route(f"{base}/api/{{code}}/vote", _limited(_vote), methods=["POST"]),
        Route(f"{base}/", _page),
        Route(f"{base}/{{code}}", _page),
    ]


def base_path() -> str:
    """Return the path under which the app runs, without slashes at its ends."""
    return str(st.get_option("server.baseUrlPath") or "").strip("/")


async def _to_folder(request: Request) -> Response:
    return RedirectResponse(f"{request.url.path}/", 308)


async def _page(_: Request) -> Response:
    # The same page for every code: it says nothing about which rooms there are.
    return Response(_read("phone.html"), media_type="text/html", headers={**_SAFE, "cache-control": "no-cache"})


async def _file(request: Request) -> Response:
    kind = _FILES.get(request.path_params["name"])
    if kind is None:
        return _answer({"error": "There is no such file."}, 404)
    headers = {"cache-control": "public, max-age=300", "x-content-type-options": "nosniff"}
    return Response(_read(request.path_params["name"]), media_type=kind, headers=headers)


def _read(name: str) -> bytes:
    if name not in _texts:
        _texts[name] = (_HERE / name).read_bytes()
    return _texts[name]


def _limited(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint for senders that do not ask too often; it says so if the rooms cannot be reached."""

    async def limited(request: Request) -> Response:
        if not _ALL.allows(_sender(request)):
            return _answer({"error": BUSY}, 429)
        try:
            return await endpoint(request)
        except Unavailable:
            return _answer({"error": AWAY}, 503)

    return limited


async def _join(request: Request) -> Response:
    sender = _sender(request)
    if not _WRONG.allows(sender, 0) or not _JOINS.allows(sender):
        return _answer({"error": BUSY}, 429)
    given = await _body(request)
    code, token = codes.read_code(str(given.get("code", ""))), codes.new_secret()
    if code and not _CROWD.allows(f"{sender} {code}"):
        return _answer({"error": CROWDED}, 429)
    joined = await _store("join", code, codes.digest(token)) if code else None
    if joined is None:
        _WRONG.allows(sender)
        return _answer({"error": UNKNOWN}, 404)
    return _answer({"code": code, "token": token}) if joined else _answer({"error": FULL}, 409)


async def _state(request: Request) -> Response:
    phone = _of_phone(request)
    seen = await (_BATCHES.seen(*phone) if opening.store().blocking else _store("seen", *phone))
    if seen is None:
        return _answer({"error": GONE}, 404)
    tag = f'"{seen.version}-{seen.choice}"'
    # A proxy that compresses the answer makes the tag a weak one.
    if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(status_code=304, headers={**_FRESH, "etag": tag})
    own = "null" if seen.choice is None else str(seen.choice)
    text = f'{seen.face[:-1]}, "choice": {own}}}'  # the face is a JSON object that is never empty
    return Response(text, media_type="application/json", headers={**_FRESH, "etag": tag})


async def _vote(request: Request) -> Response:
    code, token = _of_phone(request)
    given = await _body(request)
    number, choice = given.get("number"), given.get("choice")
    readable = type(number) is int and type(choice) is int
    if readable and await _store("vote", code, token, number, choice):
        return _answer({"choice": choice})
    known = await _store("seen", code, token)
    return _answer({"error": CLOSED}, 409) if known else _answer({"error": GONE}, 404)


def _sender(request: Request) -> str:
    return sender_of(request.client.host if request.client else "")


def _of_phone(request: Request) -> tuple[str, str]:
    """The code in the address and the digest of the phone's token; a wrong one finds no room."""
    code = codes.read_code(request.path_params["code"])
    return code, codes.digest(request.headers.get(TOKEN, "")[:100])


async def _store(operation: str, *arguments: Any) -> Any:
    store = opening.store()
    work = getattr(store, operation)
    return await _in_thread(partial(work, *arguments)) if store.blocking else work(*arguments)


async def _all_seen(code: str, tokens: list[str]) -> list[Seen | None]:
    result: list[Seen | None] = await _store("all_seen", code, tokens)
    return result


_BATCHES = Batches(_all_seen, 0.05)
"""A look into a store on another machine takes most of the time of a request. 50 ms are little for phones that ask
every two seconds, and 300 of them then need 20 looks per second instead of 150."""


async def _in_thread(work: Callable[[], Any]) -> Any:
    """Do work in one of a few threads; raises `Unavailable` if none of them becomes free."""
    own = object()
    try:
        with anyio.fail_after(_PATIENCE):
            await _THREADS.acquire_on_behalf_of(own)
    except TimeoutError:
        raise Unavailable(AWAY) from None
    try:
        return await anyio.to_thread.run_sync(work, limiter=anyio.CapacityLimiter(1))  # its place is taken already
    finally:
        _THREADS.release_on_behalf_of(own)


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object in a request; {} for anything else, and for one that is too long."""
    text = b""
    async for part in request.stream():
        text += part
        if len(text) > _MOST_BYTES:
            return {}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    return Response(json.dumps(content, ensure_ascii=False), status, media_type="application/json", headers=_FRESH)


_texts: dict[str, bytes] = {}
