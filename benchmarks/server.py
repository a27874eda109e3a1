"""A server for benchmarks, and visitors that use Streamlit's WebSocket as a browser does."""

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[1]


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


@contextlib.contextmanager
def started(script: str = "app.py", folder: Path = ROOT) -> Iterator[Server]:
    """Start `streamlit run` as in the README and yield the server when it answers; it is stopped afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    command = [sys.executable, "-m", "streamlit", "run", script, *options]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                break
            time.sleep(0.1)
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait()


@dataclass
class Visit:
    """A visitor whose page has been drawn: its texts, the seconds it took, and the open connection."""

    texts: list[str]
    seconds: float
    connection: websockets.ClientConnection


async def visit(port: int, page: str, query: dict[str, str] | None = None, limit: float = 180) -> Visit:
    """Open a page in a session of its own and wait until its script has run; AssertionError for an exception shown."""
    began = time.monotonic()
    connection = await websockets.connect(
        f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"], max_size=None, open_timeout=limit
    )
    ask = BackMsg()
    ask.rerun_script.page_name = page
    ask.rerun_script.query_string = urlencode(query or {})
    await connection.send(ask.SerializeToString())
    texts: list[str] = []
    async with asyncio.timeout(limit):
        while True:
            message = ForwardMsg.FromString(await connection.recv())
            if message.HasField("delta"):
                element = message.delta.new_element
                assert not element.HasField("exception"), element.exception.message
                texts += [element.heading.body, element.text.body, element.markdown.body, element.html.body]
            if message.HasField("script_finished"):
                return Visit([text for text in texts if text], time.monotonic() - began, connection)
