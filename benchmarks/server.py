"""A server for benchmarks, and visitors that use Streamlit's WebSocket as a browser does."""

import asyncio
import atexit
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from embtools.ui import faults

ROOT = Path(__file__).parents[1]
_shared: list["Server"] = []


@dataclass(frozen=True)
class Server:
    """A running app: its process and its port."""

    process: subprocess.Popen[bytes]
    port: int

    def resident(self) -> float:
        """Resident memory in MB (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
        return int(line.split()[1]) / 1024


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def started(script: str = "app.py", folder: Path = ROOT, **environment: str) -> Iterator[Server]:
    """Start `streamlit run` as in the README and yield the server when it answers; it is stopped afterwards."""
    port = free_port()
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options]
    given = {**os.environ, **environment}
    process = subprocess.Popen(command, cwd=folder, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        answers(f"http://127.0.0.1:{port}/_stcore/health")
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def fresh() -> Iterator[Server]:
    """Start a server for one part of a benchmark; with --short all parts share the first one, until Python ends."""
    if "--short" not in sys.argv:
        with started() as server:
            yield server
        return
    if not _shared:
        kept = contextlib.ExitStack()
        _shared.append(kept.enter_context(started()))
        atexit.register(kept.close)
    yield _shared[0]


def answers(address: str) -> None:
    """Wait until a server answers at this address, at most a minute."""
    for _ in range(600):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=1)
            return
        time.sleep(0.1)


@contextlib.contextmanager
def behind_nginx(servers: Sequence[Server]) -> Iterator[int]:
    """Put nginx with deploy/nginx.conf in front of two servers; yields its port."""
    text, port = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8"), free_port()
    with tempfile.TemporaryDirectory() as folder:
        for number, server in enumerate(servers, 1):
            text = text.replace(f"app-{number}:8501", f"127.0.0.1:{server.port}")
        text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};").replace("/tmp/nginx", f"{folder}/nginx")
        text = text.replace("/dev/stderr", f"{folder}/error.log").replace("/dev/stdout", "/dev/null")
        (Path(folder) / "nginx.conf").write_text(text)
        user = "user root; " if os.geteuid() == 0 else ""
        nginx = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-p", folder, "-g", f"{user}daemon off;"])
        try:
            answers(f"http://127.0.0.1:{port}/_stcore/health")
            yield port
        finally:
            nginx.terminate()
            nginx.wait()


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """Start redis-server without files; yields its address."""
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait()


@dataclass
class Visit:
    """A visitor whose page has been drawn: its texts, the seconds it took, and the open connection.

    `fragment` names the part of the page that the browser asks for again and again, "" if there is none.
    """

    texts: list[str]
    seconds: float
    connection: websockets.ClientConnection
    fragment: str = ""


async def visit(
    port: int,
    page: str,
    query: dict[str, str] | None = None,
    limit: float = 180,
    headers: dict[str, str] | None = None,
    may_fail: bool = False,
) -> Visit:
    """Open a page in a session of its own and wait until its script has run.

    AssertionError if the page shows an exception, or, unless it may, that something went wrong.
    """
    began = time.monotonic()
    connection = await websockets.connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        subprotocols=["streamlit"],
        max_size=None,
        open_timeout=limit,
        additional_headers=headers,
    )
    texts, fragment = await _drawn(connection, _asking(page, query), limit)
    assert may_fail or not any(faults.SORRY in text for text in texts), texts
    return Visit(texts, time.monotonic() - began, connection, fragment)


async def go_on(
    one: Visit, page: str, query: dict[str, str] | None = None, *, fragment: str = "", limit: float = 180
) -> Visit:
    """Ask for a page, or for a part of it, in the session of a visitor who is already there."""
    began = time.monotonic()
    texts, found = await _drawn(one.connection, _asking(page, query, fragment), limit)
    assert not any(faults.SORRY in text for text in texts), texts
    return Visit(texts, time.monotonic() - began, one.connection, found or fragment)


def _asking(page: str, query: dict[str, str] | None, fragment: str = "") -> BackMsg:
    ask = BackMsg()
    ask.rerun_script.page_name = page
    ask.rerun_script.query_string = urlencode(query or {})
    ask.rerun_script.fragment_id = fragment
    ask.rerun_script.is_auto_rerun = bool(fragment)
    return ask


async def _drawn(connection: websockets.ClientConnection, ask: BackMsg, limit: float) -> tuple[list[str], str]:
    """Send a message; return the texts that are drawn until the script has run, and the part to ask for again."""
    await connection.send(ask.SerializeToString())
    texts: list[str] = []
    fragment = ""
    async with asyncio.timeout(limit):
        while True:
            message = ForwardMsg.FromString(await connection.recv())
            if message.HasField("delta"):
                element = message.delta.new_element
                assert not element.HasField("exception"), element.exception.message
                texts += [element.heading.body, element.text.body, element.markdown.body, element.html.body]
            if message.HasField("auto_rerun"):
                fragment = message.auto_rerun.fragment_id
            if message.HasField("script_finished"):
                return [text for text in texts if text], fragment
