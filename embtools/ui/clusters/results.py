"""The slow computations of the Clusters page, done before anything is drawn: Stop works only outside of fragments."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from embtools.clusters import maps, tsne
from embtools.clusters.density import Density
from embtools.clusters.kmeans import Found
from embtools.clusters.maps import Map
from embtools.ui import cached, jobs
from embtools.ui.clusters import computing, inputs
from embtools.ui.clusters.computing import Drawn
from embtools.ui.clusters.inputs import COLOUR, FIND, FIRST, LABEL, PICK, Asked, Extras

T = TypeVar("T")


@dataclass(frozen=True)
class Picture:
    """A map with its query, and its density where contours were requested and can be drawn."""

    asked: Asked
    drawn: Drawn
    density: Density | None = None


@dataclass(frozen=True)
class Sight:
    """The results of the page, with the query that they answer.

    asked, extras         the query that the fields described
    answer, first         the map; None where not even the default example can be drawn
    second, found, stable the optional additions, where they could be computed
    problems              what is wrong with the fields
    drawn_with            the values of the display fields, if there are two maps that depend on them
    """

    asked: Asked
    extras: Extras
    answer: jobs.Answer[Drawn] | None = None
    first: Picture | None = None
    second: Picture | None = None
    found: Found | None = None
    stable: pd.DataFrame | None = None
    problems: tuple[str, ...] = ()

    drawn_with: tuple[str, ...] = ()

    def same(self, model: str) -> bool:
        """Whether the fields still describe this query and, with two maps, the same display."""
        return (self.asked, self.extras, self.drawn_with) == (*_fields(model), _drawn_with(self.extras))


def take(model: str) -> Sight:
    """Compute what the fields ask for. A slow map waits for its button; until then PCA is shown."""
    asked, extras = _fields(model)
    problems: list[str] = []
    begun = _begun(model, asked, extras)
    answer = jobs.ask(
        "clusters",
        computing.draw,
        model,
        (model, asked if begun else inputs.preview(asked)),
        (model, FIRST),
        label="Drawing the map",
        tell=lambda error: problems.append(str(error)),
    )
    if answer is None:
        return Sight(asked, extras, problems=tuple(problems), drawn_with=_drawn_with(extras))
    shown: Asked = answer.asked[1]

    def had(label: str, function: Callable[..., T], *arguments: Any) -> T | None:
        name = f"clusters-{function.__name__}-{len(arguments)}"
        try:
            return jobs.run(name, function, model, model, *arguments, label=label)
        except ValueError as error:
            problems.append(str(error))
            return None

    def picture(asked: Asked, drawn: Drawn) -> Picture:
        return Picture(
            asked, drawn, had("Measuring the density", computing.contours, asked) if extras.density else None
        )

    stable = found = second = None
    if extras.stability and begun and shown.view.method == "t-SNE":
        stable = had("Drawing maps from five random starts", computing.stability, shown)
    if extras.clusters:
        found = had("Finding clusters", computing.find, shown, extras.clusters)
    first = picture(shown, answer.value)
    if extras.beside == shown.view.method:
        problems.append(f"The first map already uses {extras.beside}. Choose another method for the second map.")
    elif extras.beside:
        other = inputs.beside(shown, extras.beside)
        if _second_begun(model, other) and (drawn := had("Drawing the second map", computing.draw, other)):
            second = picture(other, drawn)
    return Sight(asked, extras, answer, first, second, found, stable, tuple(problems), _drawn_with(extras))


def dressed(seen: Sight, picture: Picture) -> Map:
    """The map of a picture with the optional columns that it can be coloured by: cluster, stability."""
    points, columns = picture.drawn.map.points, {}
    if seen.found:
        columns["cluster"] = [*seen.found.names, *[""] * (len(points) - len(seen.found.names))]
    if seen.stable is not None:
        columns["stability"] = seen.stable["stability"].to_numpy()
    return replace(picture.drawn.map, points=points.assign(**columns)) if columns else picture.drawn.map


def _fields(model: str) -> tuple[Asked, Extras]:
    return inputs.asked(model, cached.model(model).layers), inputs.extras()


def _drawn_with(extras: Extras) -> tuple[str, ...]:
    return tuple(str(field.value) for field in (PICK, FIND, COLOUR, LABEL)) if extras.beside else ()


def _begun(model: str, asked: Asked, extras: Extras) -> bool:
    """Whether the map may be drawn: at once if it is fast, otherwise after its button was pressed."""
    try:
        count, seconds = cached.compute(computing.effort, model, asked)
    except ValueError:
        return True  # drawing it reports the error
    fits = asked.view.method == "t-SNE" and count <= maps.MAX_TSNE
    if extras.stability and fits:
        seconds += (1 + maps.STABILITY_RUNS) * tsne.seconds(count)
    what = " and ".join([*(["sentences"] if asked.template else []), *(["t-SNE"] if fits else [])])
    if jobs.on_request("clusters", f"Compute {what} of {count:,} points", seconds, (model, asked, extras.stability)):
        return True
    st.caption(f"Until then, the map shows {inputs.preview(asked).view.method} of static embeddings.")
    return False


def _second_begun(model: str, other: Asked) -> bool:
    """Whether the second map, whose words are already read, may be drawn."""
    count, _ = cached.compute(computing.effort, model, other)
    if other.view.method != "t-SNE" or count > maps.MAX_TSNE:
        return True
    what = f"Compute the second map, t-SNE of {count:,} points"
    return jobs.on_request("clusters-second", what, tsne.seconds(count), (model, other))
