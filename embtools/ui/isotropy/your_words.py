"""The visitor's own words before and after processing, on a map."""

from collections.abc import Sequence

import streamlit as st

from embtools.charts import isotropy as charts
from embtools.isotropy.spaces import Source
from embtools.isotropy.words_in_spaces import Grouped
from embtools.isotropy.your_words import grouped_words
from embtools.spaces.controls import BEFORE, with_controls
from embtools.spaces.space import Space
from embtools.statistics.percentages import rounded
from embtools.ui import entry, figures, page, running, uploads
from embtools.ui.fields import Text
from embtools.ui.isotropy import sides, source
from embtools.ui.isotropy.source import QueryOf
from embtools.ui.running import Answer
from embtools.ui.shown import Models
from embtools.words import groups

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
FIELDS = (WORDS,)


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
