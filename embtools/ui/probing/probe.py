"""The panel of the Probing page: the fields, the accuracy in every layer, a sentence to try, and the details."""

from typing import Any

import streamlit as st

from embtools.probing.accuracy import Accuracy
from embtools.probing.items import from_csv
from embtools.probing.probe import MET
from embtools.ui import cached, glossary, jobs, state, uploads
from embtools.ui.probing import accuracy, asking, details, predict
from embtools.ui.share import Code

TAB = "Probing"
FIELDS = (*asking.FIELDS, *predict.FIELDS, *details.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "Part of speech": {},
    "Tense": {asking.TASK.key: "tense"},
    "Number": {asking.TASK.key: "number", predict.WORD.key: "dogs"},
    "Topic": {asking.TASK.key: "topic"},
    "Memory alone": {asking.FOLDING.key: MET},
    "Your own labels": {asking.TASK.key: asking.OWN},
}


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the fields, the finding and the layers next to a sentence to try, and the details below."""
    _bar(model)
    place = st.container()
    if asking.TASK.value == asking.OWN:
        _own()
    asked = asking.asked()
    if not jobs.on_request(
        "probing", "Read the items and train the probes", asking.seconds(asked, model), (asked, model)
    ):
        return
    answer = jobs.ask(
        "probing",
        asking.measured,
        model,
        (*asked, model),
        (*asking.FIRST, model),
        label="Reading the items and training the probes",
        place=place,
    )
    if answer is None:
        return
    found, question = answer.value, answer.asked
    layer = _layer(found)
    _code(code, question, layer, _is_best(found))
    with jobs.results(answer, "probing", question[0]):
        left, right = st.columns([3, 2], gap="medium")
        with left, st.container(key="hero"):
            accuracy.show(found, question, layer, _is_best(found))
        with right:
            predict.show(model, question, layer, code)
    details.show(model, found, question, layer, code)


def _bar(model: str) -> None:
    """Show the fields in one row."""
    with st.container(key="probing-bar"):
        task, layer, folds, more = st.columns([4, 3, 5, 5], gap="small")
    with task:
        st.selectbox("Label", help="What the probe should find in the vectors.", **asking.TASK.widget)
    with layer:
        layers = (asking.BEST, *map(str, range(cached.model(model).layers + 1)))
        st.selectbox("Layer", help=glossary.definition("layer"), **asking.LAYER.among(layers))
    with folds:
        st.segmented_control(
            "Test words",
            required=True,
            disabled=asking.of_sentences(),  # no sentence is repeated
            help="Never seen: all occurrences of a word are in the same fold, so the probe is tested only on words that"
            " it was not trained on. Possibly seen: each occurrence is assigned to a fold at random. A fold is one of"
            " five parts of the items: the probe is trained on four parts and tested on the fifth, for each part in"
            " turn.",
            **asking.FOLDING.widget,
        )
    with more:
        fold = state.fold("probing-how", "Pooling and C", ":material/tune:")
    if fold.open:
        with fold:
            _how()


def _how() -> None:
    """Show the fields for the pooling of tokens and for the regularisation of the probe."""
    field = asking.SENTENCE_POOLING if asking.of_sentences() else asking.WORD_POOLING
    st.selectbox("Pooling", help=glossary.definition("pooling"), **field.widget)
    st.selectbox(
        "C",
        help="Inverse strength of the regularisation, as in scikit-learn. A small C keeps the probe simple; a large one"
        " lets it memorise the items.",
        **asking.STRENGTH.widget,
    )


def _layer(found: Accuracy) -> int:
    """Return the chosen layer if this model has it, else the best one."""
    names = found.table["combination"].tolist()
    name = found.best if asking.LAYER.value == asking.BEST else f"layer {asking.LAYER.value}"
    return names.index(name if name in names else found.best)


def _is_best(found: Accuracy) -> bool:
    """Return whether the layer is shown because it is the best one."""
    return asking.LAYER.value == asking.BEST or f"layer {asking.LAYER.value}" not in found.table["combination"].tolist()


def _own() -> None:
    """Show the field and the upload for your own labelled words or sentences."""
    written, uploaded = st.columns([3, 1], gap="small")
    with written:
        st.text_area(
            "Your items (one per line)",
            height=150,
            help="Write label | word | sentence, or label | sentence. Or paste a CSV table with the columns sentence"
            " and label, and for labelled words also word and occurrence (1, 2, …). Each label needs at least five"
            " different words or sentences.",
            **asking.ITEMS.widget,
        )
    with uploaded:
        uploads.field("CSV file", ("csv", "txt"), "probing-file", _read)


def _read(data: bytes) -> dict[str, Any]:
    return {asking.ITEMS.key: from_csv(data)}


def _code(code: Code, question: tuple[Any, ...], layer: int, best: bool) -> None:
    task, own, words, sentences, folding, strength, _ = question
    pooling = asking.pooling_of(asking.items_of(task, own), words, sentences)
    code.add(
        "probe",
        f"items = read_items({own!r})" if task == asking.OWN else f"items = built_in({task!r})",
        "labels = [item.label for item in items]",
        f"vectors = read_features(items, model, pooling={pooling!r})",
        f"how = {{'folding': {folding!r}, 'strength': {strength!r}}}",
        "found = accuracy.measure(items, vectors, vectors.combinations[: model.layers + 1], **how)",
        f"row, kind = found.table.iloc[{layer}], 'words' if items[0].word else 'sentences'",
        f"print(verdict.finding(row, found.baseline, {task!r}, kind, how['folding']"
        + (", found.best_held_out))" if best else "))"),
        "print(found.table, found.baseline, sep='\\n')",
    )
