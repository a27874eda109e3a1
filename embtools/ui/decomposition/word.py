"""Tab that decomposes one occurrence of a word into other occurrences or static embeddings."""

from typing import Any

import streamlit as st

from embtools.decomposition.dictionary import MOST_DRAWN
from embtools.recipes import SUM_FOUR, recipe_names
from embtools.ui import cached, folders, glossary, jobs, options, state, texts
from embtools.ui.decomposition import answer, asking
from embtools.ui.decomposition.asking import Found, Question
from embtools.ui.fields import words as split
from embtools.ui.share import Code

TAB = "Word in a sentence"
FIELDS = asking.WORD_FIELDS
PRESETS: dict[str, dict[str, Any]] = {
    "cold": {},
    "As in the article": {asking.BY.key: asking.BY_ALPHA},
    "bank (money)": {asking.WORD.key: "bank"},
    "bank (river)": {asking.WORD.key: "bank", asking.NUMBER.key: 5},
    "A cold look": {asking.SENTENCE.key: "She gave him a cold look and said nothing."},
    "Static embeddings": {asking.DICTIONARY.key: asking.STATIC},
}


def show(model: str, code: Code) -> None:
    """Draw the word, its sentence and the penalty in a row, the other settings in an expander, then the result."""
    word, choice, slider = st.columns([2, 6, 3], gap="small")
    with word:
        st.text_input("Word", max_chars=asking.WORD.most, on_change=_other_word, **asking.WORD.widget)
    with slider:
        penalty_field()
    problems = st.container()
    _settings(model)
    chosen = asking.DICTIONARY.value if asking.DICTIONARY.value in asking.dictionaries() else asking.OCCURRENCES
    folder = None
    try:
        folder = folders.opened(chosen)
    except ValueError as error:
        chosen = asking.OCCURRENCES
        with problems:
            texts.problem(error)
    question = Question(
        asking.WORD.value.strip(),
        int(asking.NUMBER.value),
        asking.SENTENCE.value.strip(),
        "",
        asking.RECIPE.value,
        chosen,
        **asking.penalty(),
        same_word=asking.SAME_WORD.value,
        same_sentence=asking.SAME_SENTENCE.value,
        folder=folder,
        chosen=() if folder is None else split(asking.CHOSEN.value),
    )
    found: jobs.Answer[Found] | None = jobs.ask(
        "decomposition-word",
        asking.taken_apart,
        model,
        (question,),
        (asking.FIRST,),
        label="Reading a thousand sentences" if folder is None else "Sampling the folder",
        place=problems,
        mends=asking.WORD,
    )
    with choice:
        _sentence(found)
    if found is None:
        return
    with jobs.results(found, "parts", found.asked[0].says):
        answer.show("parts", model, found.asked[0], found.value, code)


def penalty_field() -> None:
    """Draw the field of the penalty: a share of its maximum, or alpha itself."""
    if asking.BY.value == asking.BY_ALPHA:
        st.number_input("Penalty (alpha)", help=glossary.definition("penalty"), format="%.4g", **asking.ALPHA.widget)
    else:
        st.slider("Sparsity (fewer words →)", help=glossary.definition("penalty"), **asking.SHARE.widget)


def penalty_kind() -> None:
    """Draw the choice between a penalty as a share of its maximum and alpha itself."""
    st.segmented_control(
        "Set the penalty as",
        format_func=lambda by: "alpha, as in the article" if by == asking.BY_ALPHA else "share of its maximum",
        required=True,
        help="The article uses scikit-learn’s alpha: 0.9 on vectors that are not scaled to length one.",
        **asking.BY.widget,
    )


def _other_word() -> None:
    """Start a new word at its first sentence instead of one typed for another word."""
    state.put({asking.NUMBER.key: 1, asking.SENTENCE.key: ""})


def _sentence(found: jobs.Answer[Found] | None) -> None:
    """Draw the field that selects the occurrence: one from the corpus, or the visitor's own sentence."""
    if asking.SENTENCE.value.strip():
        st.text_input(
            "Your own sentence with the word (leave empty to use the corpus)",
            max_chars=asking.SENTENCE.most,
            **asking.SENTENCE.widget,
        )
        return
    if found and found.value.count:
        most = min(found.value.count, int(asking.NUMBER.high))
        if asking.NUMBER.value > most:
            state.put({asking.NUMBER.key: most})
        st.number_input(f"Occurrence (1 to {found.value.count:,})", **asking.NUMBER.widget | {"max_value": most})
        return
    sentences = found.value.sentences if found else ()
    if not sentences:
        return
    if not 1 <= asking.NUMBER.value <= len(sentences):
        state.put({asking.NUMBER.key: min(max(int(asking.NUMBER.value), 1), len(sentences))})
    options.choose(
        st.selectbox,
        f"Sentence ({len(sentences)} contain the word)" if len(sentences) > 1 else "Sentence",
        asking.NUMBER.key,
        {number: f"{number} · {sentence}" for number, sentence in enumerate(sentences, 1)},
        asking.NUMBER.value,
    )


def _settings(model: str) -> None:
    names = recipe_names(cached.model(model).layers)
    widget = asking.RECIPE.among(names, SUM_FOUR)
    stored = asking.DICTIONARY.value in folders.names()
    layers = "the folder’s layers" if stored else asking.RECIPE.value
    chosen = "chosen words of " if stored and split(asking.CHOSEN.value) else ""
    what = f"{layers}, decomposed into {chosen}{asking.DICTIONARY.value}"
    own = "" if asking.SENTENCE.value.strip() else " · your own sentence"
    fold = state.fold("decomposition", f"Settings: {what}{own}", ":material/tune:")
    if not fold.open:
        return
    with fold:
        if own:
            st.text_input(
                "Your own sentence with the word",
                max_chars=asking.SENTENCE.most,
                placeholder="It was a cold look that she gave him.",
                **asking.SENTENCE.widget,
            )
        left, middle, right = st.columns(3, gap="medium")
        with left:
            st.selectbox("Layer combination", help=glossary.definition("recipe"), disabled=stored, **widget)
        with middle:
            st.segmented_control(
                "Decompose into",
                required=True,
                help="For a folder offered by this server: a random sample, as large as can be searched at once.",
                **asking.DICTIONARY.among(asking.dictionaries()),
            )
            if stored:
                st.text_input(
                    "Only these words (leave empty for a random sample)",
                    max_chars=asking.CHOSEN.most,
                    placeholder="winter, summer, hot, snow",
                    help="Comma-separated. All occurrences of these words are used; if there are more than"
                    f" {MOST_DRAWN:,}, a random sample is used.",
                    **asking.CHOSEN.widget,
                )
        with right:
            penalty_kind()
        with st.container(horizontal=True):
            st.toggle("Allow the same word as a part", **asking.SAME_WORD.widget)
            st.toggle("Allow words of the same sentence as parts", **asking.SAME_SENTENCE.widget)
