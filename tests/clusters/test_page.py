"""The Clusters page without a browser."""

import ast
import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import pandas as pd
import pytest

from embtools.clusters import trust
from embtools.statistics import neighbour_test
from embtools.ui.clusters import selected, words
from embtools.words import groups as words_groups

FOLDS = ("trust", "groups", "dimensions")
Page = Callable[..., Any]


@pytest.fixture(scope="module")
def page(visit) -> Page:
    """Open the Clusters page with fields, named without "clusters_"; `open` and `run` are those of every page."""

    def opened(**fields: Any) -> Any:
        common = {name: fields.pop(name) for name in ("open", "run") if name in fields}
        return visit("clusters", **common, **{f"clusters_{name}": value for name, value in fields.items()})

    return opened


def own(page: Page, text: str, **fields: Any) -> Any:
    return page(list="own", words_own=text, **fields)


def points(test: Any) -> pd.DataFrame:
    return test.table("word", "group", "x")


# Examples and lists


@pytest.mark.slow
def test_examples_of_kinds_that_k_means_finds_and_of_an_edited_word(page: Page) -> None:
    found = page().press("example-Map-Four topics without labels").table("typical")["count"]
    assert len(found) == 4 and found.min() >= 10  # twelve of each kind
    test = page().press("example-Map-Move Rome to France")
    assert test.table("neighbour", "rank_on_map")["word"].unique().tolist() == ["rome", "rome - italy + france"]


# What is wrong, and what is shown meanwhile


def test_the_vocabulary_has_no_sentence(page: Page) -> None:
    test = page(list="vocabulary", source="sentence", method="pca")
    assert "by static embeddings only" in "\n".join(test.problems) and test.charts


def test_a_selected_word_that_is_not_on_the_map_is_named(page: Page) -> None:
    test = page(pick="Atlantis, Rome, PARIS, rome", panel="selected")
    assert test.problems == ["⚠ Not on the map: Atlantis. Select words that are on it."]
    assert set(test.table("word", "neighbour")["word"]) == {"rome", "paris"}  # capitals make no difference


def test_a_word_that_occurs_before_is_left_out_and_named(page: Page) -> None:
    test = own(page, "a: red, blue, green\nb: dog, red, cat", method="pca")
    assert not test.problems and test.says("Left out, because it is in 'a' already: 'red' in 'b'.")


def test_words_of_several_tokens_have_a_badge_and_a_button_adds_them(page: Page) -> None:
    test = own(page, "a: red, green, blue, supercalifragilisticexpialidocious\nb: dog, cat, horse", method="pca")
    assert not test.problems and test.says("1 left out") and len(points(test)) == 6
    test.press("Use the mean of their tokens")
    assert test.says("1 read as the mean of their tokens") and len(points(test)) == 7


# Long work


def waits(test: Any) -> list[str]:
    return [b.label for b in test.button if b.label.startswith("Compute ")]


@pytest.fixture(scope="module")
def many(bundled) -> str:
    """1,990 words in two groups."""
    whole = [p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and len(p) > 3][:1_990]
    return "a: " + ", ".join(whole[:1_000]) + "\nb: " + ", ".join(whole[1_000:])


@pytest.mark.slow
def test_a_long_t_sne_is_drawn_after_its_button(page: Page, many: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from embtools.statistics import tsne

    monkeypatch.setattr(tsne, "_fit", lambda vectors, view: vectors[:, :2].copy())  # what takes time is not the point
    test = own(page, many, perplexity=31)
    assert waits(test) == ["Compute t-SNE of 1,990 points"]
    assert test.says("Until then, the map shows PCA of static embeddings.", "1,990 points", "PCA · seed 0")
    test.press(waits(test)[0])
    assert not waits(test) and test.says("t-SNE, perplexity 31")
    assert waits(own(page, many, perplexity=31))  # nobody's press counts for anybody else
    test.put("clusters_perplexity", 32)
    assert waits(test)


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"found": 3}, "Finding clusters"),
        ({"stability": True}, "Drawing maps from five random starts"),
    ],
)
def test_additions_can_be_stopped(page: Page, stop, fields: dict[str, Any], label: str) -> None:
    stop(label)
    test = page(list="months", **fields)
    assert f"{label} was stopped." in "\n".join(test.problems) and test.says("12 points")
    test.press("Run again")
    assert not test.problems


@pytest.mark.slow
def test_long_sentences_and_many_starts_wait_for_their_button(page: Page) -> None:
    assert not waits(page(list="animals", source="sentence", method="pca"))
    sentence = "The {word} is here." + " The river is long." * 98
    test = page(list="animals", source="sentence", method="pca", sentence_animals=sentence)
    assert waits(test) == ["Compute sentences of 69 points"]
    assert not waits(page(list="cities", stability=True, formulas="paris + rome"))
    whole = page(list="animals", stability=True, source="sentence", sentence_animals=sentence)
    assert waits(whole) == ["Compute sentences and t-SNE of 69 points"]


@pytest.mark.slow
def test_a_map_is_read_and_drawn_once_for_all_results(page: Page, cold, monkeypatch: pytest.MonkeyPatch) -> None:
    from embtools.clusters import points
    from embtools.statistics import tsne

    calls: list[str] = []
    for module, name in ((points, "of_words"), (tsne, "_fit")):
        original = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, _n=name, _o=original, **k: (calls.append(_n), _o(*a, **k))[1])
    test = page(
        list="months", source="sentence", found=3, density=True, beside="pca", pick="may", panel="selected",
        open=list(FOLDS),
    )  # fmt: skip
    assert not test.problems and sorted(calls) == ["_fit", "of_words"]
    test.put("clusters_pick", "june")
    assert sorted(calls) == ["_fit", "of_words"]


# Uploads


def test_an_upload_becomes_own_words() -> None:
    given = words._read(b"word,group\nred,a\ngreen,a\nblue,a\ndog,b\ncat,b\nhorse,b\n")
    assert given["clusters_list"] == "own words"
    assert given["clusters_words_own"] == "a: red, green, blue\nb: dog, cat, horse"
    assert set(given) - {"clusters_list", "clusters_words_own"} == {"clusters_only", "clusters_pick"}


def test_too_many_words_for_a_link_are_reported(page: Page, many: str) -> None:
    test = own(page, many[:7_000], method="pca")
    assert "clusters_words_own" not in test.query_params
    test.session_state["share-link"] = True
    test.run()
    assert test.says("clusters_words_own")


# The code


def copied(test: Any, bundled: Any) -> SimpleNamespace:
    found = test.copied(bundled)
    ast.parse(found.code)
    return found


def same(shown: pd.DataFrame, printed: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(shown.reset_index(drop=True), printed.reset_index(drop=True))


@pytest.mark.slow
def test_copied_python_gives_every_number_shown(page: Page, bundled) -> None:
    test = page(
        list="months", formulas="january + june", stability=True, pick="may, january + june", find="ju*",
        panel="selected", open=list(FOLDS),
    )  # fmt: skip
    assert not test.problems
    found = copied(test, bundled)
    frames = found.frames
    shown = points(test)
    same(shown.drop(columns="stability"), found.drawn.points[list(shown.columns.drop("stability"))])
    for columns in (
        ("measure", "shuffled", "meaning"), ("measure", "shuffled_low", "p_value"), ("neighbour", "rank_on_map"), ("basis", "share"),
        ("basis", "accuracy"), ("f", "highest_group"),
    ):  # fmt: skip
        table = test.table(*columns).reset_index(drop=True)
        assert any(p.reset_index(drop=True).equals(table) for p in frames), columns
    starts = next(t for t in test.tables if list(t.columns) == ["word", "stability"])
    same(starts, found.stable.sort_values("stability"))
    wide = next(t for t in test.tables if list(t.columns) == ["word", "neighbour", "cosine"])
    assert any(p.equals(wide) for p in frames)
    for row in found.drawn.trust.itertuples():
        assert test.says(f"{row.measure} {row.value:.2f} ({row.shuffled:.2f} shuffled)")
    assert test.says(f"stability {found.stable['stability'].mean():.2f}")
    assert test.says(f"On average {found.stable['stability'].mean():.0%} of a word's neighbours")
    together = found.drawn.neighbour_test
    assert test.says(neighbour_test.finding(together))
    assert test.says(trust.reading(found.drawn.trust, len(found.drawn)))
    for basis, (true, low, high) in found.spread.half.items():
        assert test.says(f"{true} {basis} hold half", f"With shuffled groups, it takes {low} to {high}, so")
    assert test.says(
        f"In {found.spread.clear} of {found.spread.total} dimensions, the F of your groups exceeds at least 95%"
    )
    assert found.found_words == ("june", "july") and any(value is found.found_words for value in found.printed)
    assert {"may", "january + june"} == set(test.table("neighbour", "rank_on_map")["word"])


def test_copied_python_says_no_more_than_the_page(page: Page, bundled) -> None:
    found = copied(page(list="months", method="pca"), bundled)
    assert not {"stable", "clusters", "second", "spread", "neighbours", "matches"} & set(vars(found))
    assert "drawn = word_map(Words(groups=preset('months')), model, view=View(method='PCA'))" in found.code


def test_copied_python_runs_where_there_is_less_to_show(page: Page, bundled) -> None:
    for text in ("colours: red, green, blue, black", "a: red, sea\nb: dog"):
        test = own(page, text, method="pca", open=list(FOLDS))
        assert not test.problems
        assert not hasattr(copied(test, bundled), "spread")


def test_clusters_density_and_a_second_map(page: Page, bundled) -> None:
    test = page(list="months", formulas="january + june", colour="found", found=3, density=True, beside="pca")
    assert not test.problems and len(test.charts) == 2
    code = copied(test, bundled)
    same(test.table("typical"), code.clusters.table)
    assert test.says(
        f"Mean silhouette: {code.clusters.silhouette:.2f}.", f"{code.clusters.low:.2f} to {code.clusters.high:.2f}"
    )
    shown = [table for table in test.tables if {"word", "x", "y", "cluster"} <= set(table)]
    assert len(shown) == 2
    for frame, drawn in zip(shown, (code.drawn, code.second), strict=True):
        assert frame[["x", "y"]].to_numpy() == pytest.approx(drawn.points[["x", "y"]].to_numpy())
        assert frame["cluster"].tolist() == [*code.clusters.names, ""]
    for row in code.second.trust.itertuples():
        assert test.says(f"{row.measure} {row.value:.2f}")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"words_own": "a: red, green, blue", "found": 5, "colour": "found"}, "cannot be divided into 5"),
        ({"words_own": "a: red, green, blue", "beside": "pca"}, "already uses PCA"),
        ({"list": "months", "method": "axes", "x": "she - he", "y": "she - he", "density": True}, "All points lie on a line"),
    ],
)  # fmt: skip
def test_additions_that_cannot_be_computed_are_reported(
    page: Page, bundled, fields: dict[str, Any], message: str
) -> None:
    test = page(**({"list": "own", "method": "pca"} | fields))
    assert message in "\n".join(test.problems) and len(test.charts) == 1
    assert {"clusters", "second", "density"}.isdisjoint(vars(copied(test, bundled)))  # and the code runs to its end


# Selections


def spec(test: Any, number: int = 0) -> dict[str, Any]:
    return json.loads(test.charts[number].spec)


def test_a_selected_word_has_its_neighbours_listed(page: Page) -> None:
    test = page(pick="leeds", panel="selected")
    table = test.table("neighbour", "rank_on_map")
    assert len(table) == 5 and table["cosine"].is_monotonic_decreasing and set(table["word"]) == {"leeds"}
    assert test.says(f"Nearest to “leeds” in the space: {', '.join(table['neighbour'])}.", "frequency rank")
    bright = [t for t in spec(test)["data"] if isinstance(t.get("marker", {}).get("opacity"), dict | list)]
    assert len(bright) == 15


def test_of_many_selected_words_the_first_hundred_are_listed(page: Page) -> None:
    cities = [city for _, members in words_groups.preset("cities of 15 countries") for city in members][:110]
    test = page(list="cities", method="pca", pick=words_groups.write_words(cities), panel="selected")
    assert not test.problems and test.says("110 selected", "Only the first 100 are listed.")
    assert test.table("neighbour", "rank_on_map")["word"].unique().tolist() == cities[:100]


def test_a_map_of_the_selected_words_only_and_back(page: Page) -> None:
    test = page(pick="rome, paris, madrid, berlin", panel="selected")
    test.press("Map only these 4 words")
    assert test.says("4 points") and test.query_params["clusters_only"] == "rome, paris, madrid, berlin"
    test.press("Show all words again")
    assert test.says("73 points") and "clusters_only" not in test.query_params


def test_a_second_map_marks_the_same_words(page: Page) -> None:
    test = page(list="months", beside="pca", pick="may")
    assert [
        sum(t.get("marker", {}).get("symbol") == "circle-open" for t in spec(test, number)["data"]) for number in (0, 1)
    ] == [1, 1]


class Clicks:
    """Select points on a map, and run the callback after the session state has changed, as Streamlit does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.state: dict[str, Any] = {"clusters_pick": "", "clusters_panel": "Words"}
        for module in (selected.st, selected.state.st):
            monkeypatch.setattr(module, "session_state", self.state)

    def __call__(self, words: tuple[str, ...], rows: list[int], name: str = "map") -> str:
        custom = [{"customdata": {"0": row} if row % 2 else [row]} for row in rows]
        self.state[f"chart-{name}"] = {"selection": {"points": [*custom, {"customdata": None}]}}
        selected.pick(name, words)
        return self.state["clusters_pick"]


def test_a_click_replaces_the_selection_and_a_second_one_clears_it(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("may", "june", "a, b", "july")
    click = Clicks(monkeypatch)
    assert click(words, [1]) == "june" and click.state["clusters_panel"] == "Selected"
    assert click(words, [3], "second-map") == "july"
    assert click(words, [3]) == ""
    assert click(words, [1, 2]) == 'june, "a, b"'
    assert click(words, [9]) == ""  # rows of another map are none of this one
    assert click(words, []) == ""


def test_colours_labels_and_search(page: Page) -> None:
    for colour in ("rank", "kept", "stability"):
        test = page(list="months", colour=colour, label="group", find="ju*", stability=True, panel="selected")
        assert not test.problems and test.says("2 of 12 match: june, july")
        assert "colorbar" in spec(test)["layout"]["coloraxis"]


def test_a_colour_that_this_map_lacks_is_replaced(page: Page) -> None:
    test = page(list="months", colour="stability", label="found", panel="map")
    assert not test.problems and test.field("clusters_colour").value == "group"
    assert "coloraxis" not in spec(test)["layout"]


def test_the_page_computes_nothing_in_closed_expanders(page: Page) -> None:
    test = page()
    assert len(test.charts) == 1 and not test.problems
    assert not any({"f", "highest_group"} <= set(t) or "p_value" in t for t in test.tables)


# Links that were promised open the same map, with the same numbers

ORDER = ("trustworthiness", "continuity", "neighbours kept", "distances in order")
GROUPS = (
    "silhouette in the space", "silhouette on the map", "nearest neighbour in own group", "agreement with k-means",
)  # fmt: skip
# The link, the line that states the settings, and the figures shown.
LINKS = [
    (
        "clusters_list=cities&clusters_formulas=rome+%3D+rome+-+italy+%2B+france&clusters_method=pca"
        "&clusters_seed=7&clusters_centre=true&clusters_metric=euclidean&clusters_colour=kept"
        "&clusters_pick=rome",
        "122 points · static embeddings · centred · not normalised · Euclidean distances · PCA · seed 7",
        ("0.73", "0.80", "0.26", "0.52"),
        ("0.06", "-0.19", "0.88", "0.53"),
    ),
    (
        "clusters_list=own&clusters_words_own=warm%3A+red%2C+orange%2C+yellow%2C+pink%0Acold%3A+blue%2C"
        "+green%2C+grey%2C+white&clusters_perplexity=3&clusters_found=2&clusters_density=true"
        "&clusters_colour=found",
        "8 points · static embeddings · not centred · not normalised · cosine distances · t-SNE, perplexity 3, start pca"
        " · seed 0",
        ("0.72", "0.71", "0.62", "0.60"),
        ("0.04", "0.23", "0.62", "0.12"),
    ),
    pytest.param(
        "clusters_list=vocabulary&clusters_method=pca&clusters_label=nothing&clusters_find=%2Aology%2C+%2Aism",
        "29,523 points · static embeddings · not centred · not normalised · cosine distances · PCA · seed 0",
        ("0.59", "0.54", "0.02", "0.22"),
        ("-0.23", "-0.02", "0.30", "0.07"),
        marks=pytest.mark.slow,
    ),
    (
        "clusters_method=means&clusters_shuffle=true&clusters_beside=pca&clusters_pick=rome%2C+paris"
        "&clusters_only=rome%2C+paris%2C+madrid%2C+berlin%2C+london%2C+leeds%2C+cork%2C+milan%2C+lyon",
        "9 points · static embeddings · not centred · not normalised · cosine distances · group means · seed 0",
        ("0.73", "0.83", "0.75", "0.77"),
        ("-0.04", "0.05", "0.22", "0.21"),
    ),
]


@pytest.mark.parametrize(("link", "headline", "trust", "groups"), LINKS)
def test_a_promised_link_opens_the_same_map(visit, link: str, headline: str, trust, groups) -> None:
    test = visit("clusters", **parse_qs(link), open="groups")
    assert not test.problems and test.says(headline)
    # Rounding differs between processors, and t-SNE makes it larger: with eight points, another processor may find a map
    # that keeps more (0.83 instead of 0.72), but none that keeps clearly less.
    moves = "t-SNE" in headline
    text = " ".join(test.texts)
    measured = [float(re.search(rf"{name} (\d\.\d\d) ", text)[1]) for name in ORDER]
    expected = [float(value) for value in trust]
    if moves:
        assert all(one > other - 0.1 for one, other in zip(measured, expected, strict=True)), measured
    else:
        assert measured == pytest.approx(expected, abs=0.006)
    table = test.table("measure", "shuffled_low", "p_value").set_index("measure")["value"]
    stable = [(name, value) for name, value in zip(GROUPS, groups, strict=True) if not (moves and "map" in name)]
    assert [f"{table[name]:.2f}" for name, _ in stable] == [value for _, value in stable]
    kept = set(parse_qs(link))
    # Values that the link contains although they are defaults have left the address; nothing else has.
    assert set(test.query_params) - {"tables", "open", "weights"} <= kept
    lost = kept - set(test.query_params)
    assert all(test.session_state[key] == visit("clusters").session_state[key] for key in lost)


def test_promised_links_in_three_dimensions(visit) -> None:
    link = (
        "clusters_list=professions&clusters_method=axes&clusters_dimensions=3&clusters_x=she+-+he&clusters_y=rich+-+poor"
        "&clusters_z=old+-+young&clusters_label=group"
    )
    test = visit("clusters", **parse_qs(link))
    assert not test.problems and test.says("54 points · static embeddings", "axes · seed 0")
    assert {"x", "y", "z"} <= set(test.table("word", "group", "x"))
