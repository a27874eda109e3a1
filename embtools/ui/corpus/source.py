"""The text that all tabs of the Corpus page ask about: the built-in one, or one's own; and the layers that are read."""

from functools import lru_cache
from html import escape
from typing import Any

import streamlit as st

from embtools.corpus import senses
from embtools.occurrences import corpus, encoding
from embtools.occurrences.corpus import Corpus, built_in_corpus, read_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.recipes import SUM_FOUR, recipe_names
from embtools.spaces.space import BY_CLUSTER
from embtools.ui import cached, folders, glossary, jobs, page, state, texts, uploads
from embtools.ui.corpus import words
from embtools.ui.fields import Choice, Text
from embtools.ui.spaces import Spaces

BUILT_IN, OWN = "Built-in text", "Your own text"
SOURCE = Choice("corpus_source", BUILT_IN)
TEXT = Text("corpus_text", "", corpus.MAX_CHARACTERS)
RECIPE = Choice("corpus_recipe", SUM_FOUR)
PROCESSED = Spaces("corpus")
FIELDS = (SOURCE, TEXT)
PATIENT = 10.0  # seconds: the first reading of a text shows how far it is; longer ones are begun by a press
_LONGEST_CODE = 20_000  # characters of a text that copied code holds
_PACE = 2_400  # words that the bundled model reads in a second on one processor


def show() -> None:
    """The line above the tabs; one's own text below it."""
    with st.container(key="corpus-source", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Text",
            required=True,
            label_visibility="collapsed",
            width="content",
            on_change=_switched,
            **SOURCE.among((BUILT_IN, OWN, *folders.names())),
        )
        place = st.container()
    if SOURCE.value == OWN:
        fold = state.fold(_FOLD, "Paste or upload a text", ":material/edit:")
        if fold.open:
            with fold:
                _field()
        _problems()
    with place:
        _described()


def folder() -> CorpusFolder | None:
    """The folder that is asked about, in the chosen space; None where it is a text, or one that cannot be opened."""
    try:
        found = folders.opened(SOURCE.value)
    except ValueError:
        return None
    return found.seen(PROCESSED.value) if found is not None and _possible() else found


def is_folder() -> bool:
    """Whether a folder is asked about, be it one that cannot be opened (see `folder`), and no text."""
    return SOURCE.value not in (BUILT_IN, OWN)


def is_built_in() -> bool:
    """Whether the built-in text is asked about, be it because one's own is empty or cannot be read."""
    return not is_folder() and chosen() is built_in_corpus()


def asked() -> Corpus | CorpusFolder | None:
    """The text or folder that is asked about; None for a folder that cannot be opened."""
    return folder() if is_folder() else chosen()


def chosen() -> Corpus:
    """The text that is asked about; the built-in one where one's own cannot be read."""
    if SOURCE.value == OWN:
        try:
            return _read(TEXT.value)
        except ValueError:
            pass
    return built_in_corpus()


def layers(model: str) -> str:
    """The field for the layers; returns the recipe."""
    names = recipe_names(cached.model(model).layers)
    return str(st.selectbox("Layers", help=glossary.definition("recipe"), **RECIPE.among(names)))


def recipe(model: str) -> str:
    """The recipe that is asked for, where this model has it, drawn or not."""
    return RECIPE.value if RECIPE.value in recipe_names(cached.model(model).layers) else RECIPE.default


def space() -> None:
    """The fields for the space, for a fold."""
    PROCESSED.show(without=_without())


def space_folded(label: str = "Space") -> None:
    """These fields in a fold of their own, which says what is chosen."""
    fold = state.fold("space", f"{label}: {PROCESSED.value.says}", ":material/blur_on:")
    if fold.open:
        with fold:
            kind, numbers = st.columns(2, gap="medium")
            with kind:
                PROCESSED.choose(without=_without())
            with numbers:
                PROCESSED.numbers()


def badge(still_raw: str = "") -> None:
    """In which space the occurrences stand, where that is not raw; and what beside them is `still_raw`."""
    if is_folder():
        fitted = "all occurrences of the folder, by their sums"
        PROCESSED.badge(possible=_possible(), fitted=fitted, otherwise="The sums of a folder know no clusters.")
    else:
        PROCESSED.badge(fitted="all occurrences of the text", still_raw=still_raw)


def _without() -> tuple[str, ...]:
    """The spaces that cannot be chosen."""
    return (BY_CLUSTER,) if is_folder() else ()


def _possible() -> bool:
    """Whether a folder can be seen in the chosen space: clusters would have to be sought among its rows."""
    return PROCESSED.kind.value != BY_CLUSTER


def may_read(name: str, model: str, text: Corpus, recipe: str) -> bool:
    """Whether all of a text may be read now: at once if that is short, else after a press."""
    loaded = cached.model(model)
    if encoding.encoded(text, recipe, loaded):
        return True
    words = sum(len(sentence.split()) for sentence in text.sentences)
    cost = loaded.layers * loaded.dimensions**2 / (6 * 384**2)
    seconds = (
        words / _PACE * cost**0.45
    )  # two models were timed: 2,400 words a second, and 1,000 at eight times the cost
    return seconds <= PATIENT or jobs.on_request(name, "Read the whole text", seconds, (model, text, recipe))


def code(text: Corpus) -> str:
    """The text as Python."""
    if text is built_in_corpus():
        return "corpus = built_in_corpus()"
    if len(TEXT.value) > _LONGEST_CODE:
        return (
            f'corpus = read_corpus(open("{TEXT.key}.txt", encoding="utf-8").read())  # the text as a file: under Link'
        )
    return f"corpus = read_corpus({TEXT.value!r})"


@lru_cache(maxsize=8)
def _read(text: str) -> Corpus:
    return read_corpus(text)


def _described() -> None:
    if is_folder():
        _folder_described()
        return
    text = chosen()
    senses = sum(word != "" for word, _ in text.senses)
    labelled = f", {senses:,} with the [[sense]] of a word" if senses else ""
    page.seen(f"**{len(text.sentences):,} sentences**{labelled}. Every word in them is an [[occurrence]].")


def _folder_described() -> None:
    try:
        found = folders.opened(SOURCE.value)
    except ValueError as error:
        texts.problem(error)
        return
    if found is not None:
        about, made = found.about, found.about["fingerprint"]
        page.seen(
            f"**{len(found):,} occurrences** of {about['words']:,} words in {about['sentences']:,} sentences, read by"
            f" {escape(made['model'])} ({escape(made['recipe'])}); the folder is only read. An [[occurrence]] is a word"
            " in its sentence."
        )


def _field() -> None:
    """The field and the upload; what is wrong stands below them."""
    left, right = st.columns([3, 2], gap="small")
    with left:
        st.text_area(
            "Paste a text",
            height=120,
            on_change=_renewed,
            max_chars=TEXT.most,
            placeholder="Plain text, or a table: sentence,word,sense",
            **TEXT.widget,
        )
    with right:
        uploads.field("Or a file", ("txt", "csv"), _UPLOAD, _file, _renewed)
    st.caption(
        f"At most {encoding.MAX_OCCURRENCES:,} words and {corpus.MAX_CHARACTERS:,} characters, UTF-8. A table (CSV)"
        " has a column sentence; word and sense, if it has them, colour the map. The text stays in this server's memory"
        " for as long as it is used, and a short one stands in the link."
    )


def _problems() -> None:
    """What is wrong with the text; what has been set aside."""
    try:
        _read(TEXT.value)
    except ValueError as error:
        if TEXT.value.strip():
            texts.problem(f"{error} Until then the built-in text is shown.")
        else:
            st.text("Paste a text or upload a file; until then the built-in text is shown.")


_UPLOAD, _FOLD = "corpus_text-upload", "own-text"


def _switched() -> None:
    """One's own text needs its field."""
    if SOURCE.value == OWN and _FOLD not in state.OPEN.value:
        state.put({state.OPEN.key: (*state.OPEN.value, _FOLD)})
    _renewed()


def _renewed() -> None:
    """Replace a word that does not occur in the new text by one that does, if possible often enough for a map."""
    text, word = asked(), words.WORD.value.strip()
    if isinstance(text, CorpusFolder):
        known = text.count(word) or text.count(word.lower())
    else:
        known = text is None or len(text.having(word).sentences)
    if not known and (found := words.suggested(text, least=senses.LEAST) or words.suggested(text)):
        state.put(words.asking_about(found[0]))


def _file(data: bytes) -> dict[str, Any]:
    return {TEXT.key: corpus.decoded(data)}
