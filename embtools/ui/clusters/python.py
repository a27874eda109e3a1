"""The Python code that computes the same map and its numbers."""

from dataclasses import fields
from typing import Any

from embtools.ui.clusters.results import Picture, Sight
from embtools.ui.share import Code
from embtools.words import groups
from embtools.words.groups import PRESETS


def write(seen: Sight, code: Code) -> None:
    """Write the code for the map and for its optional additions."""
    if seen.first is None:
        return
    drawn, extras = seen.first.drawn, seen.extras
    code.add(
        "map",
        f"words = {_words(drawn.words)}",
        f"view = {_spelt(drawn.view)}",
        "read = points.read(words, model)",
        "drawn = maps.compute(read, view, model)",
        "print(drawn.points, drawn.axes, read.left_out, drawn.trust, drawn.measured, drawn.together, sep='\\n')",
        "print(trust.reading(drawn.trust, len(drawn)))",
        *(["print(finding(drawn.together))"] if drawn.map.together else []),
    )
    if seen.stable is not None:
        code.add(
            "stability",
            "stable = maps.stability(read, view)",
            "print(stable['stability'].mean(), stable.sort_values('stability'), sep='\\n')",
        )
    if seen.found:
        code.add(
            "found",
            f"unnamed = kmeans.find(read, view, {extras.clusters})",
            "print(unnamed.names, unnamed.table, unnamed.silhouette, unnamed.low, unnamed.high, sep='\\n')",
        )
    names = ["drawn"]
    if seen.second:
        names.append("second")
        code.add(
            "second",
            f"second = maps.compute(read, {_spelt(seen.second.drawn.view)}, model)",
            "print(second.points, second.trust, sep='\\n')",
        )
    for name, picture in zip(names, (seen.first, seen.second), strict=False):
        if picture and picture.density:
            code.add(
                f"density-{name}",
                f"places = {name}.points.query(\"kind == 'word'\")[['x', 'y']].to_numpy()",
                "print(density(places, view.seed).share)",
            )


def other(picture: Picture, sentence: str | None, names: tuple[str, str]) -> list[str]:
    """The code for the map of a second model; `sentence`: the page's sentence about shared neighbours, if any."""
    drawn = picture.drawn
    told = [
        "between = two_models.kept(read, other_read, view)",
        f"print(between, two_models.sentence(between, {names!r}), sep='\\n')",
    ]
    return [
        f"other_read = points.read({_words(drawn.words)}, other)",
        f"other_drawn = maps.compute(other_read, {_spelt(drawn.view)}, other)",
        "print(other_drawn.points, other_drawn.trust, sep='\\n')",
        *(told if sentence else []),
    ]


def _words(words: Any) -> str:
    same = next((name for name in PRESETS if groups.preset(name) == words.groups), None)
    return _spelt(words, groups=f"preset({same!r})" if same else repr(words.groups))


def _spelt(value: Any, **given: str) -> str:
    """The code that creates a dataclass, without arguments that have their default values."""
    parts = [
        f"{field.name}={given.get(field.name) or repr(getattr(value, field.name))}"
        for field in fields(value)
        if getattr(value, field.name) != field.default
    ]
    return f"{type(value).__name__}({', '.join(parts)})"
