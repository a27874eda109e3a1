"""The field *Vectors of*: whose vectors a page compares, those of this model or of a visitor's file, or both.

A page asks the same queries about a file as about a model (`shown.Model.of`). The file stays in the visitor's session
and serves all pages; an address names it and its checksum, so that a link without its file can ask for it.
"""

from collections.abc import Callable, Collection
from typing import Any

import streamlit as st

from embtools.messages import counted, listed, shortened
from embtools.models.vectors_as_model import Vectors
from embtools.tables.columns import UnclearColumns
from embtools.ui import captions, figures, state, texts, uploads
from embtools.ui.fields import Choice, Field, Text
from embtools.ui.shown import Models
from embtools.vector_files import reading
from embtools.vector_files.reading import MAX_BYTES, read_vectors
from embtools.vector_files.rows import MAX_DIMENSIONS, MAX_WORDS

MODEL, FILE, BOTH = "this model", "your file", "both"
FILE_OF_LINK = Text("vectors_file", "", 200)
"""The name and the checksum of the file whose vectors are shown, in every address that needs it."""
_READ, _PROBLEM, _COLUMN = "vectors-read", "vectors-problem", "vectors-column"  # in the session
_ASKED = "vectors-asked"  # in the session: the file that a link names, and the one that was uploaded instead
_VECTORS, _NAMES, _EXPANDER = "vectors-upload", "vectors-names", "vectors-file"
_CHECKSUM = 8  # characters that name a file


class VectorsOf:
    """The field of one page. `renew` replaces what the visitor has typed when other vectors come: None for a model's.

    A page that needs more sources gives their permanent keys and names as `more`, and those that depend on the server
    as `others`; what they show is its own affair.
    """

    def __init__(
        self,
        page: str,
        renew: Callable[[Vectors | None], None] = lambda _: None,
        *,
        more: dict[str, str] | None = None,
        others: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        self.page, self.renew, self.others = page, renew, others
        options = {"model": MODEL, "file": FILE, "both": BOTH} | (more or {})
        self.known = tuple(options.values())
        self.source = Choice(f"{page}_of", MODEL, () if others is not tuple else options, options)

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields, for the panel's FIELDS."""
        return self.source, FILE_OF_LINK

    @property
    def wants_file(self) -> bool:
        """Whether the visitor has chosen a file, which may not be there yet."""
        return self.source.value in (FILE, BOTH)

    @property
    def file(self) -> Vectors | None:
        """The vectors of the visitor's file, if they are chosen and there are any."""
        return uploaded() if self.wants_file else None

    @property
    def only_file(self) -> bool:
        """Whether nothing of a model is shown."""
        return self.file is not None and self.source.value == FILE

    def models(self, models: Models) -> Models:
        """Return what is shown: the models, or the file in place of the second one or of both."""
        if (file := self.file) is None:
            return models
        of_file = models[0].of(file)
        return (of_file,) if self.source.value == FILE else (models[0], of_file)

    def caption(self) -> tuple[captions.Part, ...]:
        """Return what the caption of a saved chart says of them; nothing about the model's."""
        if (file := self.file) is None:
            return ()
        return (f"vectors: {shortened(file.title, 60)}{'' if self.source.value == BOTH else ', not this model’s'}",)

    def show(self, *, help: str = "", without: Collection[str] = ()) -> None:
        """Draw the field, `without` some sources, what is known about the file, and the fields for another one."""
        st.segmented_control(
            "Vectors of",
            required=True,
            width="content",
            help=help or "Your file: word vectors from word2vec, GloVe, fastText, another model or measurements.",
            on_change=self._switched,
            **self.source.among(tuple(name for name in (*self.known, *self.others()) if name not in without)),
        )
        if self.wants_file:
            self._described()
            with figures.expander(_EXPANDER, "Upload a file", ":material/upload:") as opened:
                if opened:
                    self._upload()
            problem = st.session_state.get(_PROBLEM)
            if isinstance(problem, UnclearColumns) and st.session_state.get(_VECTORS) is not None:
                self._choose_words(problem)
            elif problem:
                texts.problem(problem)
            if read := uploaded():
                uploads.say(*read.notes)

    def _described(self) -> None:
        read, linked = uploaded(), str(FILE_OF_LINK.value)
        with st.container(key="vectors-of", horizontal=True, vertical_alignment="center", gap="small"):
            if read is None:
                asked = f"This link was made with the file {named(linked)}. Upload it to see the same numbers."
                start = asked if linked else "Upload a file."
                if st.session_state.get(_PROBLEM):
                    start = "Your file is not used yet; the reason is below the fields."
                st.text(f"{start} Until then, this page shows the model’s vectors.")
                return
            st.badge("Not this model’s", icon=":material/upload_file:", color="orange")
            words, width = read.matrix.shape
            labels = [shortened(name, 20) for name, _ in read.labels]
            more = f", {counted(len(labels), 'label')} ({listed(labels)})" if labels else ""
            title = shortened(read.title, 60)
            st.text(f"{title}: {counted(words, 'word')}, {counted(width, 'number')} each{more}")
            asked, instead = st.session_state.get(_ASKED, ("", ""))
            linked = asked if instead == linked == described(read) else linked
            if linked and linked != described(read):
                st.text(f"The link was made with another file, {named(linked)}, so numbers may differ.")
            st.button("Remove", icon=":material/close:", type="tertiary", key="vectors-remove", on_click=self._remove)

    def _upload(self) -> None:
        left, right = st.columns(2, gap="small")
        for container, label, kinds, key in (
            (left, "Vectors", reading.KINDS, _VECTORS),
            (right, "Names (needed if the vectors have none)", reading.NAME_KINDS, _NAMES),
        ):
            with container:
                st.file_uploader(
                    label,
                    [kind.lstrip(".") for kind in kinds],
                    key=key,
                    on_change=self._taken,
                    args=(key,),
                    max_upload_size=MAX_BYTES // 1_000_000,
                )
        st.caption(
            "Table (CSV, TSV or JSON): a column of words; columns of numbers are the vectors, and other columns are"
            " labels. So are counts, and columns whose names begin with “label” or “#”. Text (.txt, .vec): word2vec or"
            " GloVe, one word and its numbers per line. Array (.npy): one row per word. The second file has one name"
            f" per row, and can have columns of labels. At most {MAX_BYTES // 1_000_000} MB and {MAX_DIMENSIONS:,}"
            f" numbers per word; the first {MAX_WORDS:,} words are used. Of a larger text file, upload the first lines:"
            f" head -n {MAX_WORDS} vectors.txt > first.txt. The file stays in this server's memory while it is used and"
            " is not stored. A link to this page names the file but does not contain it: whoever opens it must upload"
            " the file again."
        )

    def _choose_words(self, unclear: UnclearColumns) -> None:
        """Let the visitor choose the column with the words of a file that contains only numbers."""
        texts.problem(unclear)
        options = [f"{number}: {name}" for number, name in enumerate(unclear.columns, 1)]
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox("Column with the words", options, key=_COLUMN, width=220)
            st.button("Use this column", key="vectors-use-column", on_click=self._taken, args=(_VECTORS, True))

    def _taken(self, changed: str, with_column: bool = False) -> None:
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
            before, linked = uploaded(), FILE_OF_LINK.value
            session[_READ] = read = read_vectors(vectors.getvalue(), vectors.name, **more)
            if before is None or linked != described(before):
                session[_ASKED] = linked, described(read)
        except UnclearColumns as unclear:
            session[_PROBLEM] = unclear
            return
        except ValueError as error:
            session[_PROBLEM] = str(error)
            return
        state.set_open(_EXPANDER, False)
        state.put({FILE_OF_LINK.key: described(read)})
        self.renew(read)

    def _remove(self) -> None:
        st.session_state[_READ], st.session_state[_PROBLEM], st.session_state[_ASKED] = None, "", ("", "")
        state.set_open(_EXPANDER, True)
        state.put({FILE_OF_LINK.key: ""})
        self.renew(None)

    def _switched(self) -> None:
        """Open the fields for the visitor's file when it is chosen and there is none."""
        read = uploaded() if self.wants_file else None
        if self.wants_file and read is None:
            state.set_open(_EXPANDER, True)
        state.put({FILE_OF_LINK.key: described(read) if read else ""})
        self.renew(read)


def uploaded() -> Vectors | None:
    """Return the vectors of the visitor's file, if there is one."""
    read: Vectors | None = st.session_state.get(_READ)
    return read


def described(vectors: Vectors) -> str:
    """Return the name and the checksum of vectors, for an address."""
    return f"{shortened(vectors.title, 100)} {vectors.checksum[:_CHECKSUM]}"


def named(linked: str) -> str:
    """Return how a sentence names the file of a link: “my vectors.txt” (checksum 1a2b3c4d)."""
    name, _, checksum = linked.rpartition(" ")
    return f"“{shortened(name or linked, 100)}” (checksum {checksum})" if name else f"“{shortened(linked, 100)}”"
