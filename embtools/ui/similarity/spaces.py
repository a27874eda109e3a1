"""One word list in two spaces (models or layers): two heatmaps side by side, or their difference."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from embtools.charts.similarity import matrix as charts
from embtools.models.catalogue import CATALOGUE
from embtools.progress import Progress, part, silent
from embtools.similarity import matrix, verdict
from embtools.similarity.matrix import Similarity
from embtools.statistics.permutations import Mantel, mantel
from embtools.ui import cached, figures, jobs, models, page, state
from embtools.ui.fields import Choice, Flag, Text
from embtools.ui.options import choose
from embtools.ui.share import Code
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import Query
from embtools.words.templates import WORD

TAB = "Two spaces"
SAME, LAST = "same", "last layer"
OTHER = Choice("similarity_other", SAME, (SAME, *CATALOGUE))
CHOOSER = models.Chooser(OTHER, models.wanted("similarity_other_wanted"), "Until then, the same model is compared.")
VECTORS = Choice("similarity_other_vectors", LAST, keys={"last": LAST})
TEMPLATE = Text("similarity_other_template", f"This is {WORD}.", 300)
STANDARDISE = Flag("similarity_standardise", True)
BESIDE, DIFFERENCE = "Side by side", "Difference"
VIEW = Choice("similarity_view", BESIDE, {"both": BESIDE, "difference": DIFFERENCE})
FIELDS = (*inputs.FIELDS, OTHER, CHOOSER.wanted, VECTORS, TEMPLATE, STANDARDISE, VIEW)
PRESETS = inputs.LISTS
PERMUTATIONS = 999


@dataclass(frozen=True)
class Spaces:
    """One list in two spaces.

    first, second  the similarities in the two spaces
    pairs          all pairs in each space
    differences    all pairs with their differences, raw and standardised
    test           Mantel test of the two rankings of the pairs; None if it cannot be computed
    no_test         why there is no test
    random         the mean of random pairs in each space
    """

    first: Similarity
    second: Similarity
    pairs: tuple[pd.DataFrame, pd.DataFrame]
    differences: tuple[pd.DataFrame, pd.DataFrame]
    test: Mantel | None
    no_test: str
    random: tuple[float, float]


def show(model: str, code: Code) -> None:
    """Show the fields for the list and both spaces, then the two heatmaps or their difference."""
    words, container = inputs.bar(model)
    left, right = st.columns(2)
    with left:
        query = inputs.vectors(model, words)
    with right:
        other, second, second_container = _second(model, query)
    fine = inputs.readable(model, query)
    processed = inputs.in_space(model, query, code)
    answer = jobs.ask(
        f"similarity-spaces-{other}",
        both,
        processed,
        (query, other, second),
        (inputs.FIRST, other, Query(inputs.FIRST.words)),
        label="Reading one sentence per word",
        place=second_container if fine else container,
    )
    if not fine:
        inputs.suggestions(model, query, container)
    if answer is None:
        return
    first, other, second = answer.asked
    titles = (_title(processed, first), _title(other, second))
    if isinstance(processed, cached.InSpace):  # the second space is always raw, which its title says
        titles = (f"{titles[0]}, {processed.space.says}", f"{titles[1]}, raw")
    with jobs.results(answer, "spaces", first.says):
        _compared(answer.value, titles)
    code.add(
        "spaces",
        f"words = {list(first.words)}",
        f"other = embtools.load_model({other!r})",
        f"first = compare_words({first.code()})",
        f"second = compare_words({second.code(model='other')})",
        *_test_code(answer.value),
        f"print(difference_table(first, second, standardise={STANDARDISE.value}))",
        "print(pair_table(first), pair_table(second), sep='\\n')",
        f"print(mean_of_random_pairs(model{first.sentence}), mean_of_random_pairs(other{second.sentence}))",
    )


def both(query: Query, other: str, second: Query, *, model: Any, progress: Progress = silent) -> Spaces:
    """Compute the list in this model and in the second one."""
    one = inputs.compare(query, model=model, progress=part(progress, 0, 0.3))
    two = inputs.compare(second, model=cached.model(other), progress=part(progress, 0.3, 0.3))
    random = (
        inputs.random_level(query, model=model, progress=part(progress, 0.6, 0.2)),
        inputs.random_level(second, model=cached.model(other), progress=part(progress, 0.8, 0.2)),
    )
    test, no_test = None, ""
    try:
        test = mantel(one.values, two.values, permutations=PERMUTATIONS)
    except ValueError as error:
        no_test = str(error)
    pairs = (matrix.pair_table(one), matrix.pair_table(two))
    differences = (matrix.difference_table(one, two), matrix.difference_table(one, two, standardise=True))
    return Spaces(one, two, pairs, differences, test, no_test, random)


def _second(model: str, query: Query) -> tuple[str, Query, Any]:
    """Show the expander for the second space; return its model, its query and the container for error messages."""
    CHOOSER.settle()
    CHOOSER.offer()
    other = model if OTHER.value == SAME else str(OTHER.value)
    models.load(other)
    options = inputs.layers(other)
    widget = VECTORS.among((LAST, *options))
    chosen = inputs.query(query.words, options[-1] if VECTORS.value == LAST else VECTORS.value, TEMPLATE.value)
    fold = state.fold("second", f"Second space: {_model_title(OTHER.value)}, {VECTORS.value}", ":material/compare:")
    if fold.open:
        with fold:
            names = {name: _model_title(name) for name in OTHER.options}
            choose(st.selectbox, "Second model", OTHER.key, names, OTHER.value, CHOOSER.take)
            models.waiting(CHOOSER)
            st.selectbox("Vectors of the second space", **widget)
            st.text_input(
                f"Sentence around each {WORD}",
                disabled=chosen.layer is None,
                max_chars=TEMPLATE.most,
                **TEMPLATE.widget,
            )
            st.toggle(
                "Standardise",
                help="Before the difference is computed, the mean of each table is subtracted and the result is divided"
                " by its standard deviation. This is needed because the cosines of one space may be higher overall"
                " than those of the other, which says nothing about single pairs.",
                **STANDARDISE.widget,
            )
    return other, chosen, st.container()


def _compared(spaces: Spaces, titles: tuple[str, str]) -> None:
    st.header(verdict.spaces(spaces.test) if spaces.test else "The list in two spaces", anchor=False)
    if not spaces.test:
        st.text(spaces.no_test)
    order = np.ix_(spaces.first.order, spaces.first.order)
    words = [spaces.first.words[i] for i in spaces.first.order]
    opened = state.tabs(VIEW)
    if opened[BESIDE].open:
        with opened[BESIDE]:
            _beside(spaces, order, words, titles)
    if opened[DIFFERENCE].open:
        with opened[DIFFERENCE]:
            _difference(spaces, order, words, titles)
    if spaces.test:
        page.seen(
            f"[[ρ]] is computed over all pairs, and the [[p-value]] by a [[Mantel test]]"
            f" ({spaces.test.permutations:,} shuffles). Both heatmaps show the words in the order of the first one's"
            " tree. Each heatmap has its own colour scale."
        )


def _beside(spaces: Spaces, order: Any, words: list[str], titles: tuple[str, str]) -> None:
    names = ("similarity-first", "similarity-second")
    for column, title, result, pairs, random, name in zip(
        st.columns(2), titles, (spaces.first, spaces.second), spaces.pairs, spaces.random, names, strict=True
    ):
        with column:
            figures.chart(
                cached.figure(charts.heatmap, result.values[order], words, rows=title, random=random),
                pairs,
                name=name,
                alt=f"{title}. {charts.heatmap_alt(pairs, len(words))}",
                above=25,
            )


def _difference(spaces: Spaces, order: Any, words: list[str], titles: tuple[str, str]) -> None:
    title = f"{titles[1]} minus {titles[0]}"
    values = matrix.difference(spaces.first.values[order], spaces.second.values[order], standardise=STANDARDISE.value)
    table = spaces.differences[STANDARDISE.value]
    first, second, most = (table[column].iat[0] for column in ("first", "second", "difference"))
    figures.chart(
        cached.figure(charts.heatmap, values, words, kind="difference", rows=title),
        table,
        name="difference",
        alt=f"{title}. Heatmap of the difference. It is largest for {first} and {second}: {most:+.2f}.",
        above=25,
    )
    page.seen(
        "Blue pairs are more similar in the second space, orange pairs are less similar."
        + (" The unit is each table's own standard deviation." if STANDARDISE.value else "")
    )


def _test_code(spaces: Spaces) -> list[str]:
    if spaces.test is None:
        return []
    return [
        f"test = mantel(first.values, second.values, permutations={PERMUTATIONS})",
        "print(verdict.spaces(test), test, sep='\\n')",
    ]


def _model_title(name: str) -> str:
    return "the same model" if name == SAME else CATALOGUE[name].title


def _title(model: str, query: Query) -> str:
    space = "static embeddings" if query.layer is None else f"layer {query.layer}"
    return f"{CATALOGUE[cached.plain(model)].title}, {space}"
