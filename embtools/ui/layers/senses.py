"""Details about one word: pairs and layer combinations in tabs, segment ids and hidden states in expanders."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import grids
from embtools.charts import layers as charts
from embtools.layer_combinations import combination_names
from embtools.layers import published, word
from embtools.layers.verdict import two_combinations
from embtools.layers.word import Combinations, SegmentIds, Word
from embtools.ui import figures, glossary, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.layers import layer_similarity
from embtools.ui.layers.sentences import COMBINATION
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.words.occurrences import split_line

PAIRS, GRID = "Pairs across layers", "All layer combinations"
MORE = Choice("layers_more", PAIRS, {"pairs": PAIRS, "combinations": GRID})
FIELDS = (MORE,)


def show(answers: Sequence[Answer[Word]], models: Models) -> None:
    """Draw the tabs and then the expanders, for each model."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == PAIRS:
                    _pairs(answers)
                else:
                    _combinations(answers, models)
    for container in running.containers(answers, part="details"):
        with container as answer:
            with figures.expander("segments", "Segment ids 0 and 1", ":material/looks_two:") as opened:
                if opened:
                    _segment_ids(answer)
            with figures.expander("states", "Tokens and hidden states", ":material/token:") as opened:
                if opened:
                    _hidden_states(answer.value)


def _pairs(answers: Sequence[Answer[Word]]) -> None:
    lines = [answer.value.pair_lines for answer in answers]
    for container in running.containers(answers, part="pairs"):
        with container as answer:
            figures.show(charts.pair_lines, answer.value.pair_lines, name="pairs-over-layers", beside=lines)
    page.caption(
        "Each line shows the [[cosine]] of a pair of occurrences in every [[layer]]. Compare the two kinds of pairs"
        " within a layer, not the cosines of different layers: in some layers all vectors point in nearly the same"
        " direction ([[anisotropy]])."
    )
    layer_similarity.open_with([split_line(line)[1] for line in answers[0].value.reading.lines])


def _combinations(words: Sequence[Answer[Word]], models: Models) -> None:
    """Draw the scores of every combination, and the pairs for the chosen one."""
    above = st.container()
    options = COMBINATION.among(words[0].value.comparison.combinations)
    if len(models) > 1:
        with above:
            _choice(options)
    query = words[0].query
    answers = running.ask(
        "scored",
        lambda model: _query(word.combinations, query, model),
        models,
        label="Reading the sentences",
        prints=("auc", "scores", "pairs", "splits", "size"),
    )
    answers = tuple(replace(answer, stale=words[0].stale) for answer in answers)
    with above:
        running.say(two_combinations, answers, parts="scores")
    pairs = [answer.value.pairs for answer in answers]
    for container in running.containers(answers, part="combinations"):
        with container as answer:
            left, right = shown.split([3, 2], gap="large")
            with right:
                if len(models) == 1:
                    _choice(options)
                _chosen(answer, pairs)
            with left:
                _grid(answer.value)


def _choice(options: dict[str, Any]) -> None:
    st.selectbox("Layer combination", help=glossary.definition("layer combination"), **options)


def _query(function: Any, query: Call, model: Model) -> Call:
    """Return a query about the same word, for the chosen layer combination, or the default if a model lacks it."""
    given = {name: query[name] for name in ("word", "lines", "pooling", "keep", "together")}
    combination = (
        COMBINATION.value if COMBINATION.value in combination_names(model.facts.layers) else COMBINATION.default
    )
    return Call(function, combination=combination, **given)


def _grid(result: Combinations) -> None:
    if result.scores["auc"].isna().all():
        st.caption(
            "A score needs two senses, and at least two occurrences of one of them. Write the senses in front"
            " of the sentences, or click the occurrences of one sense above."
        )
        return
    chosen = result.combination, result.pooling
    figures.show(grids.combinations, result.scores, "auc", chosen, 0.5, "AUC", name="recipes")
    if not shown.suffix():
        page.caption(
            "Each cell shows the [[AUC]] of a [[layer combination]] (row) with a [[pooling]] (column)."
            " The chosen cell is outlined. One word is not enough to choose the best combination; the tab"
            " *Fifty words* compares the combinations on many words."
        )


def _chosen(answer: Answer[Combinations], pairs: Sequence[pd.DataFrame]) -> None:
    result = answer.value
    with st.container(horizontal=True):
        st.metric(
            "Separation of senses (AUC)",
            "–" if isnan(result.auc) else f"{result.auc:.2f}",
            help=glossary.definition("AUC"),
        )
        st.metric(
            "Splits at least as good",
            f"{result.splits[0]} of {result.splits[1]}" if result.splits else "–",
            help="This is a control. It considers all ways to split these occurrences into two groups of the same"
            " sizes as the two senses, and counts those with an AUC at least as high as that of the split by sense. A"
            " count of 1 means that only the split by sense reaches this AUC.",
        )
        st.metric("Dimensions", f"{result.size:,}")
    figures.show(charts.pair_cosines, result.pairs, name="pairs", beside=pairs)
    if result.combination != COMBINATION.value:
        st.caption(
            f"{answer.model.title} has no {COMBINATION.value}. The chart shows its {result.combination} instead."
        )


def _segment_ids(answer: Answer[Word]) -> None:
    """Draw the pairs with both segment ids, and published values if they belong to this word and sentence."""
    if not answer.model.facts.has_segments:
        st.caption("This model has no segment embeddings, so there is nothing to compare.")
        return
    query = _query(word.segment_ids, answer.query, answer.model)
    result: SegmentIds | None = running.detail(
        "segments", query, answer.model, label="Reading the sentences", prints=("frame", "first_values")
    )
    if result is None:
        return
    page.caption(
        f"The table shows the [[cosine]] of each pair for the layer combination “{query['combination']}” and the"
        f" pooling “{query['pooling']}”. The article “Understanding BERT — Word Embeddings” gives a single sentence the"
        " [[segment id]] 1. In BERT's training, a single sentence or the first of a pair had segment id 0."
        + (" The published values are those of BERT base with segment id 1." if result.has_published else "")
    )
    figures.table(
        result.frame,
        "Cosines with segment ids 0 and 1",
        name=f"segments{shown.suffix()}",
        column_config={"pair": st.column_config.TextColumn(width="medium")},
    )
    st.caption("The first five values of each vector")
    figures.table(result.first_values, "The first five values of each vector", name=f"first-values{shown.suffix()}")


def _hidden_states(result: Word) -> None:
    """Draw the tokens with their ids, and the shapes of the hidden states."""
    comparison = result.comparison
    first = comparison.shapes.iloc[0]
    page.caption(
        f"The hidden states of sentence 1 consist of **{result.shape} = {first['values']:,}** values:"
        " [[layer|layers]] (including layer 0) × batch × tokens × dimensions. A token's vector has"
        f" {first['dimensions']:,} dimensions if layers are summed, and {result.concatenated:,} if the last four layers"
        f" are concatenated. A sentence's vector has {first['dimensions']:,} dimensions."
    )
    if result.reading.lines == (published.BANK_LINE,):
        st.caption(
            f"The article reports for this sentence and BERT base {published.BANK_SHAPE} values, and vectors of 768,"
            " 3,072 and 768 dimensions."
        )
    figures.table(comparison.tokens, "Tokens of the sentences", name=f"tokens{shown.suffix()}")
    st.caption("In the column *occurrence*, 0 means that the token does not belong to the compared word.")
    figures.table(comparison.shapes, "Shapes of the hidden states", name=f"shapes{shown.suffix()}")
