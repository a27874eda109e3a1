"""Panel for an effect over many edited capitals, next to two controls, with heads on held-out cases."""

from typing import Any

import streamlit as st

from embtools.charts.tracing import average as charts
from embtools.tracing import average as numbers
from embtools.tracing.average import SENTENCE, Average
from embtools.tracing.cases import MOST_CAPITALS, MOST_OTHERS
from embtools.tracing.positions import NECESSITY, SUFFICIENCY
from embtools.ui import figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.shown import Model, Models

TAB = "Average"
TEXT = Text("tracing_template", SENTENCE, 300)
CAPITALS = Number("tracing_capitals", 8, 4, MOST_CAPITALS, 1)
OTHERS = Number("tracing_others", 1, 1, MOST_OTHERS, 1)
SEED = Number("tracing_seed", 0, 0, 9999, 1)
MEASURES = {"Sufficiency": SUFFICIENCY, "Necessity": NECESSITY}
MEASURE = Choice("tracing_average_measure", "Sufficiency", {key: label for label, key in MEASURES.items()})
FIELDS = (TEXT, CAPITALS, OTHERS, SEED, MEASURE)
PRESETS: dict[str, dict[str, Any]] = {
    "Capital of a country": {},
    "Tourists in a country": {TEXT.key: "Tourists who visit {capital} see the capital of [MASK]."},
    "Country first": {TEXT.key: "[MASK] is the country whose capital is {capital}."},
}
FIRST = Call(numbers.average, sentence=SENTENCE)
_SECONDS = 0.12  # per case, with the bundled model on two cores


def show(models: Models) -> None:
    """Draw the fields; for each model the lines of the edit and its controls, and the heads."""
    sentence, capitals, others, seed = st.columns([7, 3, 3, 3], gap="small")
    with sentence:
        st.text_input(
            "Sentence with {capital} and [MASK]",
            max_chars=TEXT.most,
            help="Each capital is edited: capital = capital - country + other country.",
            **TEXT.widget,
        )
        problems = st.container()
    with capitals:
        st.number_input("Capitals", **CAPITALS.widget)
    with others:
        st.number_input("Other countries for each", **OTHERS.widget)
    with seed:
        st.number_input("Seed", help="Another seed draws other capitals and countries.", **SEED.widget)
    query = Call(
        numbers.average,
        sentence=TEXT.value,
        capitals=int(CAPITALS.value),
        others=int(OTHERS.value),
        seed=int(SEED.value),
    )
    cases = query["capitals"] * query["others"]
    seconds = sum(_seconds(query, model, cases) for model in models)
    if not running.requested("tracing-average", f"Trace {cases} cases", seconds, (query, models)):
        return
    answers = running.ask(
        "averaged",
        query,
        models,
        FIRST,
        label="Tracing the cases",
        container=problems,
        prints=("headline", "controls", "frame", "heads"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    measure = MEASURES[MEASURE.value]
    ends, most = charts.ends(results, measure), charts.largest(results)
    for place in running.places(answers):
        with place as answer:
            _lines(answer.value, measure, ends)
    st.segmented_control("Measure", required=True, **MEASURE.widget)
    for place in running.places(answers, part="more"):
        with place as answer:
            _heads(answer.value, most)


def _lines(result: Average, measure: str, ends: tuple[float, float]) -> None:
    shown.headline(result.headline)
    figures.show(charts.lines, result, measure, ends, name="tracing-average")
    st.text(result.controls)
    page.seen(
        "Each line is a role of positions in the sentence. Its points are shares of the edit's effect: the sum over all"
        " cases, divided by the sum of the effects. Whiskers are 95% intervals ([[bootstrap]] over capitals and other"
        " countries); more capitals make them narrower. The two [[control|controls]] are on the same scale. The"
        " headline chooses the layer on one half of the capitals and reports the other half."
    )


def _heads(result: Average, most: float) -> None:
    st.subheader("Heads on held-out cases", anchor=False)
    figures.show(charts.heads, result, most, name="tracing-average-heads")
    page.seen(
        "Hollow circles: the heads with the largest shares in one half of the capitals, which is too flattering."
        " Filled circles: the same heads in the other half ([[held out]]), with 95% intervals."
    )


def _seconds(query: Call, model: Model, cases: int) -> float:
    """Return about how long a model needs; 0 if the result is known."""
    if model.was_opened and running.known(query, model):
        return 0.0
    if not model.was_opened:
        return _SECONDS * cases
    size = model.facts.layers * model.facts.dimensions**2 / (6 * 384**2)
    return _SECONDS * cases * size
