"""Tabs that compare words before and after processing; only the open tab is computed."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.isotropy import beside as beside_charts
from embtools.charts.isotropy import measures as measures_charts
from embtools.isotropy import beside, looks, measures, verdict
from embtools.isotropy.beside import Grouped
from embtools.isotropy.looks import AFTER, BEFORE, Measured, compared
from embtools.isotropy.population import STATIC
from embtools.spaces.space import Space
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.isotropy import asking, questions
from embtools.ui.isotropy.asking import Source
from embtools.ui.share import Code

_TITLES = {BEFORE: "Raw", AFTER: "Processed"}


@state.fragment
def show(model: str, source: Source, space: Space, seen: dict[str, Measured], code: Code) -> None:
    """Draw the tabs; input in one of them reruns only this fragment."""
    draw = {
        asking.NEIGHBOURS: _neighbours,
        asking.HEATMAP: _heatmap,
        asking.MAP: _map,
        asking.ANALOGIES: questions.analogies,
        asking.SENSES: questions.senses,
        asking.ODD: questions.odd,
    }
    for part in ("effect", "own"):
        code.drop(part)
    for name, tab in state.tabs(asking.EFFECT).items():
        if not tab.open:
            continue
        with tab:
            if name == asking.DIRECTIONS:
                _directions(seen, code)
            else:
                draw[name](model, source, space, code)


def _sides(space: Space) -> list[tuple[str, Any]]:
    """One column with a heading per space: raw and processed, or raw only."""
    names = [name for name in (BEFORE, AFTER) if name in compared(space)]
    found = list(zip(names, st.columns(len(names), gap="medium"), strict=True))
    for name, column in found:
        with column:
            st.subheader(_TITLES[name] if name == BEFORE else texts.plain(f"Processed: {space.says}"), anchor=False)
    return found


def _neighbours(model: str, source: Source, space: Space, code: Code) -> None:
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.text_input("Word", max_chars=asking.WORD.most, **asking.WORD.widget)
    with right:
        st.slider("Number of neighbours", **asking.K.widget)
    word, k = asking.WORD.value.strip(), int(asking.K.value)
    table: pd.DataFrame | None = asking.answered(asking.neighbours, model, source, word, space, k)
    if table is None:
        return
    st.text(verdict.nearest(word, table))
    sides = _sides(space)
    for name, column in sides:
        other = next((one for one, _ in sides if one != name), None)
        with column:
            figures.chart(
                cached.figure(beside_charts.near, table, name, other),
                table,
                name=f"isotropy-near-{name}",
                alt=f"Nearest neighbours of {word}, {name}: {', '.join(table[name])}.",
            )
    page.seen(
        "Hatched bars with a dot are [[nearest neighbour|nearest neighbours]] in this space only. The table also shows"
        " the neighbours in the controls."
        + ("" if source == STATIC else " Each word is represented by the mean of its [[occurrence|occurrences]].")
    )
    code.add(
        "effect",
        f"source = population({asking.code(source)}, model)",
        f"near = neighbours(source, {word!r}, compared(space), k={k})",
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
                max_chars=asking.WORDS.most,
                **asking.WORDS.widget,
            )
    found: Grouped | None = asking.answered(asking.grouped, model, source, asking.WORDS.value, space)
    if found is None:
        return None
    st.text(verdict.groups(found.table))
    if found.left_out:
        st.text(f"Left out because they do not occur here: {', '.join(found.left_out)}.")
    code.add(
        "effect",
        f"source = population({asking.code(source)}, model)",
        f"words = grouped(source, read_groups({asking.WORDS.value!r}), compared(space))",
        "print(verdict.groups(words.table), words.table, words.pairs, sep='\\n')",
    )
    return found


def _heatmap(model: str, source: Source, space: Space, code: Code) -> None:
    found = _words(model, source, space, code)
    if found is None:
        return
    for name, column in _sides(space):
        with column:
            figures.chart(
                cached.figure(beside_charts.heatmap, found, name),
                found.pairs,
                name=f"isotropy-heatmap-{name}",
                alt=beside_charts.heatmap_alt(found, name),
            )
    page.seen(
        "Each cell is the [[cosine]] of two words, blue above zero and orange below, on the same scale in all heatmaps."
        " Lines separate the groups. A paler heatmap is not better in itself: what counts is the contrast between the"
        " squares on the diagonal and the rest."
    )
    figures.folded(found.table, "isotropy-groups", "Mean cosines within and between groups, with the controls")


def _map(model: str, source: Source, space: Space, code: Code) -> None:
    found = _words(model, source, space, code)
    if found is None:
        return
    for name, column in _sides(space):
        with column:
            figures.chart(
                cached.figure(beside_charts.word_map, found, name),
                beside.places_table(found, name),
                name=f"isotropy-map-{name}",
                alt=beside_charts.map_alt(found, name),
            )
            matched = ", rotated to match the raw map" if name != BEFORE else ""
            page.seen(
                f"[[PCA]] of the directions of these words{matched}. The map shows **{found.kept[name]:.0%}** of the"
                " variance."
            )
    code.add("own", "print(*[places_table(words, name) for name in words.places], words.kept, sep='\\n')")


def _directions(seen: dict[str, Measured], code: Code) -> None:
    whole = looks.directions(seen)
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
            "Each line shows the [[principal component|principal components]] of one space. In an isotropic space"
            " the line is flat."
        )
    with right:
        st.subheader("Dimensions that dominate the mean cosine", anchor=False)
        raw = measures.dimensions_table(seen[BEFORE].measures)
        figures.chart(
            cached.figure(measures_charts.dimensions, raw),
            raw,
            name="isotropy-dimensions",
            alt=f"Dimension {raw['dimension'].iat[0]} contributes {raw['contribution'].iat[0]:.3f} to the mean cosine.",
        )
        page.seen(f"The [[dominating dimensions]] of the raw vectors. {_dominating(raw)}")
    code.add(
        "effect",
        "print(directions(seen), dimensions_table(seen['raw'].measures), sep='\\n')",
    )


def _dominating(raw: pd.DataFrame) -> str:
    if raw["share"].isna().all():
        return "The mean cosine is about zero, so no dimension dominates it."
    return f"The first three make up **{raw['share'].head(3).sum():.0%}** of the mean cosine."
