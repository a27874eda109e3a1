"""The fields of the tab about a whole layer, which its three views share: sentence, layer, view, token."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.attention.layer_parts import Tokens, tokens_of
from embtools.mask_filling.typed_input import mask_last_word, mask_note, normalise_masks
from embtools.ui import captions, entry, options, running, shown, state, texts
from embtools.ui.attention import attribution, reading
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.shown import Model, Models

STEPS, NEURONS, OFF = "Steps", "Neurons", "Switch off"
VIEW = Choice("attention_layer_view", STEPS, {"steps": STEPS, "neurons": NEURONS, "off": OFF})
TEXT = attribution.TEXT
LAYER = Choice("attention_layer", "layer 6", keys={str(layer): f"layer {layer}" for layer in range(1, 49)})
POSITION = Number("attention_token", -1, -1, 511, 1)  # -1: the first mask
FIELDS = (TEXT, LAYER, VIEW, POSITION, reading.HIDE)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart of every view names."""
    return TEXT, captions.Setting("layer", LAYER), captions.changed("token", POSITION)


def bar(models: Models) -> Any:
    """Draw the fields and the tokens of the sentence; return the container for errors."""
    sentence, others = st.columns([8, 6], gap="small")
    with sentence:
        entry.text_input("Sentence with [MASK] or ___", on_change=_first_token, **TEXT.widget)
        problems = st.container()
        if _masked()[1]:  # of several masks the token can be chosen, so they need no note
            st.text(mask_note([normalise_masks(TEXT.value)]))
    with others, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):  # one row on a phone too
        names = tuple(f"layer {number}" for number in range(1, models[0].facts.layers + 1))
        st.selectbox("Layer", width=120, **LAYER.among(names, names[-1]))
        st.segmented_control("View", required=True, **VIEW.widget)
    with suppress(ValueError):  # the view shows why the sentence cannot be read
        _choose_token(running.run(Call(tokens_of, text=_masked()[0]), models[0]))
    return problems


def query(function: Callable[..., Any], model: Model, models: Models, **more: Any) -> Call:
    """Return a query about the chosen token and layer for a model: the same token, and a layer at the same depth."""
    text = _masked()[0]
    layer = max(1, shown.same_depth(int(LAYER.value.removeprefix("layer ")), models[0], model))
    tokens: Tokens = running.run(Call(tokens_of, text=text), models[0])
    chosen = int(POSITION.value)
    position = None
    if 0 <= chosen < len(tokens.names):
        other: Tokens = running.run(Call(tokens_of, text=text), model)
        position = tokens.counterpart(chosen, other)
    return Call(function, text=text, layer=layer, position=position, **more)


def first(function: Callable[..., Any]) -> Callable[[Model], Call]:
    """Return the query about the first example, as a function of the model."""

    def of_model(model: Model) -> Call:
        return Call(function, text=TEXT.default, layer=default_layer(model), position=None)

    return of_model


def default_layer(model: Model) -> int:
    """Return the layer of the first example: that of the default, or the last one of a model without it."""
    default = int(LAYER.default.removeprefix("layer "))
    return default if default <= model.facts.layers else model.facts.layers


def _choose_token(tokens: Tokens) -> None:
    """Draw the tokens of the sentence, with the chosen one selected."""
    draw: Callable[..., Any] = st.pills
    settings: dict[str, Any] = {"label_visibility": "collapsed"}
    labels = {position: texts.plain(token) for position, token in enumerate(tokens.names)}
    if len(labels) > reading.MOST_PILLS:
        draw, settings = st.selectbox, {}
        labels = {position: f"{position} {token}" for position, token in enumerate(tokens.names)}
    chosen = int(POSITION.value)
    if not 0 <= chosen < len(labels):
        chosen = tokens.masks[0] if tokens.masks else -1

    def take(position: int | None) -> None:
        if position is not None:  # a second press on the chosen token would leave none
            state.put({POSITION.key: int(position)})

    options.choose(draw, "Token", POSITION.key, labels, chosen, take, **settings)


def _masked() -> tuple[str, str]:
    return mask_last_word(normalise_masks(TEXT.value))


def _first_token() -> None:
    """Choose the mask again: the tokens of another sentence are others."""
    state.put({POSITION.key: POSITION.default})
