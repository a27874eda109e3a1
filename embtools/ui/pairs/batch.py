"""A tab of the Pairs page: many pairs at once, and how often BERT is right."""

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
    "Next or random": {},
    "Right way or turned round": {ROWS.key: batch.write_pairs(batch.built_in("swapped"))},
}
_SECONDS = 2e-11  # for a word piece and a parameter of the model, on one core


def show(model: str, code: Code) -> None:
    """The pairs beside what became of them; below, all of them in a table."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.text_area(
            "A pair a line, its label behind it where it is known",
            height=250,
            help="The train was late. | We missed the concert. | yes. Labels: yes (the second follows) or no; without"
            " labels the probabilities alone are shown.",
            **ROWS.widget,
        )
        problems = st.container()
        uploads.table("first, second and, if known, label (yes or no)", "pairs-file", _read)
    try:
        pairs = batch.read_pairs(ROWS.value)
    except ValueError as error:
        with problems:
            texts.problem(error)
        return
    seconds = cached.model(model).parameters * _SECONDS * sum(len(a) + len(b) for a, b, _ in pairs) / 2
    if not (cached.known(followed, model, pairs) or jobs.on_request("pairs-many", f"Ask {len(pairs)} pairs", seconds)):
        return
    answer = jobs.ask(
        "pairs-many",
        followed,
        model,
        (pairs,),
        (batch.read_pairs(ROWS.default),),
        label=f"Asking {len(pairs)} pairs",
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
        "print(batch.finding(many), many.right, many.labelled, many.low, many.high, many.always)",
        "print(many.above, many.follow, many.frame, sep='\\n')",
    )


def followed(pairs: tuple[Pair, ...], *, model: Any, progress: Progress = silent) -> Batch:
    """What became of the pairs."""
    return batch.follow(pairs, model, progress=progress)


def _results(found: Batch) -> None:
    st.header(texts.plain(batch.finding(found)), anchor=False)
    with st.container(horizontal=True):
        if found.labelled:
            st.metric("Right", f"{found.right} of {found.labelled}", help="At 50% or more for yes, below it for no.")
            st.metric("95% interval", f"{found.low:.0%} – {found.high:.0%}", help=glossary.definition("interval"))
        if found.follow:
            st.metric(
                "Above the dealt one",
                f"{found.above} of {found.follow}",
                help="The control: in so many pairs the own second sentence is likelier than that of another pair.",
            )
    figures.chart(
        cached.figure(charts.strip, found.frame),
        found.frame,
        name="many",
        alt=charts.alt(found.frame),
    )
    page.seen(
        "Each mark is a pair, its place the probability that the second sentence follows"
        " ([[next-sentence prediction]]); thick rules are means. Dealt anew: the first with another pair's second."
    )


def _read(data: bytes) -> dict[str, Any]:
    return {ROWS.key: batch.write_pairs(batch.from_csv(data))}
