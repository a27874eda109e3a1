"""The same words on the map of a second model, next to the map of the first."""

from dataclasses import replace
from functools import partial

import streamlit as st

from embtools.charts.clusters.maps import Look
from embtools.clusters import two_models
from embtools.statistics.agreement import Kept
from embtools.ui import cached, page
from embtools.ui.clusters import computing, inputs, python, selected, trust
from embtools.ui.clusters.computing import Drawn
from embtools.ui.clusters.inputs import Asked
from embtools.ui.clusters.picture import draw, headline, says
from embtools.ui.clusters.results import Picture, Sight
from embtools.ui.compare import Beside
from embtools.words import groups

_NAME = f"{selected.MAP}-second"


def show(seen: Sight, first: Picture, beside: Beside) -> None:
    """Draw the second model's map, and say how many neighbours both models share."""

    def of(name: str) -> Asked:
        if name == beside.model:
            return first.asked
        asked = replace(first.asked, layer=beside.layer(first.asked.layer) if first.asked.template else 0)
        if seen.answer is None or seen.answer.stale:
            return asked
        spelt = inputs.asked(name, 1)  # an example's words, capitalised as this model needs them
        view = replace(asked.view, axes=spelt.view.axes)
        return replace(asked, groups=spelt.groups, formulas=spelt.formulas, view=view)

    drawn = beside.ask(
        "clusters",
        computing.draw,
        lambda name: (name, of(name)),
        label="Drawing the map",
        seconds=lambda name: cached.compute(computing.effort, name, of(name))[1],
        words=lambda name: _words(of(name)),
    )
    if drawn is None:
        return
    names = (beside.title, beside.other_title)
    kept = _kept(beside, first.drawn, drawn, of(beside.other))
    sentence = two_models.sentence(kept, names) if kept else None
    beside.say(sentence or "The neighbours of two models can be compared for lists of 3 to 2,000 words.")
    picture = Picture(of(beside.other), drawn)

    def below() -> None:
        st.html(trust.html(drawn.map.trust))
        page.seen("Positions and directions on the two maps cannot be compared; only the neighbours of a word can.")

    look, _ = selected.look(beside.other, picture) if inputs.PICK.value or inputs.FIND.value else (Look(), [])
    with beside.second:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            headline(picture, alone=False)
        plain = replace(seen, found=None, stable=None)  # these belong to the first model
        draw(beside.other, plain, picture, look, _NAME, below, partial(beside.alt, second=True))
        st.caption(says(picture))
    beside.code(*python.other(picture, sentence, names))


def _words(asked: Asked) -> tuple[str, ...]:
    if asked.groups is None:
        return ()
    return tuple(word for _, members in groups.read_groups(asked.groups) for word in members)


def _kept(beside: Beside, first: Drawn, second: Drawn, asked: Asked) -> Kept | None:
    both = computing.read(beside.model, first), computing.read(beside.other, second)
    if both[0] is None or both[1] is None:
        return None
    try:
        return cached.derive(_between, both, (beside.model, beside.other, first.words, second.words, asked), first.view)
    except ValueError:
        return None


def _between(both: tuple[two_models.Points, two_models.Points], view: two_models.View) -> Kept:
    return two_models.kept(*both, view)
