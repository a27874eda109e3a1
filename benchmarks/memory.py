"""Resident memory of a server after fifty visits to all pages, each with different words.

python -m benchmarks.memory
"""

import asyncio

from benchmarks.a_class import questions
from benchmarks.measure import few, report
from benchmarks.server import started, visit
from embtools.ui.menu import PAGES

VISITS, MOST = few(50, 3), 900


async def come(port: int) -> None:
    """Open every page in turn, one visitor after another; each leaves when the page is shown."""
    own = iter(questions(VISITS, first=400))
    for number in range(VISITS):
        page = PAGES[number % len(PAGES)].name
        one = await visit(port, page, next(own) if page == "arithmetic" else {})
        await one.connection.close()


def main() -> None:
    """Start a server, visit it, read its memory."""
    with started() as server:
        before = server.resident()
        asyncio.run(come(server.port))
        after = server.resident()
        report(f"MB resident after {VISITS} visits", after, MOST, f"{before:.0f} MB before the first")


if __name__ == "__main__":
    main()
