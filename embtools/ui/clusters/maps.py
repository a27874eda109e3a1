"""The map of the Clusters page."""

from functools import partial

import pandas as pd
import streamlit as st

from embtools.charts.clusters import maps as charts
from embtools.clusters import lookup, maps
from embtools.clusters.maps import Map
from embtools.ui import cached, figures
from embtools.ui.clusters import extras as clusters_extras
from embtools.ui.clusters import selection
from embtools.ui.clusters.inputs import Asked
from embtools.words import groups as words_groups
from embtools.words.groups import PRESETS

_FIELD = 140


def result(model: str, asked: Asked) -> str:
    """The map with its cheap controls and the selection: a fragment, so that a colour or a search redraws only this.

    Returns Python for what is shown besides the points of the map.
    """
    drawn: Map = cached.compute(maps.compute, model, asked.words, asked.view)
    _headline(drawn, asked)
    extras = clusters_extras.extras(model, asked, drawn)
    _map(model, asked, extras)
    return clusters_extras.code(extras)


@st.fragment
def _map(model: str, asked: Asked, extras: clusters_extras.Extras) -> None:
    points = extras.maps[0].drawn.points
    with st.container(horizontal=True):
        colour, label, find, pick = _fields(points)
    hits = lookup.search(points["word"].tolist(), find)
    if find.strip():
        st.text(f"{len(hits):,} of {len(points):,} match: " + ", ".join(points["word"].iloc[hits[:30]]))
    picked = selection.named(points, pick)
    flat, shown = "z" not in points, (model, asked, colour, label, find)
    chosen = dict.fromkeys(picked)
    names = (selection.MAP, selection.SECOND)[: len(extras.maps)]
    for place, name, one in zip(st.columns(len(names)), names, extras.maps, strict=True):
        method = one.asked.view.method
        with place:
            state = figures.chart(
                cached.figure(
                    charts.word_map,
                    one.drawn,
                    colour=colour,
                    label=label,
                    marked=tuple(dict.fromkeys([*hits, *selection.marked(points, shown, name)])),
                    free=method == "axes",
                    density=one.density,
                    beside=len(names) > 1,
                ),
                _listed(one.drawn.points),
                name=name,
                alt=charts.alt(one.drawn, method),
                select=("points", "box", "lasso") if flat else (),
                on_select=partial(selection.keep, tuple(points["word"]), shown, name),
            )
        chosen |= dict.fromkeys(selection.selected(state, len(points)))
    if extras.found:
        clusters_extras.report(extras.found)
    selection.show(model, asked, points, list(chosen))
    if flat and not chosen:
        st.caption(
            "Click a point, draw round several with the box or the lasso above the map, or name words to look at."
        )
    if asked.words.only and st.button(
        "All words again", icon=":material/undo:", on_click=selection.alone, args=("", 0)
    ):
        st.rerun()


def _fields(points: pd.DataFrame) -> tuple[str, str, str, str]:
    """What to colour by, what to label by, what to find, and the words to look at."""
    colours = [c for c, (column, _) in charts.SCALES.items() if column in points]
    found = [charts.FOUND] if "cluster" in points else []
    colour = st.selectbox(
        "Colour by", ["group", *found, *colours], key="clusters_colour", bind="query-params", width=_FIELD
    )
    labels = ["word", "group", *found, "nothing"]
    label = st.selectbox("Label by", labels, key="clusters_label", bind="query-params", width=_FIELD)
    find = st.text_input(
        "Find",
        key="clusters_find",
        bind="query-params",
        placeholder="lo*, par",
        width=_FIELD,
        help="Part of a word; * and ? as wildcards; a comma for “or”.",
    )
    pick = st.text_input(
        "Look at",
        key="clusters_pick",
        bind="query-params",
        placeholder="rome, paris",
        width=_FIELD,
        help="Words of the map whose neighbours you want to see: the same as selecting them.",
    )
    return colour, label, find, pick


def _headline(drawn: Map, asked: Asked) -> None:
    """What was computed, said explicitly; and a badge wherever a word is not one piece."""
    words, view = asked.words, asked.view
    parts = [
        f"{len(drawn.points):,} points",
        f"layer {words.layer} in a sentence" if words.template else "static embeddings",
        "centred" if view.centre else "not centred",
        "normalised" if view.normalise else "not normalised",
        f"{view.metric} distances",
        f"t-SNE, perplexity {view.perplexity:g}, start {view.start}" if view.method == "t-SNE" else view.method,
        f"seed {view.seed}",
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        if words.shuffled is not None:
            st.badge("groups shuffled", icon=":material/shuffle:", color="orange")
        if drawn.left_out:
            st.badge(f"{len(drawn.left_out)} left out: several pieces", icon=":material/extension_off:", color="orange")
            st.text(", ".join(drawn.left_out[:20]))
        several = drawn.points[(drawn.points["pieces"] > 1).fillna(False)]
        if len(several):
            st.badge(f"{len(several)} by {words.pieces} of their pieces", icon=":material/extension:", color="orange")
            st.text(", ".join(several["word"].head(20)))
    st.caption(" · ".join(parts))


def code(asked: Asked, more: str, numbers: str) -> str:
    """Python that draws the same map and gives its numbers; `more`, `numbers`: lines for what else is shown."""
    same = next((name for name in PRESETS if words_groups.preset(name) == asked.words.groups), None)
    groups = f"groups.preset({same!r})" if same else repr(asked.words.groups)
    fields = {k: v for k, v in vars(asked.words).items() if k != "groups" and v != getattr(type(asked.words), k)}
    given = "".join(f", {key}={value!r}" for key, value in fields.items())
    find = st.session_state.get("clusters_find", "")
    search = f"print(lookup.search(drawn.points['word'], {find!r}))" if find.strip() else ""
    lines = (
        "from embtools.clusters import group_tests, lookup, maps",
        "from embtools.clusters.view import View",
        "from embtools.clusters.points import Words",
        "from embtools.words import groups\n",
        f"words = Words({groups}{given})",
        f"view = {asked.view!r}",
        "drawn = maps.compute(words, view, model)",
        "print(drawn.points, drawn.left_out, drawn.axes, drawn.trust, drawn.measured, drawn.groups, sep='\\n')",
        more,
        numbers,
        search,
        selection.code(),
    )
    return "\n".join(filter(None, lines))


def _listed(points: pd.DataFrame) -> pd.DataFrame:
    """The points for the table: without what every row would repeat."""
    return points.drop(columns=["kind", "of"] if (points["of"] == "").all() else ["kind"])
