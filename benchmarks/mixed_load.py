"""Many visitors on all pages, each with words of their own: how long they wait, and what the server's memory grows to.

Twenty visitors with pauses for five minutes; then visits per second of thirty without pauses, next to those of a
ten-line Streamlit page with one chart on the same machine.

python -m benchmarks.mixed_load [--quick]
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import QUICK, few, report
from benchmarks.server import Server, started, visit
from embtools import load_model, wordlists
from embtools.ui.page import PAGES

PLAIN = """
import numpy as np
import plotly.graph_objects as go
import streamlit as st

st.title("Plain")
points = np.random.default_rng().normal(size=(2, 200))
st.plotly_chart(go.Figure(go.Scatter(x=points[0], y=points[1], mode="markers")))
st.text("Two hundred points.")
st.button("Again")
"""
Query = dict[str, str]


class Words:
    """Words and sentences that no two visitors share, drawn by a seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        ids = load_model().ids
        self.words = sorted(w for w in ids if w.isalpha() and w.isascii() and len(w) > 3)
        self.capitals = [w for w in wordlists.load("capitals")["capital"] if w in ids]
        self.countries = [w for w in wordlists.load("capitals")["country"] if w in ids]
        self.occupations = [w for w in wordlists.load("occupations")["occupation"] if w in ids]
        self.sentences = wordlists.load("corpus")["sentence"].tolist()

    def some(self, n: int) -> list[str]:
        return self.draw.sample(self.words, n)

    def one(self, among: list[str]) -> str:
        return self.draw.choice(among)


def _arithmetic(w: Words) -> Query:
    city, first, second = w.one(w.capitals), w.one(w.countries), w.one(w.countries)
    text = f"{w.one(w.words).title()} said that {city} is the capital of [MASK]."
    return {"arithmetic_text": text, "arithmetic_edits": f"{city} = {city} - {first} + {second}"}


def _tracing(w: Words) -> Query:
    city, first, second = w.one(w.capitals), w.one(w.countries), w.one(w.countries)
    return {"tracing_text": f"{city} is in [MASK].", "tracing_edits": f"{city} = {city} - {first} + {second}"}


def _formula(w: Words) -> Query:
    return {"decomposition_formula": "{} - {} + {}".format(*w.some(3)), "decomposition_tab": "formula"}


def _evidence(w: Words) -> Query:
    sentence = f"The {w.one(w.words)} of {{a}} is in [MASK]."
    return {"evidence_sentences": sentence, "evidence_count": "4", "evidence_others": "2"}


QUERIES: dict[str, list[Callable[[Words], Query]]] = {
    "lessons": [lambda w: {"lesson": w.one(["numbers", "rome", "king", "it"]), "lesson_guesses": "a"}],
    "arithmetic": [_arithmetic],
    "similarity": [lambda w: {"similarity_words": ", ".join(w.some(14))}],
    "clusters": [lambda w: {"clusters_list": "own", "clusters_words_own": f"a: {', '.join(w.some(12))}"}],
    "bias": [lambda w: {"bias_template": f"{{group}} met the {w.one(w.words)} and works as a [MASK]."}],
    "inputs": [lambda w: {"inputs_first": f"I found a {w.words[0]}.", "inputs_second": f"{w.one(w.words)} is there."}],
    "attention": [lambda w: {"attention_text": "The {} did not see the {} because it slept.".format(*w.some(2))}],
    "tracing": [_tracing],
    "layers": [lambda w: {"layers_lines": "money | The {} bank\nriver | The river bank is {}.".format(*w.some(2))}],
    "pairs": [lambda w: {"pairs_first": w.one(w.sentences), "pairs_second": f"It was {w.one(w.words)}."}],
    "probing": [lambda w: {"probing_sentence": w.one(w.sentences)}],
    "corpus": [lambda w: {"corpus_word": w.one(w.one(w.sentences).lower().strip(".?!").split())}],
    "decomposition": [lambda w: {"decomposition_word": w.one(w.words)}, _formula],
    "isotropy": [lambda w: {"isotropy_word": w.one(w.words)}],
    "evidence": [_evidence],
    "paper": [lambda w: {}],
}  # fmt: skip


class Tally:
    """Seconds that visits took, page by page, and how many were lost."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.lost: list[str] = []

    @property
    def all(self) -> list[float]:
        return sorted(second for seconds in self.seconds.values() for second in seconds)

    def slowest_pages(self) -> str:
        medians = {page: statistics.median(seconds) for page, seconds in self.seconds.items()}
        slowest = sorted(medians, key=lambda page: -medians[page])[:4]
        return ", ".join(f"{page} {medians[page]:.2f} s" for page in slowest)


async def one_visitor(server: Server, words: Words, until: float, pause: float, tally: Tally) -> None:
    """Open pages in random order until the time is over."""
    while time.monotonic() < until:
        page = words.one([page.name for page in PAGES])
        query = words.draw.choice(QUERIES[page])(words)
        try:
            visited = await visit(server.port, page, query, limit=60)
        except (AssertionError, TimeoutError, OSError) as error:
            tally.lost.append(f"{page} {query}: {type(error).__name__} {error}")
            continue
        tally.seconds[page].append(visited.seconds)
        await visited.connection.close()
        await asyncio.sleep(words.draw.uniform(0, pause))


async def crowd(server: Server, visitors: int, seconds: float, pause: float) -> Tally:
    """So many visitors for so many seconds, each resting up to `pause` seconds between visits."""
    all_words = [Words(seed) for seed in range(visitors)]  # takes seconds, which are not the visitors'
    tally, until = Tally(), time.monotonic() + seconds
    await asyncio.gather(*(one_visitor(server, words, until, pause, tally) for words in all_words))
    return tally


async def plain_crowd(server: Server, visitors: int, seconds: float) -> float:
    """Visits per second of a page that computes nothing."""
    until, count = time.monotonic() + seconds, 0

    async def come() -> None:
        nonlocal count
        while time.monotonic() < until:
            visited = await visit(server.port, "", limit=60)
            await visited.connection.close()
            count += 1

    await asyncio.gather(*(come() for _ in range(visitors)))
    return count / seconds


def _warm(server: Server) -> None:
    for page in PAGES:
        asyncio.run(visit(server.port, page.name))
    time.sleep(5)


def with_pauses(seconds: float) -> None:
    """G26: twenty visitors with pauses."""
    with started() as server:
        _warm(server)
        before = server.resident()
        tally = asyncio.run(crowd(server, 20, seconds, 6))
        waited = tally.all
        detail = (
            f"median {statistics.median(waited):.2f} s of {len(waited)} visits; slowest pages: {tally.slowest_pages()}"
        )
        report(
            "20 visitors with pauses, seconds that 95% wait at most", statistics.quantiles(waited, n=20)[-1], 2, detail
        )
        report("the longest wait in seconds", waited[-1], 6)
        report("visits lost", len(tally.lost), 0, "; ".join(tally.lost[:3]))
        report("MB resident afterwards", server.resident(), 1_100, f"{before:.0f} MB before")


def without_pauses(seconds: float) -> None:
    """G28: visits per second of thirty visitors who never rest, and of a plain page, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "plain.py").write_text(PLAIN)
        with started("plain.py", Path(folder)) as plain, started() as server:
            _warm(server)
            ours, plains = [], []
            for _ in range(2):
                plains.append(asyncio.run(plain_crowd(plain, 30, seconds / 2)))
                tally = asyncio.run(crowd(server, 30, seconds, 0))
                ours.append(len(tally.all) / seconds)
            mean, plain_mean = statistics.mean(ours), statistics.mean(plains)
            detail = f"{mean:.1f} and {plain_mean:.1f} visits per second, {len(tally.lost)} lost"
            # As a share that must be small: the plain page's visits per second divided by ours.
            report(
                "a plain page's visits per second / ours",
                plain_mean / mean,
                1 / 2.5,
                detail,
            )


def main() -> None:
    """Both, each with a fresh server."""
    with_pauses(few(20 if QUICK else 300, 4))
    without_pauses(few(10 if QUICK else 60, 2))


if __name__ == "__main__":
    main()
