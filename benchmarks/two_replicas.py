"""200 visitors over two replicas behind nginx, each with a question of its own: how many are lost, how long they wait.

They come within a minute, as a lecture does that follows a link, and all stay. nginx has the configuration in deploy/.

python -m benchmarks.two_replicas
"""

import asyncio
import shutil
import statistics

from benchmarks.a_class import questions
from benchmarks.measure import few, report
from benchmarks.server import Server, Visit, behind_nginx, go_on, started, visit

VISITORS, SECONDS = few(200, 6), few(60, 2)


async def come(port: int) -> list[Visit | BaseException]:
    """All of them, evenly over some seconds; each asks once more when all are there."""
    asked = questions(VISITORS)

    async def one(number: int) -> Visit:
        await asyncio.sleep(SECONDS * number / VISITORS)
        return await visit(port, "arithmetic", asked[number])

    return await asyncio.gather(*(one(number) for number in range(VISITORS)), return_exceptions=True)


async def measure(port: int, servers: list[Server]) -> None:
    """Report who was lost, who waited, and whether all are still served afterwards."""
    visits = await come(port)
    served = [each for each in visits if isinstance(each, Visit)]
    for lost in [each for each in visits if not isinstance(each, Visit)][:3]:
        print(f"MISSED  a visitor was lost ({type(lost).__name__}: {lost})")
    seconds = sorted(each.seconds for each in served)
    memory = " and ".join(f"{server.resident():.0f}" for server in servers)
    detail = f"median {statistics.median(seconds):.1f} s, 95% within {statistics.quantiles(seconds, n=20)[-1]:.1f} s"
    report(f"{VISITORS} visitors over two replicas, lost", len(visits) - len(served), 0, f"{detail}, {memory} MB")
    again = await asyncio.gather(*(go_on(each, "") for each in served), return_exceptions=True)
    gone = sum(not isinstance(each, Visit) for each in again)
    report("of those who then go to Home at once, lost", gone, 0)


def main() -> None:
    """Start two servers and nginx, and let the visitors come."""
    if not shutil.which("nginx"):
        print("nginx is not installed on this machine: nothing was measured")
        return
    with started() as one, started() as other, behind_nginx([one, other]) as port:
        for server in (one, other):
            asyncio.run(_warm(server))
        asyncio.run(measure(port, [one, other]))


async def _warm(server: Server) -> None:
    await (await visit(server.port, "arithmetic")).connection.close()


if __name__ == "__main__":
    main()
