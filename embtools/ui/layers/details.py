"""Details about one word: pairs and layer combinations in tabs, segment ids and hidden states in expanders."""

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

PAIRS, GRID = "Pairs across layers", "All layer combinations"
MORE = Choice("layers_more", PAIRS, (PAIRS, GRID))
FIELDS = (MORE,)
SEGMENT_1, SEGMENT_0, PUBLISHED = "cosine_segment_1", "cosine_segment_0", "cosine_published"


@dataclass(frozen=True)
class Lines:
    """The cosines of every pair in every layer, and their alt text."""

    lines: pd.DataFrame
    alt: str


@dataclass(frozen=True)
class Scores:
    """The AUC of every combination, the pairs and the test of splits of the chosen one, and the alt texts."""

    scores: pd.DataFrame
    pairs: pd.DataFrame
    splits: tuple[int, int] | None
    grid_alt: str
    pairs_alt: str


def lines(comparison: Comparison, picked: Picked) -> Lines:
    """The contents of the tab about pairs."""
    frame = senses.pair_lines(asking.with_senses(comparison, picked.together), picked.pooling, picked.keep)
    return Lines(frame, charts.pair_lines_alt(frame))


def scores(comparison: Comparison, picked: Picked, chosen: str) -> Scores:
    """The contents of the tab about layer combinations, for a chosen one."""
    comparison = asking.with_senses(comparison, picked.together)
    grid = senses.separation(comparison, picked.keep)
    pairs = senses.pair_cosines(comparison, chosen, picked.pooling, picked.keep)
    splits = senses.splits_as_good(comparison, chosen, picked.pooling, picked.keep)
    return Scores(grid, pairs, splits, grids.grid_alt(grid, "auc", "AUC"), charts.strip_alt(pairs))


def show(
    model: str,
    result: Compared,
    query: tuple[Any, ...],
    picked: Picked,
    code: Code,
    beside: Beside,
    second: Comparison | None,
) -> None:
    """Show the tabs, for both models if there is a `second` comparison, and then the expanders."""
    both = [(result.comparison, query), *([(second, (beside.other, *query[1:]))] if second else [])]
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == PAIRS:
                    _pairs([cached.derive(lines, one, key, picked) for one, key in both], beside)
                else:
                    _grid(both, picked, beside)
    if beside.other:
        st.caption(f"Below: {beside.title} only.")
    fold = state.fold("segments", "Segment ids 0 and 1", ":material/looks_two:")
    code.drop("segments")
    if fold.open:
        with fold:
            _segment_ids(model, result, picked, code)
    fold = state.fold("states", "Tokens and hidden states", ":material/token:")
    if fold.open:
        with fold:
            _hidden_states(result)


def _pairs(over: list[Lines], beside: Beside) -> None:
    for number, (one, column) in enumerate(zip(over, beside.row(len(over) > 1), strict=True)):
        with column:
            also = over[1 - number].lines if len(over) > 1 else None
            figures.chart(
                cached.figure(charts.pair_lines, one.lines, also),
                one.lines,
                name="pairs-over-layers" + number * "-second",
                alt=beside.alt(one.alt, second=bool(number)),
            )
    page.seen(
        "Each line shows the [[cosine]] of a pair of occurrences in every [[layer]]. Compare the two kinds of pairs"
        " within a layer, not the cosines of different layers: in some layers all vectors point in nearly the same"
        " direction ([[anisotropy]])."
    )


def _grid(both: list[tuple[Comparison, tuple[Any, ...]]], picked: Picked, beside: Beside) -> None:
    """Show the scores of every combination, and the pairs for the chosen one."""
    comparison, two = both[0][0], len(both) > 1
    above = st.container()
    columns = [(column, column) for column in beside.row()] if two else [st.columns([3, 2], gap="large")]
    with above if two else columns[0][1]:
        chosen = str(
            st.selectbox(
                "Layer combination", help=glossary.definition("recipe"), **asking.RECIPE.among(comparison.recipes)
            )
        )
    results = [cached.derive(scores, one, key, picked, recipe(one)) for one, key in both]
    if two:
        above.text(verdict.two_recipes(results[0].scores, results[1].scores, (beside.title, beside.other_title)))
    for number, ((one, _), result, (left, right)) in enumerate(zip(both, results, columns, strict=True)):
        of = recipe(one)
        with right:
            _headline(result, (of, picked.pooling), one.sizes[one.recipes.index(of)])
            figures.chart(
                cached.figure(charts.strip, result.pairs),
                result.pairs,
                name="pairs" + number * "-second",
                alt=beside.alt(result.pairs_alt, second=bool(number)),
            )
            if of != chosen:
                st.caption(f"{beside.other_title} has no {chosen}. The chart shows its {of} instead.")
        with left:
            if result.scores["auc"].isna().all():
                st.caption(
                    "A score needs two senses, and at least two occurrences of one of them. Write the senses in front"
                    " of the sentences, or click the occurrences of one sense above."
                )
                continue
            figures.chart(
                cached.figure(grids.grid, result.scores, "auc", (of, picked.pooling), 0.5),
                result.scores,
                name="recipes" + number * "-second",
                alt=beside.alt(result.grid_alt, second=bool(number)),
            )
            if not number:
                page.seen(
                    "Each cell shows the [[AUC]] of a [[recipe|layer combination]] (row) with a [[pooling]] (column)."
                    " The chosen cell has a frame. One word is not enough to choose the best combination; the tab"
                    " *Fifty words* compares them on many words."
                )


def _headline(result: Scores, chosen: tuple[str, str], size: int) -> None:
    score = result.scores.set_index(["recipe", "pooling"])["auc"][chosen]
    with st.container(horizontal=True):
        st.metric(
            "Separation of senses (AUC)", "–" if pd.isna(score) else f"{score:.2f}", help=glossary.definition("AUC")
        )
        st.metric(
            "Splits at least as good",
            f"{result.splits[0]} of {result.splits[1]}" if result.splits else "–",
            help="This is a control. It counts how many of all ways to split these occurrences into two groups of the"
            " same sizes reach at least this AUC. A count of 1 means that only the split by sense does.",
        )
        st.metric("Dimensions", f"{size:,}")


def _segment_ids(model: str, result: Compared, picked: Picked, code: Code) -> None:
    """Show the pairs with both segment ids, and published values if they belong to this word and sentence."""
    if not cached.model(model).has_segments:
        st.caption("This model has no segment embeddings, so there is nothing to compare.")
        return
    chosen, pooling = recipe(result.comparison), picked.pooling
    try:
        both = {
            name: _with_segment(model, result, picked, segment) for name, segment in ((SEGMENT_1, 1), (SEGMENT_0, 0))
        }
    except ValueError as error:
        texts.problem(error)
        return
    one, zero = (senses.pair_cosines(c, chosen, pooling, picked.keep) for c in both.values())
    table = one.rename(columns={"cosine": SEGMENT_1}).merge(
        zero[["first", "second", "cosine"]].rename(columns={"cosine": SEGMENT_0}), on=["first", "second"]
    )
    reading = result.reading
    same = published.belongs_to_bank(reading.word, reading.lines, chosen, pooling)
    if same:
        cosines = published.bank_cosines()
        table[PUBLISHED] = [cosines.get(pair) for pair in zip(table["first"], table["second"], strict=True)]
    table = table[["pair", SEGMENT_1, SEGMENT_0, *([PUBLISHED] if same else []), "kind"]]
    page.seen(
        f"The table shows the [[cosine]] of each pair for the layer combination “{chosen}” and the pooling “{pooling}”."
        " The article “Understanding BERT — Word Embeddings” gives a single sentence the [[segment id]] 1. In BERT's"
        " training, a single sentence or the first of a pair had segment id 0."
        + (" The published values are those of BERT base with segment id 1." if same else "")
    )
    figures.table(table, name="segments", column_config={"pair": st.column_config.TextColumn(width="medium")})
    rows = []
    for segment, comparison in zip((1, 0), both.values(), strict=True):
        values = comparison.first_values[comparison.at(chosen, pooling)]
        rows += [
            (str(segment), context, *map(float, row))
            for context, row in zip(comparison.occurrences["context"], values, strict=True)
        ]
    if same:
        rows += [("published", *row) for row in published.bank_values().itertuples(index=False)]
    st.caption("The first five values of each vector")
    figures.table(pd.DataFrame(rows, columns=["segment", "occurrence", *"12345"]), name="first-values")
    code.add(
        "segments",
        "for segment in (1, 0):",
        f"    other = {asking.code(reading, result.comparison, ', segment=segment')}",
        "    print(senses.pair_cosines(other, recipe, pooling, keep))",
        "    print(other.first_values[other.at(recipe, pooling)])",
    )


def recipe(comparison: Comparison) -> str:
    """The chosen layer combination, or the default if this model does not have it."""
    return asking.RECIPE.value if asking.RECIPE.value in comparison.recipes else asking.RECIPE.default


def _with_segment(model: str, result: Compared, picked: Picked, segment: int) -> Comparison:
    other = jobs.run(
        f"layers-segment-{segment}",
        comparisons.compare_word,
        model,
        result.reading.lines,
        result.reading.word,
        segment=segment,
        label="Reading the sentences",
    )
    return asking.with_senses(other, picked.together)


def _hidden_states(result: Compared) -> None:
    """Show the tokens with their ids, and the shapes of the hidden states."""
    comparison = result.comparison
    first = comparison.shapes.iloc[0]
    concatenated = comparison.sizes[comparison.recipes.index(CONCAT_FOUR)]
    page.seen(
        f"The hidden states of sentence 1 consist of **{shape_of(comparison)} = {first['values']:,}** values:"
        " [[layer|layers]] (including layer 0) × batch × tokens × dimensions. A token's vector has"
        f" {first['dimensions']:,} dimensions if layers are summed, and {concatenated:,} if the last four layers are"
        f" concatenated. A sentence's vector has {first['dimensions']:,} dimensions."
    )
    if result.reading.lines == (published.BANK_LINE,):
        st.caption(
            f"The article reports for this sentence and BERT base {published.BANK_SHAPE} values, and vectors of 768,"
            " 3,072 and 768 dimensions."
        )
    figures.table(comparison.tokens, name="tokens")
    st.caption("In the column *occurrence*, 0 means that the token does not belong to the compared word.")
    figures.table(comparison.shapes, name="shapes")


def shape_of(comparison: Comparison) -> str:
    """The shape of the first sentence's hidden states: layers × batch × tokens × dimensions."""
    return " × ".join(f"{comparison.shapes[c].iloc[0]:,}" for c in ("layers", "batch", "tokens", "dimensions"))
