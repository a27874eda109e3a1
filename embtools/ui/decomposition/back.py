"""Tab that patches a word's vector with its mix and shows what BERT then answers at a mask."""

from typing import Any

import streamlit as st

from embtools.charts.decomposition import put_back as charts
from embtools.decomposition import verdict
from embtools.decomposition.put_back import DRAWS, ORIGINAL, PARTS, by_words
from embtools.ui import cached, figures, glossary, jobs, page, spelling, state, texts
from embtools.ui.decomposition import asking, putting, word
from embtools.ui.decomposition.putting import Back, PutQuestion
from embtools.ui.share import Code

TAB = "Patching"
FIELDS = putting.FIELDS
_WORD, _SENTENCE, _LAYER = putting.WORD.key, putting.SENTENCE.key, putting.LAYER.key
PRESETS: dict[str, dict[str, Any]] = {
    "A cold wind": {},
    "At the input": {_LAYER: putting.STATIC},
    "A capital": {_WORD: "rome", _SENTENCE: "Rome is the capital of [MASK]."},
    "The bank of a river": {_WORD: "bank", _SENTENCE: "He sat on the bank of the [MASK]."},
    "Sentence without a mask": {_WORD: "king", _SENTENCE: "The king lived with his queen in an old castle."},
}  # fmt: skip


def show(model: str, code: Code) -> None:
    """Draw the fields in a row, then the headline, the curves and the tables."""
    left, middle, layer, slider = st.columns([2, 5, 2, 3], gap="small")
    with left:
        st.text_input("Word", max_chars=putting.WORD.most, **putting.WORD.widget)
    with middle:
        st.text_input("Sentence with a [MASK]", max_chars=putting.SENTENCE.most, **putting.SENTENCE.widget)
    with layer:
        names = putting.layers(cached.model(model))
        widget = putting.LAYER.among(names, names[min(3, len(names) - 1)])
        help_ = "Where the vector is read and replaced by its mix: at the input (static embedding) or after a layer."
        st.selectbox("Layer", help=help_, **widget)
    with slider:
        word.penalty_field()
    problems = st.container()
    _settings()
    text = spelling.text(putting.SENTENCE, model)
    question = PutQuestion(
        spelling.text(putting.WORD, model, text).strip(),
        text.strip(),
        putting.LAYER.value,
        int(putting.MASK.value),
        **asking.penalty(),
        same_word=putting.SAME_WORD.value,
        keep_length=putting.LENGTH.value,
    )
    found: jobs.Answer[Back] | None = jobs.ask(
        "decomposition-put",
        putting.answered,
        model,
        (question,),
        (putting.FIRST,),
        label="Running BERT with the mix",
        place=problems,
        mends=putting.WORD,
    )
    if found is None:
        return
    with jobs.results(found, "put-back", found.asked[0].word):
        _answer(found.asked[0], found.value, code)


def _answer(question: PutQuestion, back: Back, code: Code) -> None:
    code.add("put back", *putting.code(question))
    name, runs = back.place.target.name, back.runs
    st.header(texts.plain(verdict.survival(name, runs)), anchor=False)
    st.text(verdict.distance(runs))
    st.text(_asked(question, back))
    answer = str(runs.loc[runs["run"] == ORIGINAL, "answer"].iloc[0])
    left, right = st.columns(2, gap="medium")
    for column, measure, title in (
        (left, "probability", f"probability of {answer}"),
        (right, "bits", "KL divergence from the original answers (bits)"),
    ):
        with column:
            figures.chart(
                cached.figure(charts.curve, back.summary, measure, title),
                back.summary,
                name=f"put-back-{measure}",
                alt=charts.alt(back.summary, measure, title),
            )
    page.seen(
        "The word’s vector is replaced by a mix of the k strongest words of its [[sparse mix]], with refitted weights."
        " Filled marks: the top answer stays the same (for random words, in most draws). Band: the range of"
        f" {DRAWS} draws of k random words. Right: the [[KL divergence]] from the original answers."
    )
    st.subheader("Results by number of words", anchor=False)
    figures.table(by_words(runs), name="put-back-words")
    figures.folded(runs, "put-back-runs", "All runs, including those with random words")


def _asked(question: PutQuestion, back: Back) -> str:
    """Caption with the sentence, the layer, the treatment of several tokens and the length of the mix."""
    text, hidden = question.read
    whole = back.runs[back.runs["run"] == PARTS].iloc[-1]
    count = len(back.place.positions)
    where = "at the input" if back.place.layer is None else f"after layer {back.place.layer}"
    said = [f"BERT read “{text}”" + (f" The sentence had no mask, so “{hidden}” was masked." if hidden else "")]
    said.append(f"The vector is replaced {where}.")
    if count > 1 and back.place.layer is None:
        said.append(f"The word occurs {count} times and is replaced everywhere.")
    elif count > 1:
        said.append(
            f"The word has {count} tokens: their mean is decomposed, and each is shifted by the same difference."
        )
    k, length = int(whole["k"]), f"is {verdict.percent(whole['length'])} as long as the vector"
    if question.keep_length:
        length = "is scaled to the length of the vector"
    mix = "mix of the only word" if k == 1 else f"mix of all {k} words"
    said.append(f"The {mix} {length}; its cosine with the vector is {whole['cosine']:.2f}.")
    return " ".join(said)


def _settings() -> None:
    length = "mix scaled to the vector’s length" if putting.LENGTH.value else "mix not scaled"
    fold = state.fold("decomposition", f"Settings: {length}", ":material/tune:")
    if not fold.open:
        return
    with fold:
        left, right = st.columns(2, gap="medium")
        with left:
            help_ = (
                "The mix is shorter than the vector because it lacks the unexplained part. Scaling corrects the length."
            )
            st.toggle("Scale the mix to the vector’s length", help=help_, **putting.LENGTH.widget)
            st.toggle("Allow the same word as a part", **putting.SAME_WORD.widget)
        with right:
            st.number_input("Mask number", help=glossary.definition("mask"), **putting.MASK.widget)
            word.penalty_kind()
