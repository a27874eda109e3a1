"""The first tab of the Layers page: one word in several sentences."""

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.charts.layers import word as charts
from embtools.layers import senses
from embtools.layers.recipes import POOLINGS, SUM_FOUR, Comparison
from embtools.ui import cached, figures, last_good, page
from embtools.ui.fields import frame_choice
from embtools.ui.layers.states import ROBBER, Asked, compare, segment_ids, shape_of

TAB = "One word"


def state(word: str, lines: tuple[str, ...]) -> dict[str, Any]:
    """The widgets' values for a word in some lines."""
    return {
        "layers_tab": TAB,
        "layers_word": word,
        "layers_lines": "\n".join(lines),
        "layers_recipe": SUM_FOUR,
        "layers_pooling": "mean of pieces",
        "layers_keep": [],
        "layers_first": [],
    }


def two_senses(word: str) -> dict[str, Any]:
    """The widgets' values for a word of `senses.csv`."""
    rows = wordlists.load("senses").query("word == @word")
    return state(word, tuple(f"{sense} | {text}" for sense, text in zip(rows["sense"], rows["sentence"], strict=True)))


PRESETS = {
    "bank": two_senses("bank"),
    "The bank robber": state("bank", (ROBBER,)),
    "rock": two_senses("rock"),
    "bat": two_senses("bat"),
    "spring": two_senses("spring"),
}
_FIRST = Asked(PRESETS["bank"]["layers_word"], tuple(PRESETS["bank"]["layers_lines"].splitlines()))


def inputs(model: str) -> tuple[Asked, Comparison] | None:
    """The fields of the left column; the comparison asked for, else the last good one; None where even that fails."""
    st.selectbox(
        "Fifty words of two senses",
        wordlists.load("senses")["word"].unique(),
        index=None,
        key="layers_choice",
        placeholder="Choose one, or write your own below",
        on_change=_choose,
    )
    st.text_input("Word", _FIRST.word, key="layers_word", bind="query-params", max_chars=100)
    st.text_area(
        "Sentences, one a line",
        "\n".join(_FIRST.lines),
        key="layers_lines",
        bind="query-params",
        height=260,
        help="The sense may stand in front: money | He robbed the bank. With several occurrences in one sentence, one"
        " sense for each: money, river | The bank stood on the river bank.",
    )
    asked = Asked(
        st.session_state.layers_word,
        tuple(line for line in st.session_state.layers_lines.splitlines() if line.strip()),
    )
    return last_good.last_good("layers-word", model, partial(compare, model), asked, _FIRST)


def pick(asked: Asked, comparison: Comparison) -> tuple[Asked, Comparison, tuple[int, ...]]:
    """Occurrences picked by clicking: which are compared, and without given senses which belong together."""
    table = comparison.occurrences
    names = {
        number: f"{number} {context}" for number, context in zip(table["occurrence"], table["context"], strict=True)
    }
    keep = _pills("Occurrences compared (none: all)", names, "layers_keep")
    if (table["sense"] == "").all():
        first = _pills("Click those of one sense; the others count as another", names, "layers_first")
        if first:
            asked, comparison = replace(asked, first=first), senses.with_senses(comparison, first)
    if len(keep) == 1:
        st.caption("It takes two occurrences to compare: all are shown until you pick another.")
        keep = ()
    if (table["pieces"] > 1).any():
        st.badge(
            f"{table['pieces'].max()} pieces: first piece and mean differ", icon=":material/token:", color="orange"
        )
    return asked, comparison, keep


def results(model: str, asked: Asked, comparison: Comparison, keep: tuple[int, ...]) -> str:
    """The right column; returns code for "copy as Python"."""
    with st.container(horizontal=True):
        recipe = frame_choice("Layers", comparison.recipes, SUM_FOUR, "layers_recipe")
        pooling = frame_choice("Pooling", POOLINGS, "mean of pieces", "layers_pooling")
    scores = senses.separation(comparison, keep)
    _headline(comparison, scores, keep, recipe, pooling)
    lines = senses.pair_lines(comparison, pooling, keep)
    st.subheader("Every pair over the layers", anchor=False)
    figures.chart(charts.pair_lines(lines), lines, name="pairs-over-layers", alt=charts.pair_lines_alt(lines))
    segments = ""
    if asked.lines == (ROBBER,):  # what the text computes comes first
        segments = segment_ids(model, asked, recipe, pooling, keep)
    st.subheader("Every layer and recipe", anchor=False)
    if scores["auc"].notna().any():
        alt = charts.grid_alt(scores, "auc", "AUC")
        figures.chart(
            cached.figure(charts.grid, scores, "auc", (recipe, pooling), 0.5), scores, name="recipes", alt=alt
        )
    else:
        st.caption("Scores need two senses and two occurrences of one. Write them in front, or click them on the left.")
    st.subheader(f"The pairs under {recipe}, {pooling}", anchor=False)
    pairs = senses.pair_cosines(comparison, recipe, pooling, keep)
    figures.chart(cached.figure(charts.strip, pairs), pairs, name="pairs", alt=charts.strip_alt(pairs))
    if asked.lines != (ROBBER,):
        segments = segment_ids(model, asked, recipe, pooling, keep)
    return (
        "from embtools.layers import recipes, senses\n\n"
        f"lines = {_listed(asked.lines)}\n"
        f"recipe, pooling, keep = {recipe!r}, {pooling!r}, {keep!r}\n"
        f"result = {asked.code()}\n"
        "print(result.tokens.to_string(), result.shapes, dict(zip(result.recipes, result.sizes)), sep='\\n')\n"
        "scores = senses.separation(result, keep)\n"
        "pairs = senses.pair_cosines(result, recipe, pooling, keep)\n"
        "over_layers = senses.pair_lines(result, pooling, keep)\n"
        "print(scores.to_string(), pairs.to_string(), over_layers.to_string(), sep='\\n')\n"
        "print(senses.splits_as_good(result, recipe, pooling, keep))\n" + segments
    )


def _headline(comparison: Comparison, frame_: pd.DataFrame, keep: tuple[int, ...], recipe: str, pooling: str) -> None:
    scores = frame_.set_index(["recipe", "pooling"])["auc"]
    score, best = scores[(recipe, pooling)], scores.max()
    splits = senses.splits_as_good(comparison, recipe, pooling, keep)
    with st.container(horizontal=True):
        st.metric(
            "Senses apart (AUC)",
            "–" if pd.isna(score) else f"{score:.2f}",
            border=True,
            help="How often a pair of one sense is more alike than a pair of different senses. 0.5 is chance.",
        )
        st.metric(
            "Splits that do as well",
            f"{splits[0]} of {splits[1]}" if splits else "–",
            border=True,
            help="The control: of all ways to part these occurrences in two such groups, how many score as high?"
            " 1 means that only the true senses do.",
        )
        st.metric(
            "Numbers in a vector",
            f"{comparison.sizes[comparison.recipes.index(recipe)]:,}",
            border=True,
            help="Of the layers chosen above.",
        )
        st.metric(
            "Hidden states of sentence 1",
            shape_of(comparison),
            border=True,
            help="Layers (embeddings included) × batch × tokens × dimensions.",
        )
    if pd.notna(best):
        names = " · ".join(f"{r}, {p}" for r, p in scores[scores >= best - 1e-9].index[:3])
        st.caption(f"Highest of all here: {best:.2f} ({names}). A single word is an anecdote: see the fifty words.")


def _pills(label: str, names: dict[int, str], key: str) -> tuple[int, ...]:
    # A shorter text has fewer occurrences than were picked before. Only then: it would overrule a cold link.
    if not set(st.session_state.get(key) or []) <= set(names):
        st.session_state[key] = [n for n in st.session_state[key] if n in names]
    chosen = st.pills(
        label,
        list(names),
        selection_mode="multi",
        key=key,
        bind="query-params",
        wrap=True,
        format_func=lambda n: page.plain(names[n]),
    )
    return tuple(chosen or ())


def _choose() -> None:
    if st.session_state.layers_choice:
        page.set_state(two_senses(st.session_state.layers_choice))


def _listed(lines: tuple[str, ...]) -> str:
    return "[\n" + "".join(f"    {line!r},\n" for line in lines) + "]"
