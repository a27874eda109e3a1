"""The tab about the embedding matrix: a row is looked up in the input and multiplied in the output."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.charts.inputs import lookup as charts
from embtools.inputs import lookup, verdict
from embtools.inputs.lookup import LookUp, Output
from embtools.mask_filling.typed_input import normalise_masks
from embtools.ui import cached, figures, jobs, page, texts
from embtools.ui.fields import Text
from embtools.ui.share import Code

TAB = "Embedding lookup and output"
SENTENCE, WORD = Text("inputs_sentence", "The [MASK] is bright today.", 5_000), Text("inputs_word", "sun", 50)
FIELDS = (SENTENCE, WORD)
PRESETS: dict[str, dict[str, Any]] = {
    "The sun is bright": {},
    "The cat sat on the mat": {SENTENCE.key: "The cat sat on the [MASK].", WORD.key: "mat"},
    "Rome": {SENTENCE.key: "Rome is the capital of [MASK].", WORD.key: "italy"},
}


@dataclass(frozen=True)
class Both:
    """Lookup and output of a word."""

    into: LookUp
    back: Output
    finding: str


def both(sentence: str, word: str, *, model: Any) -> Both:
    """Return everything the tab shows."""
    into, back = lookup.look_up(word, model), lookup.output(sentence, model, word=word)
    return Both(into, back, verdict.output(word.strip(), into.id, len(model.vocabulary), back))


def show(model: str, code: Code) -> None:
    """Show the fields, the headline, and the lookup next to the output."""
    left, right = st.columns([3, 1], gap="small")
    with left:
        st.text_input("Sentence with [MASK] or ___", max_chars=SENTENCE.most, **SENTENCE.widget)
    with right:
        st.text_input("Word", max_chars=WORD.most, **WORD.widget)
    answer = jobs.ask(
        "inputs-lookup",
        both,
        model,
        (normalise_masks(SENTENCE.value), WORD.value),
        (SENTENCE.default, WORD.default),
        mends=WORD,
    )
    if answer is None:
        return
    sentence, word = answer.asked
    with jobs.results(answer, "inputs-lookup", f"{sentence} · {word}"):
        st.header(texts.plain(answer.value.finding), anchor=False)
        left, right = st.columns([2, 3], gap="medium")
        with left:
            _into(answer.value.into, cached.model(model))
        with right:
            _back(answer.value.back, word.strip())
    code.add(
        "lookup",
        f"into, back = lookup.look_up({word!r}, model), lookup.output({sentence!r}, model, word={word!r})",
        "print(into, back, into.neighbours, back.answers, sep='\\n')",
        f"print(verdict.output({word.strip()!r}, into.id, len(model.vocabulary), back))",
        "print(pd.DataFrame({'state': back.state, 'row': back.row, 'product': back.products}))",
    )


def _into(into: LookUp, loaded: Any) -> None:
    st.subheader("Input: look up a row", anchor=False)
    v, d = loaded.matrix.shape
    exact = (
        f"Computed in full, the result differs from the row by at most {into.largest:g}."
        if into.largest
        else "The full computation gives exactly this row."
    )
    page.seen(
        f"A one-hot vector has a single 1, and its other {v - 1:,} numbers are 0. Its product with the matrix of all"
        f" [[static embedding|embeddings]] ({v:,} × {d}) is one row of the matrix: of {v * d:,} products, all except"
        f" {d} are zero. {exact} So it is enough to read the row."
    )
    config = {"one_hot": st.column_config.NumberColumn("× one-hot", width="small")}
    figures.table(into.neighbours.round(3), name="look-up", column_config=config)


def _back(back: Output, word: str) -> None:
    st.subheader("Output: score every row", anchor=False)
    figures.chart(
        cached.figure(charts.products, back, word),
        _numbers(back),
        name="products",
        alt=charts.products_alt(back, word),
    )
    page.seen(
        f"The score is **{_signed(back.dot)}** (sum of the products) {'+' if back.bias >= 0 else '−'}"
        f" **{abs(back.bias):.3f}** (bias) = **{_signed(back.logit)}**. The [[softmax]] divides"
        f" exp({_signed(back.logit)}) by the sum of exp(score) over all tokens, which is"
        f" exp({_signed(back.log_total)}). The result is **{back.probability:.2%}**. BERT uses one matrix for input and"
        " output: the embeddings are *tied*."
    )
    figures.chart(
        cached.figure(charts.answers, back.answers, word),
        back.answers,
        name="answers",
        alt="Probabilities at the mask: "
        + ", ".join(f"{row.token} {row.probability:.1%}" for row in back.answers.itertuples())
        + ".",
    )


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _numbers(back: Output) -> Any:
    import pandas as pd

    return pd.DataFrame({"state": back.state, "row": back.row, "product": back.products})
