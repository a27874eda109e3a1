"""Choice of a published association test, and a tab with all ten tests on this model."""

from typing import Any

import streamlit as st

from embtools.bias import published_tests, verdict
from embtools.ui import fields, jobs, spelling, state, texts
from embtools.ui.bias import two_models as comparison
from embtools.ui.compare import Beside
from embtools.ui.fields import Text
from embtools.ui.share import Code

FIRST = 6
SETS = tuple(
    Text(key, ", ".join(words))
    for key, words in zip(("bias_x", "bias_y", "bias_a", "bias_b"), published_tests.word_sets(FIRST), strict=True)
)
"""The fields of the words X, Y, A and B."""


def values(number: int) -> dict[str, str]:
    """Field values for a published test."""
    return {field.key: ", ".join(words) for field, words in zip(SETS, published_tests.word_sets(number), strict=True)}


def typed(model: str) -> tuple[tuple[str, ...], ...]:
    """The words in the fields, in the spelling of a model."""
    return tuple(fields.words(spelling.text(field, model)) for field in SETS)


def number_of(sets: tuple[Any, ...]) -> int | None:
    """The number of the published test with these words, or None."""
    return next((n for n in published_tests.GLOVE if _small(published_tests.word_sets(n)) == _small(sets)), None)


def _small(sets: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """The words in lower case: cased models get them with capitals."""
    return tuple(tuple(word.lower() for word in words) for words in sets)


def names(sets: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The names of the sets: the published names, or their first words."""
    number = number_of(sets)
    if number:
        return published_tests.set_names(number)
    return tuple(", ".join(words[:2]) + (" …" if len(words) > 2 else "") for words in sets)


def picker(model: str) -> None:
    """Draw the choice of a published test; the test whose words are in the fields is selected."""
    key = "bias-published"

    def choose() -> None:
        if number := st.session_state[key]:
            state.put(values(number))

    st.session_state[key] = number_of(typed(model))
    st.selectbox(
        "Published test",
        list(published_tests.GLOVE),
        index=None,
        key=key,
        on_change=choose,
        format_func=published_tests.title,
        placeholder="Your own words",
    )


def all_ten(model: str, pieces: Any, code: Code) -> None:
    """Draw every published test with its interval and the published effect, for one model or two."""
    label = "Running all ten tests"
    try:
        tests = jobs.run("bias-battery", published_tests.battery, model, label=label, pieces=pieces)
    except ValueError as error:  # it was stopped
        texts.problem(error)
        return
    beside = Beside(model, code, name="battery")
    rows = [f"{number} {name}" for number, name in published_tests.SHORT.items()]

    def draw(*shown: Any) -> None:
        comparison.battery(shown, rows, [verdict.battery(each) for each in shown], beside)

    again = beside.ask(
        "bias-battery",
        published_tests.battery,
        lambda name: (),
        label=label,
        meanwhile=lambda: draw(tests),
        pieces=pieces,
    )
    draw(tests, *(() if again is None else (again,)))
    code.add(
        "ten", f"tests = published_tests.battery(model, pieces={pieces!r})", "print(tests, verdict.battery(tests))"
    )
    if again is not None:
        beside.code(
            f"other_tests = published_tests.battery(other, pieces={pieces!r})",
            "print(other_tests, verdict.battery(other_tests))",
            f"print(two_models.batteries(tests, other_tests, {(beside.title, beside.other_title)!r}))",
        )
