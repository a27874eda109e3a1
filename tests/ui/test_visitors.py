"""Open pages are counted, and those beyond the limit see that the server is full."""

from typing import Any

import pytest
import streamlit
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from embtools.ui import visitors
from tests import loops

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
NEW, AGAIN = ["streamlit", "token"], ["streamlit", "token", "session"]


async def behind(scope: Any, receive: Any, send: Any) -> None:
    """The app behind the door: it answers every request and keeps connections open until they are closed."""
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"the app"})
        return
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    await receive()
    await send({"type": "websocket.accept", "subprotocol": "streamlit"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def door(limit: int) -> TestClient:
    return TestClient(visitors.Door(behind, limit=limit, pages=["arithmetic"]))


def connect(client: TestClient, protocols: list[str] = NEW) -> Any:
    return client.websocket_connect("/_stcore/stream", subprotocols=protocols)


def test_without_a_limit_everybody_is_let_in_and_counted() -> None:
    with door(0) as client, connect(client), connect(client), connect(client):
        assert visitors.count() == 3
        assert client.get("/", headers=HTML).text == "the app"
    assert visitors.count() == 0


def test_beyond_the_limit_pages_say_so_and_other_addresses_answer() -> None:
    with door(2) as client, connect(client):
        assert client.get("/arithmetic?x=1", headers=HTML).status_code == 200
        with connect(client):
            for path in ("/", "/arithmetic", "/arithmetic?arithmetic_text=Rome"):
                full = client.get(path, headers=HTML)
                assert full.status_code == 503 and full.headers["retry-after"] == str(visitors.RETRY)
                assert "<h1>The server is full</h1>" in full.text and "at most 2 visitors" in full.text
                assert f'http-equiv="refresh" content="{visitors.RETRY}"' in full.text
            for path, headers in (
                ("/_stcore/health", {}), ("/_stcore/health", HTML), ("/static/js/index.js", {}),
                ("/arithmetic", {}), ("/room/abc", HTML),
            ):  # fmt: skip
                assert client.get(path, headers=headers).text == "the app", path
        assert client.get("/", headers=HTML).status_code == 200
    assert visitors.count() == 0


def test_a_page_that_lost_its_connection_comes_back_beyond_the_limit_but_a_new_one_does_not() -> None:
    with door(1) as client, connect(client):
        with pytest.raises(WebSocketDisconnect) as refused, connect(client):
            pass
        assert refused.value.code == 1013
        with connect(client, AGAIN):
            assert visitors.count() == 2
            with pytest.raises(WebSocketDisconnect), connect(client, AGAIN):
                pass


def test_below_a_base_path_its_pages_are_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "get_option", {"server.baseUrlPath": "bert"}.get)
    with door(1) as client, connect(client):
        for path in ("/bert/", "/bert", "/bert/arithmetic"):
            assert client.get(path, headers=HTML).status_code == 503, path


def test_a_fault_in_a_connection_is_counted_off() -> None:
    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError

    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": []}
    with pytest.raises(RuntimeError):
        loops.run(visitors.Door(broken, limit=1, pages=[])(scope, None, None))
    assert visitors.count() == 0


def test_the_hosts_links_are_at_the_foot_of_the_menu_and_on_the_page_of_a_full_server(visit, monkeypatch) -> None:
    assert visitors.links() == ""
    assert not [e for e in visit("").test.get("html") if "Legal notice" in e.proto.body]
    monkeypatch.setenv("EMBTOOLS_LEGAL_LINK", "https://example.org/legal?a=1&b=2")
    monkeypatch.setenv("EMBTOOLS_PRIVACY_LINK", "https://example.org/privacy")
    for page in ("", "paper"):
        (foot,) = [e.proto.body for e in visit(page).test.get("html") if "Legal notice" in e.proto.body]
        assert 'href="https://example.org/legal?a=1&amp;b=2"' in foot and ">Privacy</a>" in foot
    with door(1) as client, connect(client):
        assert 'href="https://example.org/privacy"' in client.get("/", headers=HTML).text
