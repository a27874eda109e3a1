"""More about a word: pairs and recipes under tabs, segment ids and hidden states in folds; only what is open."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import grids
from embtools.charts.layers import word as charts
from embtools.layers import comparisons, published, senses
from embtools.layers.comparisons import Comparison
from embtools.recipes import CONCAT_FOUR
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.fields import Choice
from embtools.ui.layers import asking
from embtools.ui.layers.asking import Compared, Picked
from embtools.ui.share import Code

PAIRS, GRID = "Every pair over the layers", "Every layer and recipe"
MORE = Choice("layers_more", PAIRS, (PAIRS, GRID))
FIELDS = (MORE,)
AS_TEXT, AS_BERT, PUBLISHED = "id 1 (the text)", "id 0 (BERT)", "published"


@dataclass(frozen=True)
class Lines:
    """Every pair over the layers, and the same in a sentence."""

    lines: pd.DataFrame
    alt: str


@dataclass(frozen=True)
class Scores:
    """Every recipe's AUC; the pairs of the chosen one, and how many splits do as well; each chart in a sentence."""

    scores: pd.DataFrame
    pairs: pd.DataFrame
    splits: tuple[int, int] | None
    grid_alt: str
    pairs_alt: str


def lines(comparison: Comparison, picked: Picked) -> Lines:
    """What the first tab shows."""
    frame = senses.pair_lines(asking.with_senses(comparison, picked.together), picked.pooling, picked.keep)
    return Lines(frame, charts.pair_lines_alt(frame))


def scores(comparison: Comparison, picked: Picked, chosen: str) -> Scores:
    """What the second tab shows for a chosen recipe."""
    comparison = asking.with_senses(comparison, picked.together)
    grid = senses.separation(comparison, picked.keep)
    pairs = senses.pair_cosines(comparison, chosen, picked.pooling, picked.keep)
    splits = senses.splits_as_good(comparison, chosen, picked.pooling, picked.keep)
    return Scores(grid, pairs, splits, grids.grid_alt(grid, "auc", "AUC"), charts.strip_alt(pairs))


def show(model: str, found: Compared, asked: tuple[Any, ...], picked: Picked, code: Code) -> None:
    """The tabs, then the folds."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == PAIRS:
                    _pairs(cached.derive(lines, found.comparison, asked, picked))
                else:
                    _grid(found.comparison, asked, picked)
    fold = state.fold("segments", "Segment ids: as in the text, and BERT's standard", ":material/looks_two:")
    code.drop("segments")
    if fold.open:
        with fold:
            _segment_ids(model, found, picked, code)
    fold = state.fold("states", "Tokens and hidden states", ":material/token:")
    if fold.open:
        with fold:
            _hidden_states(found)


def _pairs(over: Lines) -> None:
    figures.chart(cached.figure(charts.pair_lines, over.lines), over.lines, name="pairs-over-layers", alt=over.alt)
    page.seen(
        "The [[cosine]] of every two occurrences in each [[layer]]. Only the distance between the kinds counts: in some"
        " layers all vectors point the same way ([[anisotropy]])."
    )


def _grid(comparison: Comparison, asked: tuple[Any, ...], picked: Picked) -> None:
    left, right = st.columns([3, 2], gap="large")
    with right:
        chosen = str(
            st.selectbox("Layers", help=glossary.definition("recipe"), **asking.RECIPE.among(comparison.recipes))
        )
        found = cached.derive(scores, comparison, asked, picked, chosen)
        _headline(found, (chosen, picked.pooling), comparison.sizes[comparison.recipes.index(chosen)])
        figures.chart(cached.figure(charts.strip, found.pairs), found.pairs, name="pairs", alt=found.pairs_alt)
    with left:
        if found.scores["auc"].isna().all():
            st.caption(
                "Scores need two senses and two occurrences of one. Write the senses in front of the sentences, or"
                " click them."
            )
            return
        figures.chart(
            cached.figure(grids.grid, found.scores, "auc", (chosen, picked.pooling), 0.5),
            found.scores,
            name="recipes",
            alt=found.grid_alt,
        )
        page.seen(
            "[[AUC]] of every [[recipe]] of layers (down) and [[pooling]] of tokens (across); the chosen one has a"
            " frame. A single word is an anecdote: see the fifty words."
        )


def _headline(found: Scores, chosen: tuple[str, str], size: int) -> None:
    score = found.scores.set_index(["recipe", "pooling"])["auc"][chosen]
    with st.container(horizontal=True):
        st.metric("Senses apart (AUC)", "–" if pd.isna(score) else f"{score:.2f}", help=glossary.definition("AUC"))
        st.metric(
            "Splits that do as well",
            f"{found.splits[0]} of {found.splits[1]}" if found.splits else "–",
            help="The control: of all ways to part these occurrences in two such groups, how many score as high?"
            " 1 means that only the true senses do.",
        )
        st.metric("Numbers in a vector", f"{size:,}")


def _segment_ids(model: str, found: Compared, picked: Picked, code: Code) -> None:
    """The same pairs with both segment ids, and the published figures where they belong."""
    if not cached.model(model).has_segments:
        st.caption("This model has no segment embeddings, so there is nothing to compare.")
        return
    chosen, pooling = recipe(found.comparison), picked.pooling
    try:
        both = {name: _with_segment(model, found, picked, segment) for name, segment in ((AS_TEXT, 1), (AS_BERT, 0))}
    except ValueError as error:
        texts.problem(error)
        return
    one, zero = (senses.pair_cosines(c, chosen, pooling, picked.keep) for c in both.values())
    table = one.rename(columns={"cosine": AS_TEXT}).merge(
        zero[["first", "second", "cosine"]].rename(columns={"cosine": AS_BERT}), on=["first", "second"]
    )
    reading = found.reading
    same = published.belongs_to_bank(reading.word, reading.lines, chosen, pooling)
    if same:
        cosines = published.bank_cosines()
        table[PUBLISHED] = [cosines.get(pair) for pair in zip(table["first"], table["second"], strict=True)]
    table = table[["pair", AS_TEXT, AS_BERT, *([PUBLISHED] if same else []), "kind"]]
    page.seen(
        f"The [[cosine]] of each pair under {chosen}, {pooling}. The text gives a single sentence the [[segment id]] 1;"
        " in BERT's training a single sentence, and the first of a pair, has 0."
        + (" Published: BERT base, id 1." if same else "")
    )
    figures.table(table, name="segments", column_config={"pair": st.column_config.TextColumn(width="medium")})
    rows = []
    for name, comparison in both.items():
        values = comparison.first_values[comparison.at(chosen, pooling)]
        rows += [
            (name, context, *map(float, row))
            for context, row in zip(comparison.occurrences["context"], values, strict=True)
        ]
    if same:
        rows += [(PUBLISHED, *row) for row in published.bank_values().itertuples(index=False)]
    st.caption("The first five values of each vector")
    figures.table(pd.DataFrame(rows, columns=["segment ids", "occurrence", *"12345"]), name="first-values")
    code.add(
        "segments",
        "for segment in (1, 0):",
        f"    other = {asking.code(reading, found.comparison, ', segment=segment')}",
        "    print(senses.pair_cosines(other, recipe, pooling, keep))",
        "    print(other.first_values[other.at(recipe, pooling)])",
    )


def recipe(comparison: Comparison) -> str:
    """The recipe asked for, where this model has it."""
    return asking.RECIPE.value if asking.RECIPE.value in comparison.recipes else asking.RECIPE.default


def _with_segment(model: str, found: Compared, picked: Picked, segment: int) -> Comparison:
    other = jobs.run(
        f"layers-segment-{segment}",
        comparisons.compare_word,
        model,
        found.reading.lines,
        found.reading.word,
        segment=segment,
        label="Reading the sentences",
    )
    return asking.with_senses(other, picked.together)


def _hidden_states(found: Compared) -> None:
    """The tokens with their ids and the shapes as live numbers."""
    comparison = found.comparison
    first = comparison.shapes.iloc[0]
    concatenated = comparison.sizes[comparison.recipes.index(CONCAT_FOUR)]
    page.seen(
        f"Sentence 1: **{shape_of(comparison)} = {first['values']:,}** values: [[layer|layers]] (embeddings included) ×"
        f" batch × tokens × dimensions. A token's vector has {first['dimensions']:,} numbers as a sum of layers and"
        f" {concatenated:,} as the concatenation of the last four; a sentence's vector has {first['dimensions']:,}."
    )
    if found.reading.lines == (published.BANK_LINE,):
        st.caption(
            f"Published for this sentence and BERT base: {published.BANK_SHAPE} values; 768, 3,072 and 768 numbers."
        )
    figures.table(comparison.tokens, name="tokens")
    st.caption("Occurrence 0: not the word that is compared.")
    figures.table(comparison.shapes, name="shapes")


def shape_of(comparison: Comparison) -> str:
    """The shape of the first sentence's hidden states: layers × batch × tokens × dimensions."""
    return " × ".join(f"{comparison.shapes[c].iloc[0]:,}" for c in ("layers", "batch", "tokens", "dimensions"))
