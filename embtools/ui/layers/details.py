"""More about a word: pairs and recipes under tabs, segment ids and hidden states in folds; only what is open."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import grids
from embtools.charts.layers import word as charts
from embtools.layers import comparisons, published, senses, verdict
from embtools.layers.comparisons import Comparison
from embtools.recipes import CONCAT_FOUR
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.compare import Beside
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


def show(
    model: str,
    found: Compared,
    asked: tuple[Any, ...],
    picked: Picked,
    code: Code,
    beside: Beside,
    second: Comparison | None,
) -> None:
    """The tabs, of both models where a `second` comparison stands beside; then the folds."""
    both = [(found.comparison, asked), *([(second, (beside.other, *asked[1:]))] if second else [])]
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == PAIRS:
                    _pairs([cached.derive(lines, one, question, picked) for one, question in both], beside)
                else:
                    _grid(both, picked, beside)
    if beside.other:
        st.caption(f"All below: {beside.title} alone.")
    fold = state.fold("segments", "Segment ids: as in the text, and BERT's standard", ":material/looks_two:")
    code.drop("segments")
    if fold.open:
        with fold:
            _segment_ids(model, found, picked, code)
    fold = state.fold("states", "Tokens and hidden states", ":material/token:")
    if fold.open:
        with fold:
            _hidden_states(found)


def _pairs(over: list[Lines], beside: Beside) -> None:
    for number, (one, place) in enumerate(zip(over, beside.row(len(over) > 1), strict=True)):
        with place:
            also = over[1 - number].lines if len(over) > 1 else None
            figures.chart(
                cached.figure(charts.pair_lines, one.lines, also),
                one.lines,
                name="pairs-over-layers" + number * "-second",
                alt=beside.alt(one.alt, second=bool(number)),
            )
    page.seen(
        "The [[cosine]] of every two occurrences in each [[layer]]. Only the distance between the kinds counts: in some"
        " layers all vectors point the same way ([[anisotropy]])."
    )


def _grid(both: list[tuple[Comparison, tuple[Any, ...]]], picked: Picked, beside: Beside) -> None:
    """The grid of every recipe beside the pairs of the chosen one; of two models, each below its grid."""
    comparison, two = both[0][0], len(both) > 1
    above = st.container()
    places = [(place, place) for place in beside.row()] if two else [st.columns([3, 2], gap="large")]
    with above if two else places[0][1]:
        chosen = str(
            st.selectbox("Layers", help=glossary.definition("recipe"), **asking.RECIPE.among(comparison.recipes))
        )
    found = [cached.derive(scores, one, question, picked, recipe(one)) for one, question in both]
    if two:
        above.text(verdict.two_recipes(found[0].scores, found[1].scores, (beside.title, beside.other_title)))
    for number, ((one, _), seen, (left, right)) in enumerate(zip(both, found, places, strict=True)):
        of = recipe(one)
        with right:
            _headline(seen, (of, picked.pooling), one.sizes[one.recipes.index(of)])
            figures.chart(
                cached.figure(charts.strip, seen.pairs),
                seen.pairs,
                name="pairs" + number * "-second",
                alt=beside.alt(seen.pairs_alt, second=bool(number)),
            )
            if of != chosen:
                st.caption(f"{beside.other_title} has no {chosen}: this is its {of}.")
        with left:
            if seen.scores["auc"].isna().all():
                st.caption(
                    "Scores need two senses and two occurrences of one. Write the senses in front of the sentences, or"
                    " click them."
                )
                continue
            figures.chart(
                cached.figure(grids.grid, seen.scores, "auc", (of, picked.pooling), 0.5),
                seen.scores,
                name="recipes" + number * "-second",
                alt=beside.alt(seen.grid_alt, second=bool(number)),
            )
            if not number:
                page.seen(
                    "[[AUC]] of every [[recipe]] of layers (down) and [[pooling]] of tokens (across); the chosen one"
                    " has a frame. A single word is an anecdote: see the fifty words."
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
