"""The second thing to try: a visitor's own words on a small map, drawn in place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from embtools.charts.style import GROUPS
from embtools.messages import counted, first_of
from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import entry, page, running, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Flag, Text
from embtools.ui.home import stored
from embtools.ui.shown import Model

if TYPE_CHECKING:
    from embtools.clusters.map_result import Map

FIRST = "pets: cat, dog, rabbit, parrot\ntools: hammer, knife, axe, needle\nfeelings: joy, fear, anger, grief"
MOST = 40
"""Words that have room for their names on the small map."""
WORDS, PRESSED = Text("map_words", FIRST, most=2_000), Flag("map_drawn")
FIELDS = (WORDS, PRESSED)
_SHAPES = ("circle", "square", "diamond", "triangle")
_WIDE, _HIGH = 300, 200  # the map in pixels on a small screen: names are placed for this size
_LETTER, _LINE, _DOT = 7.5, 16, 8  # pixels of a letter, a line of text, and a mark with its margin


class Containers(NamedTuple):
    """The containers for what needs the model: the map, and what is said about it or about the words."""

    map: Any
    finding: Any


@dataclass(frozen=True)
class Drawn:
    """A map as Home draws it: its headline, (word, group, x, y) for each point, and the words of several tokens."""

    headline: str
    points: tuple[tuple[str, str, float, float], ...]
    several: tuple[str, ...] = ()

    @classmethod
    def of(cls, result: "Map") -> "Drawn":
        """Return what Home needs of a map."""
        columns = (result.points[name].tolist() for name in ("word", "group", "x", "y"))
        return cls(result.headline, tuple(zip(*columns, strict=True)), result.several)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Drawn":
        """Return the map that `as_json` has stored."""
        return cls(stored["headline"], tuple(tuple(point) for point in stored["points"]), tuple(stored["several"]))

    def as_json(self, digits: int) -> dict[str, Any]:
        """Return the map for a JSON file, with positions of this many digits."""
        points = [[word, group, round(x, digits), round(y, digits)] for word, group, x, y in self.points]
        return {"headline": self.headline, "points": points, "several": list(self.several)}


def query(text: str) -> Call:
    """Return the query for a map of the words in a text; raises ValueError for a text that is no list of groups."""
    # Imported when somebody asks, because Home is painted before anything is computed.
    from embtools.clusters.maps import word_map
    from embtools.clusters.points import Words
    from embtools.clusters.view import View
    from embtools.words import groups

    given = groups.read_groups(text)
    if (size := sum(len(words) for _, words in given)) > MOST:
        raise ValueError(f"There are {size} words; this small map has room for {MOST}. Open them in Clusters.")
    return Call(word_map, words=Words(given, pieces="mean"), view=View("PCA"))


def field(name: str) -> Containers:
    """Draw the field for the words; returns the containers for the map, which may need the model."""
    st.header("Your words on a map", anchor=False)
    left, right = st.columns([2, 3], gap="small")
    with left:
        entry.text_area(
            "Groups (one per line)",
            height=140,
            help="For each group, write a name, a colon and comma-separated words. Three groups are enough.",
            **WORDS.widget,
        )
        st.button(
            "Draw the map",
            width="stretch",
            icon=":material/scatter_plot:",
            on_click=state.put,
            args=({} if name == BUNDLED else {PRESSED.key: True},),
            key="draw-map",
        )
    return Containers(right.container(), st.container(gap="small"))


def answer(containers: Containers, name: str) -> None:
    """Draw the map with one sentence. The map of the first words is stored, so that nothing is loaded for it."""
    first = str(WORDS.value) == WORDS.default
    if first and name == BUNDLED:
        _draw(containers, Drawn.from_json(stored.read()["map"]))
    elif first and not PRESSED.value and not Model(name).was_opened:
        with containers.map:
            st.text(f"{CATALOGUE[name].title} is not loaded yet. Press the button to draw these words.")
    else:
        from embtools.words.groups import left_out

        answers = running.ask(
            "mapped",
            lambda _: query(str(WORDS.value)),
            (Model(name),),
            query(FIRST),
            label="Drawing the map",
            container=containers.finding,
            prints=None,
        )
        for each in answers:
            _draw(containers, Drawn.of(each.value), each)
            for note in () if each.stale else left_out(str(WORDS.value)):
                containers.finding.text(note)
    with containers.finding:
        own = {"clusters_list": ["own"], "clusters_words_own": WORDS.write(WORDS.value)}
        st.page_link(
            "pages/clusters.py",
            label="Open in Clusters",
            icon=":material/arrow_forward:",
            query_params=page.common() | own | {"clusters_pieces": ["mean"], "clusters_method": ["pca"]},
        )


def _draw(containers: Containers, drawn: Drawn, answered: running.Answer[Any] | None = None) -> None:
    with containers.map:
        st.html(html(drawn))
    with containers.finding:
        if answered and answered.stale:
            st.text(f"Showing {answered.stale}.")
        st.subheader(texts.plain(drawn.headline), anchor=False)
        several = f" {first_of(drawn.several)}: the mean of several tokens." if drawn.several else ""
        st.caption(texts.plain(f"Counted with all numbers of each word, not on this flat map (PCA).{several}"))


def html(drawn: Drawn) -> str:
    """Return the map as HTML: a mark and a name for each word, both axes on the same scale."""
    kinds = dict(zip(dict.fromkeys(group for _, group, _, _ in drawn.points), count()))
    marks = "".join(
        f'<i class="{_SHAPES[kinds[group] % len(_SHAPES)]}" style="{_at(x, y)}; color: {_colour(kinds[group])}"></i>'
        f'<span style="{_at(left, top)}">{escape(word)}</span>'
        for (word, group, x, y), (left, top) in zip(_scaled(drawn), _names(_scaled(drawn)), strict=True)
    )
    legend = "".join(
        f'<li><i class="{_SHAPES[number % len(_SHAPES)]}" style="color: {_colour(number)}"></i>{escape(group)}</li>'
        for group, number in kinds.items()
    )
    alt = (
        f"A map of {counted(len(drawn.points), 'word')} in {counted(len(kinds), 'group')}: {', '.join(kinds)}."
        f" {drawn.headline}"
    )
    picture = f'<div class="small-map" role="img" aria-label="{escape(alt)}">{marks}</div>'
    return picture + f'<ul class="map-groups">{legend}</ul>'


def _colour(number: int) -> str:
    return GROUPS[number % len(GROUPS)]


def _at(x: float, y: float) -> str:
    return f"left: {100 * x / _WIDE:.1f}%; top: {100 * y / _HIGH:.1f}%"


def _scaled(drawn: Drawn) -> list[tuple[str, str, float, float]]:
    """Return the points in pixels of the map, with room for the marks at its edges."""
    xs, ys = [point[2] for point in drawn.points], [point[3] for point in drawn.points]
    room = max((max(xs) - min(xs)) / (_WIDE - 60), (max(ys) - min(ys)) / (_HIGH - 40)) or 1.0
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [
        (word, group, _WIDE / 2 + (x - middle[0]) / room, _HIGH / 2 - (y - middle[1]) / room)
        for word, group, x, y in drawn.points
    ]


def _names(points: list[tuple[str, str, float, float]]) -> Iterator[tuple[float, float]]:
    """Yield for each point the left upper corner of its name: beside, above or below the mark, where there is room."""
    taken = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for _, _, x, y in points]
    for word, _, x, y in points:
        wide = len(word) * _LETTER
        beside = [(x + _DOT, y - _LINE / 2), (x - _DOT - wide, y - _LINE / 2)]
        rows = y - _DOT - _LINE, y + _DOT
        offered = [*beside, *((left, top) for left in (x - wide / 2, x, x - wide) for top in rows)]
        inside = [(left, top) for left, top in offered if 0 <= left <= _WIDE - wide and 0 <= top <= _HIGH - _LINE]
        left, top = min(inside or offered[:1], key=lambda at: _covered(at, wide, taken))
        taken.append((left, top, left + wide, top + _LINE))
        yield left, top


def _covered(at: tuple[float, float], wide: float, taken: list[tuple[float, float, float, float]]) -> float:
    """Return how much of a name at this corner would lie on what has been placed, in square pixels."""
    (left, top), right, bottom = at, at[0] + wide, at[1] + _LINE
    return sum(
        max(0.0, min(right, other[2]) - max(left, other[0])) * max(0.0, min(bottom, other[3]) - max(top, other[1]))
        for other in taken
    )
