"""The vectors that all tabs of the Your vectors page use: the example, or a visitor's file."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.messages import counted, listed, shortened
from embtools.models.vectors_as_model import Vectors
from embtools.tables.columns import UnclearColumns
from embtools.ui import captions, figures, page, state, texts, uploads
from embtools.ui.fields import Choice
from embtools.ui.shown import Models
from embtools.vector_files import reading
from embtools.vector_files.reading import MAX_BYTES, read_vectors
from embtools.vector_files.rows import MAX_DIMENSIONS, MAX_WORDS

EXAMPLE, OWN = "Example", "Your file"
SOURCE = Choice("own_vectors_source", EXAMPLE, {"example": EXAMPLE, "own": OWN})
FIELDS = (SOURCE,)
_TABLE, _PROBLEM, _COLUMN = "own-vectors-table", "own-vectors-problem", "own-vectors-column"  # in the session
_VECTORS, _NAMES, _EXPANDER = "own-vectors-file", "own-vectors-names", "own-vectors"


@dataclass(frozen=True)
class _Uploaded:
    name: str
    table: Vectors


def show() -> None:
    """Show the choice of vectors above the tabs, and below it the fields for the visitor's file."""
    with st.container(key="own-vectors-source", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Vectors",
            required=True,
            label_visibility="collapsed",
            width="content",
            on_change=_switched,
            **SOURCE.widget,
        )
        _described()
    if SOURCE.value == OWN:
        with figures.expander(_EXPANDER, "Upload a file", ":material/upload:") as opened:
            if opened:
                _fields()
        problem = st.session_state.get(_PROBLEM)
        if isinstance(problem, UnclearColumns) and st.session_state.get(_VECTORS) is not None:
            _choose_words(problem)
        elif problem:
            texts.problem(problem)
        if uploaded := _uploaded():
            uploads.say(*uploaded.table.notes)


def table() -> Vectors | None:
    """The visitor's vectors, if they are chosen and there are any; None for the example."""
    uploaded = _uploaded()
    return uploaded.table if uploaded and SOURCE.value == OWN else None


def given() -> dict[str, Any]:
    """The argument of a query for the visitor's vectors; nothing for the example."""
    own = table()
    return {} if own is None else {"table": own}


def within() -> dict[str, Any]:
    """What an earlier answer must be about to be shown after an error: the same vectors."""
    return {"table": table()}


def once(models: Models) -> Models:
    """The models to ask about what depends on the vectors alone: those of a file are shown once."""
    return models if table() is None else models[:1]


def note(models: Models) -> None:
    """With two models, say why the vectors of a file are shown once."""
    if len(once(models)) < len(models):
        st.caption("The vectors of a file do not depend on a model, so they are shown once.")


def caption(*parts: captions.Part) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: parts of the tab, and the vectors."""
    uploaded = _uploaded()
    if uploaded is None or SOURCE.value != OWN:
        return (*parts, "vectors: static embeddings of the built-in words")
    return (*parts, f"vectors: {shortened(uploaded.name, 60)}, not this model's")


def _uploaded() -> _Uploaded | None:
    result: _Uploaded | None = st.session_state.get(_TABLE)
    return result


def _described() -> None:
    uploaded = _uploaded()
    if SOURCE.value != OWN:
        page.caption(
            "[[static embedding|Static embeddings]] of this model for about 300 words from the built-in lists. Choose"
            " *Your file* to explore vectors from any other source."
        )
    elif uploaded is None:
        refused = bool(st.session_state.get(_PROBLEM))
        start = "Your file is not used yet; the reason is below the fields." if refused else "Upload a file."
        st.text(f"{start} Until then, the page uses the example.")
    else:
        st.badge("Not this model's", icon=":material/upload_file:", color="orange")
        words, width = uploaded.table.matrix.shape
        labels = [shortened(name, 20) for name, _ in uploaded.table.labels]
        more = f", {counted(len(labels), 'label')} ({listed(labels)})" if labels else ""
        st.text(f"{shortened(uploaded.name, 60)}: {counted(words, 'word')}, {counted(width, 'number')} each{more}")
        st.button("Remove", icon=":material/close:", type="tertiary", key="own-vectors-remove", on_click=_remove)


def _fields() -> None:
    left, right = st.columns(2, gap="small")
    most = MAX_BYTES // 1_000_000
    with left:
        st.file_uploader(
            "Vectors", _endings(reading.KINDS), key=_VECTORS, on_change=_taken, args=(_VECTORS,), max_upload_size=most
        )
    with right:
        st.file_uploader(
            "Names (needed if the vectors have none)",
            _endings(reading.NAME_KINDS),
            key=_NAMES,
            on_change=_taken,
            args=(_NAMES,),
            max_upload_size=most,
        )
    st.caption(
        "Table (CSV, TSV or JSON): a column of words; columns of numbers are the vectors, and other columns are labels."
        " So are counts, and columns whose names begin with “label” or “#”. Text (.txt, .vec): word2vec or GloVe, one"
        " word and its numbers per line. Array (.npy): one row per word. The second file has one name per row, and can"
        f" have columns of labels. At most {most} MB and {MAX_DIMENSIONS:,} numbers per word; the first {MAX_WORDS:,}"
        f" words are used. Of a larger text file, upload the first lines: head -n {MAX_WORDS} vectors.txt > first.txt."
        " The file stays in this server's memory while it is used and is not stored. A link to this page does not"
        " contain the file: whoever opens it must upload the file again."
    )


def _endings(kinds: tuple[str, ...]) -> list[str]:
    return [kind.lstrip(".") for kind in kinds]


def _choose_words(unclear: UnclearColumns) -> None:
    """Let the visitor choose the column with the words of a file that contains only numbers."""
    texts.problem(unclear)
    options = [f"{number}: {name}" for number, name in enumerate(unclear.columns, 1)]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Column with the words", options, key=_COLUMN, width=220)
        st.button("Use this column", key="own-vectors-use-column", on_click=_taken, args=(_VECTORS, True))


def _taken(changed: str, with_column: bool = False) -> None:
    """Read the files that the fields hold and close the fields; an error stays until another file comes."""
    session = st.session_state
    session[_PROBLEM] = ""
    vectors, names = session.get(_VECTORS), session.get(_NAMES)
    if vectors is None or session.get(changed) is None:  # taken back: what was read stays until Remove
        return
    try:
        for file in filter(None, (vectors, names)):
            uploads.check_size(file.name, file.size, MAX_BYTES)
        more: dict[str, Any] = {} if names is None else {"names": names.getvalue(), "names_name": names.name}
        if with_column:
            more["word_column"] = int(str(session[_COLUMN]).partition(":")[0])
        session[_TABLE] = _Uploaded(vectors.name, read_vectors(vectors.getvalue(), vectors.name, **more))
    except UnclearColumns as unclear:
        session[_PROBLEM] = unclear
        return
    except ValueError as error:
        session[_PROBLEM] = str(error)
        return
    state.set_open(_EXPANDER, False)


def _remove() -> None:
    st.session_state[_TABLE], st.session_state[_PROBLEM] = None, ""
    state.set_open(_EXPANDER, True)


def _switched() -> None:
    """Open the fields for the visitor's file when it is chosen and there is none."""
    if SOURCE.value == OWN and _uploaded() is None:
        state.set_open(_EXPANDER, True)
