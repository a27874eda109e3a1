"""The effects one by one, before and after side by side: only the open tab is computed, and by itself."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.isotropy import beside as beside_charts
from embtools.charts.isotropy import measures as measures_charts
from embtools.charts.isotropy import tasks as tasks_charts
from embtools.isotropy import beside, looks, measures, tasks, verdict
from embtools.isotropy.beside import Grouped
from embtools.isotropy.looks import AFTER, BEFORE, Look, compared
from embtools.isotropy.population import STATIC
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import Space
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.fields import words as split
from embtools.ui.isotropy import asking
from embtools.ui.isotropy.asking import Source
from embtools.ui.share import Code

_TITLES = {BEFORE: "Raw", AFTER: "Processed"}


@state.fragment
def show(model: str, source: Source, space: Space, seen: dict[str, Look], code: Code) -> None:
    """The tabs; what is typed in one of them draws only these again."""
    draw = {
        asking.NEIGHBOURS: _neighbours,
        asking.HEATMAP: _heatmap,
        asking.MAP: _map,
        asking.ANALOGIES: _analogies,
        asking.SENSES: _senses,
        asking.ODD: _odd,
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


def _asked(function: Any, model: str, *arguments: Any) -> Any:
    """The result; None, with what is wrong said here, where there is none."""
    try:
        return cached.compute(function, model, *arguments)
    except ValueError as error:
        texts.problem(error)
        return None


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
    table: pd.DataFrame | None = _asked(asking.neighbours, model, source, word, space, k)
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
    found: Grouped | None = _asked(asking.grouped, model, source, asking.WORDS.value, space)
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


def _analogies(model: str, source: Source, space: Space, code: Code) -> None:
    st.text_input("Your own: a is to b as c is to d", max_chars=asking.ANALOGY.most, **asking.ANALOGY.widget)
    own = split(asking.ANALOGY.value)
    mine: pd.DataFrame | None = _asked(asking.analogy, model, source, own, space)
    if mine is not None:
        st.text(verdict.analogy(own, mine))
        figures.folded(mine, "isotropy-mine", "The same with the controls, as a table")
        code.add(
            "own",
            f"mine = own_analogy(population({asking.code(source)}, model), {own!r}, compared(space))",
            f"print(verdict.analogy({own!r}, mine), mine, sep='\\n')",
        )
    found: dict[str, pd.DataFrame] | None = _asked(asking.tables, model, source, space, asking.ANALOGIES)
    if found is None or found[BEFORE].empty:
        st.text("None of the built-in analogies has all of its words here.")
        return
    shares = tasks.by_relation(found)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.subheader("The built-in analogies by relation", anchor=False)
        figures.chart(
            cached.figure(tasks_charts.relations, shares),
            shares,
            name="isotropy-relations",
            alt=tasks_charts.relations_alt(shares),
        )
        page.seen(
            "How often the expected word comes first of all whole words, the three words of the question left out"
            " ([[rank]] 1). In brackets: how many analogies."
        )
    with right:
        st.subheader("Rank of the expected word", anchor=False)
        figures.table(tasks.side_by_side(found), name="isotropy-analogies")
    code.add(
        "effect",
        f"source = population({asking.code(source)}, model)",
        "solved = {}",
        "for name, one in compared(space).items():",
        "    rows = source.fit(one).apply(source.vectors)",
        "    solved[name] = analogies(source, source.means(rows, source.owner))",
        "print(by_relation(solved), side_by_side(solved), sep='\\n')",
    )


def _senses(model: str, source: Source, space: Space, code: Code) -> None:
    if source == STATIC:
        st.text("A static embedding is the same in every sentence: there are no senses to tell apart.")
        values = {asking.SOURCE.key: asking.INSIDE}
        st.button("Take words in sentences", type="primary", on_click=_taken, args=(values,))
        return
    if isinstance(source, CorpusFolder):
        st.text("The folder says no senses. Take the built-in sentences, or see a word's groups on the Corpus page.")
        st.button("Take words in sentences", on_click=_taken, args=({asking.SOURCE.key: asking.INSIDE},))
        return
    found: dict[str, pd.DataFrame] | None = _asked(asking.tables, model, source, space, asking.SENSES)
    if found is None:
        return
    table = tasks.senses_beside(found)
    st.text(tasks.senses_sentence(found))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if AFTER in found:
            shown = {name: found[name] for name in (BEFORE, AFTER)}
            figures.chart(
                cached.figure(tasks_charts.senses, shown),
                table,
                name="isotropy-senses",
                alt=f"{len(table)} words, how well their senses are told apart raw and processed.",
            )
        page.seen(
            "A mark is a word of the built-in text with two [[sense|senses]]: how often two occurrences of one sense"
            " are nearer than two of different senses ([[AUC]]). Above the line the processing helped."
        )
    with right:
        figures.table(table, name="isotropy-senses-words")
    code.add(
        "effect",
        f"source = population({asking.code(source)}, model)",
        "told = {}",
        "for name, one in compared(space).items():",
        "    told[name] = senses(source, source.fit(one).apply(source.vectors))",
        "print(senses_sentence(told), senses_beside(told), sep='\\n')",
    )


def _taken(values: dict[str, Any]) -> None:
    state.put(values)


def _odd(model: str, source: Source, space: Space, code: Code) -> None:
    st.text_input("Which of these words does not belong?", max_chars=asking.PUZZLE.most, **asking.PUZZLE.widget)
    words = split(asking.PUZZLE.value)
    table: pd.DataFrame | None = _asked(asking.puzzle, model, source, words, space)
    if table is None:
        return
    st.header(texts.plain(verdict.odd(table)), anchor=False)
    figures.table(table, name="isotropy-odd")
    page.seen(
        "The mean [[cosine]] of each word with the others: the lowest is the odd one. One puzzle is an anecdote; above,"
        " at *odd one out*, stand a thousand: two words of one built-in list and one of another, right when the two are"
        " nearest to each other. Guessing finds one in three."
    )
    code.add(
        "effect",
        f"odd = odd_one_out(population({asking.code(source)}, model), {words!r}, compared(space))",
        "print(verdict.odd(odd), odd, sep='\\n')",
    )


def _directions(seen: dict[str, Look], code: Code) -> None:
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
