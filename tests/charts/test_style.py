"""Colours that everybody can distinguish on both pages, and readable texts."""

import itertools
import tomllib
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from coloraide import Color

from embtools.charts import style
from embtools.charts.matrix import fitted_scale

SIDES = {"light": style.LIGHT, "dark": style.DARK}
CONFIG = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_every_colour_reaches_3_to_1_on_its_page() -> None:
    for page, background in style.PAGES.items():
        for colour in (*SIDES[page], *style.GROUPS):
            assert Color(colour).contrast(background) >= 3, colour


@pytest.mark.parametrize("vision", ["all", "deutan", "protan", "tritan"])
def test_colours_differ_for_every_kind_of_colour_vision(vision: str) -> None:
    few, groups = style.GROUPS[:8], style.GROUPS
    for colours, apart in ((SIDES["light"], 10), (SIDES["dark"], 10), (few, 13), (groups, 6)):
        seen = [Color(c) if vision == "all" else Color(c).filter(vision) for c in colours]
        assert min(a.delta_e(b, method="2000") for a, b in itertools.combinations(seen, 2)) >= apart


def test_texts_reach_4_5_to_1_and_rules_are_quiet() -> None:
    assert Color(style.INK).contrast(style.PAGES["light"]) >= 7
    assert Color(style.PALE_INK).contrast(style.PAGES["dark"]) >= 7
    assert Color(style.RULE).contrast(style.PAGES["light"]) < 1.5
    assert Color(style.PALE_RULE).contrast(style.PAGES["dark"]) < 2


def test_the_pages_are_those_of_the_theme() -> None:
    for page, background in style.PAGES.items():
        assert CONFIG["theme"][page]["backgroundColor"] == background
        second = CONFIG["theme"][page]["secondaryBackgroundColor"]
        assert Color(CONFIG["theme"][page]["textColor"]).contrast(second) >= 7
        assert Color(CONFIG["theme"][page]["primaryColor"]).contrast(background) >= 4.5
        assert tuple(CONFIG["theme"][page]["chartCategoricalColors"]) == SIDES[page]


def drawn() -> go.Figure:
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4], marker={"color": np.array([style.BLUE, style.LOSS])}))
    figure.add_bar(x=[1], y=[2], marker={"color": "#0072b2"})
    figure.add_annotation(text="#0072B2 is a word here", arrowcolor=style.GREEN)
    return figure


def test_a_dark_page_has_its_own_colours_and_the_figure_stays_as_it_is() -> None:
    figure = drawn()
    dark = go.Figure(style.sent(figure, dark=True))
    assert list(dark.data[0].marker.color) == [style.DARK[0], style.DARK[1]]
    assert dark.data[1].marker.color == style.DARK[0]
    assert dark.layout.annotations[0].arrowcolor == style.DARK[2]
    assert dark.layout.annotations[0].text == "#0072B2 is a word here"
    assert dark.layout.xaxis.tickfont.color == style.PALE_INK
    assert figure.data[1].marker.color == "#0072b2"


def test_a_tint_is_converted_for_a_dark_page() -> None:
    figure = go.Figure(
        go.Heatmap(z=[[1]], colorscale=[[0, style.tint(style.BLUE, 0)], [1, style.tint(style.BLUE, 0.5)]])
    )
    dark = go.Figure(style.sent(figure, dark=True))
    assert [stop for _, stop in dark.data[0].colorscale] == [style.tint(style.DARK[0], share) for share in (0, 0.5)]


def test_a_light_page_has_texts_that_can_be_read() -> None:
    figure = go.Figure(style.sent(drawn()))
    assert figure.layout.xaxis.tickfont.color == figure.layout.yaxis.title.font.color == style.INK
    assert figure.data[1].marker.color == "#0072b2"


@pytest.mark.parametrize("page", ["light", "dark"])
def test_numbers_can_be_read_on_every_tint(page: str) -> None:
    for _, tint in style.TINTS:
        mixed = Color.layer([style.shade(tint, page == "dark"), style.PAGES[page]], space="srgb")
        assert Color(style.shade(style.INK, page == "dark")).contrast(mixed) >= 4.5


def test_signed_values_have_the_same_colours_on_every_page() -> None:
    ends = [(stops[0][1], stops[-1][1]) for stops in (style.TINTS, fitted_scale(np.array([-1.0, 1.0]), "cosine").stops)]
    for low, high in ends:
        assert (Color(low).set("alpha", 1).to_string(hex=True), Color(high).set("alpha", 1).to_string(hex=True)) == (
            style.DIVERGING[0][1].lower(),
            style.DIVERGING[-1][1].lower(),
        )


def test_labels_of_several_lines_are_escaped() -> None:
    assert style.wrap("a <b> in two lines", 6) == "a &lt;b&gt;<br>in two<br>lines"
    assert style.wrap("", 8) == " "
    assert style.wrap("one two three four", 8, 2) == "one two<br>three …"


@pytest.mark.parametrize(
    ("word", "shown"), [("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"), ("a & b", "a &amp; b"), ("##ing", "##ing")]
)
def test_a_word_is_escaped(word: str, shown: str) -> None:
    assert style.label(word) == shown
