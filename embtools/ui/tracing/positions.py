"""Panel for the map of an effect: which word carries it after each layer."""

from typing import Any

import streamlit as st

from embtools.charts import tracing as charts
from embtools.charts.plot import marking
from embtools.rooms.question import Ask
from embtools.tracing.components import Components, trace_components
from embtools.tracing.positions import NECESSITY, SUFFICIENCY, Trace, trace_positions
from embtools.ui import captions, entry, figures, page, running, shown, state, texts
from embtools.ui.fields import Choice, Number
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.tracing import sentences

TAB = "Map"
MEASURES = {"Sufficiency": SUFFICIENCY, "Necessity": NECESSITY}
MEASURE = Choice("tracing_measure", "Sufficiency", {key: label for label, key in MEASURES.items()})
WINDOW = Number("tracing_window", 1, 1, 12, 1)
LAYER = Number("tracing_layer", -1, -1, 48, 1)  # -1: no cell was clicked
FIELDS = (*sentences.FIELDS, MEASURE, WINDOW, LAYER)
ASKED_ABOUT = sentences.ASKED_ABOUT
PRESETS: dict[str, dict[str, Any]] = sentences.EXAMPLES
FIRST = sentences.first(trace_positions)
_NAME = "tracing-map"
_CAPTIONS = {
    SUFFICIENCY: "For each cell, the [[hidden state]] of one word (column) after one layer (row) is copied from the"
    " second run into the first, which is then continued ([[activation patching]]). {number}"
    " that appears. Blue: towards the second answer, orange: away from it.",
    NECESSITY: "For each cell, the [[hidden state]] of one word (column) after one layer (row) is copied from the first"
    " run into the second, which is then continued ([[activation patching]]). {number}"
    " that is lost. Blue: towards the first answer, orange: away from it.",
}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        *sentences.caption(),
        captions.Setting("measure", MEASURE),
        captions.changed("layers copied together", WINDOW),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the heatmap, and the parts of the layers at the word that was clicked."""
    problems = sentences.bar()

    def query(model: Model) -> Any:
        window = min(int(WINDOW.value), model.facts.layers + 1)
        return sentences.query(trace_positions, window=window)(model)

    answers = running.ask(
        "traced",
        query,
        models,
        FIRST,
        label="Copying states",
        container=problems,
        suggest=sentences.suggest(),
        prints=("headline", "runs.sentence", "frame"),
    )
    if not answers:
        return
    for container in running.containers(answers):
        with container as answer:
            _map(answer.value)
    _settings()
    for container in running.containers(answers, part="more"):
        with container as answer:
            if LAYER.value >= 0:
                _parts(answer)
            with figures.expander("map-files", "Files", ":material/download:") as opened:
                if opened:
                    figures.files({"shares": answer.value.frame}, answer.query, answer.model, name="map")


def question(models: Models) -> Ask:
    """Ask a class which layer brings the effect to the mask."""
    query = sentences.query(trace_positions)(models[0])
    result: Trace = running.run(query, models[0])
    return lambda choices: result.question(choices, edits=query["edits"])


def _measure() -> str:
    return MEASURES[MEASURE.value]


def _map(result: Trace) -> None:
    shown.headline(result.headline)
    st.text(result.runs.sentence)
    runs = result.runs

    def below() -> None:
        number = "The value of a cell is the share of the effect"
        if not runs.defined:
            number = "The effect is too small for shares, so the value of a cell is the difference"
        also = " The headline is about sufficiency." if runs.defined and _measure() == NECESSITY else ""
        several = f" States are copied after {result.window} consecutive layers." if result.window > 1 else ""
        page.caption(
            f"{_CAPTIONS[_measure()].format(number=number)}{also}{several} Click a cell to see what the parts of each"
            " layer contribute at the word in that column."
        )

    figures.show(
        charts.effect_map,
        result,
        _measure(),
        name=_NAME,
        options={"above": 27, "below": below, "pick": _pick(result)},
    )
    if LAYER.value >= 0:
        layer = min(int(LAYER.value), len(result.grid(SUFFICIENCY)) - 1)
        selector = f".st-key-chart-{_NAME}{shown.suffix()}"
        st.html(f"<style>{marking(selector, layer * len(runs.words) + sentences.chosen(runs))}</style>")


def _pick(result: Trace) -> figures.Pick:
    """Return how a cell or a row of the table chooses a layer and a word."""
    first = [group[0] for group in result.runs.groups]

    def choose(cell: Any) -> None:
        layer, word = map(int, str(cell).split("."))
        state.put({LAYER.key: layer, sentences.POSITION.key: first[word]})

    return figures.Pick(choose, lambda row: f"{row['layer']}.{first.index(row['position'])}")


def _settings() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Measure",
            required=True,
            help="Sufficiency: how much of the effect this state brings about. Necessity: how much is lost without it.",
            **MEASURE.widget,
        )
        with st.container(width=220):
            entry.number_input(
                "Layers copied together",
                help="The states after this many consecutive layers are copied together.",
                **WINDOW.widget,
            )
    sentences.settings()


def _parts(answer: Answer[Trace]) -> None:
    runs = answer.value.runs
    index = sentences.chosen(runs)
    query = sentences.query(trace_components, position=runs.groups[index][0])(answer.model)
    result: Components | None = running.detail("parts", query, answer.model, label="Copying parts", prints=("layers",))
    if result is None:
        return
    st.subheader(f"Parts of each layer at {texts.plain(runs.labels[index])}", anchor=False)
    figures.show(charts.layer_parts, result, name="tracing-map-parts")
    page.caption(
        "For each bar, only the output of one part of a layer at this word is copied. Attention brings in what other"
        " words hold; the feed-forward part only changes what the word already holds."
    )
    if not shown.suffix():
        st.button(
            "Show the heads of this word",
            icon=":material/account_tree:",
            on_click=state.put,
            args=({"tracing_tab": "Components"},),
            key="tracing-to-components",
        )


def _arrives(traced: Trace) -> int:
    traced.runs.check()
    return traced.arrives


def _halfway(traced: Trace) -> str:
    """Return the word that holds most of the effect after half of the layers."""
    if not traced.runs.defined:
        raise ValueError("The effect is too small to be traced.")
    shares = traced.grid(SUFFICIENCY)
    return traced.runs.words[int(shares[len(shares) // 2].argmax())]


_TRACED = sentences.query(trace_positions)
READINGS = {
    "layer": Reading(_TRACED, "Layer that brings the effect to the mask", "number", _arrives, digits=0),
    "halfway": Reading(_TRACED, "Word with most of the effect after half of the layers", "word", _halfway),
    "changed": Reading(
        _TRACED, "Whether the top answer changes", "yes or no", lambda it: it.runs.tops[0] != it.runs.tops[1]
    ),
}
