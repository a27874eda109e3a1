"""The Python code that computes the same map and its numbers."""

from dataclasses import fields
from typing import Any

from embtools.ui.clusters.results import Picture, Results
from embtools.ui.share import Code
from embtools.words import groups
from embtools.words.groups import PRESETS


def write(results: Results, code: Code) -> None:
    """Write the code for the map and for its optional additions."""
    if results.first is None:
        return
    drawn, extras = results.first.drawn, results.extras
    code.add(
        "map",
        f"words = {_words(drawn.words)}",
        f"view = {_constructor(drawn.view)}",
        "read = points.read(words, model)",
        "drawn = maps.word_map(words, model, view=view)",
        "print(drawn.points, drawn.axes, read.left_out, drawn.trust, drawn.measured, drawn.neighbour_test, sep='\\n')",
        "print(trust.reading(drawn.trust, len(drawn)))",
        *(["print(finding(drawn.neighbour_test))"] if drawn.map.neighbour_test else []),
    )
    if results.stable is not None:
        code.add(
            "stability",
            "stable = maps.stability(words, model, view=view)",
            "print(stable['stability'].mean(), stable.sort_values('stability'), sep='\\n')",
        )
    if results.found:
        code.add(
            "found",
            f"clusters = kmeans.find_clusters(words, model, k={extras.clusters}, view=view)",
            "print(clusters.names, clusters.table, clusters.silhouette, clusters.low, clusters.high, sep='\\n')",
        )
    names = ["drawn"]
    if results.second:
        names.append("second")
        code.add(
            "second",
            f"second = maps.word_map(words, model, view={_constructor(results.second.drawn.view)})",
            "print(second.points, second.trust, sep='\\n')",
        )
    for name, picture in zip(names, (results.first, results.second), strict=False):
        if picture and picture.density:
            code.add(
                f"density-{name}",
                f"print(density.map_density(words, model, view={name}.view).share)",
            )


def other(picture: Picture, sentence: str | None, names: tuple[str, str]) -> list[str]:
    """The code for the map of a second model; `sentence`: the page's sentence about shared neighbours, if any."""
    drawn = picture.drawn
    comparison = [
        "between = two_models.shared_neighbours(read, other_read, view)",
        f"print(between, two_models.sentence(between, {names!r}), sep='\\n')",
    ]
    return [
        f"other_read = points.read({_words(drawn.words)}, other)",
        f"other_drawn = maps.word_map(other_read.words, other, view={_constructor(drawn.view)})",
        "print(other_drawn.points, other_drawn.trust, sep='\\n')",
        *(comparison if sentence else []),
    ]


def _words(words: Any) -> str:
    same = next((name for name in PRESETS if groups.preset(name) == words.groups), None)
    return _constructor(words, groups=f"preset({same!r})" if same else repr(words.groups))


def _constructor(value: Any, **given: str) -> str:
    """The code that creates a dataclass, without arguments that have their default values."""
    parts = [
        f"{field.name}={given.get(field.name) or repr(getattr(value, field.name))}"
        for field in fields(value)
        if getattr(value, field.name) != field.default
    ]
    return f"{type(value).__name__}({', '.join(parts)})"
