"""The text or folder whose occurrences Corpus and Clusters show, and the fields for layers and space."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from embtools.layer_combinations import SUM_FOUR, combination_names
from embtools.messages import counted
from embtools.occurrences import corpus, encoding
from embtools.occurrences.corpus import LEAST_MAPPED, Corpus, built_in_corpus, read_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS, BY_CLUSTER, Space
from embtools.ui import (
    captions,
    combinations,
    entry,
    figures,
    folders,
    glossary,
    page,
    running,
    shown,
    state,
    texts,
    uploads,
)
from embtools.ui.corpora import words
from embtools.ui.fields import Choice, Flag, Text
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces

BUILT_IN, OWN = "Built-in corpus", "Your text"
SOURCE = Choice("corpus_source", BUILT_IN, keys={"built-in": BUILT_IN, "own": OWN})
TEXT = Text("corpus_text", "", corpus.MAX_CHARACTERS)
FIND_COLUMN = "by its name"
COLUMN = Choice("corpus_column", FIND_COLUMN)  # of a table
COMBINATION = combinations.combination("corpus_recipe", SUM_FOUR)
PROCESSED = Spaces("corpus")
AS_WRITTEN = Flag("corpus_as_written")
FIELDS = (SOURCE, TEXT, COLUMN, AS_WRITTEN)
_LONGEST_CODE = 20_000  # characters; longer texts are not part of the copied code


def show() -> None:
    """Show the choice of text above the tabs, and below it the field for the visitor's own text."""
    with st.container(key="corpus-source", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Text",
            required=True,
            label_visibility="collapsed",
            width="content",
            on_change=_switched,
            **SOURCE.among((BUILT_IN, OWN, *folders.names())),
        )
        description = st.container()
    if SOURCE.value == OWN:
        with figures.expander(_EXPANDER, "Paste or upload a text", ":material/edit:") as opened:
            if opened:
                _field()
        _problems()
    with description:
        _described()


def caption(*parts: captions.Part) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: parts of the tab, the text, the layers and the space."""
    corpus = corpus_in_use()
    if corpus is None:
        return parts
    layers = (
        captions.Setting("layer combination", COMBINATION)
        if corpus.any_layers
        else f"layer combination: {corpus.combination}"
    )
    text = (
        "text: built-in corpus"
        if is_built_in()
        else f"text: {SOURCE.value.lower() if SOURCE.value == OWN else SOURCE.value}"
    )
    return (*parts, text, layers, f"space: {space_of(corpus).says}")


def is_folder() -> bool:
    """Whether a folder is chosen, even one that cannot be opened."""
    return SOURCE.value not in (BUILT_IN, OWN)


def is_built_in() -> bool:
    """Whether the built-in corpus is shown, also because the visitor's text is empty or cannot be read."""
    return not is_folder() and chosen() is built_in_corpus()


def corpus_in_use() -> Corpus | CorpusFolder | None:
    """The chosen text or folder, whatever space is chosen; None for a folder that cannot be opened."""
    try:
        return folders.opened(SOURCE.value) if is_folder() else chosen()
    except ValueError:
        return None


def space_of(corpus: Corpus | CorpusFolder) -> Space:
    """The chosen space, or raw vectors if the corpus cannot be shown in it."""
    return PROCESSED.value if corpus.any_space or PROCESSED.kind.value != BY_CLUSTER else AS_IS


def combination(corpus: Corpus | CorpusFolder, models: Models) -> None:
    """Show the field for the layer combination, if the corpus has more than one."""
    if corpus.any_layers:
        names = combination_names(models[0].facts.layers)
        st.selectbox("Layer combination", help=glossary.definition("layer combination"), **COMBINATION.among(names))


def combination_of(corpus: Corpus | CorpusFolder, models: Models, model: Model) -> str:
    """The layer combination for a model: the chosen one, or a layer at the same depth in a second model."""
    if not corpus.any_layers:
        return corpus.combination
    names = combination_names(models[0].facts.layers)
    chosen = COMBINATION.value if COMBINATION.value in names else COMBINATION.default
    name, _, layer = chosen.partition(" ")
    return f"layer {shown.same_depth(int(layer), models[0], model)}" if name == "layer" else str(chosen)


def combination_answered(answers: Sequence[running.Answer[Any]], models: Models, model: Model) -> str:
    """The layer combination of a model's answer, which after an error is not that of the fields."""
    own = next((answer for answer in answers if answer.model == model), None)
    return combination_of(answers[0].query["corpus"], models, model) if own is None else str(own.query["combination"])


def chosen() -> Corpus:
    """The chosen text; the built-in corpus if the visitor's text cannot be read."""
    if SOURCE.value == OWN:
        try:
            return _read(TEXT.value, _column())
        except ValueError:
            pass
    return built_in_corpus()


def space() -> None:
    """Show the fields for the space inside an expander."""
    PROCESSED.show(without=_without())


def space_expander(label: str = "Space") -> None:
    """Show the fields for the space in an expander whose label names the chosen space."""
    with figures.expander("space", f"{label}: {PROCESSED.value.says}", ":material/blur_on:") as opened:
        if opened:
            kind, numbers = st.columns(2, gap="medium")
            with kind:
                PROCESSED.choose(without=_without())
            with numbers:
                PROCESSED.numbers()


def badge(still_raw: str = "") -> None:
    """Show which space is used if it is not raw. still_raw: the beginning of a sentence about what stays raw."""
    if is_folder():
        fitted = "all occurrences of the folder, by their mean and covariance"
        PROCESSED.badge(
            possible=PROCESSED.kind.value != BY_CLUSTER,  # they would need clusters of all its rows
            fitted=fitted,
            otherwise="Spaces by cluster are not available for folders.",
            still_raw=still_raw,
        )
    else:
        PROCESSED.badge(fitted="all occurrences of the text", still_raw=still_raw)


def _without() -> tuple[str, ...]:
    """The spaces that cannot be chosen."""
    return (BY_CLUSTER,) if is_folder() else ()


def _read(text: str, column: str) -> Corpus:
    result = read_corpus(text, column=column, as_written=bool(AS_WRITTEN.value))
    if len(text) <= _LONGEST_CODE:
        return result
    return replace(result, made_by=result.code.replace(repr(text), f'open("{TEXT.key}.txt", encoding="utf-8").read()'))


def _column() -> str:
    """Return the chosen column of a table; "" if the names of the columns decide."""
    return "" if COLUMN.value == FIND_COLUMN else str(COLUMN.value)


def _table() -> None:
    """If the text is a table, show which column is used and what is left out, and let the visitor choose another."""
    columns = corpus.columns_of(TEXT.value)
    if not columns:
        return
    options = (FIND_COLUMN, *columns, corpus.RUNNING_TEXT)
    chosen, notes = st.columns([1, 3], gap="medium", vertical_alignment="bottom")
    with chosen:
        st.selectbox(
            "Column with the sentences",
            help="The text looks like a table. If it is not one, choose running text.",
            on_change=_renewed,
            **COLUMN.among(options),
        )
    with notes:
        uploads.say(*corpus.notes(TEXT.value, column=_column()))


def _described() -> None:
    if is_folder():
        _folder_described()
        return
    text = chosen()
    senses = sum(word != "" for word, _ in text.senses)
    labelled = f", {senses:,} of them with a labelled [[sense]]" if senses else ""
    page.caption(
        f"**{counted(len(text.sentences), 'sentence')}**{labelled}. Every word in the text counts as one"
        " [[occurrence]]."
    )


def _folder_described() -> None:
    result = running.attempt(lambda: folders.opened(SOURCE.value))
    if result is not None:
        about, made = result.about, result.about["fingerprint"]
        page.caption(
            f"**{counted(len(result), 'occurrence')}** of {counted(about['words'], 'word')} in"
            f" {counted(about['sentences'], 'sentence')}, encoded"
            f" with {escape(made['model'])} ({escape(made['recipe'])}). An [[occurrence]] is a word in its sentence."
        )


def _field() -> None:
    """Show the field and the upload; error messages appear below them."""
    left, right = st.columns([3, 2], gap="small")
    with left:
        entry.text_area(
            "Paste a text",
            height=120,
            on_change=_renewed,
            placeholder="Plain text, or a table with the columns sentence,word,sense",
            **TEXT.widget,
        )
    with right:
        uploads.field("Or upload a file", (*uploads.TABLES, *_KINDS), _UPLOAD, _file, _renewed)
    st.caption(
        f"A text can have at most {encoding.MAX_OCCURRENCES:,} words and {corpus.MAX_CHARACTERS:,} characters."
        " It can be a table (CSV, TSV or JSON) with a column of sentences. The optional columns word and sense label"
        " the senses, which colour the map. The text stays in this server's memory while it is used; short texts are"
        " part of the link."
    )


def _problems() -> None:
    """Show what was read of a table and a file, and why the visitor's text cannot be read."""
    with suppress(ValueError):  # shown below
        _table()
    uploads.notes(_UPLOAD)
    try:
        result = _read(TEXT.value, _column())
        if result.notes or AS_WRITTEN.value:
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="corpus-lines"):
                st.text(" ".join(result.notes) or "Every line is read as it is.")
                st.toggle("Keep the lines as they are", on_change=_renewed, **AS_WRITTEN.widget)
    except ValueError as error:
        if TEXT.value.strip():
            texts.problem(f"{error} Until then, the page uses the built-in corpus.")
        else:
            st.text("Paste a text or upload a file. Until then, the page uses the built-in corpus.")


_UPLOAD, _EXPANDER = "corpus_text-upload", "own-text"
_KINDS = ("md", "srt", "vtt", "sbv", "xml", "html", "conllu")  # of texts


def _switched() -> None:
    """Open the field for the visitor's text when it is chosen and there is none."""
    if SOURCE.value == OWN:
        state.set_open(_EXPANDER, True)
    _renewed()


def _renewed() -> None:
    """Close the field for a text that can be read, so that the result is in sight, and replace a word that the text
    lacks by one that it has."""
    state.put({TEXT.key: TEXT.allowed(TEXT.value)})  # callbacks come before `state.write`, which would say why
    if SOURCE.value == OWN and chosen() is not built_in_corpus():
        state.set_open(_EXPANDER, False)
    text, word = corpus_in_use(), words.WORD.value.strip()
    known = text is None or text.contains(word)
    if not known and (result := words.suggested(text, least=LEAST_MAPPED) or words.suggested(text)):
        state.put(words.first_of(result[0]))


def _file(data: bytes) -> dict[str, Any]:
    found = corpus.decoded(data)
    text = TEXT.allowed(found.value)
    notes = found.notes if text == found.value else (*found.notes, TEXT.limit(found.value))
    return uploads.Filled({TEXT.key: text, COLUMN.key: FIND_COLUMN}, counted(len(text), "character"), notes)
