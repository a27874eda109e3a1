"""The fields of the two runs, shared by two panels of the Tracing page, and the queries that they describe."""

import re
from collections.abc import Callable
from typing import Any

import streamlit as st

from embtools.mask_filling.typed_input import mask_note, normalise_masks
from embtools.tracing.runs import DIFFERENCE, LOG, MOST_TOKENS, PROBABILITY, Runs
from embtools.ui import captions, entry, fields, figures, options, spelling
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.one_token import masked
from embtools.ui.shown import Model

EDIT, SENTENCES = "An edit", "Two sentences"
COMPARE = Choice("tracing_compare", EDIT, {"edit": EDIT, "sentences": SENTENCES})
TEXT = Text("tracing_text", "Rome is the capital of [MASK].", 1_000)
EDITS = Text("tracing_edits", "rome = rome - italy + france", 1_000)
SECOND = Text("tracing_second", "Madrid is the capital of [MASK].", 1_000)
ANSWERS = Text("tracing_answers", "", 120)
METRICS = {
    "Difference of the two log probabilities": DIFFERENCE,
    "Log probability of the second answer": LOG,
    "Probability of the second answer": PROBABILITY,
}
METRIC = Choice(
    "tracing_metric", next(iter(METRICS)), dict(zip(("difference", "log", "probability"), METRICS, strict=True))
)
POSITION = Number("tracing_position", -1, -1, MOST_TOKENS - 1, 1)  # -1: the mask
HEAD = Text("tracing_head", "", 8)
FIELDS = (COMPARE, TEXT, EDITS, SECOND, ANSWERS, METRIC, POSITION, HEAD)
ASKED_ABOUT = (COMPARE, TEXT, EDITS, SECOND, ANSWERS, METRIC)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: both runs, and how their difference is measured."""
    second = EDITS if COMPARE.value == EDIT else SECOND
    return TEXT, second, captions.Setting("metric", METRIC), captions.changed("answers", ANSWERS)


def two(first: str, second: str) -> dict[str, Any]:
    """Return the field values of an example with two sentences."""
    return {COMPARE.key: SENTENCES, TEXT.key: first, SECOND.key: second}


EXAMPLES: dict[str, dict[str, Any]] = {
    "Rome moved to France": {},
    "The capital of France or Poland": two("The capital of France is [MASK].", "The capital of Poland is [MASK]."),
    "He or she": two("The king said that [MASK] was tired.", "The queen said that [MASK] was tired."),
    "Grass with the colour of an orange": {
        TEXT.key: "The color of grass is [MASK].",
        EDITS.key: "grass = grass - green + orange",
    },
}


def bar() -> Any:
    """Draw the fields of both runs; return the container for errors, next to the field that says what differs."""
    with st.container(key="tracing-bar"):
        kind, sentence, other, answers = st.columns([5, 7, 7, 4], gap="small")
        with kind:
            st.segmented_control("Compare", required=True, **COMPARE.widget)
        edited = COMPARE.value == EDIT
        with sentence:
            entry.text_input("Sentence with [MASK] or ___", **TEXT.widget)
            _masked(TEXT)
        with other:
            if edited:
                entry.text_input(
                    "Edit",
                    help="Write word = formula, as on the Arithmetic page. Separate several edits with semicolons.",
                    **EDITS.widget,
                )
            else:
                entry.text_input(
                    "Second sentence",
                    help="It needs the same number of tokens, with [MASK] at the same position.",
                    **SECOND.widget,
                )
                _masked(SECOND)
            problems = st.container()
        with answers:
            entry.text_input(
                "Answers",
                placeholder="The top answers",
                help="Two words, separated by a comma: the answer of the first run and that of the second.",
                **ANSWERS.widget,
            )
    return problems


def settings() -> None:
    """Draw the metric in an expander."""
    with figures.expander("metric", "Advanced settings", ":material/tune:") as opened:
        if opened:
            st.selectbox(
                "Metric",
                help="What is measured at the mask. The difference does not depend on other answers, so it is the"
                " default (Zhang and Nanda 2024).",
                **METRIC.widget,
            )


def query(function: Callable[..., Any], **more: Any) -> Callable[[Model], Call]:
    """Return the query about the runs in the fields, as a function of the model."""

    def of_model(model: Model) -> Call:
        text = masked(TEXT)
        given: dict[str, Any] = {"second_text": masked(SECOND)}
        if COMPARE.value == EDIT:
            written = spelling.text(EDITS, model.name, context=text)
            given = {"edits": tuple(part.strip() for part in re.split(r"[;\n]", written) if part.strip())}
        answers = fields.words(ANSWERS.value)
        return Call(function, text=text, **given, answers=answers or None, metric=METRICS[METRIC.value], **more)

    return of_model


def first(function: Callable[..., Any], **more: Any) -> Callable[[Model], Call]:
    """Return the query about the first example, as a function of the model."""

    def of_model(model: Model) -> Call:
        edit = spelling.quietly(EDITS.default, model.name, TEXT.default)
        return Call(function, text=TEXT.default, edits=(edit,), **more)

    return of_model


def suggest() -> Text | None:
    """Return the field in which similar words are offered."""
    return EDITS if COMPARE.value == EDIT else None


def chosen(runs: Runs) -> int:
    """Return the index of the selected word; that of the mask if none is selected."""
    position = int(POSITION.value)
    return next((number for number, group in enumerate(runs.groups) if position in group), runs.mask_index)


def choose_position(runs: Runs) -> None:
    """Draw the list of positions."""
    labels = {group[0]: name for group, name in zip(runs.groups, runs.labels, strict=True)}
    options.choose(st.selectbox, "Position", POSITION.key, labels, runs.groups[chosen(runs)][0])


def _masked(field: Text) -> None:
    if note := mask_note([normalise_masks(field.value)]):
        st.text(note)
