"""Visitors behind a proxy are known by their own address, and what they forge is ignored."""

import logging
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from embtools.rooms import codes
from embtools.rooms.rates import Rate
from embtools.ui import proxies
from embtools.ui.rooms import routes

PRIVATE = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16"
PROXY, VISITOR, OTHER = "10.16.4.2", "198.51.100.7", "203.0.113.9"


async def _who(request: Request) -> PlainTextResponse:
    assert request.client
    return PlainTextResponse(request.client.host)


def web(named: str, client: str) -> TestClient:
    """The addresses for phones and one that names the client, as a client with this address gets them."""
    app: Any = Starlette(routes=[Route("/who", _who), *routes.routes()])
    return TestClient(proxies.Proxies(app, named), client=(client, 4711))


@pytest.mark.parametrize(
    ("named", "client", "header", "seen"),
    [
        (PRIVATE, PROXY, VISITOR, VISITOR),
        (PRIVATE, PROXY, f"{OTHER}, {VISITOR}", VISITOR),  # the visitor has sent a header already
        (PRIVATE, PROXY, f"127.0.0.1, {OTHER}, {VISITOR}, 10.9.9.9", VISITOR),  # and there are two proxies
        (PRIVATE, VISITOR, OTHER, VISITOR),  # past the proxy
        ("192.168.1.7", PROXY, VISITOR, PROXY),
        ("", PROXY, VISITOR, PROXY),
        (PRIVATE, f"::ffff:{PROXY}", VISITOR, VISITOR),  # as a server in all networks sees an IPv4 address
        ("", "::ffff:127.0.0.1", VISITOR, VISITOR),
        ("", f"::ffff:{VISITOR}", OTHER, VISITOR),
    ],
)
def test_a_named_proxy_says_who_asks_and_nobody_else_does(named: str, client: str, header: str, seen: str) -> None:
    assert web(named, client).get("/who", headers={"X-Forwarded-For": header}).text == seen
    assert web(named, client).get("/who").text == client.removeprefix("::ffff:")


def test_a_stranger_who_tries_codes_behind_a_proxy_keeps_nobody_else_from_joining(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(routes, "_WRONG", Rate(3, 0))
    proxy = web(PRIVATE, PROXY)

    def tries(header: str) -> int:
        return proxy.post(
            "/room/api/join", json={"code": codes.new_code()}, headers={"X-Forwarded-For": header}
        ).status_code

    forged = [tries(f"192.0.2.{number}, {VISITOR}") for number in range(5)]
    assert forged == [404, 404, 404, 429, 429]  # a new forged address for each try does not help
    assert tries(OTHER) == 404


@pytest.mark.parametrize(
    ("named", "client", "header", "warns"),
    [
        ("", PROXY, VISITOR, True),
        (PRIVATE, PROXY, VISITOR, False),
        ("", VISITOR, OTHER, False),  # somebody without a proxy
        ("", "192.168.1.5", "192.168.1.5", False),  # a visitor of the local network, behind a proxy on this machine
        ("", PROXY, "", False),
    ],
)
def test_the_log_names_a_proxy_that_is_not_named(
    caplog: pytest.LogCaptureFixture, named: str, client: str, header: str, warns: bool
) -> None:
    own = web(named, client)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            own.get("/who", headers={"X-Forwarded-For": header} if header else {})
    found = [record.getMessage() for record in caplog.records if "EMBTOOLS_PROXIES" in record.getMessage()]
    assert len(found) == warns and all(client in text and header not in text for text in found)
