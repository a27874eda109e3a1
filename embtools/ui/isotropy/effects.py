"""The effects one by one, before and after side by side: only the open tab is computed, and by itself."""

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
    """The tabs; what is typed in one of them draws only these again."""
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
    """A column for each of the two spaces, headed by its name; one where nothing is processed."""
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
        st.slider("How many", **asking.K.widget)
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
                alt=f"Nearest to the word, {name}: {', '.join(table[name])}.",
            )
    page.seen(
        "Hatched, with a dot: a [[nearest neighbour]] on this side alone. In the table also those of both controls."
        + ("" if source == STATIC else " A word stands in the mean of its [[occurrence|occurrences]].")
    )
    code.add(
        "effect",
        f"source = population({asking.code(source)}, model)",
        f"near = neighbours(source, {word!r}, compared(space), k={k})",
        f"print(verdict.nearest({word!r}, near), near, sep='\\n')",
    )


def _words(model: str, source: Source, space: Space, code: Code) -> Grouped | None:
    """The field for words in groups, and what is found of them."""
    fold = state.fold("words", "Words in groups: your own", ":material/edit:")
    if fold.open:
        with fold:
            st.text_area(
                "A group a line: name: word, word", height=160, max_chars=asking.WORDS.most, **asking.WORDS.widget
            )
    found: Grouped | None = asking.answered(asking.grouped, model, source, asking.WORDS.value, space)
    if found is None:
        return None
    st.text(verdict.groups(found.table))
    if found.left_out:
        st.text(f"Not there, and left out: {', '.join(found.left_out)}.")
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
        "Blue: alike, orange: opposed ([[cosine]]), on one scale. Groups stand between the lines. A pale picture is not"
        " a better one: what counts is the contrast between the squares on the diagonal and the rest."
    )
    figures.folded(found.table, "isotropy-groups", "Inside and between groups, with the controls, as a table")


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
            matched = ", turned to match the raw one" if name != BEFORE else ""
            page.seen(f"[[PCA]] of these words' directions{matched}; it keeps **{found.kept[name]:.0%}** of variance.")
    code.add("own", "print(*[places_table(words, name) for name in words.places], words.kept, sep='\\n')")


def _directions(seen: dict[str, Measured], code: Code) -> None:
    whole = looks.directions(seen)
    tables = {str(name): table for name, table in whole.groupby("space", sort=False)}
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.subheader("Variance by direction", anchor=False)
        figures.chart(
            cached.figure(measures_charts.spectrum, tables),
            whole,
            name="isotropy-spectrum",
            alt=measures_charts.spectrum_alt(tables),
        )
        page.seen("The [[principal component|principal components]] of each space. A flat line is an isotropic space.")
    with right:
        st.subheader("Dimensions that make cosines large", anchor=False)
        raw = measures.dimensions_table(seen[BEFORE].measures)
        figures.chart(
            cached.figure(measures_charts.dimensions, raw),
            raw,
            name="isotropy-dimensions",
            alt=f"Dimension {raw['dimension'].iat[0]} adds {raw['contribution'].iat[0]:.3f} to the mean cosine.",
        )
        page.seen(f"Raw: [[dominating dimensions]]. {_dominating(raw)}")
    code.add(
        "effect",
        "print(directions(seen), dimensions_table(seen['raw'].measures), sep='\\n')",
    )


def _dominating(raw: pd.DataFrame) -> str:
    if raw["share"].isna().all():
        return "The mean cosine is about zero: no dimension makes it large."
    return f"Three of them make up **{raw['share'].head(3).sum():.0%}** of the mean cosine."
