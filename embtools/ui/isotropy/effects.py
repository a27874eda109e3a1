"""Tabs that compare words before and after processing; only the open tab is computed."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.isotropy import measures as measures_charts
from embtools.charts.isotropy import own_words as own_words_charts
from embtools.isotropy import measures, overview, own_words, verdict
from embtools.isotropy.overview import AFTER, BEFORE, SpaceMeasures, with_controls
from embtools.isotropy.own_words import Grouped
from embtools.isotropy.population import STATIC
from embtools.spaces.space import Space
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.isotropy import queries, tasks
from embtools.ui.isotropy.queries import Source
from embtools.ui.share import Code

_TITLES = {BEFORE: "Raw", AFTER: "Processed"}


@state.fragment
def show(model: str, source: Source, space: Space, overviews: dict[str, SpaceMeasures], code: Code) -> None:
    """Draw the tabs; input in one of them reruns only this fragment."""
    draw = {
        queries.NEIGHBOURS: _neighbours,
        queries.HEATMAP: _heatmap,
        queries.MAP: _map,
        queries.ANALOGIES: tasks.analogies,
        queries.SENSES: tasks.senses,
        queries.ODD: tasks.odd,
    }
    for part in ("effect", "own"):
        code.drop(part)
    for name, tab in state.tabs(queries.EFFECT).items():
        if not tab.open:
            continue
        with tab:
            if name == queries.DIRECTIONS:
                _directions(overviews, code)
            else:
                draw[name](model, source, space, code)


def _sides(space: Space) -> list[tuple[str, Any]]:
    """One column with a heading per space: raw and processed, or raw only."""
    names = [name for name in (BEFORE, AFTER) if name in with_controls(space)]
    result = list(zip(names, st.columns(len(names), gap="medium"), strict=True))
    for name, column in result:
        with column:
            st.subheader(_TITLES[name] if name == BEFORE else texts.plain(f"Processed: {space.says}"), anchor=False)
    return result


def _neighbours(model: str, source: Source, space: Space, code: Code) -> None:
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.text_input("Word", max_chars=queries.WORD.most, **queries.WORD.widget)
    with right:
        st.slider("Number of neighbours", **queries.K.widget)
    word, k = queries.WORD.value.strip(), int(queries.K.value)
    table: pd.DataFrame | None = queries.answered(queries.neighbours, model, source, word, space, k)
    if table is None:
        return
    st.text(verdict.nearest(word, table))
    sides = _sides(space)
    for name, column in sides:
        other = next((one for one, _ in sides if one != name), None)
        with column:
            figures.chart(
                cached.figure(own_words_charts.near, table, name, other),
                table,
                name=f"isotropy-near-{name}",
                alt=f"Nearest neighbours of {word}, {name}: {', '.join(table[name])}.",
            )
    page.seen(
        "Hatched bars with a dot mark [[nearest neighbour|nearest neighbours]] that occur in this space only. The table"
        " also shows the neighbours in the controls."
        + ("" if source == STATIC else " Each word is represented by the mean of its [[occurrence|occurrences]].")
    )
    code.add(
        "effect",
        f"source = population({queries.code(source)}, model)",
        f"near = neighbours(source, {word!r}, with_controls(space), k={k})",
        f"print(verdict.nearest({word!r}, near), near, sep='\\n')",
    )


def _words(model: str, source: Source, space: Space, code: Code) -> Grouped | None:
    """Draw the field for groups of words and return the result."""
    fold = state.fold("words", "Edit the groups of words", ":material/edit:")
    if fold.open:
        with fold:
            st.text_area(
                "One group per line, written as name: word, word",
                height=160,
                max_chars=queries.WORDS.most,
                **queries.WORDS.widget,
            )
    result: Grouped | None = queries.answered(queries.word_groups, model, source, queries.WORDS.value, space)
    if result is None:
        return None
    st.text(verdict.groups(result.table))
    if result.left_out:
        st.text(f"Left out because they do not occur here: {', '.join(result.left_out)}.")
    code.add(
        "effect",
        f"source = population({queries.code(source)}, model)",
        f"words = compare_groups(source, read_groups({queries.WORDS.value!r}), with_controls(space))",
        "print(verdict.groups(words.table), words.table, words.pairs, sep='\\n')",
    )
    return result


def _heatmap(model: str, source: Source, space: Space, code: Code) -> None:
    result = _words(model, source, space, code)
    if result is None:
        return
    for name, column in _sides(space):
        with column:
            figures.chart(
                cached.figure(own_words_charts.heatmap, result, name),
                result.pairs,
                name=f"isotropy-heatmap-{name}",
                alt=own_words_charts.heatmap_alt(result, name),
            )
    page.seen(
        "Each cell is the [[cosine]] of two words, blue above zero and orange below, on the same scale in all heatmaps."
        " Lines separate the groups. A paler heatmap is not better in itself: what counts is the contrast between the"
        " squares on the diagonal and the rest."
    )
    figures.folded(result.table, "isotropy-groups", "Mean cosines within and between groups, with the controls")


def _map(model: str, source: Source, space: Space, code: Code) -> None:
    result = _words(model, source, space, code)
    if result is None:
        return
    for name, column in _sides(space):
        with column:
            figures.chart(
                cached.figure(own_words_charts.word_map, result, name),
                own_words.map_table(result, name),
                name=f"isotropy-map-{name}",
                alt=own_words_charts.map_alt(result, name),
            )
            matched = ", rotated to match the raw map" if name != BEFORE else ""
            page.seen(
                f"[[PCA]] of the directions of these words{matched}. The map shows **{result.explained[name]:.0%}** of"
                " the variance."
            )
    code.add("own", "print(*[map_table(words, name) for name in words.maps], words.explained, sep='\\n')")


def _directions(overviews: dict[str, SpaceMeasures], code: Code) -> None:
    whole = overview.directions(overviews)
    tables = {str(name): table for name, table in whole.groupby("space", sort=False)}
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.subheader("Variance by principal component", anchor=False)
        figures.chart(
            cached.figure(measures_charts.spectrum, tables),
            whole,
            name="isotropy-spectrum",
            alt=measures_charts.spectrum_alt(tables),
        )
        page.seen(
            "Each line shows the variance of the [[principal component|principal components]] of one space. In an"
            " isotropic space, the line is flat."
        )
    with right:
        st.subheader("Dimensions that dominate the mean cosine", anchor=False)
        raw = measures.dimensions_table(overviews[BEFORE].measures)
        figures.chart(
            cached.figure(measures_charts.dimensions, raw),
            raw,
            name="isotropy-dimensions",
            alt=f"Dimension {raw['dimension'].iat[0]} contributes {raw['contribution'].iat[0]:.3f} to the mean cosine.",
        )
        page.seen(f"The chart shows the [[dominating dimensions]] of the raw vectors. {_dominating(raw)}")
    code.add(
        "effect",
        "print(directions(overviews), dimensions_table(overviews['raw'].measures), sep='\\n')",
    )


def _dominating(raw: pd.DataFrame) -> str:
    if raw["share"].isna().all():
        return "The mean cosine is about zero, so no dimension dominates it."
    return f"The first three make up **{raw['share'].head(3).sum():.0%}** of the mean cosine."
