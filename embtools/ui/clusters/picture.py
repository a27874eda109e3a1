"""A map as the page draws it, with its headline and its settings."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from embtools.charts.clusters import maps as charts
from embtools.charts.clusters.maps import Highlight
from embtools.clusters import group_tests, trust
from embtools.clusters.maps import Map
from embtools.ui import cached, figures, page
from embtools.ui.clusters import selected
from embtools.ui.clusters.computing import DrawnMap
from embtools.ui.clusters.inputs import COLOUR, LABEL
from embtools.ui.clusters.results import Picture, Results, with_additions

_SIZE = (1100, 850)  # pixels of a saved picture, so that all names have room


@dataclass(frozen=True)
class MapTexts:
    """The texts about a map.

    alt      its alt text
    trust    how far it can be trusted, in sentences
    several  its words of several tokens
    unnamed  columns of its points that its table leaves out
    """

    alt: str
    trust: str
    several: tuple[str, ...]
    unnamed: tuple[str, ...]


def map_texts(model: str, picture: Picture) -> MapTexts:
    """The texts about a map of this model, cached with it."""
    return cached.derive(_map_texts, picture.drawn, (model, picture.query))


def _map_texts(drawn: DrawnMap) -> MapTexts:
    points = drawn.map.points
    return MapTexts(
        charts.alt(drawn.map, drawn.view.method),
        trust.reading(drawn.map.trust, len(drawn.map)),
        tuple(points["word"][(points["tokens"] > 1).fillna(False)]),
        ("kind", "edited_word") if (points["edited_word"] == "").all() else ("kind",),
    )


def draw(
    model: str,
    results: Results,
    picture: Picture,
    highlight: Highlight,
    name: str,
    below: Callable[[], None],
    alt: Callable[[str], str] = lambda text: text,
) -> None:
    """Draw a map with its optional additions, on which words can be selected; `below` writes the text under it."""
    about = map_texts(model, picture)
    shown = with_additions(results, picture)
    points, method = shown.points, picture.drawn.view.method
    flat = "z" not in points
    figures.chart(
        cached.figure(
            charts.word_map,
            shown,
            colour=_available(COLOUR.value, results, shown),
            label=_available(LABEL.value, results, shown),
            highlight=highlight,
            free=method == "axes",
            density=picture.density,
        ),
        points.drop(columns=list(about.unnamed)),
        name=name,
        alt=alt(about.alt),
        select=("points", "box", "lasso") if flat else (),
        on_select=partial(selected.pick, name, tuple(points["word"])) if flat else "rerun",
        below=below,
        size=_SIZE,
    )
    if not flat or len(points) > charts.SVG_POINTS:
        st.html('<p class="needs-webgl">This map needs WebGL, which your browser does not support. Choose 2 dimensions'
                " and fewer words, or open the table.</p>")  # fmt: skip


def headline(picture: Picture, *, alone: bool) -> None:
    """Write the finding of a map: as the headline of the page, or with two models below the model's title."""
    finding, together = _finding(picture), picture.drawn.map.neighbour_test
    if alone:
        st.header(finding, anchor=False, width="content")
    else:
        st.text(finding, width="content")
    if together is not None and picture.drawn.words.shuffled is not None:  # otherwise the finding says it
        page.seen(
            f"{together.share:.0%} of [[nearest neighbour|nearest neighbours]] share the group"
            f" ({together.shuffled:.0%} [[shuffled groups|by chance]])"
        )


def _finding(picture: Picture) -> str:
    drawn = picture.drawn
    if drawn.words.shuffled is not None:
        return "The groups are shuffled: any pattern of groups that you still see is due to chance"
    if drawn.map.neighbour_test is None:
        return f"A map of {len(drawn.map):,} points"
    return group_tests.finding(drawn.map.neighbour_test)


def settings_line(picture: Picture) -> str:
    """The settings that the map was computed with, in one line."""
    words, view = picture.drawn.words, picture.drawn.view
    parts = [
        f"{len(picture.drawn.map):,} points",
        f"layer {words.layer} in a sentence" if words.template else "static embeddings",
        "centred" if view.centre else "not centred",
        "normalised" if view.normalise else "not normalised",
        f"{'cosine' if view.metric == 'cosine' else 'Euclidean'} distances",
        f"t-SNE, perplexity {view.perplexity:g}, start {view.start}" if view.method == "t-SNE" else view.method,
        f"seed {view.seed}",
    ]
    return " · ".join(parts)


def _available(choice: str, results: Results, shown: Map) -> str:
    """The chosen colour or label where this map has it, else "group"."""
    column = "cluster" if choice == charts.FOUND else charts.SCALES.get(choice, ("word", ""))[0]
    return choice if column in shown.points else "group"
