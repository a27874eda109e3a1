"""Tab that patches a word's vector with its mix and shows what BERT then answers at a mask."""

from typing import Any

import streamlit as st

from embtools.charts.decomposition import patching as charts
from embtools.decomposition import verdict
from embtools.decomposition.patching import DRAWS, ORIGINAL, PARTS, by_number_of_words
from embtools.ui import cached, figures, glossary, jobs, page, spelling, state, texts
from embtools.ui.decomposition import patching_queries, queries, word
from embtools.ui.decomposition.patching_queries import PatchQuery, PatchResult
from embtools.ui.share import Code

TAB = "Patching"
FIELDS = patching_queries.FIELDS
_WORD, _SENTENCE, _LAYER = patching_queries.WORD.key, patching_queries.SENTENCE.key, patching_queries.LAYER.key
PRESETS: dict[str, dict[str, Any]] = {
    "A cold wind": {},
    "At the input": {_LAYER: patching_queries.STATIC},
    "A capital": {_WORD: "rome", _SENTENCE: "Rome is the capital of [MASK]."},
    "The bank of a river": {_WORD: "bank", _SENTENCE: "He sat on the bank of the [MASK]."},
    "Sentence without a mask": {_WORD: "king", _SENTENCE: "The king lived with his queen in an old castle."},
}  # fmt: skip


def show(model: str, code: Code) -> None:
    """Draw the fields in a row, then the headline, the curves and the tables."""
    left, middle, layer, slider = st.columns([2, 5, 2, 3], gap="small")
    with left:
        st.text_input("Word", max_chars=patching_queries.WORD.most, **patching_queries.WORD.widget)
    with middle:
        st.text_input(
            "Sentence with a [MASK]", max_chars=patching_queries.SENTENCE.most, **patching_queries.SENTENCE.widget
        )
    with layer:
        names = patching_queries.layers(cached.model(model))
        widget = patching_queries.LAYER.among(names, names[min(3, len(names) - 1)])
        help_ = "Where the vector is read and replaced by its mix: at the input (static embedding) or after a layer."
        st.selectbox("Layer", help=help_, **widget)
    with slider:
        word.penalty_field()
    problems = st.container()
    _settings()
    text = spelling.text(patching_queries.SENTENCE, model)
    query = PatchQuery(
        spelling.text(patching_queries.WORD, model, text).strip(),
        text.strip(),
        patching_queries.LAYER.value,
        int(patching_queries.MASK.value),
        **queries.penalty(),
        same_word=patching_queries.SAME_WORD.value,
        keep_length=patching_queries.LENGTH.value,
    )
    result: jobs.Answer[PatchResult] | None = jobs.ask(
        "decomposition-put",
        patching_queries.answered,
        model,
        (query,),
        (patching_queries.FIRST,),
        label="Running BERT with the mix",
        place=problems,
        mends=patching_queries.WORD,
    )
    if result is None:
        return
    with jobs.results(result, "patching", result.asked[0].word):
        _answer(result.asked[0], result.value, code)


def _answer(query: PatchQuery, result: PatchResult, code: Code) -> None:
    code.add("patching", *patching_queries.code(query))
    name, runs = result.site.target.name, result.runs
    st.header(texts.plain(verdict.survival(name, runs)), anchor=False)
    answer = str(runs.loc[runs["run"] == ORIGINAL, "answer"].iloc[0])
    left, right = st.columns(2, gap="medium")
    for column, measure, title in (
        (left, "probability", f"probability of {answer}"),
        (right, "kl_bits", "KL divergence from the original answers (bits)"),
    ):
        with column:
            figures.chart(
                cached.figure(charts.curve, result.summary, measure, title),
                result.summary,
                name=f"patching-{measure}",
                alt=charts.alt(result.summary, measure, title),
            )
    page.seen(
        "The word’s vector is replaced by a mix of the k strongest words of its [[sparse mix]], with refitted weights."
        " A filled mark means that the top answer stays the same (for random words, in most draws). The band is the"
        f" range of {DRAWS} draws of k random words. The second chart shows the [[KL divergence]] from the original"
        " answers."
    )
    st.text(verdict.distance(runs))
    st.text(_caption(query, result))
    st.subheader("Results by number of words", anchor=False)
    figures.table(by_number_of_words(runs), name="patching-words")
    figures.folded(runs, "patching-runs", "All runs, including those with random words")


def _caption(query: PatchQuery, result: PatchResult) -> str:
    """Caption with the sentence, the layer, the treatment of several tokens and the length of the mix."""
    text, hidden = query.read
    whole = result.runs[result.runs["run"] == PARTS].iloc[-1]
    count = len(result.site.positions)
    where = "at the input" if result.site.layer is None else f"after layer {result.site.layer}"
    sentences = [f"BERT read “{text}”" + (f" The sentence had no mask, so “{hidden}” was masked." if hidden else "")]
    sentences.append(f"The vector is replaced {where}.")
    if count > 1 and result.site.layer is None:
        sentences.append(f"The word occurs {count} times and is replaced everywhere.")
    elif count > 1:
        sentences.append(
            f"The word has {count} tokens: their mean is decomposed, and each is shifted by the same difference."
        )
    k, length = int(whole["k"]), f"is {verdict.percent(whole['length'])} as long as the vector"
    if query.keep_length:
        length = "is scaled to the length of the vector"
    mix = "mix of the only word" if k == 1 else f"mix of all {k} words"
    sentences.append(f"The {mix} {length}; its cosine with the vector is {whole['cosine']:.2f}.")
    return " ".join(sentences)


def _settings() -> None:
    length = "mix scaled to the vector’s length" if patching_queries.LENGTH.value else "mix not scaled"
    fold = state.fold("decomposition", f"Settings: {length}", ":material/tune:")
    if not fold.open:
        return
    with fold:
        left, right = st.columns(2, gap="medium")
        with left:
            help_ = (
                "The mix is shorter than the vector because it lacks the unexplained part. Scaling corrects the length."
            )
            st.toggle("Scale the mix to the vector’s length", help=help_, **patching_queries.LENGTH.widget)
            st.toggle("Allow the same word as a part", **patching_queries.SAME_WORD.widget)
        with right:
            st.number_input("Mask number", help=glossary.definition("mask"), **patching_queries.MASK.widget)
            word.penalty_kind()
