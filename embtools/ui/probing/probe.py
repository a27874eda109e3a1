"""The panel of the Probing page: the fields, the accuracy in every layer, a sentence to try, and the details."""

from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.messages import counted
from embtools.probing import items, layers
from embtools.probing.description_length import LayerCodes, describe_layers, layer_codelength
from embtools.probing.layers import LayerProbes, Probes
from embtools.statistics.probe import MET
from embtools.tables.columns import Chosen, text_of
from embtools.ui import captions, carried, entry, figures, glossary, long_work, running, shown, state, uploads
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading
from embtools.ui.probing import accuracy, description_length, details, predict, probe_fields
from embtools.ui.probing.probe_fields import DESCRIPTION_LENGTH, FOLDING, LAYER, MEASURE, STRENGTH, TASK
from embtools.ui.shown import Model, Models

TAB = "Probing"
_CODES = 0.8  # time of the codelengths, in that of reading the items and measuring the accuracies
USES_EDIT = True
FIELDS = (*probe_fields.FIELDS, *predict.FIELDS, *details.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "Part of speech": {},
    "Tense": {TASK.key: "tense"},
    "Number": {TASK.key: "number", predict.WORD.key: "dogs"},
    "Topic": {TASK.key: "topic"},
    "Memory alone": {FOLDING.key: MET},
    "Description length": {MEASURE.key: DESCRIPTION_LENGTH},
    "Your own labels": {TASK.key: probe_fields.OWN},
}


FIRST = Call(
    layers.probe_layers,
    probes=Probes(TASK.default, probe_fields.WORD_POOLING.default, FOLDING.default, float(STRENGTH.default)),
)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return probe_fields.caption()


@state.fragment
def show(models: Models) -> None:
    """Show the fields, for each model the finding and the layers, a sentence to try, and the details below."""
    _bar(models[0])
    problems = st.container()
    if TASK.value == probe_fields.OWN:
        _own()
    models, edited = carried.split(models)  # the probe is trained without the edit
    query, what = probe_fields.query(), "Read the items and train the probes"
    if not long_work.requested("probing", what, _seconds(query, models), (models[0], query)):
        return

    def at_the_chosen_layer(model: Model) -> Call:
        if LAYER.value == probe_fields.BEST:
            return query
        return query.but(layer=shown.same_depth(int(LAYER.value), models[0], model))

    bits = probe_fields.measures_bits()
    answers = running.ask(
        "coded" if bits else "found",
        at_the_chosen_layer,
        models,
        Call(describe_layers, **FIRST.arguments) if bits else FIRST,
        label="Reading the items and training the probes",
        container=problems,
        prints=("headline", "table", *(("uniform", "frequencies", "portions") if bits else ("baseline",))),
    )
    if not answers:
        return
    left, right = shown.fields_and_results((*models, *edited), (3, 2))
    with left, st.container(key="hero"):
        for container in running.containers(answers):
            with container as answer:
                if isinstance(answer.value, LayerCodes):
                    description_length.show(answer.value, [each.value for each in answers])
                else:
                    accuracy.show(answer.value)
    with right:
        predict.show((*answers, *(replace(answers[0], model=model) for model in edited)))
    details.show(answers)


def _seconds(query: Call, models: Models) -> float:
    """Return about how long the probes take that are not cached."""
    parts = {layers.layer_accuracy: 1.0} | ({layer_codelength: _CODES} if probe_fields.measures_bits() else {})
    try:
        return sum(
            share * layers.effort(query["probes"].labels, layers=model.facts.layers, dimensions=model.facts.dimensions)
            for number, model in enumerate(models)
            for measured, share in parts.items()
            if (not number or model.was_opened) and not running.known(Call(measured, **query.arguments), model)
        )
    except ValueError:  # shown next to the field
        return 0.0


def _bar(model: Model) -> None:
    """Show the fields in one row."""
    with st.container(key="probing-bar"):
        task, layer, folds, measure, more = st.columns([4, 3, 5, 4, 4], gap="small")
    with task:
        st.selectbox("Label", help="What the probe should find in the vectors.", **TASK.widget)
    with layer:
        options = (probe_fields.BEST, *map(str, range(model.facts.layers + 1)))
        st.selectbox("Layer", help=glossary.definition("layer"), **LAYER.among(options))
    with folds:
        st.segmented_control(
            "Test words",
            required=True,
            disabled=probe_fields.of_sentences(),  # no sentence is repeated
            help="Never seen: all occurrences of a word are in the same fold, so the probe is tested only on words that"
            " it was not trained on. Possibly seen: each occurrence is assigned to a fold at random. The items"
            " are divided into five parts, called folds. The probe is trained on four of them and tested on the fifth;"
            " this is repeated until each fold has been the test fold once.",
            **FOLDING.widget,
        )
    with measure:
        st.selectbox("Measure", help=glossary.definition("description length"), **MEASURE.widget)
    with more, figures.expander("probing-how", "Advanced settings", ":material/tune:") as opened:
        if opened:
            _how()


def _how() -> None:
    """Show the fields for the pooling of tokens and for the regularisation of the probe."""
    field = probe_fields.SENTENCE_POOLING if probe_fields.of_sentences() else probe_fields.WORD_POOLING
    st.selectbox("Pooling", help=glossary.definition("pooling"), **field.widget)
    st.selectbox(
        "C",
        help="Inverse strength of the regularisation, as in scikit-learn. A small C keeps the probe simple; a large one"
        " lets it memorise the items.",
        **STRENGTH.widget,
    )


def _own() -> None:
    """Show the field and the upload for your own labelled words or sentences, and what is left out of them."""
    written, uploaded = st.columns([3, 1], gap="small")
    with written:
        entry.text_area(
            "Your items (one per line)",
            height=150,
            help="Write label | word | sentence, or label | sentence. Or paste a table (CSV, TSV or JSON) with the"
            " columns sentence and label, and for labelled words also word and occurrence (1, 2, …). Each label"
            " needs at least five different words or sentences.",
            **probe_fields.ITEMS.widget,
        )
        uploads.pasted(items.read, str(probe_fields.ITEMS.value), "probing-pasted", _read, errors=False)
    with uploaded:
        uploads.field("Upload a table", uploads.TABLES, "probing-file", _read)
        uploads.notes("probing-file")


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    """Return the text of a table, or the items as lines if the visitor has said which column is what."""
    found = items.read(source, columns)
    kind = "labelled word" if found.value[0].word else "labelled sentence"
    if columns:
        text, notes = items.write_items(found.value), found.notes
    else:
        text, notes = text_of(source)
    return uploads.Filled({probe_fields.ITEMS.key: text}, counted(len(found.value), kind), notes)


def _accuracies(_: Model) -> Call:
    """Return the query of the accuracies, also where the page shows description lengths."""
    query = Call(layers.probe_layers, **probe_fields.query().arguments)
    return query if LAYER.value == probe_fields.BEST else query.but(layer=int(LAYER.value))


def _accuracy(result: LayerProbes) -> float:
    """Return the accuracy of the chosen layer; that of the best layer is corrected for the choice."""
    if result.chosen is None:
        return float(result.accuracy.best_held_out[0])
    return float(result.table["accuracy"].iloc[result.layer])


READINGS = {
    "accuracy": Reading(_accuracies, "Accuracy of the probe", "number", _accuracy, "%"),
    "guessing": Reading(_accuracies, "Accuracy of guessing", "number", "baseline", "%"),
    "input": Reading(
        _accuracies, "Accuracy on layer 0", "number", lambda result: result.table["accuracy"].iloc[0], "%"
    ),
    "control": Reading(
        _accuracies,
        "Accuracy with random labels",
        "number",
        lambda result: result.table["control"].iloc[result.layer],
        "%",
    ),
    "layer": Reading(_accuracies, "Layer with the highest accuracy", "number", "layer", digits=0),
}
