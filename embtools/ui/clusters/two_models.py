"""The same words on the map of a second model, next to the map of the first."""

from dataclasses import replace
from functools import partial

import streamlit as st

from embtools.charts.clusters.maps import Highlight
from embtools.clusters import two_models
from embtools.statistics.agreement import Kept
from embtools.ui import cached, page
from embtools.ui.clusters import computing, inputs, python, selected, trust
from embtools.ui.clusters.computing import DrawnMap
from embtools.ui.clusters.inputs import Query
from embtools.ui.clusters.picture import draw, headline, settings_line
from embtools.ui.clusters.results import Picture, Results
from embtools.ui.compare import Beside
from embtools.words import groups

_NAME = f"{selected.MAP}-second"


def show(results: Results, first: Picture, beside: Beside) -> None:
    """Draw the second model's map, and say how many neighbours both models share."""

    def of(name: str) -> Query:
        if name == beside.model:
            return first.query
        query = replace(first.query, layer=beside.layer(first.query.layer) if first.query.template else 0)
        if results.answer is None or results.answer.stale:
            return query
        capitalised = inputs.query(name, 1)  # an example's words, capitalised as this model needs them
        view = replace(query.view, axes=capitalised.view.axes)
        return replace(query, groups=capitalised.groups, formulas=capitalised.formulas, view=view)

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
    shared = _shared_neighbours(beside, first.drawn, drawn, of(beside.other))
    sentence = two_models.sentence(shared, names) if shared else None
    beside.say(sentence or "The neighbours of two models can be compared for lists of 3 to 2,000 words.")
    picture = Picture(of(beside.other), drawn)

    def below() -> None:
        st.html(trust.html(drawn.map.trust))
        page.seen("Positions and directions on the two maps cannot be compared; only the neighbours of a word can.")

    highlight, _ = (
        selected.highlight(beside.other, picture) if inputs.PICK.value or inputs.FIND.value else (Highlight(), [])
    )
    with beside.second:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            headline(picture, alone=False)
        plain = replace(results, found=None, stable=None)  # these belong to the first model
        draw(beside.other, plain, picture, highlight, _NAME, below, partial(beside.alt, second=True))
        st.caption(settings_line(picture))
    beside.code(*python.other(picture, sentence, names))


def _words(query: Query) -> tuple[str, ...]:
    if query.groups is None:
        return ()
    return tuple(word for _, members in groups.read_groups(query.groups) for word in members)


def _shared_neighbours(beside: Beside, first: DrawnMap, second: DrawnMap, query: Query) -> Kept | None:
    both = computing.read(beside.model, first), computing.read(beside.other, second)
    if both[0] is None or both[1] is None:
        return None
    try:
        return cached.derive(_between, both, (beside.model, beside.other, first.words, second.words, query), first.view)
    except ValueError:
        return None


def _between(both: tuple[two_models.Points, two_models.Points], view: two_models.View) -> Kept:
    return two_models.shared_neighbours(*both, view)
