"""Tab that decomposes one occurrence of a word into other occurrences or static embeddings."""

from typing import Any

import streamlit as st

from embtools.decomposition.dictionary import MOST_DRAWN
from embtools.recipes import SUM_FOUR, recipe_names
from embtools.ui import cached, folders, glossary, jobs, options, state, texts
from embtools.ui.decomposition import parts, queries
from embtools.ui.decomposition.queries import Query, Result
from embtools.ui.fields import words as split
from embtools.ui.share import Code

TAB = "Word in a sentence"
FIELDS = queries.WORD_FIELDS
PRESETS: dict[str, dict[str, Any]] = {
    "cold": {},
    "As in the article": {queries.BY.key: queries.BY_ALPHA},
    "bank (money)": {queries.WORD.key: "bank"},
    "bank (river)": {queries.WORD.key: "bank", queries.NUMBER.key: 5},
    "A cold look": {queries.SENTENCE.key: "She gave him a cold look and lines nothing."},
    "Static embeddings": {queries.DICTIONARY.key: queries.STATIC},
}


def show(model: str, code: Code) -> None:
    """Draw the word, its sentence and the penalty in a row, the other settings in an expander, then the result."""
    word, choice, slider = st.columns([2, 6, 3], gap="small")
    with word:
        st.text_input("Word", max_chars=queries.WORD.most, on_change=_other_word, **queries.WORD.widget)
    with slider:
        penalty_field()
    problems = st.container()
    _settings(model)
    chosen = queries.DICTIONARY.value if queries.DICTIONARY.value in queries.dictionaries() else queries.OCCURRENCES
    folder = None
    try:
        folder = folders.opened(chosen)
    except ValueError as error:
        chosen = queries.OCCURRENCES
        with problems:
            texts.problem(error)
    query = Query(
        queries.WORD.value.strip(),
        int(queries.NUMBER.value),
        queries.SENTENCE.value.strip(),
        "",
        queries.RECIPE.value,
        chosen,
        **queries.penalty(),
        same_word=queries.SAME_WORD.value,
        same_sentence=queries.SAME_SENTENCE.value,
        folder=folder,
        chosen=() if folder is None else split(queries.CHOSEN.value),
    )
    result: jobs.Answer[Result] | None = jobs.ask(
        "decomposition-word",
        queries.decomposed,
        model,
        (query,),
        (queries.FIRST,),
        label="Reading a thousand sentences" if folder is None else "Sampling the folder",
        place=problems,
        mends=queries.WORD,
    )
    with choice:
        _sentence(result)
    if result is None:
        return
    with jobs.results(result, "parts", result.asked[0].label):
        parts.show("parts", model, result.asked[0], result.value, code)


def penalty_field() -> None:
    """Draw the field of the penalty: a share of its maximum, or alpha itself."""
    if queries.BY.value == queries.BY_ALPHA:
        st.number_input("Penalty (alpha)", help=glossary.definition("penalty"), format="%.4g", **queries.ALPHA.widget)
    else:
        st.slider("Sparsity (fewer words →)", help=glossary.definition("penalty"), **queries.SHARE.widget)


def penalty_kind() -> None:
    """Draw the choice between a penalty as a share of its maximum and alpha itself."""
    st.segmented_control(
        "Set the penalty as",
        format_func=lambda by: "alpha, as in the article" if by == queries.BY_ALPHA else "share of its maximum",
        required=True,
        help="The article uses scikit-learn’s alpha, set to 0.9, on vectors that are not scaled to length one.",
        **queries.BY.widget,
    )


def _other_word() -> None:
    """Start a new word at its first sentence instead of one typed for another word."""
    state.put({queries.NUMBER.key: 1, queries.SENTENCE.key: ""})


def _sentence(result: jobs.Answer[Result] | None) -> None:
    """Draw the field that selects the occurrence: one from the corpus, or the visitor's own sentence."""
    if queries.SENTENCE.value.strip():
        st.text_input(
            "Your own sentence with the word (leave empty to use the corpus)",
            max_chars=queries.SENTENCE.most,
            **queries.SENTENCE.widget,
        )
        return
    if result and result.value.count:
        most = min(result.value.count, int(queries.NUMBER.high))
        if queries.NUMBER.value > most:
            state.put({queries.NUMBER.key: most})
        st.number_input(f"Occurrence (1 to {result.value.count:,})", **queries.NUMBER.widget | {"max_value": most})
        return
    sentences = result.value.sentences if result else ()
    if not sentences:
        return
    if not 1 <= queries.NUMBER.value <= len(sentences):
        state.put({queries.NUMBER.key: min(max(int(queries.NUMBER.value), 1), len(sentences))})
    options.choose(
        st.selectbox,
        f"Sentence ({len(sentences)} contain the word)" if len(sentences) > 1 else "Sentence",
        queries.NUMBER.key,
        {number: f"{number} · {sentence}" for number, sentence in enumerate(sentences, 1)},
        queries.NUMBER.value,
    )


def _settings(model: str) -> None:
    names = recipe_names(cached.model(model).layers)
    widget = queries.RECIPE.among(names, SUM_FOUR)
    stored = queries.DICTIONARY.value in folders.names()
    layers = "the folder’s layers" if stored else queries.RECIPE.value
    chosen = "chosen words of " if stored and split(queries.CHOSEN.value) else ""
    what = f"{layers}, decomposed into {chosen}{queries.DICTIONARY.value}"
    own = "" if queries.SENTENCE.value.strip() else " · your own sentence"
    fold = state.fold("decomposition", f"Settings: {what}{own}", ":material/tune:")
    if not fold.open:
        return
    with fold:
        if own:
            st.text_input(
                "Your own sentence with the word",
                max_chars=queries.SENTENCE.most,
                placeholder="It was a cold look that she gave him.",
                **queries.SENTENCE.widget,
            )
        left, middle, right = st.columns(3, gap="medium")
        with left:
            st.selectbox("Layer combination", help=glossary.definition("recipe"), disabled=stored, **widget)
        with middle:
            st.segmented_control(
                "Decompose into",
                required=True,
                help="If you choose a folder offered by this server, the parts come from a random sample of it, as"
                " large as can be searched at once, unless you name the words.",
                **queries.DICTIONARY.among(queries.dictionaries()),
            )
            if stored:
                st.text_input(
                    "Only these words (leave empty for a random sample)",
                    max_chars=queries.CHOSEN.most,
                    placeholder="winter, summer, hot, snow",
                    help="Comma-separated. All occurrences of these words are used; if there are more than"
                    f" {MOST_DRAWN:,}, a random sample is used.",
                    **queries.CHOSEN.widget,
                )
        with right:
            penalty_kind()
        with st.container(horizontal=True):
            st.toggle("Allow the same word as a part", **queries.SAME_WORD.widget)
            st.toggle("Allow words of the same sentence as parts", **queries.SAME_SENTENCE.widget)
