"""Panel for many pairs: next-sentence predictions and how often they are right."""

from typing import Any

import streamlit as st

from embtools.charts.pairs import batch as charts
from embtools.pairs import batch
from embtools.pairs.batch import Batch, Pair
from embtools.progress import Progress, silent
from embtools.ui import cached, figures, glossary, jobs, page, texts, uploads
from embtools.ui.fields import Text
from embtools.ui.share import Code

TAB = "Many pairs"
ROWS = Text("pairs_rows", batch.write_pairs(batch.built_in("random")), batch.MAX_CHARACTERS)
FIELDS = (ROWS,)
PRESETS: dict[str, dict[str, Any]] = {
    "Real or random continuation": {},
    "In order or reversed": {ROWS.key: batch.write_pairs(batch.built_in("swapped"))},
}
_SECONDS = 2e-11  # per token and parameter of the model, on one core


def show(model: str, code: Code) -> None:
    """Draw the field for the pairs, and next to it the share that is right, with the probability of every pair."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.text_area(
            "Pairs (one per line: first | second | label)",
            height=250,
            help="Example: The train was late. | We missed the concert. | yes. The label says whether the second"
            " sentence really follows: yes or no. You can leave it out; then only the probabilities are shown.",
            **ROWS.widget,
        )
        problems = st.container()
        uploads.table("first, second and, optionally, label (yes or no)", "pairs-file", _read)
    try:
        pairs = batch.read_pairs(ROWS.value)
    except ValueError as error:
        with problems:
            texts.problem(error)
        return
    seconds = cached.model(model).parameters * _SECONDS * sum(len(a) + len(b) for a, b, _ in pairs) / 2
    if not (
        cached.known(followed, model, pairs) or jobs.on_request("pairs-many", f"Score {len(pairs)} pairs", seconds)
    ):
        return
    answer = jobs.ask(
        "pairs-many",
        followed,
        model,
        (pairs,),
        (batch.read_pairs(ROWS.default),),
        label=f"Scoring {len(pairs)} pairs",
        place=problems,
    )
    if answer is None:
        return
    with right, st.container(key="hero"), jobs.results(answer, "pairs-many"):
        _results(answer.value)
    code.add(
        "many",
        f"pairs = {answer.asked[0]!r}",
        "many = batch.follow(pairs, model)",
        "print(batch.finding(many), many.correct, many.labelled, many.low, many.high, many.baseline)",
        "print(many.above, many.compared, many.frame, sep='\\n')",
    )


def followed(pairs: tuple[Pair, ...], *, model: Any, progress: Progress = silent) -> Batch:
    """Next-sentence probabilities of the pairs."""
    return batch.follow(pairs, model, progress=progress)


def _results(result: Batch) -> None:
    st.header(texts.plain(batch.finding(result)), anchor=False)
    with st.container(horizontal=True):
        if result.labelled:
            st.metric(
                "Correct",
                f"{result.correct} of {result.labelled}",
                help="BERT is right if the probability is at least 50% for a pair labelled yes, or below 50% for a pair"
                " labelled no.",
            )
            st.metric("95% interval", f"{result.low:.0%} to {result.high:.0%}", help=glossary.definition("interval"))
        if result.compared:
            st.metric(
                "Beats the shuffled pair",
                f"{result.above} of {result.compared}",
                help="The control: in this many pairs the real second sentence is more likely than one taken from"
                " another pair.",
            )
    figures.chart(
        cached.figure(charts.strip, result.frame),
        result.frame,
        name="many",
        alt=charts.alt(result.frame),
    )
    page.seen(
        "Each mark is a pair. Further right: BERT gives a higher probability that the second sentence follows the first"
        " ([[next-sentence prediction]]). Thick lines are means. In a shuffled pair, the second sentence comes from"
        " another pair."
    )


def _read(data: bytes) -> dict[str, Any]:
    return {ROWS.key: batch.write_pairs(batch.from_csv(data))}
