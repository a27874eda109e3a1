"""The slow computations of the Clusters page, done before anything is drawn: Stop works only outside of fragments."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from embtools.clusters import maps, tsne
from embtools.clusters.density import Density
from embtools.clusters.kmeans import FoundClusters
from embtools.clusters.maps import Map
from embtools.ui import cached, jobs
from embtools.ui.clusters import computing, inputs
from embtools.ui.clusters.computing import DrawnMap
from embtools.ui.clusters.inputs import COLOUR, FIND, FIRST, LABEL, PICK, Extras, Query

T = TypeVar("T")


@dataclass(frozen=True)
class Picture:
    """A map with its query, and its density where contours were requested and can be drawn."""

    query: Query
    drawn: DrawnMap
    density: Density | None = None


@dataclass(frozen=True)
class Results:
    """The results of the page, with the query that they answer.

    query, extras          the query that the fields described
    answer, first          the map; None where not even the default example can be drawn
    second, found, stable  the optional additions, where they could be computed
    problems               what is wrong with the fields
    display                the values of the display fields, if there are two maps that depend on them
    """

    query: Query
    extras: Extras
    answer: jobs.Answer[DrawnMap] | None = None
    first: Picture | None = None
    second: Picture | None = None
    found: FoundClusters | None = None
    stable: pd.DataFrame | None = None
    problems: tuple[str, ...] = ()

    display: tuple[str, ...] = ()

    def is_current(self, model: str) -> bool:
        """Whether the fields still describe this query and, with two maps, the same display."""
        return (self.query, self.extras, self.display) == (*_fields(model), _display(self.extras))


def compute_results(model: str) -> Results:
    """Compute what the fields ask for. A slow map waits for its button; until then PCA is shown."""
    query, extras = _fields(model)
    problems: list[str] = []
    may_draw = _may_draw(model, query, extras)
    answer = jobs.ask(
        "clusters",
        computing.draw,
        model,
        (model, query if may_draw else inputs.preview(query)),
        (model, FIRST),
        label="Drawing the map",
        tell=lambda error: problems.append(str(error)),
    )
    if answer is None:
        return Results(query, extras, problems=tuple(problems), display=_display(extras))
    shown: Query = answer.asked[1]

    def computed(label: str, function: Callable[..., T], *arguments: Any) -> T | None:
        name = f"clusters-{function.__name__}-{len(arguments)}"
        try:
            return jobs.run(name, function, model, model, *arguments, label=label)
        except ValueError as error:
            problems.append(str(error))
            return None

    def picture(query: Query, drawn: DrawnMap) -> Picture:
        return Picture(
            query, drawn, computed("Measuring the density", computing.contours, query) if extras.density else None
        )

    stable = found = second = None
    if extras.stability and may_draw and shown.view.method == "t-SNE":
        stable = computed("Drawing maps from five random starts", computing.stability, shown)
    if extras.clusters:
        found = computed("Finding clusters", computing.find, shown, extras.clusters)
    first = picture(shown, answer.value)
    if extras.beside == shown.view.method:
        problems.append(f"The first map already uses {extras.beside}. Choose another method for the second map.")
    elif extras.beside:
        other = inputs.by_method(shown, extras.beside)
        if _may_draw_second(model, other) and (drawn := computed("Drawing the second map", computing.draw, other)):
            second = picture(other, drawn)
    return Results(query, extras, answer, first, second, found, stable, tuple(problems), _display(extras))


def with_additions(results: Results, picture: Picture) -> Map:
    """The map of a picture with the optional columns that it can be coloured by: cluster, stability."""
    points, columns = picture.drawn.map.points, {}
    if results.found:
        columns["cluster"] = [*results.found.names, *[""] * (len(points) - len(results.found.names))]
    if results.stable is not None:
        columns["stability"] = results.stable["stability"].to_numpy()
    return replace(picture.drawn.map, points=points.assign(**columns)) if columns else picture.drawn.map


def _fields(model: str) -> tuple[Query, Extras]:
    return inputs.query(model, cached.model(model).layers), inputs.extras()


def _display(extras: Extras) -> tuple[str, ...]:
    return tuple(str(field.value) for field in (PICK, FIND, COLOUR, LABEL)) if extras.beside else ()


def _may_draw(model: str, query: Query, extras: Extras) -> bool:
    """Whether the map may be drawn: at once if it is fast, otherwise after its button was pressed."""
    try:
        count, seconds = cached.compute(computing.effort, model, query)
    except ValueError:
        return True  # drawing it reports the error
    fits = query.view.method == "t-SNE" and count <= maps.MAX_TSNE
    if extras.stability and fits:
        seconds += (1 + maps.STABILITY_RUNS) * tsne.seconds(count)
    what = " and ".join([*(["sentences"] if query.template else []), *(["t-SNE"] if fits else [])])
    if jobs.on_request("clusters", f"Compute {what} of {count:,} points", seconds, (model, query, extras.stability)):
        return True
    st.caption(f"Until then, the map shows {inputs.preview(query).view.method} of static embeddings.")
    return False


def _may_draw_second(model: str, other: Query) -> bool:
    """Whether the second map, whose words are already read, may be drawn."""
    count, _ = cached.compute(computing.effort, model, other)
    if other.view.method != "t-SNE" or count > maps.MAX_TSNE:
        return True
    what = f"Compute the second map, t-SNE of {count:,} points"
    return jobs.on_request("clusters-second", what, tsne.seconds(count), (model, other))
