"""The fields that the tabs of the Similarity page share: a list of words, and the vectors to compare them by."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.similarity import matrix
from embtools.similarity.corrections import corrections, is_readable
from embtools.similarity.matrix import Similarity
from embtools.tables.columns import listed_again
from embtools.ui import captions, entry, figures, glossary, running, shown, spelling, state, texts, uploads
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

STATIC = "static"
COLOURS = ", ".join(matrix.preset("Colours"))
WORDS = Text("similarity_words", COLOURS, matrix.MAX_WORDS * (wordlist.MAX_CHARACTERS + 2))
VECTORS = Choice("similarity_vectors", STATIC)
TEMPLATE = Text("similarity_template", f"This is {WORD}.", 300)
PIECES = Choice("similarity_pieces", "refuse", ("refuse", "mean", "first"))
PROCESSED = Spaces("similarity")
SPACE = (VECTORS, TEMPLATE, PIECES, *PROCESSED.fields)
FIELDS = (WORDS, *SPACE)
LISTS = {name: {WORDS.key: ", ".join(matrix.preset(name))} for name in matrix.PRESETS}
READING = "Reading one sentence per word"  # what the progress bar says


def caption(*texts: Text) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: the list (or other texts), the vectors and their space."""
    static = VECTORS.value == STATIC
    several = captions.changed("words of several tokens", PIECES)
    if static:
        return (*(texts or (WORDS,)), "static embeddings", PROCESSED.caption(), several)
    return (*(texts or (WORDS,)), TEMPLATE, captions.Setting("vectors", VECTORS), several)


def layers(name: str) -> tuple[str, ...]:
    """The options for vectors of a model: "static", and its layers."""
    return (STATIC, *(f"layer {i}" for i in range(Model(name).facts.layers + 1)))


def bar(name: str) -> tuple[tuple[str, ...], Any]:
    """Show the field for the words; return the words and the container below it for error messages."""
    entry.text_input(
        f"Words (comma-separated, up to {matrix.MAX_WORDS})",
        **WORDS.widget,
    )
    uploads.say(*listed_again(_typed(name), "word"))
    return words(name), st.container()


def words(name: str) -> tuple[str, ...]:
    """The words in the field, each once, capitalised as the model needs them."""
    return tuple(dict.fromkeys(_typed(name)))


def _typed(name: str) -> tuple[str, ...]:
    return wordlist.split(spelling.text(WORDS, name))


def same_word(word: str, model: Model) -> str:
    """A word of the list in the spelling that the model needs."""
    listed = words(model.name)
    return word if word in listed else next((own for own in listed if own.lower() == word.lower()), word)


def chosen_vectors(model_name: str, *, processed: bool = True) -> dict[str, Any]:
    """Show the expander for the vectors, with the space if they may be `processed`; return them as arguments."""
    widget = VECTORS.among(layers(model_name))
    static = VECTORS.value == STATIC
    name = "static embeddings" if static else f"{VECTORS.value} in a sentence"
    with figures.expander(
        "vectors", f"Vectors{' and space' if processed else ''}: {name}", ":material/tune:"
    ) as opened:
        if opened:
            st.selectbox("Vectors", help=glossary.definition("static embedding"), **widget)
            entry.text_input(
                f"Sentence around each {WORD}",
                disabled=static,
                **TEMPLATE.widget,
            )
            st.segmented_control(
                "Words of several tokens",
                required=True,
                help="Refuse such words, use the mean of their tokens, or use only the first token.",
                **PIECES.widget,
            )
            if processed:
                PROCESSED.show(disabled=not static)
    return arguments()


def arguments() -> dict[str, Any]:
    """The chosen vectors as arguments of the functions that compare words."""
    static = VECTORS.value == STATIC
    pieces = {"pieces": PIECES.value}
    return pieces if static else pieces | {"layer": int(VECTORS.value.split()[1]), "template": TEMPLATE.value}


def at_depth(vectors: dict[str, Any], model: Model, first: Model) -> dict[str, Any]:
    """The arguments `vectors` of the first model for another one: a layer becomes the one at the same depth."""
    if "layer" not in vectors:
        return vectors
    return vectors | {"layer": shown.same_depth(vectors["layer"], Model(first.name), Model(model.name))}


def within(models: Models, vectors: dict[str, Any]) -> Models:
    """The models in the chosen space, for static embeddings; also shows a badge with the space."""
    possible = "layer" not in vectors
    PROCESSED.badge(possible=possible)
    return PROCESSED.within(models, possible=possible)


def is_listed(query: Call, model: Model) -> bool:
    """Whether the list of a query and each word's sentence are valid; then an error belongs to another field."""
    named = {name: query[name] for name in ("words", "pieces", "layer", "template")}
    return bool(running.run(Call(is_readable, **named), model))


def failed(
    answers: Sequence[running.Answer[Any]], query: Callable[[Model], Call], models: Models, container: Any
) -> tuple[Model, Any] | None:
    """The model that could not answer, and the container for what helps; for the first model this is `container`."""
    if not answers or answers[0].stale:
        return models[0], container
    if len(models) == 2 and running.refused(query, models[1]):
        return models[1], st.container()
    return None


def suggest(
    answers: Sequence[running.Answer[Any]], query: Callable[[Model], Call], models: Models, container: Any
) -> None:
    """Show buttons that correct the list for a model that cannot read it; those for the first model in `container`."""
    if found := failed(answers, query, models, container):
        model, container = found
        call = query(model)
        suggestions(model, call["words"], container)


def same_list(answers: Sequence[running.Answer[Any]]) -> tuple[running.Answer[Any], ...]:
    """The answers about the list of the first one: while the field holds an error, the other may be about another."""
    lists = [[word.lower() for word in answer.query["words"]] for answer in answers]
    return tuple(answer for answer, listed in zip(answers, lists, strict=True) if listed == lists[0])


def suggestions(model: Model, listed: tuple[str, ...], container: Any, field: Text = WORDS) -> None:
    """Show buttons below an error that correct the list in a field."""
    offered = running.run(Call(corrections, words=listed, pieces=PIECES.value), model)
    with container, st.container(horizontal=True, gap="small"):
        if offered.mean:
            st.button(
                "Use the mean of their tokens",
                on_click=state.put,
                args=({PIECES.key: "mean"},),
                key=f"mean-{field.key}-{model.name}",
            )
        for word, other in offered.similar:
            corrected = ", ".join(other if one == word else one for one in listed)
            st.button(
                texts.plain(f"Replace {word} by {other}"),
                on_click=state.put,
                args=({field.key: corrected},),
                key=f"use-{word}-{field.key}-{model.name}",
            )


def tokens_badge(result: Similarity, pieces: Pieces) -> None:
    """Show a badge for words of several tokens that says how they were read."""
    if result.pieces:
        reading = "the mean of their tokens" if pieces == "mean" else "their first token"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"{len(result.pieces)} read as {reading}", icon=":material/call_split:", color="orange")
            st.text("; ".join(f"{word}: {' '.join(parts)}" for word, parts in result.pieces.items()))
