"""The tab about the embedding matrix: a row is looked up in the input and multiplied in the output."""

from typing import Any

import streamlit as st

from embtools.charts import inputs as charts
from embtools.inputs import lookup
from embtools.inputs.lookup import RoundTrip
from embtools.inputs.output_matrix import second_matrix
from embtools.statistics.decimals import decimal
from embtools.ui import captions, entry, figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model, Models

TAB = "Embedding lookup and output"
SENTENCE, WORD = Text("inputs_sentence", "The [MASK] is bright today.", 5_000), Text("inputs_word", "sun", 50)
FIELDS = (SENTENCE, WORD)
PRESETS: dict[str, dict[str, Any]] = {
    "The sun is bright": {},
    "The cat sat on the mat": {SENTENCE.key: "The cat sat on the [MASK].", WORD.key: "mat"},
    "Rome": {SENTENCE.key: "Rome is the capital of [MASK].", WORD.key: "italy"},
}


FIRST = Call(lookup.round_trip, sentence=SENTENCE.default, word=WORD.default)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return SENTENCE, WORD


def show(models: Models) -> None:
    """Show the fields, and for each model the headline, and the lookup next to the output."""
    left, right = st.columns([3, 1], gap="small")
    with left:
        entry.text_input("Sentence with [MASK] or ___", **SENTENCE.widget)
    with right:
        entry.text_input("Word", **WORD.widget)
    answers = running.ask(
        "trip",
        _query,
        models,
        FIRST,
        suggest=WORD,
        prints=("headline", "input", "input.neighbours", "output", "output.answers", "products"),
    )
    if not answers:
        return
    alike = tuple(answer.value for answer in answers) if len(models) > 1 else ()
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            left, right = shown.split([2, 3], gap="medium")
            with left:
                _input(answer.value)
            with right:
                _output(answer.value, alike)
    label = "One matrix or two: BERT compared with skip-gram"
    with figures.expander("second-matrix", label, ":material/compare_arrows:") as opened:
        if opened:
            _second_matrix(models)


def _query(_: Model) -> Call:
    return Call(lookup.round_trip, sentence=SENTENCE.value, word=WORD.value)


def _input(result: RoundTrip) -> None:
    st.subheader("Input: look up a row", anchor=False)
    into, (v, d) = result.input, result.size
    exact = (
        f"Computed in full, the result differs from the row by at most {into.largest:g}."
        if into.largest
        else "The full computation gives exactly this row."
    )
    page.caption(
        f"A one-hot vector has a single 1, and its other {v - 1:,} numbers are 0. Its product with the matrix of all"
        f" [[static embedding|embeddings]] ({v:,} × {d}) is one row of the matrix: of {v * d:,} products, all except"
        f" {d} are zero. {exact} So it is enough to read the row."
    )
    config = {"one_hot": st.column_config.NumberColumn("× one-hot", width="small")}
    figures.table(
        into.neighbours.round(3),
        "Rows of the embedding matrix around the word",
        name=f"look-up{shown.suffix()}",
        column_config=config,
    )


def _output(result: RoundTrip, alike: tuple[RoundTrip, ...]) -> None:
    back = result.output
    st.subheader("Output: score every row", anchor=False)
    figures.show(charts.products, result, alike, name="products")
    page.caption(
        f"The score is **{_signed(back.dot)}** (sum of the products) {'+' if back.bias >= 0 else '−'}"
        f" **{abs(back.bias):.3f}** (bias) = **{_signed(back.logit)}**. The [[softmax]] divides"
        f" exp({_signed(back.logit)}) by the sum of exp(score) over all tokens, which is"
        f" exp({_signed(back.log_total)}). The result is **{lookup.percentage(back.probability)}**. BERT uses one"
        " matrix for input and output: the embeddings are *tied*."
    )
    figures.show(charts.answers, result, name="answers")


def _second_matrix(models: Models) -> None:
    """Explain why skip-gram has a second matrix and BERT has none, with what this model's rows score."""
    page.caption(
        "Skip-gram (Mikolov et al. 2013) predicts the words *next to* a word. It looks up the word's row in a matrix W,"
        " and multiplies the row by a second matrix W′, in which each word has a row for its role as a context word. W"
        " and W′ must differ: a word rarely occurs next to itself, but with one matrix the product of its row with"
        " itself would be the highest. Words in the same contexts get similar rows in W. These rows are then"
        " used as the word vectors; W′ is usually thrown away."
    )
    page.caption(
        "BERT predicts the masked word *itself*. Its network turns the context into a vector, and the output compares"
        " this vector with the rows of the input matrix. So one matrix is enough (Press & Wolf 2017). Below, the"
        " rows of this matrix are multiplied by each other, without the network."
    )
    answers = running.ask(
        "second",
        Call(second_matrix, word=WORD.value),
        models,
        Call(second_matrix, word=WORD.default),
        label="Comparing rows",
        prints=("headline", "measured", "words"),
    )
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            st.text(answer.value.measured)
            figures.table(answer.value.words, name=f"second-matrix{shown.suffix()}")
    page.caption(
        "In a skip-gram model, the products of rows of W and W′ are high for words that are next to each other in a"
        " text. BERT's rows were not trained for this: the context reaches BERT's answer through the layers. At 50%,"
        " neighbours would score no higher than random pairs."
    )


def _signed(value: float) -> str:
    return decimal(value, 3)


READINGS = {
    "dimensions": Reading(_query, "Numbers in the vector of a word", "number", lambda trip: trip.size[1], digits=0),
    "tokens": Reading(_query, "Rows of the matrix", "number", lambda trip: trip.size[0], digits=0),
    "probability": Reading(_query, "Probability of the word at the mask", "number", "output.probability", "%"),
}
