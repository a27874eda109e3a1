"""Resident memory that each further visitor needs: thirty at the same time on the Arithmetic page.

python -m benchmarks.visitors
"""

import asyncio

from benchmarks.measure import few, report
from benchmarks.server import Server, started, visit

FIRST, MORE = few(5), few(30, 2)


async def measure(server: Server) -> None:
    """Report the growth of the server from the first few visitors to the last."""
    kept = [await visit(server.port, "arithmetic") for _ in range(FIRST)]
    before = server.resident()
    kept += [await visit(server.port, "arithmetic") for _ in range(MORE)]
    after = server.resident()
    report("MB per further visitor", (after - before) / MORE, 1, f"{before:.0f} → {after:.0f} MB with {MORE} more")
    for one in kept:
        await one.connection.close()


def main() -> None:
    """Start a server of its own, visit it, stop it."""
    with started() as server:
        asyncio.run(measure(server))


if __name__ == "__main__":
    main()
