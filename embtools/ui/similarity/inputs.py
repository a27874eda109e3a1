"""What the tabs of the Similarity page ask for: a list of words, and which vectors of them are compared."""

import re
from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.neighbours import Metric
from embtools.progress import Progress, silent
from embtools.similarity import matrix, random_words
from embtools.similarity.matrix import Linkage, Similarity
from embtools.ui import cached, glossary, jobs, spelling, state, texts
from embtools.ui.fields import Choice, Text
from embtools.ui.share import Code
from embtools.ui.spaces import Spaces
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD, sentences
from embtools.words.vectors import Pieces

STATIC = "static"


@dataclass(frozen=True)
class WordList(Text):
    """A list in one line; the lines of older links, whose field had several, are parted by commas."""

    def read(self, parts: list[str]) -> str:
        return re.sub(r"\s*[\r\n]\s*", ", ", super().read(parts).strip())


COLOURS = ", ".join(matrix.preset("Colours"))
WORDS = WordList("similarity_words", COLOURS, matrix.MAX_WORDS * (wordlist.MAX_CHARACTERS + 2))
VECTORS = Choice("similarity_vectors", STATIC)
TEMPLATE = Text("similarity_template", f"This is {WORD}.", 300)
PIECES = Choice("similarity_pieces", "refuse", ("refuse", "mean", "first"))
PROCESSED = Spaces("similarity")
SPACE = (VECTORS, TEMPLATE, PIECES, *PROCESSED.fields)
FIELDS = (WORDS, *SPACE)
LISTS = {name: {WORDS.key: ", ".join(matrix.preset(name))} for name in matrix.PRESETS}


@dataclass(frozen=True)
class Asked:
    """A word list and the vectors to compare it by; `space` is what the functions of embtools take."""

    words: tuple[str, ...]
    pieces: Pieces = "refuse"
    layer: int | None = None
    template: str = WORD

    @property
    def space(self) -> dict[str, Any]:
        return {"pieces": self.pieces, "layer": self.layer, "template": self.template}

    @property
    def says(self) -> str:
        return ", ".join(self.words)[:120]

    def code(self, words: str = "words", model: str = "model") -> str:
        """The list and its vectors as Python arguments."""
        named = "" if self.pieces == "refuse" else f", pieces={self.pieces!r}"
        return f"{words}, {model}{named}{self.sentence}"

    @property
    def sentence(self) -> str:
        """The layer and the sentence as Python arguments; nothing for static embeddings."""
        return "" if self.layer is None else f", layer={self.layer}, template={self.template!r}"


FIRST = Asked(matrix.preset("Colours"))


def layers(model: str) -> tuple[str, ...]:
    """What the vectors of a model can be: static, or one of its layers."""
    return (STATIC, *(f"layer {i}" for i in range(cached.model(model).layers + 1)))


def asked(listed: tuple[str, ...], chosen: str, template: str) -> Asked:
    """The list with the vectors of that name, "static" or "layer 3"."""
    if chosen == STATIC:
        return Asked(listed, PIECES.value)
    return Asked(listed, PIECES.value, int(chosen.split()[1]), template)


def bar(model: str) -> tuple[tuple[str, ...], Any]:
    """The field for the words; returns them as a model is asked, and the place below it for what is wrong with them."""
    st.text_input(
        f"Words, up to {matrix.MAX_WORDS}, between commas",
        max_chars=WORDS.most,
        **WORDS.widget,
    )
    return words(model), st.container()


def words(model: str) -> tuple[str, ...]:
    """The words that the field asks a model."""
    return wordlist.split(spelling.text(WORDS, model))


def vectors(model: str, listed: tuple[str, ...], *, processed: bool = True) -> Asked:
    """The fold that says which vectors are compared, and in which space where they may be `processed`."""
    options = layers(model)
    widget = VECTORS.among(options)
    chosen = asked(listed, VECTORS.value, TEMPLATE.value)
    name = "static embeddings" if chosen.layer is None else f"layer {chosen.layer} in a sentence"
    fold = state.fold("vectors", f"Which vectors{', which space' if processed else ''}: {name}", ":material/tune:")
    if fold.open:
        with fold:
            st.selectbox("Vectors", help=glossary.definition("static embedding"), **widget)
            st.text_input(
                f"Sentence around each word, {WORD} is the word",
                disabled=chosen.layer is None,
                max_chars=TEMPLATE.most,
                **TEMPLATE.widget,
            )
            st.segmented_control(
                "Words of several pieces",
                required=True,
                help="refuse them, take the mean of their pieces, or the first piece only.",
                **PIECES.widget,
            )
            if processed:
                PROCESSED.show(disabled=chosen.layer is not None)
    return chosen


def looked_at(model: str, asked: Asked, code: Code) -> str:
    """The model in the chosen space, for static embeddings; a badge says so."""
    PROCESSED.badge(possible=asked.layer is None)
    return PROCESSED.seen(model, code, possible=asked.layer is None)


def compare(
    asked: Asked,
    metric: Metric = "cosine",
    linkage: Linkage = "average",
    *,
    model: Any,
    progress: Progress = silent,
) -> Similarity:
    """The list compared with itself, as the page asks for it."""
    return matrix.compare_words(asked.words, model, metric=metric, linkage=linkage, progress=progress, **asked.space)


def random_level(asked: Asked, metric: Metric = "cosine", *, model: Any, progress: Progress = silent) -> float:
    """The mean cosine or distance of random pairs of words, in the vectors that the list is compared by."""
    return random_words.mean_of_random_pairs(
        model, metric=metric, layer=asked.layer, template=asked.template, progress=progress
    )


def readable(model: str, asked: Asked) -> bool:
    """Whether the list and each word's sentence can be read: then an error belongs to another field."""
    try:
        cached.compute(_check, model, asked)
    except ValueError:
        return False
    return True


def suggestions(model: str, asked: Asked, place: Any, field: Text = WORDS) -> None:
    """Buttons below an error that correct the list of a field."""
    mean, similar = cached.compute(_suggestions, model, asked)
    with place, st.container(horizontal=True, gap="small"):
        if mean:
            st.button(
                "Read them as the mean of their pieces",
                on_click=state.put,
                args=({PIECES.key: "mean"},),
                key=f"mean-{field.key}-{model}",
            )
        for word, other in similar:
            corrected = ", ".join(other if one == word else one for one in asked.words)
            st.button(
                texts.plain(f"use {other} for {word}"),
                on_click=state.put,
                args=({field.key: corrected},),
                key=f"use-{word}-{field.key}-{model}",
            )


def several(result: Similarity, pieces: Pieces) -> None:
    """Which words were read as several pieces, and how."""
    if result.pieces:
        reading = "the mean of their pieces" if pieces == "mean" else "their first piece only"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"{len(result.pieces)} read as {reading}", icon=":material/call_split:", color="orange")
            st.text("; ".join(f"{word}: {' '.join(parts)}" for word, parts in result.pieces.items()))


def wrong(answer: jobs.Answer[Any] | None) -> bool:
    """Whether the fields ask for something that has no answer."""
    return answer is None or answer.stale


def _check(asked: Asked, *, model: Any) -> bool:
    wordlist.check(asked.words, model, least=2, most=matrix.MAX_WORDS, pieces=asked.pieces)
    if asked.layer is not None:
        sentences(asked.template, asked.words, model, layer=asked.layer)
    return True


def _suggestions(asked: Asked, *, model: Any) -> tuple[bool, tuple[tuple[str, str], ...]]:
    """Whether all words can be read if those of several pieces are averaged; and up to three corrected spellings.

    A spelling that is already in the list is not suggested: the list would then contain a word twice.
    """
    if asked.pieces != "refuse" or len(asked.words) > matrix.MAX_WORDS:
        return False, ()
    try:
        wordlist.check(asked.words, model, least=2, most=matrix.MAX_WORDS, pieces="mean")
        mean = bool(wordlist.several_pieces(asked.words, model))
    except ValueError:
        mean = False
    short = [word for word in asked.words if len(word) <= wordlist.MAX_CHARACTERS]  # no model reads a very long one
    pieces = {word: model.pieces(word) for word in short}
    unknown = [word for word, found in pieces.items() if len(found) != 1 or found[0] == "[UNK]"][:3]
    taken = set(pieces.values())
    similar: list[tuple[str, str]] = []
    for word in unknown:
        for other in model.similar_spelling(word, 1):
            if (found := model.pieces(other)) not in taken:
                taken.add(found)
                similar.append((word, other))
    return mean, tuple(similar)
