"""The visitor's own words before and after processing: neighbours, a heatmap, a map and the odd one out."""

from collections.abc import Sequence

import streamlit as st

from embtools.charts import isotropy as charts
from embtools.isotropy import words_in_spaces
from embtools.isotropy.overview import BEFORE, with_controls
from embtools.isotropy.population import STATIC
from embtools.isotropy.spaces import Source
from embtools.isotropy.words_in_spaces import Grouped
from embtools.isotropy.your_words import grouped_words, nearest_words, odd_word
from embtools.spaces.space import Space
from embtools.statistics.percentages import rounded
from embtools.ui import entry, figures, page, running, shown, uploads
from embtools.ui.fields import Number, Text
from embtools.ui.fields import words as split
from embtools.ui.isotropy import sides, source
from embtools.ui.isotropy.source import QueryOf
from embtools.ui.running import Answer
from embtools.ui.shown import Models
from embtools.words import groups

WORD, K = Text("isotropy_word", "rome", 100), Number("isotropy_k", 8, 3, words_in_spaces.MAX_NEIGHBOURS, 1)
WORDS = Text(
    "isotropy_words",
    "countries: france, germany, italy, spain, japan, egypt\n"
    "cities: paris, berlin, rome, madrid, tokyo, cairo\n"
    "colours: red, blue, green, yellow, white, black\n"
    "animals: dog, cat, horse, lion, cow, bird\n"
    "family: mother, father, sister, brother, daughter, son\n"
    "seasons: winter, summer, spring, autumn",
    5_000,
)
PUZZLE = Text("isotropy_puzzle", "red, blue, green, horse", 1_000)
FIELDS = (WORD, K, WORDS, PUZZLE)


def neighbours(models: Models, query_of: QueryOf, used: Source, space: Space) -> None:
    """Draw the nearest words of a word in both spaces."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        entry.text_input("Word", **WORD.widget)
    with right:
        st.slider("Number of neighbours", **K.widget)
    query = query_of(nearest_words, word=WORD.value.strip(), k=int(K.value))
    answers = running.ask("near", query, models, prints=("headline", "table"))
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            spaces = sides.of(answer.query["space"])
            for name, column in spaces:
                other = next((one for one, _ in spaces if one != name), None)
                with column:
                    figures.show(
                        charts.neighbours,
                        answer.value,
                        name,
                        other,
                        beside=results,
                        name=f"isotropy-near-{name}",
                        options={"about": source.caption(WORD)},
                    )
    page.caption(
        "Hatched bars with a dot mark [[nearest neighbour|nearest neighbours]] that occur in this space only. The table"
        " also shows the neighbours in the controls."
        + ("" if used == STATIC else " Each word is represented by the mean of its [[occurrence|occurrences]].")
    )


def heatmap(models: Models, query_of: QueryOf, used: Source, space: Space) -> None:
    """Draw the cosines of words in groups in both spaces."""
    answers = _groups(models, query_of, ("headline", "table", "pairs"))
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _headline(answer.value)
            for name, column in sides.of(answer.query["space"]):
                with column:
                    figures.show(
                        charts.heatmap,
                        answer.value,
                        name,
                        beside=results,
                        name=f"isotropy-heatmap-{name}",
                        options={"about": source.caption(WORDS)},
                    )
    page.caption(
        "Each cell is the [[cosine]] of two words, blue above zero and orange below, on the same scale in all heatmaps."
        " Lines separate the groups. A paler heatmap is not better in itself: what counts is the contrast between the"
        " squares on the diagonal and the rest."
    )
    for container in running.containers(answers, part="table"):
        with container as answer:
            label = "Mean cosines within and between groups, with the controls"
            figures.as_table(answer.value.table, f"isotropy-groups{shown.suffix()}", label)


def word_map(models: Models, query_of: QueryOf, used: Source, space: Space) -> None:
    """Draw a map of words in groups in both spaces."""
    maps = tuple(f"map({name!r})" for name in with_controls(space))
    answers = _groups(models, query_of, ("headline", "table", "pairs", *maps, "explained"))
    if not answers:
        return
    for container in running.containers(answers):
        with container as answer:
            result = answer.value
            _headline(result)
            for name, column in sides.of(answer.query["space"]):
                with column:
                    figures.show(
                        charts.word_map,
                        result,
                        name,
                        name=f"isotropy-map-{name}",
                        options={"about": source.caption(WORDS)},
                    )
                    matched = "; the map is rotated to match the raw one" if name != BEFORE else ""
                    page.caption(
                        f"[[PCA]] of the directions of these words' vectors{matched}. The map shows"
                        f" **{rounded(result.explained[name])}** of the variance."
                    )


def odd(models: Models, query_of: QueryOf, used: Source, space: Space) -> None:
    """Draw the odd one out of the visitor's own words."""
    entry.text_input("Words, including the odd one out (comma-separated)", **PUZZLE.widget)
    query = query_of(odd_word, words=split(PUZZLE.value))
    answers = running.ask("odd", query, models, prints=("headline", "table"))
    if not answers:
        return
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            figures.table(
                answer.value.table,
                "Mean cosine of each word with the others, by space",
                name=f"isotropy-odd{shown.suffix()}",
            )
    page.caption(
        "The table shows the mean [[cosine]] of each word with the others; the word with the lowest mean is the odd"
        " one out. The scores for *odd one out* at the top of this page come from a thousand such puzzles, each"
        " with two words from one built-in list and one word from another. A puzzle is solved if the two words"
        " from the same list are more similar to each other than either is to the third. Guessing solves one in three."
    )


def _groups(models: Models, query_of: QueryOf, prints: Sequence[str]) -> tuple[Answer[Grouped], ...]:
    """Draw the field for groups of words and return the answers."""
    with figures.expander("words", "Edit the groups of words", ":material/edit:") as opened:
        if opened:
            entry.text_area("One group per line, written as name: word, word", height=160, **WORDS.widget)
    uploads.say(*groups.left_out(str(WORDS.value)))
    return running.ask("words", query_of(grouped_words, text=WORDS.value), models, prints=prints)


def _headline(result: Grouped) -> None:
    st.text(result.headline)
    if result.left_out:
        st.text(f"Left out because they do not occur here: {', '.join(result.left_out)}.")
