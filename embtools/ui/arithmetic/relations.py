"""Many analogies: relations × methods, by layer and inputs, with the failures of a cell."""

from typing import Any

import streamlit as st

from embtools.arithmetic import bulk_analogies
from embtools.arithmetic.analogy_runs import ALL, ALLOWED, AT_1, COS_ADD, EXCLUDED, METHODS, MRR, SCORES, STATIC
from embtools.arithmetic.bulk_analogies import Analogies, Relations
from embtools.charts import arithmetic as charts
from embtools.mask_filling.relations import TITLES
from embtools.models.catalogue import BUNDLED
from embtools.rooms.question import Ask
from embtools.ui import captions, entry, figures, long_work, page, partial, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

OTHERS = Number("arithmetic_others", 5, 1, bulk_analogies.MAX_OTHERS, 1)
INPUTS = Choice("arithmetic_inputs", EXCLUDED, (EXCLUDED, ALLOWED))
_THIRDS = {"static embeddings": 0, "after a third of the layers": 1, "after two thirds": 2, "last layer": 3}
LAYER = Choice(
    "arithmetic_layer", next(iter(_THIRDS)), dict(zip((STATIC, "third", "thirds", "last"), _THIRDS, strict=True))
)
_SCORES = dict(zip((charts.NAMES[score].capitalize() for score in SCORES), SCORES, strict=True))
SCORE = Choice("arithmetic_score", next(iter(_SCORES)), dict(zip(("at1", "at5", "at10", "mrr"), _SCORES, strict=True)))
CELL = Text("arithmetic_cell", f"capital|{COS_ADD}", 60)
FIELDS = (OTHERS, INPUTS, LAYER, SCORE, CELL)
ASKED_ABOUT = (OTHERS, INPUTS, LAYER, CELL)
PRESETS: dict[str, dict[str, Any]] = {
    "Without the analogy's own words": {},
    "With the analogy's own words": {INPUTS.key: ALLOWED},
    "Among the first ten": {SCORE.key: "Accuracy at 10"},
    "In the last layer": {LAYER.key: "last layer"},
}
_ABOUT_MRR = {
    False: "To see the [[mean reciprocal rank]], choose it as the score.",
    True: "The [[mean reciprocal rank]] is the mean of 1 divided by the rank of the expected word.",
}
_STAR = " A star: the accuracy at 1 differs significantly from that of “nearest to c”, after [[Holm's correction]]."
FIRST = Call(bulk_analogies.analogies, relations=Relations(tuple(TITLES)))


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        captions.Setting("own words", INPUTS),
        captions.Setting("vectors", LAYER),
        captions.Setting("score", SCORE),
        captions.Setting("other pairs", OTHERS),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the cells, the layers and the failures of one cell."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "The analogy's own words",
            required=True,
            help="Whether a, b and c can be the answer to “a is to b as c is to …”.",
            **INPUTS.widget,
        )
        st.segmented_control("Vectors", required=True, **LAYER.widget)
        st.segmented_control("Score", required=True, **SCORE.widget)
        entry.number_input(
            "Other pairs",
            width=130,
            help="Each pair (a, b) is combined with this number of other pairs (c, d), drawn at random.",
            **OTHERS.widget,
        )
    problems = st.container()
    query = Call(bulk_analogies.analogies, relations=Relations(tuple(TITLES), int(OTHERS.value)))
    effort = Call(bulk_analogies.effort, relations=query["relations"])
    first = query == FIRST and [model.name for model in models] == [BUNDLED]  # prepared while the server is idle
    if not (
        first or long_work.may_begin("arithmetic-analogies", "Solve the analogies", query, models, lambda _: effort)
    ):
        return
    answers = partial.ask(
        partial.Work("arithmetic-analogies", bulk_analogies.blocks, _partial),
        "solved",
        query,
        models,
        FIRST,
        label="Solving analogies",
        container=problems,
        prints=("headline", "corrected", "table", "tests"),
    )
    layers = tuple(_layer(answer.model) for answer in answers)
    running.say(bulk_analogies.two_analogies, answers, layers, INPUTS.value, _SCORES[SCORE.value])
    for column in running.containers(answers):
        with column as answer:
            _results(answer)


def question(models: Models) -> Ask:
    """Ask a class about the cell that was clicked."""
    relation, method = _cell(tuple(TITLES))
    relation = relation if relation != ALL else next(iter(TITLES))
    layer = _layer(models[0])
    keys = relation, *(key for key in TITLES if key != relation)  # all, because they have the candidates
    layers = () if layer == STATIC else (int(layer),)
    query = Call(bulk_analogies.analogies, relations=Relations(keys, int(OTHERS.value), layers, first=1))
    cell = {"relation": relation, "layer": layer, "inputs": INPUTS.value, "method": method}
    solved: Analogies = running.run(query, models[0])
    return lambda choices: solved.question(choices, **cell)


def _partial(result: Analogies, model: Model, done: int, key: str) -> None:
    """Draw the cells of the finished relations while the others are solved."""
    layer, score = _layer(model), _SCORES[SCORE.value]
    st.text(f"After {done} of {len(TITLES)} relations: {result.sentence(layer, INPUTS.value, score)}")
    figures.sketch(charts.analogy_cells, result, layer, INPUTS.value, score, key=key)


def _layer(model: Model) -> str:
    """Return the layer of this model that the field means."""
    third = _THIRDS[LAYER.value]
    return STATIC if not third else str(round(model.facts.layers * third / 3))


def _results(answer: Answer[Analogies]) -> None:
    result, layer, score = answer.value, _layer(answer.model), _SCORES[SCORE.value]
    shown.headline(result.sentence(layer, INPUTS.value, score))
    left, right = shown.split([11, 9], gap="medium")
    with left:
        options = {"pick": _PICK}
        figures.show(charts.analogy_cells, result, layer, INPUTS.value, score, name="analogies", options=options)
        page.caption(
            "Each cell is the score of one method for one relation. The methods are [[3CosAdd]], [[3CosMul]], the word"
            f" nearest to c or to b alone, and c plus a random difference.{_STAR if score == AT_1 else ''}"
            " Click a cell to list its failures."
        )
    with right:
        figures.show(charts.analogy_layers, result, INPUTS.value, score, name="analogy-layers")
        page.caption(
            "Each line shows the mean score of a method over the relations, with 95% intervals (Korn and Graubard's;"
            " [[bootstrap]] for the mean reciprocal rank), because other pairs would give other results. In a layer,"
            " the vector of a word is its [[hidden state]] when BERT reads the word alone,"
            f" between [CLS] and [SEP]. {_ABOUT_MRR[score == MRR]}"
        )
    if len(result.relations) < len(TITLES):
        st.text(f"Relations tested: {len(result.relations)} of {len(TITLES)}.")
    st.text(result.corrected)
    st.text(result.size)
    _failures(answer, layer)
    with figures.expander("analogy-files", "Files", ":material/download:") as opened:
        if opened:
            figures.files(
                {"accuracies": result.table, "tests": result.tests}, answer.query, answer.model, name="analogies"
            )


def _cell(relations: tuple[str, ...]) -> tuple[str, str]:
    """Return the relation and the method of the selected cell; the first ones if there is no such cell."""
    relation, _, method = str(CELL.value).partition("|")
    return (relation, method) if relation in (*relations, ALL) and method in METHODS else (relations[0], COS_ADD)


def _failures(answer: Answer[Analogies], layer: str) -> None:
    result = answer.value
    relation, method = _cell(result.relations)
    if relation == ALL:
        st.text("Click a cell of one relation to list its failures.")
        return
    at = {"at_1": 1, "at_5": 5, "at_10": 10}.get(_SCORES[SCORE.value], 1)
    frame = result.failures(relation, layer=layer, inputs=INPUTS.value, method=method, at=at)
    st.subheader(f"Failures of {method}: {TITLES[relation]}", anchor=False)
    st.text(result.failed(relation, layer=layer, inputs=INPUTS.value, method=method, at=at))
    figures.table(frame, name=f"failures{shown.suffix()}", height=240)


_PICK = figures.Pick(lambda cell: state.put({CELL.key: str(cell)}), lambda row: f"{row['relation']}|{row['method']}")
