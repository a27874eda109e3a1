"""Choice of a published association test, and a tab with all ten tests on each model."""

import streamlit as st

from embtools.bias import published_tests, two_models
from embtools.bias.published_tests import PublishedTests
from embtools.charts import bias as charts
from embtools.ui import fields, figures, page, running, spelling, state
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Model, Models
from embtools.words import word_sets

FIRST = 6
SETS = tuple(
    Text(key, ", ".join(words))
    for key, words in zip(("bias_x", "bias_y", "bias_a", "bias_b"), word_sets.word_sets(FIRST), strict=True)
)
"""The fields of the words X, Y, A and B."""


def values(number: int) -> dict[str, str]:
    """Field values for a published test."""
    return {field.key: ", ".join(words) for field, words in zip(SETS, word_sets.word_sets(number), strict=True)}


def typed(model: Model) -> tuple[tuple[str, ...], ...]:
    """The words in the fields, in the spelling of a model; as they are for vectors in its place."""
    if model.vectors is not None:
        return tuple(fields.words(field.value) for field in SETS)
    return tuple(fields.words(spelling.text(field, model.name)) for field in SETS)


def picker(model: Model) -> None:
    """Draw the choice of a published test; the test whose words are in the fields is selected."""
    key = "bias-published"

    def choose() -> None:
        if number := st.session_state[key]:
            state.put(values(number))

    x, y, a, b = typed(model)
    st.session_state[key] = word_sets.number_of(x, y, a, b)
    st.selectbox(
        "Published test",
        list(word_sets.GLOVE),
        index=None,
        key=key,
        on_change=choose,
        format_func=word_sets.title,
        placeholder="Your own words",
    )


def all_ten(models: Models, pieces: str) -> None:
    """Draw every published test with its interval and the published effect, for each model."""
    query = Call(published_tests.battery, pieces=pieces)
    answers = running.ask("tests", query, models, label="Running all ten tests", prints=("frame", "clear"))
    if not answers:
        return
    running.say(two_models.batteries, answers, parts="frame")
    results: list[PublishedTests] = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.clear)
            about = {"about": ("static embeddings",)}
            figures.show(charts.published_effects, answer.value, name="ten-tests", beside=results, options=about)
            page.caption(
                "Each row is a published test. The dot is its [[effect size]] on this model's"
                " [[static embedding|static embeddings]], with a [[confidence interval|95% interval]]. The cross is"
                " the effect published for [[GloVe]]."
            )
