"""Panel for an effect over many cases of an edit, next to two controls, with heads on held-out cases."""

from typing import Any

import streamlit as st

from embtools.charts import tracing as charts
from embtools.mask_filling import cases, pairs, relations
from embtools.messages import counted
from embtools.rooms.question import Ask
from embtools.tables.columns import Chosen
from embtools.tracing import averages as numbers
from embtools.tracing.averages import Average
from embtools.tracing.cases import (
    LEAST_PAIRS,
    MOST_CHARACTERS,
    MOST_OTHERS,
    MOST_PAIRS,
    OTHER,
    RANDOM,
    SENTENCE,
    DrawnCases,
)
from embtools.tracing.positions import NECESSITY, SUFFICIENCY
from embtools.ui import captions, entry, figures, long_work, page, partial, running, shown, state, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Average"
OWN = "your own pairs"
RELATION = Choice("tracing_relation", relations.TITLES["capital"], {**relations.TITLES, "own": OWN})
PAIRS = Text("tracing_pairs", "", pairs.MAX_CHARACTERS)
EDIT = Text("tracing_relation_edit", relations.EDIT, 500)
TEXT = Text("tracing_template", SENTENCE, MOST_CHARACTERS)
COUNT = Number("tracing_capitals", 8, LEAST_PAIRS, MOST_PAIRS, 1)  # a key of addresses that were promised
OTHERS = Number("tracing_others", 1, 1, MOST_OTHERS, 1)
STRENGTH = Number("tracing_strength", 1.0, -1.0, 2.0, 0.05)
SEED = Number("tracing_seed", 0, 0, 9999, 1)
MEASURES = {"Sufficiency": SUFFICIENCY, "Necessity": NECESSITY}
MEASURE = Choice("tracing_average_measure", "Sufficiency", {key: label for label, key in MEASURES.items()})
FIELDS = (RELATION, PAIRS, EDIT, TEXT, COUNT, OTHERS, STRENGTH, SEED, MEASURE)
ASKED_ABOUT = (RELATION, PAIRS, EDIT, TEXT, COUNT, OTHERS, STRENGTH, SEED)
QUESTION_TAKES_TIME = True
_KEYS = {title: key for key, title in relations.TITLES.items()}


def _example(key: str) -> dict[str, Any]:
    """Return the fields of a built-in relation: its name and its first sentence."""
    return {RELATION.key: relations.TITLES[key], TEXT.key: relations.relation(key).sentences[0]}


PRESETS: dict[str, dict[str, Any]] = {
    "Capital of a country": {},
    "Country first": {TEXT.key: "[MASK] is the country whose capital is {a}."},
    "Only add the new country": {EDIT.key: "{a} = {a} + {c}"},
    "Continents": _example("continent"),
    "Pronouns": _example("pronoun"),
}
FIRST = Call(numbers.average, cases=DrawnCases("capital"))
_SECONDS = 0.28  # per case, with the bundled model on two cores


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        TEXT,
        EDIT,
        *((PAIRS,) if RELATION.value == OWN else ()),
        captions.Setting("relation", RELATION),
        captions.Setting("pairs", COUNT),
        captions.Setting("new words for each", OTHERS),
        captions.Setting("strength", STRENGTH),
        captions.Setting("measure", MEASURE),
        captions.changed("seed", SEED),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the lines of the edit and its controls, and the heads."""
    problems = _bar()
    query = running.attempt(_query, problems)
    if query is None:
        return
    cases = query["cases"].count * query["cases"].others
    seconds = sum(_seconds(query, model, cases) for model in models)
    if not long_work.requested("tracing-average", f"Trace {cases} cases", seconds, (query, models)):
        return
    answers = partial.ask(
        partial.Work("tracing-average", numbers.blocks, _partial, numbers.LEAST_CASES),
        "averaged",
        query,
        models,
        FIRST,
        label="Tracing the cases",
        container=problems,
        prints=(
            "headline",
            "controls",
            "components",
            "few",
            "left_out",
            "frame",
            "heads",
            "head_controls",
            "parts",
            "knockouts",
        ),
    )
    if not answers:
        return
    results = [answer.value for answer in answers if answer.value.defined] or [answers[0].value]
    measure = MEASURES[MEASURE.value]
    for container in running.containers(answers):
        with container as answer:
            _lines(answer.value, measure, results)
    st.segmented_control("Measure", required=True, **MEASURE.widget)
    for container in running.containers(answers, part="more"):
        with container as answer:
            if answer.value.defined:
                _heads(answer.value, results)
                _parts(answer.value, results)
            _files(answer)


def question(models: Models) -> Ask:
    """Ask a class about the first control."""
    query = _query()
    result: Average = running.run(query, models[0])
    return lambda choices: result.question(choices, sentence=query["cases"].sentence, edit=query["cases"].edit)


def _bar() -> Any:
    """Draw the fields; returns the container for errors."""
    relation, sentence, edit, count, others = st.columns([4, 6, 4, 2, 2], gap="small", vertical_alignment="bottom")
    with relation:
        st.selectbox("Relation a → b", on_change=_relation_chosen, **RELATION.widget)
    with sentence:
        entry.text_input("Sentence with {a} and [MASK]", **TEXT.widget)
    with edit:
        entry.text_input(
            "Edit",
            help="Placeholders: {a} is the word that is changed, {b} the answer that belongs to {a}, and {c} the"
            " answer of another pair, which should become the new answer.",
            **EDIT.widget,
        )
    with count:
        entry.number_input("Pairs", help="Drawn at random from all pairs.", **COUNT.widget)
    with others:
        entry.number_input("New words", help="Words c for each pair, drawn at random.", **OTHERS.widget)
    if RELATION.value == OWN:
        entry.text_area(
            "Pairs (one per line: a, b)",
            height=140,
            placeholder="Rome, Italy\nParis, France",
            help="Pairs in which a word is not a single token are left out.",
            **PAIRS.widget,
        )
        uploads.pasted(pairs.read, str(PAIRS.value), "tracing-pasted", _read, errors=False)
    with figures.expander("average-settings", "Advanced settings", ":material/tune:") as opened:
        if opened:
            left, right = st.columns(2, gap="medium")
            with left:
                st.slider("Strength", help="0 is the original vector, 1 the result of the formula.", **STRENGTH.widget)
            with right:
                entry.number_input("Seed", help="Another seed draws other pairs and other new words.", **SEED.widget)
            uploads.table("a, b (other columns are ignored)", "tracing-file", _read)
    return st.container()


def _relation_chosen() -> None:
    if RELATION.value in _KEYS:
        state.put(_example(_KEYS[RELATION.value]))


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    found = pairs.read(source, columns)
    values = {PAIRS.key: pairs.write_pairs(found.value), RELATION.key: OWN}
    return uploads.Filled(values, counted(len(found.value), "pair"), found.notes)


def _query() -> Call:
    """Return the query of the fields; raises ValueError for pairs that cannot be read."""
    own = RELATION.value == OWN
    drawn = DrawnCases(
        pairs.read_pairs(PAIRS.value) if own else _KEYS[RELATION.value],
        edit=EDIT.value,
        sentence=TEXT.value.replace("{capital}", cases.A),  # as addresses of earlier versions have it
        count=int(COUNT.value),
        others=int(OTHERS.value),
        strength=float(STRENGTH.value),
        seed=int(SEED.value),
    )
    return Call(numbers.average, cases=drawn)


def _partial(result: Average, _: Model, done: int, key: str) -> None:
    """Draw the lines of the finished cases while the others are traced."""
    st.text(f"After {done} of {result.planned} cases: {result.headline}")
    if result.defined:
        measure = MEASURES[MEASURE.value]
        figures.sketch(charts.average_lines, result, measure, key=key)


def _lines(result: Average, measure: str, results: list[Average]) -> None:
    shown.headline(result.headline)
    notes = " ".join(filter(None, (result.controls, result.partial, result.few, result.left_out)))
    if not result.defined:
        st.text(notes)
        return
    figures.show(charts.average_lines, result, measure, name="tracing-average", beside=results)
    st.text(notes)
    page.caption(
        "Each line is one kind of position in the sentence. Its points are shares of the edit's effect: what appears of"
        " it, added up over all cases, divided by the sum of the effects. Whiskers are 95% intervals"
        " ([[bootstrap]] over the words a and c); more pairs make them narrower. The two [[control|controls]] are on"
        " the same scale. The headline is about the layer in which the share at [MASK] grows most."
    )


def _heads(result: Average, results: list[Average]) -> None:
    st.subheader("Heads on held-out cases", anchor=False)
    figures.show(charts.average_heads, result, name="tracing-average-heads", beside=results)
    page.caption(
        "Hollow circles: the heads with the largest shares in one half of the cases; these shares are"
        " overestimates, because the heads were selected for them. Filled circles: the same heads in the other half,"
        " which has other words ([[held out]]); whiskers are 95% intervals. Diamonds and squares: the same heads in the"
        " other half, for the two [[control|controls]]."
    )


def _parts(result: Average, results: list[Average]) -> None:
    """Draw the parts of the layers and blocked attention, which are computed with the rest, in an expander."""
    st.text(result.components)
    with figures.expander("average-parts", "Parts of the layers, blocked attention", ":material/layers:") as opened:
        if not opened:
            return
        figures.show(charts.average_parts, result, name="tracing-average-parts", beside=results)
        page.caption(
            "For each bar, the output of one part of a layer at [MASK] is copied into the unedited sentence. Attention"
            " brings in what other words hold; the feed-forward part only changes what [MASK] already holds. Whiskers"
            " are 95% intervals over all cases; the values of the [[control|controls]] are shares of the edit's effect,"
            " too."
        )
        figures.show(charts.average_knockouts, result, name="tracing-average-knockouts", beside=results)
        page.caption(
            "Each bar is the share of the effect that is lost if [MASK] cannot attend to the edited word in one layer,"
            " or in all of them ([[knockout]]). Below zero: the effect becomes larger."
        )


def _files(answer: Answer[Average]) -> None:
    result = answer.value
    with figures.expander("average-files", "Files", ":material/download:") as opened:
        if opened:
            frames = {
                "cases": result.cases, "shares": result.frame, "effects": result.effects, "heads": result.heads,
                "heads of controls": result.head_controls, "parts": result.parts, "knockouts": result.knockouts,
                "layer that moves most": result.of_layer,
            }  # fmt: skip
            figures.files(frames, answer.query, answer.model, name="average")


def _seconds(query: Call, model: Model, cases: int) -> float:
    """Return about how long a model needs; 0 if the result is known."""
    if model.was_opened and running.known(query, model):
        return 0.0
    if not model.was_opened:
        return _SECONDS * cases
    size = model.facts.layers * model.facts.dimensions**2 / (6 * 384**2)
    return _SECONDS * cases * size


def _of_fields(_: Model) -> Call:
    return _query()


def _defined(result: Average) -> Average:
    if not result.defined:
        raise ValueError("The effect is too small to be traced.")
    return result


def _effect(result: Average, condition: str) -> float:
    return float(_defined(result).effects.set_index("condition").loc[condition, "share"])


READINGS = {
    "stays": Reading(
        _of_fields,
        "Share at the word before the layer that moves most",
        "number",
        lambda it: _defined(it).layers["stays"].iloc[0],
        "%",
    ),
    "random": Reading(_of_fields, "Effect of a random difference", "number", lambda it: _effect(it, RANDOM), "%"),
    "other": Reading(_of_fields, "Effect of the edit of another word", "number", lambda it: _effect(it, OTHER), "%"),
    "set-aside": Reading(
        _of_fields,
        "Share of the best head in the cases that were set aside, in percent",
        "number",
        lambda it: 100 * _defined(it).heads.iloc[0][SUFFICIENCY],
        digits=0,
    ),
}
