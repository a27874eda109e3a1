"""Peak memory of a server in small mode: every page, then several visitors at the same time with their own words.

python -m benchmarks.small_host
"""

import asyncio
import os
from pathlib import Path

from benchmarks.a_class import questions
from benchmarks.measure import few, report
from benchmarks.server import Server, started, visit
from embtools.ui.menu import PAGES

VISITED = PAGES[: few(len(PAGES), 3)]
TOGETHER, ROUNDS, MOST = few(8, 2), few(3), 1_000


def peak(server: Server) -> float:
    """The largest resident memory of the server so far, in MB (Linux)."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


async def come(port: int) -> None:
    """All pages one after another; then some visitors at once on Arithmetic, several times."""
    own = iter(questions(TOGETHER * ROUNDS, first=400))
    for page in VISITED:
        one = await visit(port, page.name)
        await one.connection.close()
    for _ in range(ROUNDS):
        together = await asyncio.gather(*(visit(port, "arithmetic", next(own)) for _ in range(TOGETHER)))
        for one in together:
            await one.connection.close()


def main() -> None:
    """Start a server in small mode, visit it, and read its largest memory."""
    os.environ["EMBTOOLS_SMALL"] = "1"
    with started() as server:
        asyncio.run(come(server.port))
        report("MB at most", peak(server), MOST, f"{server.resident():.0f} MB at the end")


if __name__ == "__main__":
    main()
