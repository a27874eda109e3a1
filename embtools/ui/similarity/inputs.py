"""The fields that all tabs of the Similarity page share: the words, and which vectors of them are compared."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from embtools.similarity import colours, matrix
from embtools.similarity.matrix import Similarity
from embtools.ui import cached, jobs, last_good, page
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD, sentences

T = TypeVar("T")
TABS = ("Heatmap and tree", "Does it follow sight?", "Two spaces", "Odd one out")
STATIC = "static"
TEMPLATE = f"This is {WORD}."
TWO = "black, white"
ODD = "breakfast, lunch, dinner, guitar"
PUZZLES = {
    "Meals": ODD,
    "Rivers": "thames, danube, nile, everest",
    "Metals": "iron, copper, silver, wood, zinc",
    "A hard one": "apple, orange, banana, microsoft",
}


@dataclass(frozen=True)
class Call:
    """The arguments of a function of embtools, but for the model."""

    arguments: tuple[Any, ...]
    named: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A word list and the vectors to compare it by; `space` is what the functions of embtools take."""

    words: tuple[str, ...]
    pieces: str = "refuse"
    layer: int | None = None
    template: str = WORD

    @property
    def space(self) -> dict[str, Any]:
        return {"pieces": self.pieces, "layer": self.layer, "template": self.template}

    def code(self, model: str = "model") -> str:
        """The words and vectors as Python arguments."""
        named = "" if self.pieces == "refuse" else f", pieces={self.pieces!r}"
        named += "" if self.layer is None else f", layer={self.layer}, template={self.template!r}"
        return f"{list(self.words)}, {model}{named}"


def preset_state(name: str) -> dict[str, Any]:
    """The fields of a preset; the pair picker starts at the most alike pair again."""
    words = matrix.preset(name)
    return {"similarity_words": ", ".join(words), "similarity_first": None, "similarity_second": None}


def reset_state(model: str) -> dict[str, Any]:
    """Every field of the page as it is at first; the open tab stays."""
    return {
        **preset_state("Colours"),
        "similarity_vectors": STATIC,
        "similarity_template": TEMPLATE,
        "similarity_pieces": "refuse",
        "similarity_metric": "cosine",
        "similarity_linkage": next(iter(matrix.LINKAGES)),
        "similarity_k": 20,
        "similarity_question": colours.MOST_SIMILAR,
        "similarity_sheep": colours.SHEEP,
        "similarity_subjects": ", ".join(colours.SUBJECTS),
        "similarity_two": TWO,
        "similarity_other": model,
        "similarity_other_vectors": f"layer {cached.model(model).layers}",
        "similarity_other_template": TEMPLATE,
        "similarity_standardise": True,
        "similarity_odd": ODD,
    }


def presets(model: str) -> None:
    """The row of examples."""
    with st.container(horizontal=True):
        for name in matrix.PRESETS:
            st.button(name, on_click=page.set_state, args=(preset_state(name),), key=f"similarity-{name}")
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=page.set_state,
            args=(reset_state(model),),
            type="tertiary",
            key="similarity-reset",
        )


def show(model: str) -> Asked | None:
    """The fields; returns what was asked, or the last good list when this one has an error (None: there is none)."""
    text = st.text_area(
        f"Words, up to {matrix.MAX_WORDS}",
        ", ".join(matrix.preset("Colours")),
        key="similarity_words",
        bind="query-params",
        height=100,
        max_chars=matrix.MAX_WORDS * (wordlist.MAX_CHARACTERS + 2),
        help="Between commas or one a line.",
    )
    problems = st.container()
    layers = [STATIC, *(f"layer {i}" for i in range(cached.model(model).layers + 1))]
    with st.expander("Which vectors", icon=":material/tune:"):
        with st.container(horizontal=True):
            chosen = st.selectbox(
                "Vectors",
                layers,
                key="similarity_vectors",
                bind="query-params",
                help="static: the input embeddings. A layer: the word's hidden state in the sentence; 0 is the"
                " embedding output.",
            )
            template = st.text_input(
                f"Sentence around each word, {WORD} is the word",
                TEMPLATE,
                key="similarity_template",
                bind="query-params",
                disabled=chosen == STATIC,
                max_chars=300,
            )
        pieces = st.segmented_control(
            "Words of several pieces",
            ["refuse", "mean", "first"],
            default="refuse",
            required=True,
            key="similarity_pieces",
            bind="query-params",
            help="refuse them, take the mean of their pieces, or the first piece only.",
        )
    wanted = _asked(wordlist.split(text), str(pieces), str(chosen), template)
    with problems:
        good = last_good.last_good(
            "similarity", model, partial(cached.compute, checked, model), wanted, Asked(matrix.preset("Colours"))
        )
    if good is None:
        return None
    asked: Asked = good[0]
    if several := cached.compute(_several, model, asked):
        reading = "the mean of their pieces" if asked.pieces == "mean" else "their first piece only"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"{len(several)} read as {reading}", icon=":material/call_split:", color="orange")
            st.text("; ".join(f"{word}: {' '.join(parts)}" for word, parts in several.items()))
    return asked


def called(function: Callable[..., T], model: str) -> Callable[[Call], T]:
    """The function with the arguments of a `Call`, remembered: for `lasting.last_good`."""
    return lambda call: cached.compute(function, model, *call.arguments, **call.named)


def compared(model: str, asked: Asked, **named: Any) -> Similarity:
    """`compare_words`, with a bar and a stop (back to static embeddings) when many sentences take their time."""
    return jobs.long_call(
        matrix.compare_words,
        model,
        asked.words,
        label="Reading a sentence for each word",
        stop=lambda: page.set_state({"similarity_vectors": STATIC, "similarity_other_vectors": STATIC}),
        **asked.space,
        **named,
    )


def space_fields(model: str, prefix: str, default: int) -> tuple[int | None, str]:
    """A second choice of vectors, for the comparison of two spaces: layer (None: static) and sentence."""
    layers = [STATIC, *(f"layer {i}" for i in range(cached.model(model).layers + 1))]
    chosen = st.selectbox(
        "Vectors", layers, index=min(default, len(layers) - 1), key=f"{prefix}_vectors", bind="query-params"
    )
    template = st.text_input(
        f"Sentence around each word, {WORD} is the word",
        TEMPLATE,
        key=f"{prefix}_template",
        bind="query-params",
        disabled=chosen == STATIC,
        max_chars=300,
    )
    return (None, WORD) if chosen == STATIC else (int(str(chosen).split()[1]), template)


def _asked(words: tuple[str, ...], pieces: str, chosen: str, template: str) -> Asked:
    if chosen == STATIC:
        return Asked(words, pieces)
    return Asked(words, pieces, int(chosen.split()[1]), template)


def checked(asked: Asked, *, model: Any) -> Asked:
    """The same; ValueError for anything wrong with the list or with any word's sentence, before anything is drawn."""
    wordlist.check(asked.words, model, least=2, most=matrix.MAX_WORDS, pieces=asked.pieces)  # type: ignore[arg-type]
    if asked.layer is not None:
        sentences(asked.template, asked.words, model, layer=asked.layer)
    return asked


def _several(asked: Asked, *, model: Any) -> dict[str, tuple[str, ...]]:
    return wordlist.several_pieces(asked.words, model)
