"""Occurrences of a word, or sentences, on the Similarity page: their fields, names, sentences and groups."""

from collections.abc import Callable, Sequence

import streamlit as st

from embtools.models.vectors_as_model import CONTEXT, Vectors
from embtools.similarity.matrix import MAX_WORDS
from embtools.spaces.space import BY_CLUSTER
from embtools.ui import figures, running
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import OF, OF_HELP, PROCESSED
from embtools.words.groups import write_groups


def fields(models: Models, *, reading: Callable[[], None] = lambda: None) -> Models:
    """Draw the fields of occurrences or sentences, and `reading()` next to the space; return the models with their
    vectors, of which only occurrences are in their space already, () if there are none."""
    of_word = OF.source.value == text_vectors.OCCURRENCES
    left, right = st.columns(2, gap="small")
    with left:
        text_vectors.draw_fields(OF, models, height=120)
        container = st.container()
    with right:
        OF.show(help=OF_HELP)
        with figures.expander("space", f"Space: {PROCESSED.value.says}", ":material/tune:") as opened:
            if opened:
                if not of_word:
                    text_vectors.reading_fields(models)
                one_space = of_word and not text_vectors.corpus().any_space
                PROCESSED.show(without=(BY_CLUSTER,) if one_space else ())
        reading()
    read = text_vectors.models(OF, models, PROCESSED, container)
    if not read:
        return ()
    if not of_word:
        PROCESSED.badge(fitted="all these sentences")
    else:
        in_space = isinstance(made := read[0].vectors, Call) and made["space"] == PROCESSED.value
        fitted, raw = "all occurrences of the text", "The occurrences are shown raw until the whole text is read."
        PROCESSED.badge(possible=in_space, fitted=fitted, otherwise=raw)
        st.text(" ".join(read_from(read[0]).notes))
    return read


def names(model: Model) -> tuple[str, ...]:
    """The names of the occurrences or sentences that take the place of a model."""
    return read_from(model).names


def read_from(model: Model) -> Vectors:
    """The occurrences or sentences that take the place of a model."""
    made = model.vectors
    assert isinstance(made, Call)
    read: Vectors = running.run(made, Model(model.name, change=model.change))
    return read


def contexts(model: Model) -> dict[str, str]:
    """The sentence of each occurrence or sentence that takes the place of a model, if it is known."""
    read = read_from(model)
    return dict(zip(read.names, dict(read.labels).get(CONTEXT, ()), strict=False))


def sentences(model: Model, listed: Sequence[str]) -> None:
    """Show the sentences of occurrences; the name of a sentence shows its own beginning."""
    if OF.source.value == text_vectors.OCCURRENCES:
        read = contexts(model)
        st.text("\n".join(f"{name}: {read[name]}" for name in listed if name in read))


def labelled(model: Model) -> str:
    """The occurrences by sense, or the sentences by group, one per line; "" without labels."""
    read, found = read_from(model), dict[str, list[str]]()
    for column, labels in read.labels:
        for name, label in zip(read.names[:MAX_WORDS], labels, strict=False) if column != CONTEXT else ():
            if label:
                found.setdefault(label, []).append(name)
    # The groups are not shown by name, and a name could have a colon.
    return write_groups(tuple((f"group {n}", tuple(members)) for n, members in enumerate(found.values(), 1)))


def compared(model: Model, first: Model) -> tuple[str, ...]:
    """What a query compares: the words of the list as the model needs them, or what the first model has of a text."""
    return names(first)[:MAX_WORDS] if text_vectors.are_chosen(OF) else inputs.words(model.name)
