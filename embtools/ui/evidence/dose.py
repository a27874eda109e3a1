"""The panel of a dose curve: the same cases at many strengths, in both scopes and after every layer."""

from typing import Any

import streamlit as st

from embtools.charts import evidence as charts
from embtools.evidence import dose_result, doses
from embtools.evidence.dose_result import Dose
from embtools.evidence.dose_runs import INPUT, TIED, layer_of
from embtools.models.catalogue import BUNDLED, MAX_LAYERS
from embtools.rooms.question import Ask
from embtools.ui import captions, figures, long_work, page, partial, running, shown, state
from embtools.ui.call import Call
from embtools.ui.evidence import inputs
from embtools.ui.fields import Choice, Number
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Dose"
COUNT = Number("evidence_dose_count", 10, 2, 200, 1)
OTHERS = Number("evidence_dose_others", 1, 1, 50, 1)
_PLACES = {"input": INPUT, "tied": TIED} | {f"after{n}": f"layer {n}" for n in range(1, MAX_LAYERS)}
PLACE = Choice("evidence_place", INPUT, _PLACES)
FIELDS = ASKED_ABOUT = (*inputs.FIELDS, COUNT, OTHERS, PLACE)
QUESTION_TAKES_TIME = True
PRESETS: dict[str, dict[str, Any]] = {
    "Capitals": {},
    "Capitals: after layer 3": {PLACE.key: "layer 3"},
    "Only add the new country": {inputs.EDIT.key: "{a} = {a} + {c}"},
    "Languages": inputs.example("language"),
    "Opposites": inputs.example("opposite"),
}
FIRST = Call(doses.dose, cases=inputs.first(COUNT, OTHERS))


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        *inputs.caption(),
        captions.Setting("place", PLACE),
        captions.Setting("pairs", COUNT),
        captions.Setting("other words for each", OTHERS),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the curves at one place, and efficacy at all places."""
    problems = inputs.bar(COUNT, OTHERS)
    inputs.sentences()
    query = running.attempt(_query, problems)
    if query is None:
        return
    if not (
        (query == FIRST and [model.name for model in models] == [BUNDLED])  # prepared while the server is idle
        or not inputs.usable(query, models[0])  # asked at once, which shows the reason
        or long_work.may_begin("evidence-dose", "Run the dose curve", query, models, _effort)
    ):
        return
    opened = [model for model in models if model == models[0] or model.was_opened]
    first, *others = (running.run(Call(doses.places_of), model) for model in opened)
    common = tuple(place for place in first if all(place in places for places in others))
    PLACE.keep_among(common)
    place = str(PLACE.value)
    answers = partial.ask(
        partial.Work("evidence-dose", doses.blocks, _partial),
        "dosed",
        query,
        models,
        FIRST,
        label="Running the dose curve",
        container=problems,
        prints=("headline" if place == INPUT else f"sentence({place!r})", "deepest", "points", "curve"),
    )
    if not answers:
        return
    running.say(dose_result.two_doses, answers, place)
    for column in running.containers(answers):
        with column as answer:
            _results(answer, place, common)
    inputs.trained_on(models)


def question(models: Models) -> Ask:
    """Ask a class at which strength half of the answers to the first sentence change."""
    query, model = _query(), models[0]
    one = inputs.first_sentence(query["cases"])
    place = str(PLACE.value) if layer_of(str(PLACE.value)) < model.facts.layers else INPUT
    layers = (layer_of(place),) if layer_of(place) else ()
    result: Dose = running.run(query.but(cases=one, layers=layers), model)
    pair = one.plan(model.open()).pairs[0]
    return lambda choices: result.question(choices, place=place, pair=pair)


def _query() -> Call:
    """Return the query of the fields; raises ValueError for pairs that cannot be read."""
    return Call(doses.dose, cases=inputs.given(COUNT, OTHERS))


def _partial(result: Dose, _: Model, done: int, key: str) -> None:
    """Draw the curves of the finished pairs, at the place that is shown, while the others are computed."""
    place = str(PLACE.value) if PLACE.value in result.places else INPUT
    own = result.only(place)
    st.text(f"After {done} pairs ({own.size}): {own.sentence(place)}")
    figures.sketch(charts.dose_curves, own, place, key=key)


def _effort(query: Call) -> Call:
    return Call(doses.effort, cases=query["cases"])


def _results(answer: Answer[Dose], place: str, places: tuple[str, ...]) -> None:
    result = answer.value
    shown.headline(result.sentence(place))
    if result.usable:
        _charts(result, place, places)
    for sentence in result.cautions:
        st.text(sentence)
    with figures.expander("dose-files", "Files", ":material/download:") as opened:
        if opened:
            figures.files({"curve": result.curve, "points": result.points}, answer.query, answer.model, name="dose")


def _charts(result: Dose, place: str, places: tuple[str, ...]) -> None:
    left, right = shown.split([11, 10], gap="medium")
    with left:
        figures.show(charts.dose_curves, result, place, name="dose")
        page.caption(
            "Each line shows a measure at every strength of the edit: 0 is the original vector, 1 the result of the"
            " formula, and below 0 the edit is reversed. Band: the 95% interval of the edit's [[efficacy]], because"
            " other words a and c would give other rates; the table has the intervals of the other lines. “Half"
            " changed”: efficacy reaches 50%. “Harm”: [[specificity]] falls below 90%."
        )
    with right:
        if not shown.suffix():
            st.segmented_control("Add the edit at", required=True, wrap=True, **PLACE.among(places))
        figures.show(charts.dose_places, result, name="dose-places", options={"pick": _PICK})
        page.caption(
            "Each cell is the [[efficacy]] of the edit at one place and strength, in percent. After a layer, the same"
            " difference is added to the [[hidden state]] of the word, scaled by the ratio of the lengths of the hidden"
            " state and the input vector. Click a row to see its curves."
        )
        st.text(f"These curves are based on {result.size}.")
        st.text(result.start(place))
        st.text(result.deepest)


_PICK = figures.Pick(lambda place: state.put({PLACE.key: str(place)}), lambda row: row["place"])
