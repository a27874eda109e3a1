"""The fields of a question about one token of a sentence in one layer, and the query that they describe."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from embtools.mask_filling.tokens import Tokens, tokens_of
from embtools.mask_filling.typed_input import mask_last_word, mask_note
from embtools.ui import captions, entry, glossary, options, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Field, Flag, Number, Text
from embtools.ui.shown import Model, Models

MOST_PILLS = 60
"""Up to this number, the words or tokens of a text are shown as buttons; a longer text has a list instead."""


def layer_field(key: str, default: int) -> Choice:
    """Return a field for a layer."""
    return Choice(key, f"layer {default}", keys={str(layer): f"layer {layer}" for layer in range(1, 49)})


def token_field(key: str) -> Number:
    """Return a field for the position of a token; −1 is the first mask."""
    return Number(key, -1, -1, 511, 1)


def hide_special(field: Flag) -> None:
    """Draw the switch that hides [CLS] and [SEP]."""
    st.toggle("Hide [CLS] and [SEP]", help=glossary.definition("[CLS], [SEP]"), **field.widget)


def masked(field: Text) -> str:
    """Return the sentence of a field with a mask; if it has none, its last word becomes one."""
    return mask_last_word(field.value)[0]


@dataclass(frozen=True)
class OneToken:
    """A sentence with a mask, a layer, and a token of the sentence."""

    text: Text
    layer: Choice
    position: Number

    @property
    def fields(self) -> tuple[Field, ...]:
        return self.text, self.layer, self.position

    def caption(self) -> tuple[captions.Part, ...]:
        """Return what the caption of a saved chart names."""
        return self.text, captions.Setting("layer", self.layer), captions.changed("token", self.position)

    def bar(self, models: Models, others: Callable[[], Any] = lambda: None) -> Any:
        """Draw the fields, `others` next to them, and the tokens of the sentence; return the container for errors."""
        sentence, right = st.columns([8, 6], gap="small")
        with sentence:
            entry.text_input("Sentence with [MASK] or ___", on_change=self._first_token, **self.text.widget)
            problems = st.container()
            if mask_last_word(self.text.value)[1]:  # of several masks, the token can be chosen
                st.text(mask_note([self.text.value]))
        with right, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):  # one row on a phone too
            names = tuple(f"layer {number}" for number in range(1, models[0].facts.layers + 1))
            st.selectbox("Layer", width=120, **self.layer.among(names, names[-1]))
            others()
        with suppress(ValueError):  # the result shows why the sentence cannot be read
            self._choose_token(running.run(Call(tokens_of, text=masked(self.text)), models[0]))
        return problems

    def query(self, function: Callable[..., Any], model: Model, models: Models, **more: Any) -> Call:
        """Return a query about the token and layer for a model: the same token, and a layer at the same depth."""
        text = masked(self.text)
        layer = max(1, shown.same_depth(int(self.layer.value.removeprefix("layer ")), models[0], model))
        tokens: Tokens = running.run(Call(tokens_of, text=text), models[0])
        chosen = int(self.position.value)
        position = None
        if 0 <= chosen < len(tokens.names):
            other: Tokens = running.run(Call(tokens_of, text=text), model)
            position = tokens.counterpart(chosen, other)
        return Call(function, text=text, layer=layer, position=position, **more)

    def first(self, function: Callable[..., Any]) -> Callable[[Model], Call]:
        """Return the query about the first example, as a function of the model."""
        return lambda model: Call(function, text=self.text.default, layer=self.default_layer(model), position=None)

    def default_layer(self, model: Model) -> int:
        """Return the layer of the first example: that of the default, or the last one of a model without it."""
        return min(int(self.layer.default.removeprefix("layer ")), model.facts.layers)

    def _choose_token(self, tokens: Tokens) -> None:
        """Draw the tokens of the sentence, with the chosen one selected."""
        draw: Callable[..., Any] = st.pills
        settings: dict[str, Any] = {"label_visibility": "collapsed"}
        labels = {position: texts.plain(token) for position, token in enumerate(tokens.names)}
        if len(labels) > MOST_PILLS:
            draw, settings = st.selectbox, {}
            labels = {position: f"{position} {token}" for position, token in enumerate(tokens.names)}
        chosen = int(self.position.value)
        if not 0 <= chosen < len(labels):
            chosen = tokens.masks[0] if tokens.masks else -1

        def take(position: int | None) -> None:
            if position is not None:  # a second press on the chosen token would leave none
                state.put({self.position.key: int(position)})

        options.choose(draw, "Token", self.position.key, labels, chosen, take, **settings)

    def _first_token(self) -> None:
        """Choose the mask again: the tokens of another sentence are others."""
        state.put({self.position.key: self.position.default})
