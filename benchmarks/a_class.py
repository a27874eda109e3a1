"""A class that opens Arithmetic at the same moment: the waiting time of the slowest 5%, and whether all get a result.

Each visitor is a fresh session over WebSocket with a sentence and an edit of its own, or all come by one link. Each
class has a server of its own.

python -m benchmarks.a_class
"""

import asyncio
import statistics
import sys

from benchmarks.measure import few, report
from benchmarks.own_words import vocabulary
from benchmarks.server import Server, Visit, fresh, visit
from embtools import wordlists

RULE = "BERT "  # how the sentence with the answer begins


def questions(count: int, first: int = 0) -> list[dict[str, str]]:
    """Sentences and edits that nobody else asks: capitals moved to other countries, in varied wordings."""
    frame = wordlists.load("capitals")
    rows = [(c, n) for c, n in zip(frame["capital"], frame["country"], strict=True) if {c, n} <= vocabulary()]
    queries = []
    for number in range(first, first + count):
        capital, country = rows[number % len(rows)]
        _, other = rows[(number * 7 + 3) % len(rows)]
        text = f"{'In those days' if number // len(rows) % 2 else 'Today'} {capital.title()} is the capital of [MASK]."
        edit = f"{capital} = {capital} - {country} + {other}"
        queries.append({"arithmetic_text": text, "arithmetic_edits": edit})
    return queries


async def together(port: int, queries: list[dict[str, str]]) -> list[Visit | BaseException]:
    """All of them at once."""
    return await asyncio.gather(*(visit(port, "arithmetic", q) for q in queries), return_exceptions=True)


def report_waits(
    what: str, queries: list[dict[str, str]], visits: list[Visit | BaseException], threshold: float
) -> None:
    """Report the 95% quantile; a lost visitor, or one who got another visitor's answer, is a miss in itself."""
    served = [v for v in visits if isinstance(v, Visit)]
    for lost in (v for v in visits if not isinstance(v, Visit)):
        print(f"MISSED  {what}: a visitor was lost ({type(lost).__name__}: {lost})")
    answers = {q["arithmetic_text"]: headline(v) for q, v in zip(queries, visits, strict=True) if isinstance(v, Visit)}
    seconds = sorted(v.seconds for v in served)
    slowest = statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]
    served_of = f"{len(served)} of {len(visits)} served, {len(set(answers.values()))} different answers"
    detail = f"median {statistics.median(seconds):.1f} s, {served_of}"
    report(f"{what}, seconds that 95% wait", slowest, threshold, detail)


def headline(one: Visit) -> str:
    """The sentence that states the answer."""
    return next((text for text in one.texts if text.startswith(RULE)), "")


async def alone(server: Server, queries: list[dict[str, str]]) -> dict[str, str]:
    """The same questions one after another: nobody else's answer can slip in."""
    return {q["arithmetic_text"]: headline(await visit(server.port, "arithmetic", q)) for q in queries}


def main() -> None:
    """Warm the server with one visitor, then let classes come."""
    sizes = [(few(30, 3), 3.0), (few(50, 4), 5.0)]
    for count, threshold in sizes:
        with fresh() as server:
            asyncio.run(visit(server.port, "arithmetic"))
            queries = questions(count)
            before = server.resident()
            visits = asyncio.run(together(server.port, queries))
            report_waits(f"{count} visitors, a question each", queries, visits, threshold)
            report("MB that they leave", server.resident() - before, 50)
            if "--check" in sys.argv:
                right = asyncio.run(alone(server, queries))
                wrong = [
                    q["arithmetic_text"]
                    for q, v in zip(queries, visits, strict=True)
                    if isinstance(v, Visit) and headline(v) != right[q["arithmetic_text"]]
                ]
                report("answers that were somebody else's", len(wrong), 0)
    with fresh() as server:
        asyncio.run(visit(server.port, "arithmetic"))
        queries = questions(1, first=200) * few(30, 3)
        report_waits(f"{len(queries)} visitors on one link", queries, asyncio.run(together(server.port, queries)), 1.0)


if __name__ == "__main__":
    main()
