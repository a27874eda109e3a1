"""Probes: the fields, the accuracy or the description length in every layer, a sentence to try, and the details."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.charts import concepts as charts
from embtools.concepts import items
from embtools.concepts.accuracy import DIVISIONS
from embtools.concepts.description_length import LayerCodes, bits, describe_layers, layer_codelength
from embtools.concepts.items import TASKS
from embtools.concepts.layer_probes import LayerProbes, layer_accuracy, probe_layers
from embtools.concepts.probes import Probes, effort, items_of
from embtools.messages import counted
from embtools.statistics.decimals import decimal
from embtools.statistics.percentages import rounded
from embtools.statistics.probe import FOLDINGS, MET, NEVER
from embtools.tables.columns import Chosen, text_of
from embtools.ui import (
    captions,
    carried,
    combinations,
    entry,
    figures,
    glossary,
    long_work,
    page,
    running,
    shown,
    state,
    uploads,
)
from embtools.ui.call import Call
from embtools.ui.concepts import probe_details
from embtools.ui.fields import Choice, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model, Models

TAB = "Probe"
OWN, BEST = "your own", "best"
ACCURACY, DESCRIPTION_LENGTH = "accuracy", "description length"
_SOME = """\
person | doctor | The doctor closed the door.
person | teacher | A teacher waited for the train.
person | queen | The queen read the letter.
person | nurse | The nurse opened the window.
person | sailor | The sailor sang all night.
person | farmer | A farmer sold two horses.
thing | door | The doctor closed the door.
thing | train | A teacher waited for the train.
thing | letter | The queen read the letter.
thing | window | The nurse opened the window.
thing | table | The cat sleeps under the table.
thing | bread | She cut the bread in the kitchen."""
TASK = Choice("concepts_task", "part of speech", {task.replace(" ", "-"): task for task in TASKS} | {"own": OWN})
ITEMS = Text("concepts_items", _SOME, most=200_000)
LAYER = Choice("concepts_probe_layer", BEST)
FOLDING = Choice("concepts_folds", NEVER, dict(zip(("never", "possibly"), FOLDINGS, strict=True)))
WORD_POOLING = combinations.word_pooling("concepts_pooling")
SENTENCE_POOLING = combinations.sentence_pooling("concepts_sentence_pooling")
STRENGTH = Choice("concepts_strength", "0.01", ("0.0001", "0.001", "0.01", "0.1", "1"))
MEASURE = Choice("concepts_measure", ACCURACY, {"accuracy": ACCURACY, "description-length": DESCRIPTION_LENGTH})
PICK = figures.Pick(
    lambda layer: state.put({LAYER.key: str(layer)}), lambda row: row.name, lambda point: round(point["x"])
)
"""How a chart over the layers chooses one."""
_CODES = 0.8  # time of the codelengths, in that of reading the items and measuring the accuracies
USES_EDIT = True
FIELDS = (
    *(TASK, ITEMS, LAYER, FOLDING, WORD_POOLING, SENTENCE_POOLING, STRENGTH, MEASURE),
    *probe_details.FIELDS,
)
PRESETS: dict[str, dict[str, Any]] = {
    "Part of speech": {},
    "Tense": {TASK.key: "tense"},
    "Number": {TASK.key: "number", probe_details.WORD.key: "dogs"},
    "Topic": {TASK.key: "topic"},
    "Memory alone": {FOLDING.key: MET},
    "Description length": {MEASURE.key: DESCRIPTION_LENGTH},
    "Your own labels": {TASK.key: OWN},
}


FIRST = Call(
    probe_layers,
    probes=Probes(TASK.default, WORD_POOLING.default, FOLDING.default, float(STRENGTH.default)),
)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    own = TASK.value == OWN
    return (
        *((ITEMS,) if own else ()),
        captions.Setting("task", TASK),
        captions.Setting("layer", LAYER),
        captions.Setting("test words", FOLDING),
        captions.Setting("pooling", _pooling()),
        captions.Setting("C", STRENGTH),
        captions.Setting("measure", MEASURE),
    )


def query() -> Call:
    """Return the query of the current fields."""
    probes = Probes(_labels(), _pooling().value, FOLDING.value, float(STRENGTH.value))
    return Call(describe_layers if MEASURE.value == DESCRIPTION_LENGTH else probe_layers, probes=probes)


def _of_sentences() -> bool:
    """Return whether the items are labelled sentences; items that cannot be read count as words."""
    try:
        return not items_of(_labels())[0].word
    except ValueError:
        return False


def _pooling() -> Choice:
    return SENTENCE_POOLING if _of_sentences() else WORD_POOLING


def _labels() -> str:
    return str(ITEMS.value if TASK.value == OWN else TASK.value)


@state.fragment
def show(models: Models) -> None:
    """Show the fields, for each model the finding and the layers, a sentence to try, and the details below."""
    _bar(models[0])
    problems = st.container()
    if TASK.value == OWN:
        _own()
    models, edited = carried.split(models)  # the probe is trained without the edit
    asked, what = query(), "Read the items and train the probes"
    if not long_work.requested("concepts-probe", what, _seconds(asked, models), (models[0], asked)):
        return

    def at_the_chosen_layer(model: Model) -> Call:
        if LAYER.value == BEST:
            return asked
        return asked.but(layer=shown.same_depth(int(LAYER.value), models[0], model))

    of_bits = asked.function == describe_layers
    answers = running.ask(
        "coded" if of_bits else "found",
        at_the_chosen_layer,
        models,
        Call(asked.function, **FIRST.arguments),
        label="Reading the items and training the probes",
        container=problems,
        prints=("headline", "table", *(("uniform", "frequencies", "portions") if of_bits else ("baseline",))),
    )
    if not answers:
        return
    left, right = shown.fields_and_results((*models, *edited), (3, 2))
    with left, st.container(key="hero"):
        for container in running.containers(answers):
            with container as answer:
                _result(answer.value, [each.value for each in answers])
    with right:
        probe_details.show_sentence((*answers, *(replace(answers[0], model=model) for model in edited)))
    probe_details.show_more(answers)


def _seconds(asked: Call, models: Models) -> float:
    """Return about how long the probes take that are not cached."""
    parts = {layer_accuracy: 1.0} | ({layer_codelength: _CODES} if asked.function == describe_layers else {})
    try:
        return sum(
            share * effort(asked["probes"].labels, layers=model.facts.layers, dimensions=model.facts.dimensions)
            for number, model in enumerate(models)
            for measured, share in parts.items()
            if (not number or model.was_opened) and not running.known(Call(measured, **asked.arguments), model)
        )
    except ValueError:  # shown next to the field
        return 0.0


def _bar(model: Model) -> None:
    """Show the fields in one row."""
    with st.container(key="concepts-bar"):
        task, layer, folds, measure, more = st.columns([4, 3, 5, 4, 4], gap="small")
    with task:
        st.selectbox("Label", help="What the probe should find in the vectors.", **TASK.widget)
    with layer:
        options = (BEST, *map(str, range(model.facts.layers + 1)))
        st.selectbox("Layer", help=glossary.definition("layer"), **LAYER.among(options))
    with folds:
        st.segmented_control(
            "Test words",
            required=True,
            disabled=_of_sentences(),  # no sentence is repeated
            help="Never seen: all occurrences of a word are in the same fold, so the probe is tested only on words that"
            " it was not trained on. Possibly seen: each occurrence is assigned to a fold at random. The items"
            " are divided into five parts, called folds. The probe is trained on four of them and tested on the fifth;"
            " this is repeated until each fold has been the test fold once.",
            **FOLDING.widget,
        )
    with measure:
        st.selectbox("Measure", help=glossary.definition("description length"), **MEASURE.widget)
    with more, figures.expander("concepts-how", "Advanced settings", ":material/tune:") as opened:
        if opened:
            st.selectbox("Pooling", help=glossary.definition("pooling"), **_pooling().widget)
            st.selectbox(
                "C",
                help="Inverse strength of the regularisation, as in scikit-learn. A small C keeps the probe simple; a"
                " large one lets it memorise the items.",
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
            **ITEMS.widget,
        )
        uploads.pasted(items.read, str(ITEMS.value), "concepts-pasted", _read, errors=False)
    with uploaded:
        uploads.field("Upload a table", uploads.TABLES, "concepts-file", _read)
        uploads.notes("concepts-file")


def _read(source: str | bytes, columns: Chosen | None = None) -> dict[str, Any]:
    """Return the text of a table, or the items as lines if the visitor has said which column is what."""
    found = items.read(source, columns)
    kind = "labelled word" if found.value[0].word else "labelled sentence"
    if columns:
        text, notes = items.write_items(found.value), found.notes
    else:
        text, notes = text_of(source)
    return uploads.Filled({ITEMS.key: text}, counted(len(found.value), kind), notes)


def _result(result: LayerProbes | LayerCodes, results: Sequence[Any]) -> None:
    """Show the headline, the chart and the caption; the chart has the scale of the results of all models."""
    shown.headline(result.headline)
    if isinstance(result, LayerCodes):
        draw, name, text = charts.codelengths, "concepts-bits", _bits_caption(result)
    else:
        draw, name, text = charts.probes, "concepts-probes", _accuracy_caption(result)
    options: dict[str, Any] = {"below": lambda: page.caption(text)}
    if not shown.suffix():  # a click chooses a layer of the first model
        options["pick"] = PICK
    figures.show(draw, result, name=name, beside=results, options=options)


def _accuracy_caption(result: LayerProbes) -> str:
    """Return how the probe is tested, with the figures of the layer and of the control task."""
    kind, count, layer = result.kind, result.count, result.layer
    row, types, best_held_out = result.table.iloc[layer], result.accuracy.types, result.accuracy.best_held_out
    different = f" ({types} different ones)" if kind == "words" else ""
    parts = [
        f"{count} labelled {kind}{different} are divided into [[fold|folds]]. The labels of each fold are predicted by"
        f" a [[probe]] that was trained on the others. Accuracies are means over {DIVISIONS} divisions. On layer"
        f" {layer} the accuracy is {rounded(row['accuracy'], 1)} (95% interval {rounded(row['accuracy_low'], 1)} to"
        f" {rounded(row['accuracy_high'], 1)}). Guessing (always the most frequent label) gets"
        f" {rounded(result.baseline, 1)}."
    ]
    if result.chosen is None and len(result.table) > 1:
        mean, low, high = best_held_out
        parts.append(
            "The highest of several accuracies overestimates the true one on average. If the best layer is chosen"
            f" again in each [[bootstrap]] resample and tested on the other {kind}, its accuracy is {rounded(mean, 1)}"
            f" (95% interval {rounded(low, 1)} to {rounded(high, 1)})."
        )
    if layer:
        parts.append(
            f"On layer 0, which has no context, the accuracy is {rounded(result.table['accuracy'].iloc[0], 1)}."
        )
    control = f"a probe trained on [[control task|random labels]] gets {rounded(row['control'], 1)}"
    if result.folding != NEVER and kind == "words":
        low, high = (100 * row[f"selectivity_{end}"] for end in ("low", "high"))
        parts.append(
            f"Most test words were seen in training: {control} by memory alone. The [[selectivity]] is"
            f" **{decimal(100 * row['selectivity'], 0)} points** (95% interval {decimal(low, 0)} to"
            f" {decimal(high, 0)})."
        )
    elif row["control_low"] > result.baseline:
        parts.append(f"As a check, {control}. That is more than guessing: training and test items are not separate.")
    else:
        parts.append(
            f"As a check, {control}. That is not clearly better than guessing, so there is no sign that test items leak"
            " into training."
        )
    return " ".join(parts)


def _bits_caption(result: LayerCodes) -> str:
    """Return how the labels are sent, with the figures of the layer, of random labels and of the frequencies."""
    row, code, kind = result.table.iloc[result.layer], result.code, result.probes.kind
    ends = [str(end) for end in code.portions]
    portions = f"{', '.join(ends[:-1])} and {ends[-1]}" if len(ends) > 1 else ends[0]
    parts = [
        f"Each point is the [[description length|codelength]] of the {result.probes.count} labels: a [[probe]] codes"
        " each portion of labels after it was trained on the portions before. The number next to a point is the"
        f" [[compression]]. The portions end after {portions} {code.units}, in {code.orders} random orders. A band"
        " shows the shortest and the longest code.",
        f"On layer {result.layer}: {bits(row['codelength'])} bits ({bits(row['codelength_lowest'])} to"
        f" {bits(row['codelength_highest'])}), compression {row['compression']:.2f}, and an accuracy of"
        f" {rounded(row['accuracy'], 1)}. Equal codes take {bits(result.uniform)} bits, and the frequencies of the"
        f" labels alone, without vectors, {bits(result.frequencies)}.",
    ]
    if result.probes.chosen is None:
        parts.append(
            f"The best layer is the one with the shortest code. To say which one that is takes {result.naming:.1f} bits"
            " more."
        )
    control = (
        f"a probe trained on [[control task|random labels]] needs {bits(row['control_codelength'])} bits"
        f" ({bits(row['control_codelength_lowest'])} to {bits(row['control_codelength_highest'])})"
    )
    seen = result.probes.folding != NEVER and kind == "words"
    parts.append(f"Words can be in several portions: {control} by memory alone." if seen else f"As a check, {control}.")
    return " ".join(parts)


def _accuracies(_: Model) -> Call:
    """Return the query of the accuracies, also where the page shows description lengths."""
    asked = Call(probe_layers, **query().arguments)
    return asked if LAYER.value == BEST else asked.but(layer=int(LAYER.value))


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
