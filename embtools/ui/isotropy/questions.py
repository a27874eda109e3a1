"""Tabs for analogies, senses and the odd one out, compared between spaces."""

import pandas as pd
import streamlit as st

from embtools.charts.isotropy import tasks as charts
from embtools.isotropy import answers, verdict
from embtools.isotropy.looks import AFTER, BEFORE
from embtools.isotropy.population import STATIC
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import Space
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.fields import words as split
from embtools.ui.isotropy import asking
from embtools.ui.isotropy.asking import Source
from embtools.ui.share import Code


def analogies(model: str, source: Source, space: Space, code: Code) -> None:
    """Draw the visitor's own analogy, and the built-in ones by relation and one by one."""
    st.text_input(
        "Your own analogy (a, b, c, d: a is to b as c is to d)", max_chars=asking.ANALOGY.most, **asking.ANALOGY.widget
    )
    own = split(asking.ANALOGY.value)
    mine: pd.DataFrame | None = asking.answered(asking.analogy, model, source, own, space)
    if mine is not None:
        st.text(verdict.analogy(own, mine))
        figures.folded(mine, "isotropy-mine", "Ranks in all spaces, with the controls")
        code.add(
            "own",
            f"mine = own_analogy(population({asking.code(source)}, model), {own!r}, compared(space))",
            f"print(verdict.analogy({own!r}, mine), mine, sep='\\n')",
        )
    found: dict[str, pd.DataFrame] | None = asking.answered(asking.tables, model, source, space, asking.ANALOGIES)
    if found is None or found[BEFORE].empty:
        st.text("No built-in analogy has all its words among these vectors.")
        return
    shares = answers.by_relation(found)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.subheader("Built-in analogies by relation", anchor=False)
        figures.chart(
            cached.figure(charts.relations, shares),
            shares,
            name="isotropy-relations",
            alt=charts.relations_alt(shares),
        )
        page.seen(
            "Each mark shows how often the expected word has [[rank]] 1 among all whole words, not counting the three"
            " words of the question. The number of analogies is given in brackets."
        )
    with right:
        st.subheader("Rank of the expected word", anchor=False)
        figures.table(answers.side_by_side(found), name="isotropy-analogies")
    code.add(
        "effect",
        f"source = population({asking.code(source)}, model)",
        "solved = {}",
        "for name, one in compared(space).items():",
        "    rows = source.fit(one).apply(source.vectors)",
        "    solved[name] = analogies(source, source.means(rows, source.owner))",
        "print(by_relation(solved), side_by_side(solved), sep='\\n')",
    )


def senses(model: str, source: Source, space: Space, code: Code) -> None:
    """Draw how well the senses of words are separated, or a button that switches to vectors with senses."""
    if source == STATIC:
        st.text("A static embedding is the same in every sentence, so there are no senses to separate.")
        values = {asking.SOURCE.key: asking.INSIDE}
        st.button("Use words in sentences", type="primary", on_click=state.put, args=(values,))
        return
    if isinstance(source, CorpusFolder):
        st.text(
            "This folder has no sense labels. Use the built-in sentences, or see a word’s groups on the Corpus page."
        )
        st.button("Use words in sentences", on_click=state.put, args=({asking.SOURCE.key: asking.INSIDE},))
        return
    found: dict[str, pd.DataFrame] | None = asking.answered(asking.tables, model, source, space, asking.SENSES)
    if found is None:
        return
    table = answers.senses_beside(found)
    st.text(answers.senses_sentence(found))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if AFTER in found:
            shown = {name: found[name] for name in (BEFORE, AFTER)}
            figures.chart(
                cached.figure(charts.senses, shown),
                table,
                name="isotropy-senses",
                alt=f"AUC of the senses of {len(table)} words, raw and processed.",
            )
        page.seen(
            "Each mark is a word of the built-in corpus with two [[sense|senses]]. The axes show how often two"
            " occurrences with the same sense are more similar than two with different senses ([[AUC]]). For words"
            " above the line, processing helped."
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


def odd(model: str, source: Source, space: Space, code: Code) -> None:
    """Draw the odd one out of the visitor's own words."""
    st.text_input("Words with one odd one out (comma-separated)", max_chars=asking.PUZZLE.most, **asking.PUZZLE.widget)
    words = split(asking.PUZZLE.value)
    table: pd.DataFrame | None = asking.answered(asking.puzzle, model, source, words, space)
    if table is None:
        return
    st.header(texts.plain(verdict.odd(table)), anchor=False)
    figures.table(table, name="isotropy-odd")
    page.seen(
        "The table shows the mean [[cosine]] of each word with the others; the word with the lowest mean is the odd"
        " one out. The task *odd one out* above uses a thousand such puzzles, each with two words from one built-in"
        " list and one from another. A puzzle is solved if the two words are most similar to each other. Guessing"
        " solves one in three."
    )
    code.add(
        "effect",
        f"odd = odd_one_out(population({asking.code(source)}, model), {words!r}, compared(space))",
        "print(verdict.odd(odd), odd, sep='\\n')",
    )
