"""The third thing to see: the occurrences of *bank* walk apart through the layers, by stored numbers of the model.

The picture moves three times, can be paused, and stands still for those who prefer reduced motion.
"""

import base64
from functools import cache
from itertools import count

import streamlit as st

from embtools.statistics.decimals import decimal
from embtools.ui import page
from embtools.ui.home import stored

_WIDE, _HIGH = 420, 170  # of the picture, in its own units
_SECONDS, _TIMES, _REST = 1.1, 3, 0.4  # of a layer; runs; the share of a layer's time in which nothing moves
_COLOURS = ("#0072B2", "#D55E00", "#009E73")


def show() -> None:
    """Draw the sentence and the link next to the moving picture."""
    found = stored.read()["bank"]
    first, last = found["auc"][0], found["auc"][-1]
    with st.container(gap="small"):
        st.header("bank: one word, two meanings", anchor=False)
        page.caption(
            f"Each dot is *bank* in one of {len(found['senses'])} sentences, about {' or '.join(_senses())}. In layer"
            " 0, the meanings are mixed. Layer by [[layer]], BERT reads the other words, and the meanings separate:"
            f" their separation ([[AUC]], 0.5 by chance) grows from {decimal(first)} to {decimal(last)}."
        )
        st.page_link(
            "pages/layers.py",
            label="Open in Layers",
            icon=":material/arrow_forward:",
            query_params=page.common(),
        )
    st.html(_html())


def _senses() -> tuple[str, ...]:
    return tuple(dict.fromkeys(stored.read()["bank"]["senses"]))


@cache
def _html() -> str:
    """Return the picture with its style: dots that move, their ways as lines, and the number of the layer."""
    found = stored.read()["bank"]
    ways = _scaled(found["points"])
    colours = dict(zip(_senses(), _COLOURS, strict=False))
    layers = len(ways[0])
    lines = "".join(
        f'<polyline fill="none" stroke="{colours[sense]}" stroke-opacity="0.35" points="'
        f'{" ".join(f"{x:.0f},{y:.0f}" for x, y in way)}"/>'
        for sense, way in zip(found["senses"], ways, strict=True)
    )
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}">{lines}</svg>'
    coded = base64.b64encode(drawing.encode()).decode()
    styles, marks = [], []
    for number, sense, way in zip(count(), found["senses"], ways, strict=False):
        places = [f"left: {100 * x / _WIDE:.1f}%; top: {100 * y / _HIGH:.1f}%" for x, y in way]
        styles.append(_frames(f"bank-{number}", places))
        shape = ("circle", "square", "diamond")[list(colours).index(sense)]
        marks.append(
            f'<i class="{shape}" style="{places[-1]}; color: {colours[sense]}; animation-name: bank-{number}"></i>'
        )
    for layer in range(layers):
        seen = [f"opacity: {int(layer == other)}" for other in range(layers)]
        styles.append(_frames(f"bank-layer-{layer}", seen))
        shown = f"opacity: {int(layer == layers - 1)}; animation-name: bank-layer-{layer}"
        marks.append(f'<b style="{shown}">layer {layer}</b>')
    legend = "".join(
        f'<li><i class="{shape}" style="color: {colour}"></i>{sense}</li>'
        for (sense, colour), shape in zip(colours.items(), ("circle", "square", "diamond"), strict=False)
    )
    alt = (
        f"Dots for {stored.WORD} in {len(ways)} sentences. In layer 0 the meanings {' and '.join(colours)} are mixed;"
        f" in layer {layers - 1} they are in two places."
    )
    timing = f".bank-picture * {{ animation-duration: {_SECONDS * layers:.1f}s; animation-iteration-count: {_TIMES}; }}"
    return (
        f"<style>{timing} {' '.join(styles)}</style>"
        f'<div class="bank-picture" role="img" aria-label="{alt}">'
        f'<img alt="" src="data:image/svg+xml;base64,{coded}">{"".join(marks)}</div>'
        f'<ul class="map-groups">{legend}<li><label><input type="checkbox" class="pause"> Pause</label></li></ul>'
    )


def _frames(name: str, states: list[str]) -> str:
    """Return the keyframes that go through these states, resting at each."""
    share = 100 / len(states)
    frames = "".join(
        f"{share * i:.1f}%, {share * (i + _REST):.1f}% {{ {each} }} " for i, each in enumerate(states[:-1])
    )
    return f"@keyframes {name} {{ {frames}{share * (len(states) - 1):.1f}%, 100% {{ {states[-1]} }} }}"


def _scaled(ways: list[list[list[float]]]) -> list[list[tuple[float, float]]]:
    """Return the points in the units of the picture, both axes on the same scale."""
    xs, ys = ([point[axis] for way in ways for point in way] for axis in (0, 1))
    room = max((max(xs) - min(xs)) / (_WIDE - 24), (max(ys) - min(ys)) / (_HIGH - 24))
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [[(_WIDE / 2 + (x - middle[0]) / room, _HIGH / 2 - (y - middle[1]) / room) for x, y in way] for way in ways]
