"""Files that never change: compressed and stored after the first request, and the same file for everybody."""

import asyncio
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient

from embtools.ui import immutable
from embtools.ui.immutable import Immutable
from tests import loops

FOLDER = Path(streamlit.__file__).parent / "static" / "static" / "js"
SCRIPT = next(FOLDER.glob("PlotlyChart*.js"))
FOREVER = {"cache-control": "public, immutable, max-age=31536000"}
asked: list[str] = []


def answer(request: Request) -> Response:
    """What the app behind answers, by the kind in the path; each request is noted."""
    kind = request.path_params["kind"]
    asked.append(kind)
    cookie, coded = {"set-cookie": "a=b"}, {"content-encoding": "identity"}
    return {
        "file": lambda: FileResponse(SCRIPT, headers=FOREVER),
        "page": lambda: Response("x" * 5_000, headers={"cache-control": "no-cache"}),
        "missing": lambda: Response("x" * 5_000, status_code=404, headers=FOREVER),
        "personal": lambda: Response("x" * 5_000, headers=FOREVER | cookie),
        "coded": lambda: Response("x" * 5_000, headers=FOREVER | coded),
    }[kind]()


@pytest.fixture
def behind() -> Iterator[Any]:
    """A client of an app behind the middleware."""
    asked.clear()
    with TestClient(Immutable(Starlette(routes=[Route("/{kind}", answer)]))) as client:
        yield client


def finished() -> None:
    """Wait until everything is compressed that was sent."""
    immutable._compressing.submit(lambda: None).result(60)


async def begin(send: Any, length: int) -> None:
    """Begin a response that never changes, of this length."""
    headers = [(b"cache-control", b"immutable"), (b"content-length", str(length).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def ask(app: Immutable, path: str, **more: Any) -> None:
    """Ask for a path exactly as it is written, which no client does."""

    async def sent(message: Any) -> None:
        pass

    asked_by = {"type": "http", "method": "GET", "path": path, "headers": [(b"accept-encoding", b"gzip")]}
    await app(asked_by | more, None, sent)


def raw(client: TestClient, path: str, **headers: str) -> tuple[Any, bytes]:
    """The response, and its bytes as they were sent."""
    with client.stream("GET", path, headers={"accept-encoding": "gzip, deflate, br", **headers}) as response:
        return response, b"".join(response.iter_raw())


def test_the_second_browser_gets_the_same_file_compressed_without_asking_the_app(behind) -> None:
    first, plain = raw(behind, "/file")
    assert plain == SCRIPT.read_bytes() and "content-encoding" not in first.headers
    finished()
    second, small = raw(behind, "/file")
    assert asked == ["file"] and second.status_code == 200
    assert gzip.decompress(small) == plain and len(small) < 0.4 * len(plain)
    assert second.headers["content-length"] == str(len(small)) and second.headers["content-encoding"] == "gzip"
    assert second.headers["vary"] == "Accept-Encoding" and second.headers["etag"] == f"W/{first.headers['etag']}"
    for name in ("content-type", "cache-control", "last-modified"):
        assert second.headers[name] == first.headers[name]
    assert "accept-ranges" not in second.headers


@pytest.mark.parametrize(
    "headers",
    [{"accept-encoding": "identity"}, {"accept-encoding": "br"}, {"range": "bytes=0-9"}, {"if-none-match": '"x"'}],
)
def test_other_requests_are_answered_by_the_app(behind, headers) -> None:
    raw(behind, "/file")
    finished()
    response, body = raw(behind, "/file", **headers)
    assert asked == ["file", "file"] and "content-encoding" not in response.headers
    assert body == SCRIPT.read_bytes()[: 10 if "range" in headers else None]


def test_a_browser_that_has_the_compressed_file_is_told_that_it_has_not_changed() -> None:
    async def file(scope: Any, receive: Any, send: Any) -> None:
        def headed(message: Any) -> Any:
            if message["type"] == "http.response.start":
                message["headers"].append((b"cache-control", b"public, immutable"))
            return send(message)

        await files(scope, receive, headed)

    files = StaticFiles(directory=FOLDER)
    client = TestClient(Immutable(file))
    for _ in range(2):
        response, _ = raw(client, f"/{SCRIPT.name}")
        finished()
    assert response.headers["content-encoding"] == "gzip"
    again, body = raw(client, f"/{SCRIPT.name}", **{"if-none-match": response.headers["etag"]})
    assert again.status_code == 304 and not body


@pytest.mark.parametrize("kind", ["page", "missing", "personal", "coded", "file?x=1"])
def test_nothing_else_is_stored(behind, kind) -> None:
    for _ in range(2):
        raw(behind, f"/{kind}")
        finished()
    assert len(asked) == 2 and not behind.app.stored


def test_a_head_request_gets_no_body(behind) -> None:
    raw(behind, "/file")
    finished()
    assert behind.head("/file").content == b"" and len(asked) == 2


def test_no_more_is_stored_than_allowed(behind) -> None:
    behind.app.most = 1_000
    for _ in range(2):
        _, body = raw(behind, "/file")
        finished()
    assert body == SCRIPT.read_bytes() and asked == ["file", "file"] and not behind.app.stored


def test_all_files_of_streamlit_fit() -> None:
    assert sum(path.stat().st_size for path in FOLDER.parent.rglob("*.*")) < immutable.MOST_BYTES


def test_a_file_is_stored_under_one_path_only() -> None:
    async def file(scope: Any, receive: Any, send: Any) -> None:
        await begin(send, 5_000)
        await send({"type": "http.response.body", "body": b"x" * 5_000})

    app = Immutable(file)
    for path in ("/a//b", "//a/b", "/./a/b", "/c/../a/b", "/a/b/", "/a/b"):
        loops.run(ask(app, path))
    finished()
    assert list(app.stored) == ["/a/b"]


def test_a_file_that_a_browser_left_halfway_is_kept_for_the_next_one() -> None:
    leaving = [True, False]

    async def file(scope: Any, receive: Any, send: Any) -> None:
        await begin(send, 5_000)
        await send({"type": "http.response.body", "body": b"x" * 2_500, "more_body": True})
        if leaving.pop(0):
            raise OSError("gone")
        await send({"type": "http.response.body", "body": b"y" * 2_500})

    client = TestClient(Immutable(file), raise_server_exceptions=False)
    for _ in range(2):
        raw(client, "/file")
        finished()
    assert gzip.decompress(raw(client, "/file")[1]) == b"x" * 2_500 + b"y" * 2_500 and not leaving


def test_only_one_of_many_first_downloads_is_stored() -> None:
    """Otherwise thirty browsers at the same moment would hold thirty copies of each file."""
    begun, go = asyncio.Event(), asyncio.Event()

    async def file(scope: Any, receive: Any, send: Any) -> None:
        await begin(send, 2)
        begun.set()
        await go.wait()
        await send({"type": "http.response.body", "body": scope["body"]})

    async def both() -> None:
        first = asyncio.create_task(ask(app, "/f", body=b"1."))
        await begun.wait()
        second = asyncio.create_task(ask(app, "/f", body=b"2."))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, second)

    app = Immutable(file)
    loops.run(both())
    finished()
    assert gzip.decompress(app.stored["/f"][1]) == b"1."
