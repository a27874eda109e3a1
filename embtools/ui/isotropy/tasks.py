"""Tabs for analogies, senses and the odd one out, compared between spaces."""

import pandas as pd
import streamlit as st

from embtools.charts.isotropy import tasks as charts
from embtools.isotropy import answers, verdict
from embtools.isotropy.overview import AFTER, BEFORE
from embtools.isotropy.population import STATIC
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import Space
from embtools.ui import cached, figures, page, state, texts
from embtools.ui.fields import words as split
from embtools.ui.isotropy import queries
from embtools.ui.isotropy.queries import Source
from embtools.ui.share import Code


def analogies(model: str, source: Source, space: Space, code: Code) -> None:
    """Draw the visitor's own analogy, and the built-in ones by relation and one by one."""
    st.text_input(
        "Your own analogy (a, b, c, d: a is to b as c is to d)",
        max_chars=queries.ANALOGY.most,
        **queries.ANALOGY.widget,
    )
    own = split(queries.ANALOGY.value)
    own_ranks: pd.DataFrame | None = queries.answered(queries.analogy, model, source, own, space)
    if own_ranks is not None:
        st.text(verdict.analogy(own, own_ranks))
        figures.folded(own_ranks, "isotropy-own-ranks", "Ranks in all spaces, with the controls")
        code.add(
            "own",
            f"own_ranks = analogy_ranks(population({queries.code(source)}, model), {own!r}, with_controls(space))",
            f"print(verdict.analogy({own!r}, own_ranks), own_ranks, sep='\\n')",
        )
    result: dict[str, pd.DataFrame] | None = queries.answered(queries.tables, model, source, space, queries.ANALOGIES)
    if result is None or result[BEFORE].empty:
        st.text("No built-in analogy has all its words among these vectors.")
        return
    shares = answers.by_relation(result)
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
        figures.table(answers.ranks_by_space(result), name="isotropy-analogies")
    code.add(
        "effect",
        f"source = population({queries.code(source)}, model)",
        "solved = {}",
        "for name, one in with_controls(space).items():",
        "    rows = source.fit(one).apply(source.vectors)",
        "    solved[name] = analogies(source, source.means(rows, source.owner))",
        "print(by_relation(solved), ranks_by_space(solved), sep='\\n')",
    )


def senses(model: str, source: Source, space: Space, code: Code) -> None:
    """Draw how well the senses of words are separated, or a button that switches to vectors with senses."""
    if source == STATIC:
        st.text("A static embedding is the same in every sentence, so there are no senses to separate.")
        values = {queries.SOURCE.key: queries.INSIDE}
        st.button("Use words in sentences", type="primary", on_click=state.put, args=(values,))
        return
    if isinstance(source, CorpusFolder):
        st.text(
            "This folder has no sense labels. Use the built-in sentences, or see a word’s groups on the Corpus page."
        )
        st.button("Use words in sentences", on_click=state.put, args=({queries.SOURCE.key: queries.INSIDE},))
        return
    result: dict[str, pd.DataFrame] | None = queries.answered(queries.tables, model, source, space, queries.SENSES)
    if result is None:
        return
    table = answers.senses_by_space(result)
    st.text(answers.senses_sentence(result))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if AFTER in result:
            shown = {name: result[name] for name in (BEFORE, AFTER)}
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
        f"source = population({queries.code(source)}, model)",
        "by_space = {}",
        "for name, one in with_controls(space).items():",
        "    by_space[name] = senses(source, source.fit(one).apply(source.vectors))",
        "print(senses_sentence(by_space), senses_by_space(by_space), sep='\\n')",
    )


def odd(model: str, source: Source, space: Space, code: Code) -> None:
    """Draw the odd one out of the visitor's own words."""
    st.text_input(
        "Words with one odd one out (comma-separated)", max_chars=queries.PUZZLE.most, **queries.PUZZLE.widget
    )
    words = split(queries.PUZZLE.value)
    table: pd.DataFrame | None = queries.answered(queries.puzzle, model, source, words, space)
    if table is None:
        return
    st.header(texts.plain(verdict.odd(table)), anchor=False)
    figures.table(table, name="isotropy-odd")
    page.seen(
        "The table shows the mean [[cosine]] of each word with the others; the word with the lowest mean is the odd"
        " one out. The scores for *odd one out* at the top of this page come from a thousand such puzzles, each with"
        " two words from one built-in list and one word from another. A puzzle is solved if the two words are most"
        " similar to each other. Guessing solves one in three."
    )
    code.add(
        "effect",
        f"odd = odd_one_out(population({queries.code(source)}, model), {words!r}, with_controls(space))",
        "print(verdict.odd(odd), odd, sep='\\n')",
    )
