"""The selected pair of words: its cosine among random pairs, the neighbours of both words, and a path between them."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.similarity import pair as charts
from embtools.similarity import pair as numbers
from embtools.similarity import verdict
from embtools.similarity.matrix import Similarity
from embtools.similarity.pair import Pair
from embtools.ui import cached, figures, glossary, page, state, texts
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.share import Code
from embtools.ui.similarity.inputs import Query
from embtools.vectors import Array
from embtools.words.vectors import MAX_CHARACTERS

FIRST, SECOND = (Text(f"similarity_{name}", "", MAX_CHARACTERS) for name in ("first", "second"))
K = Number("similarity_k", 20, 5, 50, 1)
RANDOM, NEIGHBOURS, PATH = "Random pairs", "Neighbours", "Path"
BEHIND = Choice("similarity_behind", RANDOM, {"random": RANDOM, "neighbours": NEIGHBOURS, "path": PATH})
FIELDS = (FIRST, SECOND, K, BEHIND)


def show(model: str, query: Query, result: Similarity, pairs: pd.DataFrame, code: Code) -> tuple[str, str]:
    """Show and return the selected pair, by default the most similar one."""
    a, b = _pickers(result, pairs)
    code.drop("pair")
    if a == b:
        texts.problem("These are the same word. Choose two different ones.")
        return a, b
    try:
        found = cached.compute(numbers.pair, model, a, b, k=K.value, pieces=query.pieces)
    except ValueError as error:
        texts.problem(error)
        return a, b
    cosines, bins = cached.compute(background, model)
    st.subheader(texts.plain(f"{a} and {b}: cosine {found.cosine:.3f}"), anchor=False)
    shown = float(result.values[result.words.index(a), result.words.index(b)])
    if result.metric == "euclidean" or abs(shown - found.cosine) > 1e-4:
        what = "cosine of this layer" if result.metric == "cosine" else "Euclidean distance"
        st.text(f"The heatmap shows {shown:.3f} ({what}). Below: static embeddings only.")
    st.text(verdict.pair_sentence(found, numbers.share_below(found.cosine, cosines)))
    reading = "" if query.pieces == "refuse" else f", pieces={query.pieces!r}"
    lines = [
        f"found = pair({a!r}, {b!r}, model, k={K.value}{reading})",
        "cosines = random_cosines(model)",
        "print(found, pair_sentence(found, share_below(found.cosine, cosines)), sep='\\n')",
    ]
    drawn = {RANDOM: _random, NEIGHBOURS: _neighbours, PATH: _path}
    for name, tab in state.tabs(BEHIND).items():
        if tab.open:
            with tab:
                lines += drawn[name](model, found, cosines, bins)
    code.add("pair", *lines)
    return a, b


def background(*, model: Any) -> tuple[Array, pd.DataFrame]:
    """The cosines of random pairs, and their histogram."""
    cosines = numbers.random_cosines(model)
    return cosines, numbers.histogram(cosines)


def _pickers(result: Similarity, pairs: pd.DataFrame) -> tuple[str, str]:
    """Show the fields for the two words; a word that is not in the list is replaced by one of the most similar pair."""
    best = pairs["first"].iat[0], pairs["second"].iat[0]
    chosen = []
    for column, label, field, default in zip(
        st.columns(2), ("First word", "Second word"), (FIRST, SECOND), best, strict=True
    ):
        key = f"pick-{field.key}"  # another key: the field stays empty and out of the address until a pair is chosen
        word = str(field.value if field.value in result.words else default)
        if st.session_state.get(key) != word:
            st.session_state[key] = word
        with column:
            st.selectbox(label, result.words, key=key, on_change=_picked, args=(field, key))
        chosen.append(word)
    return chosen[0], chosen[1]


def _picked(field: Text, key: str) -> None:
    state.put({field.key: st.session_state[key]})


def _random(model: str, pair: Pair, cosines: Array, bins: pd.DataFrame) -> list[str]:
    figures.chart(
        cached.figure(charts.background, bins, pair.cosine, f"{pair.first} – {pair.second}"),
        bins,
        name="random-pairs",
        alt=f"Histogram of the cosines of {len(cosines):,} random pairs. Half of them are below"
        f" {cosines[len(cosines) // 2]:.2f}; {pair.first} and {pair.second} have {pair.cosine:.2f}.",
    )
    page.seen(
        "A [[cosine]] alone says little, because even the vectors of unrelated words point partly in the same"
        f" direction. So the chart compares it with {len(cosines):,} random pairs of words."
    )
    return ["print(histogram(cosines))"]


def _neighbours(model: str, pair: Pair, cosines: Array, bins: pd.DataFrame) -> list[str]:
    _slider()
    st.text(f"The two words share {pair.shared} of their {K.value} nearest neighbours.")
    names = {
        f"{what}_{side}": f"{what} {by} {word}"
        for side, word in (("a", pair.first), ("b", pair.second))
        for what, by in (("rank", "for"), ("cosine", "with"))
    }
    figures.table(pair.neighbours.rename(columns=names), name="pair-neighbours", height=260)
    return ["print(found.neighbours)"]


def _path(model: str, pair: Pair, cosines: Array, bins: pd.DataFrame) -> list[str]:
    _slider()
    try:
        path = cached.compute(numbers.path, model, pair.first, pair.second, k=K.value)
    except ValueError as error:
        texts.problem(error)
        return []
    figures.chart(
        cached.figure(charts.chain, path),
        path,
        name="path",
        alt=f"Path in {len(path) - 1} step{'s' if len(path) > 2 else ''}: " + ", ".join(path["word"]) + ".",
    )
    page.seen(
        "The search for a path starts from both words at once and moves to near neighbours until the two searches meet."
        " A low cosine in the middle means that the words have little to do with each other."
    )
    return [f"print(path({pair.first!r}, {pair.second!r}, model, k={K.value}))"]


def _slider() -> None:
    st.slider("Number of neighbours", help=glossary.definition("neighbours"), **K.widget)
