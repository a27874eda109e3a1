"""Panel that patches a word's vector with its mix and shows what BERT then answers at a mask."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import decomposition as charts
from embtools.decomposition.patched import Patched, patch_word
from embtools.decomposition.patching import DRAWS
from embtools.ui import captions, entry, figures, glossary, page, running, shown, spelling
from embtools.ui.call import Call
from embtools.ui.decomposition import penalty
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.shown import Model, Models

TAB = "Patching"
STATIC = "static embedding"
WORD = Text("decomposition_put_word", "rome", 100)
SENTENCE = Text("decomposition_put_sentence", "Rome is the capital of [MASK].", 1_000)
LAYER = Choice("decomposition_put_layer", "layer 2", keys={"static": STATIC})
MASK = Number("decomposition_put_mask", 1, 1, 10, 1)
LENGTH = Flag("decomposition_put_length")
FIELDS = (WORD, SENTENCE, LAYER, MASK, LENGTH, *penalty.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "A capital": {},
    "At the input": {LAYER.key: STATIC},
    "A cold wind": {WORD.key: "cold", SENTENCE.key: "The cold [MASK] blew all night."},
    "The bank of a river": {WORD.key: "bank", SENTENCE.key: "He sat on the bank of the [MASK]."},
    "Sentence without a mask": {WORD.key: "king", SENTENCE.key: "The king lived with his queen in an old castle."},
}
_EXAMPLE = Call(patch_word, text=SENTENCE.default, word=WORD.default, layer=2)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        SENTENCE,
        captions.Setting("word", WORD),
        captions.Setting("layer", LAYER),
        captions.changed("mask", MASK),
        captions.changed("the mix has the word's length", LENGTH),
        *penalty.caption(),
    )


def show(models: Models) -> None:
    """Draw the fields in a row; for each model the headline, the curves and the tables."""
    problems = _fields(models[0])
    _settings()
    answers = running.ask(
        "patched",
        lambda model: _query(model, models[0]),
        models,
        _EXAMPLE,
        label="Running BERT with the mix",
        container=problems,
        suggest=WORD,
        prints=("headline", "distance", "caption", "runs", "by_number_of_words", "summary"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _curves(answer.value, results)


def _query(model: Model, first: Model) -> Call:
    text = spelling.text(SENTENCE, model.name)
    layer = None if LAYER.value == STATIC else int(LAYER.value.removeprefix("layer "))
    return Call(
        patch_word,
        text=text.strip(),
        word=spelling.text(WORD, model.name, text).strip(),
        layer=None if layer is None else shown.same_depth(layer, first, model),
        mask=int(MASK.value),
        **penalty.value(),
        same_word=penalty.SAME_WORD.value,
        keep_length=LENGTH.value,
    )


def _fields(model: Model) -> Any:
    """Draw the fields; return the container for errors."""
    left, middle, layer, slider = st.columns([2, 5, 2, 3], gap="small")
    with left:
        entry.text_input("Word", **WORD.widget)
    with middle:
        entry.text_input("Sentence with a [MASK]", **SENTENCE.widget)
    with layer:
        names = (STATIC, *(f"layer {number}" for number in range(model.facts.layers)))
        widget = LAYER.among(names, names[min(3, len(names) - 1)])
        help_ = "Where the vector is read and replaced by its mix: at the input (static embedding) or after a layer."
        st.selectbox("Layer", help=help_, **widget)
    with slider:
        penalty.amount()
    return st.container()


def _curves(result: Patched, results: Sequence[Patched]) -> None:
    shown.headline(result.headline)
    for column, measure in zip(shown.split([1, 1], gap="medium"), charts.MEASURES, strict=True):
        with column:
            figures.show(charts.patched, result, measure, beside=results, name=f"patching-{measure}")
    page.caption(
        "The word’s vector is replaced by the k strongest parts of its [[sparse mix]], with refitted weights. A filled"
        " mark means that the top answer stays the same or, for random words, that it stays the same in most draws. The"
        f" band is the range of {DRAWS} draws of k random words. The second chart shows the [[KL divergence]] from the"
        " original answers."
    )
    st.text(result.distance)
    st.text(result.caption)
    st.subheader("Results by number of parts", anchor=False)
    figures.table(result.by_number_of_words, "Results by number of parts", name=f"patching-words{shown.suffix()}")
    figures.as_table(result.runs, f"patching-runs{shown.suffix()}", "All runs, including those with random words")


def _settings() -> None:
    length = "mix scaled to the vector’s length" if LENGTH.value else "mix not scaled"
    with figures.expander("decomposition", f"Settings: {length}", ":material/tune:") as opened:
        if not opened:
            return
        left, right = st.columns(2, gap="medium")
        with left:
            help_ = (
                "The mix is shorter than the vector because it lacks the unexplained part. Scaling corrects the length."
            )
            st.toggle("Scale the mix to the vector’s length", help=help_, **LENGTH.widget)
            st.toggle("Allow the word itself as a part", **penalty.SAME_WORD.widget)
        with right:
            entry.number_input("Mask number", help=glossary.definition("mask"), **MASK.widget)
            penalty.kind()
