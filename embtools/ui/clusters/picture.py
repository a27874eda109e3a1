"""A map as the page draws it, the first as well as the second."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from embtools.charts.clusters import maps as charts
from embtools.charts.clusters.maps import Look
from embtools.clusters import group_tests, trust
from embtools.clusters.maps import Map
from embtools.ui import cached, figures, page
from embtools.ui.clusters import selected, sight
from embtools.ui.clusters.asking import COLOUR, LABEL
from embtools.ui.clusters.computing import Drawn
from embtools.ui.clusters.sight import Picture, Sight

_SIZE = (1100, 850)  # pixels of a picture that is saved: all names have room


@dataclass(frozen=True)
class Said:
    """What is told of a map in words.

    alt      for those who do not see it
    trust    how far it can be trusted
    several  its words that are several pieces
    unnamed  columns of its points that its table leaves out
    """

    alt: str
    trust: str
    several: tuple[str, ...]
    unnamed: tuple[str, ...]


def said(model: str, picture: Picture) -> Said:
    """What is told of a map of this model, remembered with it."""
    return cached.derive(_said, picture.drawn, (model, picture.asked))


def _said(drawn: Drawn) -> Said:
    points = drawn.map.points
    return Said(
        charts.alt(drawn.map, drawn.view.method),
        trust.reading(drawn.map.trust, len(drawn.map)),
        tuple(points["word"][(points["pieces"] > 1).fillna(False)]),
        ("kind", "of") if (points["of"] == "").all() else ("kind",),
    )


def draw(
    model: str,
    seen: Sight,
    picture: Picture,
    look: Look,
    name: str,
    below: Callable[[], None],
    alt: Callable[[str], str] = lambda text: text,
) -> None:
    """A map with what was asked for besides, on which words can be selected; `below`: what is written under it."""
    told = said(model, picture)
    shown = sight.dressed(seen, picture)
    points, method = shown.points, picture.drawn.view.method
    flat = "z" not in points
    figures.chart(
        cached.figure(
            charts.word_map,
            shown,
            colour=_available(COLOUR.value, seen, shown),
            label=_available(LABEL.value, seen, shown),
            look=look,
            free=method == "axes",
            density=picture.density,
        ),
        points.drop(columns=list(told.unnamed)),
        name=name,
        alt=alt(told.alt),
        select=("points", "box", "lasso") if flat else (),
        on_select=partial(selected.pick, name, tuple(points["word"])) if flat else "rerun",
        below=below,
        size=_SIZE,
    )
    if not flat or len(points) > charts.SVG_POINTS:
        st.html('<p class="needs-webgl">Your browser has no WebGL, which this picture needs. Choose 2 dimensions and'
                " fewer words, or open its table.</p>")  # fmt: skip


def headline(picture: Picture, *, alone: bool) -> None:
    """What a map shows, as the page's headline, or, of two models, as a line under the model's title."""
    finding, together = _finding(picture), picture.drawn.map.together
    if alone:
        st.header(finding, anchor=False, width="content")
    else:
        st.text(finding, width="content")
    if together is not None:
        page.seen(
            f"{together.share:.0%} of [[nearest neighbour|nearest neighbours]] share the group"
            f" ({together.shuffled:.0%} [[shuffled groups|by chance]])"
        )


def _finding(picture: Picture) -> str:
    drawn = picture.drawn
    if drawn.words.shuffled is not None:
        return "Shuffled groups: what you still see is not in the words"
    if drawn.map.together is None:
        return f"{len(drawn.map):,} points on a map"
    return group_tests.finding(drawn.map.together)


def says(picture: Picture) -> str:
    """What was computed, said explicitly."""
    words, view = picture.drawn.words, picture.drawn.view
    parts = [
        f"{len(picture.drawn.map):,} points",
        f"layer {words.layer} in a sentence" if words.template else "static embeddings",
        "centred" if view.centre else "not centred",
        "normalised" if view.normalise else "not normalised",
        f"{view.metric} distances",
        f"t-SNE, perplexity {view.perplexity:g}, start {view.start}" if view.method == "t-SNE" else view.method,
        f"seed {view.seed}",
    ]
    return " · ".join(parts)


def _available(choice: str, seen: Sight, shown: Map) -> str:
    """The colour or label that was asked for, where this map has it."""
    column = "cluster" if choice == charts.FOUND else charts.SCALES.get(choice, ("word", ""))[0]
    return choice if column in shown.points else "group"
