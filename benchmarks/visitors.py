"""What each further visitor costs the server in resident memory: thirty at once on the Arithmetic page.

python -m benchmarks.visitors
"""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.measure import report

ROOT = Path(__file__).parents[1]
FIRST, MORE = 5, 30


def resident(pid: int) -> float:
    """Resident memory of a process in MB (Linux)."""
    (line,) = [x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if x.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


async def visit(port: int) -> websockets.ClientConnection:
    """Open the page as a browser does and wait until its script has run; the connection stays open."""
    url = f"ws://127.0.0.1:{port}/_stcore/stream"
    connection = await websockets.connect(url, subprotocols=["streamlit"], max_size=None)
    ask = BackMsg()
    ask.rerun_script.page_name = "arithmetic"
    await connection.send(ask.SerializeToString())
    async with asyncio.timeout(120):
        while True:
            message = ForwardMsg.FromString(await connection.recv())
            assert not (message.HasField("delta") and message.delta.new_element.HasField("exception"))
            if message.HasField("script_finished"):
                return connection


async def measure(pid: int, port: int) -> None:
    """Report the growth of the server from the first few visitors to the last."""
    for _ in range(120):
        try:
            kept = [await visit(port)]
            break
        except OSError:
            await asyncio.sleep(0.5)
    kept += [await visit(port) for _ in range(FIRST)]
    before = resident(pid)
    kept += [await visit(port) for _ in range(MORE)]
    after = resident(pid)
    report("MB per further visitor", (after - before) / MORE, 1, f"{before:.0f} → {after:.0f} MB with {MORE} more")
    for connection in kept:
        await connection.close()


def main() -> None:
    """Start a server of its own, visit it, stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        asyncio.run(measure(server.pid, port))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
