"""Panel for many pairs: next-sentence predictions and how often they are right."""

from typing import Any

import streamlit as st

from embtools.charts import pairs as charts
from embtools.messages import counted
from embtools.pairs import batch
from embtools.pairs.batch import Batch
from embtools.statistics.percentages import rounded
from embtools.tables.columns import Chosen
from embtools.ui import captions, entry, figures, glossary, long_work, page, running, shown, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Models

TAB = "Many pairs"
USES_EDIT = True
ROWS = Text("pairs_rows", batch.write_pairs(batch.built_in("random")), batch.MAX_CHARACTERS)
FIELDS = (ROWS,)
PRESETS: dict[str, dict[str, Any]] = {
    "Real or random continuation": {},
    "In order or reversed": {ROWS.key: batch.write_pairs(batch.built_in("swapped"))},
}
_BUILT_IN = Call(batch.follow, pairs=batch.read_pairs(ROWS.default))


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (ROWS,)


def show(models: Models) -> None:
    """Draw the field for the pairs, and next to it for each model the share that is right, with all probabilities."""
    left, right = shown.fields_and_results(models)
    with left:
        entry.text_area(
            "Pairs (one per line: first | second | label)",
            height=250,
            help="Example: The train was late. | We missed the concert. | yes. The label says whether the second"
            " sentence really follows: yes or no. You can leave it out; then only the probabilities are shown.",
            **ROWS.widget,
        )
        problems = st.container()
        uploads.table("first, second and, optionally, label (yes or no)", "pairs-file", _read)
    with problems:
        found = uploads.pasted(batch.read, str(ROWS.value), "pairs-pasted", _read)
    if found is None:
        return
    query = Call(batch.follow, pairs=found)
    button = f"Score {len(query['pairs'])} pairs"
    if not long_work.may_begin("pairs-many", button, query, models, lambda own: Call(batch.effort, pairs=own["pairs"])):
        return
    with right, st.container(key="hero"):
        answers = running.ask(
            "many",
            query,
            models,
            _BUILT_IN,
            label=f"Scoring {len(query['pairs'])} pairs",
            container=problems,
            prints=("headline", "correct", "labelled", "low", "high", "baseline", "above", "compared", "frame"),
        )
        if not answers:
            return
        for container in running.containers(answers):
            with container as answer:
                _results(answer.value)


def _results(result: Batch) -> None:
    shown.headline(result.headline)
    with st.container(horizontal=True):
        if result.labelled:
            st.metric(
                "Correct",
                f"{result.correct} of {result.labelled}",
                help="BERT is right if the probability is at least 50% for a pair labelled yes, or below 50% for a pair"
                " labelled no.",
            )
            st.metric(
                "95% interval", f"{rounded(result.low)} to {rounded(result.high)}", help=glossary.definition("interval")
            )
        if result.compared:
            st.metric(
                "Beats the shuffled pair",
                f"{result.above} of {result.compared}",
                help="This is a control. It counts the pairs in which the real second sentence is more likely than one"
                " taken from another pair.",
            )
    figures.show(charts.strips, result, name="many")
    page.caption(
        "Each mark is a pair. A mark further right means a higher probability that the second sentence follows the"
        " first ([[next-sentence prediction]]). Thick lines are means. In a shuffled pair, the second sentence comes"
        " from another pair."
    )


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    found = batch.read(source, columns)
    return uploads.Filled({ROWS.key: batch.write_pairs(found.value)}, counted(len(found.value), "pair"), found.notes)
