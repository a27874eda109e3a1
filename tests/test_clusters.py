"""Maps of words: projections against numpy and scikit-learn, limits, and the page itself."""

import pickle
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from sklearn.manifold import TSNE
from streamlit.testing.v1 import AppTest

from embtools.clusters import lookup, maps, tsne
from embtools.clusters import view as clusters_view
from embtools.clusters.points import Words, vectors
from embtools.clusters.view import View
from embtools.ui.clusters import examples, selection
from embtools.words import groups as words_groups

ROOT = Path(__file__).parent.parent
WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def places(drawn: maps.Map) -> np.ndarray:
    return drawn.points[[a for a in "xyz" if a in drawn.points]].to_numpy()


def test_pca_is_the_singular_value_decomposition(tiny):
    drawn = maps.compute(WORDS, View("PCA", dimensions=3), tiny)
    x = np.stack([tiny.vector(w) for w in drawn.points["word"]]).astype(float)
    x -= x.mean(axis=0)
    u, s, _ = np.linalg.svd(x, full_matrices=False)
    assert np.abs(places(drawn)) == pytest.approx(np.abs(u[:, :3] * s[:3]), abs=1e-4)
    assert f"{s[0] ** 2 / (s**2).sum():.1%}" in drawn.axes[0]


@pytest.mark.parametrize("view", [View("PCA"), View("axes", axes=("king - man", "rome - paris"))])
def test_a_formula_is_placed_without_moving_the_words(tiny, view: View):
    more = maps.compute(replace(WORDS, formulas=("rome - italy + france",)), view, tiny)
    assert places(more)[:-1] == pytest.approx(places(maps.compute(WORDS, view, tiny)), abs=1e-5)


def test_axes_are_projections_on_unit_directions(tiny):
    drawn = maps.compute(WORDS, View("axes", axes=("king - man", "rome - paris"), normalise=True), tiny)
    direction = tiny.vector("king") - tiny.vector("man")
    word = tiny.vector("queen")
    expected = word @ direction / np.linalg.norm(word) / np.linalg.norm(direction)
    assert drawn.points.set_index("word").loc["queen", "x"] == pytest.approx(expected, abs=1e-5)
    assert drawn.axes == ("king - man", "rome - paris")


def test_tsne_is_that_of_scikit_learn_and_the_same_every_time(tiny):
    view = View(perplexity=3, metric="euclidean", start="random", seed=7)
    once, again = maps.compute(WORDS, view, tiny), maps.compute(WORDS, view, tiny)
    assert (places(once) == places(again)).all()
    x = np.stack([tiny.vector(w) for w in once.points["word"]])
    assert (places(once) == TSNE(2, perplexity=3, init="random", random_state=7).fit_transform(x)).all()
    assert (places(maps.compute(WORDS, replace(view, seed=8), tiny)) != places(once)).any()


def test_progress_changes_nothing(tiny):
    view = View(perplexity=3)
    assert (
        places(maps.compute(WORDS, view, tiny, lambda share: None)) == places(maps.compute(WORDS, view, tiny))
    ).all()


def test_stopped_fits_do_not_pile_up():
    class Stopped(Exception):
        pass

    def stop(done: float) -> None:
        raise Stopped

    finish, begun = threading.Event(), []

    def fit() -> None:
        begun.append(1)
        finish.wait(20)

    try:
        for _ in range(3):
            with pytest.raises(Stopped):
                tsne._timed(fit, 1, stop)
        assert len(begun) == 1
    finally:
        finish.set()
    assert tsne._timed(lambda: "next", 1, lambda done: None) == "next"
    assert tsne._timed(lambda: "and next", 1, None) == "and next"


def test_a_fit_whose_thread_cannot_start_blocks_no_other(monkeypatch):
    def full(*_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        with pytest.raises(RuntimeError, match="start new thread"):
            tsne._timed(lambda: "never", 1, lambda done: None)
    assert tsne._FIT.acquire(timeout=1)
    tsne._FIT.release()


def test_stability_tells_of_its_progress_within_a_fit(tiny):
    told: list[float] = []
    frame = maps.stability(WORDS, View(perplexity=3), tiny, told.append)
    assert frame.equals(maps.stability(WORDS, View(perplexity=3), tiny))
    assert told == sorted(told) and all(0 <= done <= 1 for done in told)


def test_centred_and_normalised(tiny):
    _, raw, _ = vectors(WORDS, tiny)
    is_word = np.ones(len(raw), bool)
    done = clusters_view.prepared(raw, is_word, View(centre=True, normalise=True))
    assert np.linalg.norm(done, axis=1) == pytest.approx(np.ones(len(raw)), abs=1e-5)
    centred = clusters_view.prepared(raw, is_word, View(centre=True))
    assert centred.mean(axis=0) == pytest.approx(np.zeros(16), abs=1e-5)


def test_group_means_follow_the_groups(tiny):
    groups = (("a", ("rome", "italy", "france")), ("b", ("king", "queen")), ("c", ("red", "green", "blue")))
    drawn = maps.compute(Words(groups), View("group means"), tiny)
    means = np.stack([np.mean([tiny.vector(w) for w in words], axis=0) for _, words in groups])
    shown = drawn.points.groupby("group", sort=False)[["x", "y"]].mean().to_numpy()
    # Three means span a plane: the map shows their distances as they are.
    for i, j in ((0, 1), (1, 2), (0, 2)):
        assert np.linalg.norm(shown[i] - shown[j]) == pytest.approx(np.linalg.norm(means[i] - means[j]), abs=1e-4)


@pytest.mark.parametrize(
    ("words", "view", "said"),
    [
        (Words((("a", ("rome",)),)), View(), "1 word makes no map"),
        (Words((("a", ("rome", "italy", "king")),)), View("PCA", dimensions=3), "Name at least 4"),
        (WORDS, View(perplexity=10), "choose 1 to 9"),
        (WORDS, View(perplexity=float("nan")), "choose 1 to 9"),
        (WORDS, View("UMAP"), "method"),
        (WORDS, View(dimensions=4), "dimensions"),
        (WORDS, View(metric="manhattan"), "metric"),
        (WORDS, View(seed=-1), "seed"),
        (WORDS, View("axes", axes=("king - man",)), "formula each"),
        (WORDS, View("axes", axes=("king - king", "rome")), "no length"),
        (WORDS, View("axes", axes=("0.1*king + 0.2*king - 0.3*king", "rome")), "no length"),
        (WORDS, View("axes", axes=(f"{10**30} * king - man", "rome")), "Use smaller numbers"),
        (WORDS, View("axes", axes=("kings - man", "rome")), "not one word piece"),
        (WORDS, View("group means"), "fewer than 2 directions"),
        (replace(WORDS, formulas=("rome - rome",)), View("PCA"), "zero vector"),
        (replace(WORDS, formulas=("0.1*rome + 0.2*rome - 0.3*rome",)), View("PCA"), "zero vector"),
    ],
)  # fmt: skip
def test_views_that_cannot_be_drawn(tiny, words: Words, view: View, said: str):
    with pytest.raises(ValueError, match=said):
        maps.compute(words, view, tiny)


def test_one_group_still_gives_a_map(tiny):
    drawn = maps.compute(Words(WORDS.groups[:1]), View("PCA"), tiny)
    assert drawn.groups is None and "one group" in drawn.no_groups


def test_the_whole_vocabulary(bundled):
    drawn = maps.compute(Words(None), View("PCA"), bundled)
    assert drawn.measured == maps.MEASURED < len(drawn.points) <= 30_000
    assert drawn.points["x"].dtype == np.float32 and "kept" not in drawn.points
    with pytest.raises(ValueError, match="at most 2,000"):
        maps.compute(Words(None), View(), bundled)


def test_figure_1_stands_out_from_shuffled_labels(bundled):
    words = Words(words_groups.preset(words_groups.FIGURE_1))
    drawn = maps.compute(words, View(), bundled)
    assert len(drawn.points) == 73 and drawn.left_out == ()
    assert (drawn.groups["p"] < 0.05).all()
    mixed = maps.compute(replace(words, shuffled=0), View(), bundled)
    assert (places(mixed) == places(drawn)).all()
    assert (mixed.groups["value"] < drawn.groups["value"]).all()


@pytest.mark.parametrize("name", words_groups.PRESETS)
def test_every_list_in_its_sentence(bundled, name: str):
    words = Words(words_groups.preset(name), template=examples.SENTENCES[name], layer=bundled.layers)
    drawn = maps.compute(words, View("PCA"), bundled)
    assert drawn.left_out == () and drawn.groups is not None


def test_stability_is_for_tsne_only(tiny):
    frame = maps.stability(WORDS, View(perplexity=3), tiny)
    assert frame["stable"].between(0, 1).all() and len(frame) == 10
    with pytest.raises(ValueError, match="every time"):
        maps.stability(WORDS, View("PCA"), tiny)


def test_carriers_leave_out_a_word_alone_in_its_group(tiny):
    more = Words((*WORDS.groups, ("colours", ("red",))))
    assert maps.group_dimensions(more, View(), tiny).dimensions.equals(
        maps.group_dimensions(WORDS, View(), tiny).dimensions
    )
    with pytest.raises(ValueError, match="one word only"):
        maps.group_dimensions(Words((("a", ("red",)), ("b", ("king",)), ("c", ("rome",)))), View(), tiny)


def test_carriers_leave_formulas_out(tiny):
    view = View()
    with_formula = maps.group_dimensions(replace(WORDS, formulas=("rome - italy",)), view, tiny)
    assert with_formula.dimensions.equals(maps.group_dimensions(WORDS, view, tiny).dimensions)


def test_results_can_be_remembered(tiny):
    drawn = maps.compute(WORDS, View("PCA"), tiny)
    assert pickle.loads(pickle.dumps(drawn)).points.equals(drawn.points)


# The page


@pytest.fixture
def share_the_model(bundled, monkeypatch):
    """The page gets the session's model: loading it once is enough."""
    from embtools.models import loading

    st.cache_data.clear()
    st.cache_resource.clear()
    monkeypatch.setattr(loading, "load_model", lambda name="bundled": bundled)


def page(**state):
    """The page, opened by a link that sets these fields."""
    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    test.query_params["tables"] = "true"
    for key, value in state.items():
        test.query_params[f"clusters_{key}"] = str(value).lower() if isinstance(value, bool) else str(value)
    return test.switch_page("pages/clusters.py").run()


def problems(test) -> str:
    assert not test.exception, [e.value for e in test.exception]
    return "\n".join(t.value for t in test.text if t.value.startswith("⚠"))


def metrics(test) -> dict[str, str]:
    return {m.label: m.value for m in test.metric}


@pytest.mark.parametrize("name", examples.EXAMPLES)
def test_every_example_shows_its_map(share_the_model, name: str):
    state = {key.removeprefix("clusters_"): value for key, value in examples.EXAMPLES[name].items()}
    test = page(**state)
    assert problems(test) == ""
    grouped = name != "Four kinds without labels"
    assert len(test.get("plotly_chart")) == (3 if grouped and name != "Whole vocabulary" else 1)
    assert {"trustworthiness", "neighbours kept"} <= set(metrics(test))
    assert ("silhouette in the space" in metrics(test)) == grouped
    assert any("points" in c.value for c in test.caption)
    if not grouped:
        found = table(test, "typical")["words"]
        assert len(found) == 4 and found.min() >= 10  # twelve of each kind
    if name == "Rome moved to France":
        tables = [d.value for d in test.dataframe if "nearest_here" in d.value]
        assert tables[0]["word"].tolist() == ["rome", "rome - italy + france"]


@pytest.mark.parametrize("name", examples.LISTS)
def test_every_list_can_be_drawn(share_the_model, name: str):
    assert problems(page(list=name, method="PCA")) == ""


def test_the_vocabulary_has_no_sentence(share_the_model):
    test = page(list="whole vocabulary", source="in a sentence", method="PCA")
    assert "static embeddings only" in problems(test) and test.get("plotly_chart")


def own(text: str, **state):
    return page(list="own words", words_own_words=text, **state)


WORD_LINE = "a: " + ", ".join(f"w{i}" for i in range(2_001))


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (lambda: own("a: red", method="PCA"), "1 word makes no map"),
        (lambda: own("a: red, red, blue"), "'red' stands twice"),
        (lambda: own(WORD_LINE), "2,001 words"),
        (lambda: own("a: red\nb:"), "The group 'b' is empty"),
        (lambda: own(""), "There are no words"),
        (lambda: own("\n".join(f"g{i}: w{i}" for i in range(57))), "57 groups; at most 56"),
        (lambda: page(source="in a sentence", **{"list": "cities of 15 countries", "sentence_cities_of_15_countries": "bank " * 490 + "{word}"}), "at most 40,000"),
        (lambda: own("a: red, green\nb: blue, black", perplexity=5), "choose 1 to 3"),
        (lambda: page(source="in a sentence", **{"sentence_cities_of_Figure_1": "river " * 60 + "{word}" + " bank" * 500}), "pieces"),
        (lambda: page(source="in a sentence", **{"sentence_cities_of_Figure_1": ""}), "exactly once"),
        (lambda: page(formulas="rome -"), "something is missing"),
        (lambda: page(formulas="rome = unbelievableness"), "not one word piece"),
        (lambda: page(method="axes", x="she - she"), "no length"),
        (lambda: page(method="axes", y=""), "formula each"),
        (lambda: page(only="atlantis"), "'atlantis' is not in the groups"),
        (lambda: page(pick="atlantis"), "Not on the map: atlantis"),
        (lambda: page(pick='"rome'), "not closed"),
    ],
)  # fmt: skip
def test_bad_input_is_told_and_a_map_stays(share_the_model, test, said: str):
    shown = test()
    assert said in problems(shown)
    assert shown.get("plotly_chart")


def test_the_last_good_map_stays(share_the_model):
    test = page(list="animals")
    before = metrics(test)
    test.text_area(key="clusters_words_animals").set_value("mammals: dog").run()
    assert "makes no map" in problems(test)
    assert metrics(test) == before


def test_words_of_several_pieces_wear_a_badge(share_the_model):
    words = "a: red, green, blue, supercalifragilisticexpialidocious\nb: dog, cat, horse"
    test = own(words, method="PCA")
    assert problems(test) == "" and "1 left out" in " ".join(m.value for m in test.markdown)
    test = own(words, method="PCA", pieces="mean")
    assert "1 by mean of their pieces" in " ".join(m.value for m in test.markdown)


def test_one_group_is_a_map_without_group_numbers(share_the_model):
    test = own("colours: red, green, blue, black, white", method="PCA")
    assert problems(test) == "" and "silhouette in the space" not in metrics(test)
    assert any("one group only" in t.value for t in test.text)


def test_a_long_tsne_waits_for_its_button(share_the_model, bundled):
    whole = [p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and len(p) > 3][:400]
    test = own("a: " + ", ".join(whole[:200]) + "\nb: " + ", ".join(whole[200:]))
    assert "Until then the map shows PCA of static embeddings." in [c.value for c in test.caption]
    (start,) = (b for b in test.button if b.label.startswith("Compute t-SNE of 400 points"))
    start.click().run()
    assert problems(test) == ""
    assert any("t-SNE, perplexity 5" in c.value for c in test.caption)
    # The address restores it, cold; and a change of the fields asks anew.
    cold = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    cold.query_params.update(test.query_params)
    cold.switch_page("pages/clusters.py").run()
    assert "clusters_run" in cold.query_params and not waits(cold)
    assert any("t-SNE, perplexity 5" in c.value for c in cold.caption)
    cold.slider(key="clusters_perplexity").set_value(6).run()
    assert waits(cold) and "clusters_run" not in cold.query_params


def waits(test) -> list[str]:
    return [b.label for b in test.button if b.label.startswith("Compute ")]


def test_a_stopped_map_waits_for_its_button(share_the_model, monkeypatch):
    from embtools.ui import jobs

    stops, long_call = [], jobs.long_call

    def remember(*arguments, stop=None, **named):
        stops.append(stop)
        return long_call(*arguments, stop=stop, **named)

    monkeypatch.setattr(jobs, "long_call", remember)
    test = page(list="months")
    assert not waits(test) and callable(stops[0])
    test.session_state["clusters_stopped"] = stops[0].args[0]
    test.run()
    assert waits(test) and any("Until then" in c.value for c in test.caption)
    next(b for b in test.button if b.label == waits(test)[0]).click().run()
    assert not waits(test) and "clusters_run" in test.query_params


def test_a_long_sentence_and_many_starts_wait_for_their_button(share_the_model):
    assert not waits(page(list="animals", source="in a sentence", method="PCA"))
    sentence = "The {word} is here." + " The river is long." * 30
    test = page(list="animals", source="in a sentence", method="PCA", sentence_animals=sentence)
    assert waits(test)[0].startswith("Compute sentences of ")
    test = page(list="cities of 15 countries", stability=True, formulas="paris + rome")
    assert not waits(test)
    whole = page(list="cities of 15 countries", stability=True, source="in a sentence",
                 sentence_cities_of_15_countries=sentence)  # fmt: skip
    assert waits(whole)[0].startswith("Compute sentences and t-SNE of ")


def test_a_model_that_does_not_know_the_example_shows_the_reason_only(share_the_model, monkeypatch, tiny):
    from embtools.models import loading

    monkeypatch.setattr(loading, "load_model", lambda name="bundled": tiny)
    test = page(list="months")
    assert "cannot be read by this model" in problems(test)
    assert not test.get("plotly_chart")


def test_an_upload_becomes_own_words(share_the_model, monkeypatch):
    test = page()
    test.file_uploader(key="clusters_file").set_value(
        ("groups.csv", b"word,group\nred,a\ngreen,a\nblue,a\ndog,b\ncat,b\nhorse,b\n", "text/csv")
    ).run()
    assert test.selectbox(key="clusters_list").value == "own words"
    assert test.text_area(key="clusters_words_own_words").value == "a: red, green, blue\nb: dog, cat, horse"
    assert problems(test) == ""


def copied(test, bundled) -> dict:
    """What the code that the page offers to copy leaves in its names and prints."""
    (snippet,) = (c.value for c in test.code if "maps.compute" in c.value)
    printed: list = []
    names = {"bundled": bundled, "print": lambda *values, sep="": printed.extend(values)}
    exec(snippet.replace("embtools.load_model('bundled')", "bundled"), names)
    return names | {"printed": printed}


def table(test, *columns: str) -> pd.DataFrame:
    """The table of the page with these columns."""
    return next(d.value for d in test.dataframe if set(columns) <= set(d.value.columns))


def test_copied_python_gives_every_number_shown(share_the_model, bundled):
    test = page(list="months", formulas="january + june", stability=True, pick="may, january + june", find="ju*")
    assert problems(test) == ""
    found = copied(test, bundled)
    for name in ("trust", "groups"):
        for row in getattr(found["drawn"], name).itertuples():
            assert metrics(test)[row.measure] == f"{row.value:.2f}"
    stable = table(test, "stable")
    assert stable.sort_values("word")["stable"].tolist() == pytest.approx(
        found["stable"].sort_values("word")["stable"].tolist()
    )
    shown = " ".join(m.value for m in (*test.markdown, *test.caption))
    assert f"**{found['stable']['stable'].mean():.0%}** of a word's neighbours" in shown
    carriers = found["found"]
    for basis, (true, low, high) in carriers.half.items():
        assert f"**{true} {basis}** hold half" in shown and f"({low} to {high})" in shown
    assert f"{carriers.clear} of {carriers.total} dimensions differ" in shown
    for mine, columns in (
        (carriers.curve, ("basis", "dimensions", "share", "low")),
        (carriers.accuracy, ("basis", "accuracy")),
        (carriers.dimensions.head(10), ("f", "highest")),
    ):
        pd.testing.assert_frame_equal(table(test, *columns).reset_index(drop=True), mine.reset_index(drop=True))
    neighbours = table(test, "nearest_here")
    assert neighbours["word"].tolist() == ["may", "january + june"]
    assert any(isinstance(p, pd.DataFrame) and p.equals(neighbours) for p in found["printed"])
    assert [found["drawn"].points["word"][i] for i in found["printed"][-2]] == ["june", "july"]


def test_copied_python_runs_where_there_is_less_to_show(share_the_model, bundled):
    for state in ({"words_own_words": "colours: red, green, blue, black"}, {"words_own_words": "a: red, sea\nb: dog"}):
        test = page(list="own words", method="PCA", **state)
        assert problems(test) == ""
        assert "found" not in copied(test, bundled)


def test_clusters_density_and_a_second_map(share_the_model, bundled):
    test = page(list="months", formulas="january + june", colour="found clusters", found=3, density=True, beside="PCA")
    assert problems(test) == "" and len(test.get("plotly_chart")) == 4
    code = copied(test, bundled)
    unnamed, second = code["unnamed"], code["second"]
    pd.testing.assert_frame_equal(table(test, "typical").reset_index(drop=True), unnamed.table)
    (said,) = [c.value for c in test.caption if c.value.startswith("k-means")]
    assert f"silhouette {unnamed.silhouette:.2f};" in said and f"{unnamed.low:.2f} to {unnamed.high:.2f}" in said
    shown = [d.value for d in test.dataframe if {"word", "x", "y", "cluster"} <= set(d.value)]
    assert len(shown) == 2
    for points, drawn in zip(shown, (code["drawn"], second), strict=True):
        assert points[["x", "y"]].to_numpy() == pytest.approx(drawn.points[["x", "y"]].to_numpy())
        assert points["cluster"].tolist() == [*unnamed.names, ""]


def test_what_a_map_cannot_carry_is_told(share_the_model, bundled):
    for state, said in (
        (
            {"words_own_words": "a: red, green, blue", "found": 5, "colour": "found clusters"},
            "cannot be divided into 5",
        ),
        ({"words_own_words": "a: red, green, blue, black", "found": 1}, "1 clusters were asked for"),
        ({"words_own_words": "a: red, green, blue", "beside": "t-SNE", "pick": "red"}, "perplexity"),
        ({"words_own_words": "a: red, sea\nb: dog, cat", "beside": "group means"}, "fewer than 2 directions"),
        ({"words_own_words": "a: red, green, blue", "beside": "PCA"}, "by PCA already"),
        ({"list": "months", "method": "axes", "x": "she - he", "y": "she - he", "density": True}, "lie on a line"),
        ({"list": "whole vocabulary", "label": "nothing", "beside": "t-SNE"}, "Make it the first map"),
    ):
        test = page(**({"list": "own words", "method": "PCA"} | state))
        assert said in problems(test) + " ".join(c.value for c in test.caption)
        assert not any(chart.proto.id.count("second-map") for chart in test.get("plotly_chart"))
        assert {"unnamed", "second", "places"}.isdisjoint(copied(test, bundled))  # and the code runs to its end


def test_the_link_and_the_code_are_renewed_when_they_open(share_the_model):
    test = page(list="months", method="PCA")
    assert not any("?" in c.value for c in test.code)  # the link is made when it is asked for
    test.session_state["share-link"] = True
    test.run()
    assert "clusters_list=months" in test.code[0].value


def test_of_many_selected_words_the_first_hundred_are_listed(share_the_model):
    cities = [city for _, members in words_groups.preset("cities of 15 countries") for city in members][:110]
    test = page(list="cities of 15 countries", method="PCA", pick=words_groups.write_words(cities))
    assert problems(test) == "" and any(h.value == "110 selected" for h in test.subheader)
    assert table(test, "nearest_here")["word"].tolist() == cities[:100]
    assert any("first 100 are listed, and kept in the link" in c.value for c in test.caption)


class Selected:
    """Runs the callback of a selection as Streamlit does: the state first, then the function."""

    def __init__(self, monkeypatch) -> None:
        self.state: dict = {"clusters_pick": "may"}
        monkeypatch.setattr(selection.st, "session_state", self.state)

    def __call__(self, words: tuple[str, ...], rows: list[int], figure: str = "a figure", name: str = "map") -> str:
        self.state[f"chart-{name}"] = {"selection": {"points": [{"customdata": [row]} for row in rows]}}
        selection.keep(words, figure, name)
        return self.state["clusters_pick"]


def test_a_selection_is_kept_in_the_field_and_leaves_the_figure_as_it_is(monkeypatch):
    words = ("may", "june", "a, b", "july")
    points = pd.DataFrame({"word": words})
    select = Selected(monkeypatch)
    assert select(words, [1, 2]) == 'may, june, "a, b"'
    assert selection.marked(points, "a figure") == [0]  # the others are shown by the selection itself
    assert select(words, [3]) == "may, july"
    assert select(words, []) == "may"
    select(words, [1])
    # Another colour draws a figure without a selection: there the words are marked, and stay.
    assert selection.marked(points, "another") == [0, 1]
    assert select(words, [3], "another") == "may, june, july"
    many = tuple(f"w{i}" for i in range(150))
    assert select(many, list(range(150)), "a third").count(",") == lookup.MAX_PICKED - 1


def test_a_selection_on_one_map_is_marked_on_the_other_and_takes_the_place_of_the_last(monkeypatch):
    words = ("may", "june", "july")
    points = pd.DataFrame({"word": words})
    select = Selected(monkeypatch)
    assert select(words, [1]) == "may, june"
    assert selection.marked(points, "a figure", "map") == [0]
    assert selection.marked(points, "a figure", "second-map") == [0, 1]
    # The rings of the second map change: it is drawn anew, forgets its selection, and needs a ring round it.
    assert select(words, [2], name="second-map") == "may, july"
    for name in ("map", "second-map"):
        assert selection.marked(points, "a figure", name) == [0, 2]
    assert select(words, [], name="second-map") == "may"


def test_figures_of_large_maps_are_not_kept(monkeypatch, tiny):
    from embtools.charts.clusters import maps as charts
    from embtools.ui import cached

    drawn = maps.compute(WORDS, View("PCA"), tiny)
    assert cached.figure(charts.word_map, drawn) is cached.figure(charts.word_map, drawn)
    monkeypatch.setattr(cached, "SMALL", len(WORDS.groups) * 4 - 1)
    assert cached.figure(charts.word_map, drawn) is not cached.figure(charts.word_map, drawn)


def test_colours_labels_and_search(share_the_model):
    for colour in ("frequency rank", "neighbours kept", "stability"):
        test = page(list="months", colour=colour, label="group", find="ju*", stability=True, pick="may")
        assert problems(test) == ""
        assert any(t.value.startswith("2 of 12 match: june, july") for t in test.text)
    assert any("starts elsewhere" in m.value for m in test.markdown)


def test_hostile_words_stay_text(share_the_model):
    hostile = "a: <img src=x onerror=alert(1)>, **bold**, dog, cat\nb: horse, cow, ![x](y)"
    test = own(hostile, method="PCA", pieces="mean")
    assert problems(test) == ""
    spec = test.get("plotly_chart")[0].proto.spec
    assert "&lt;img src=x onerror=alert(1)&gt;" in spec and "<img" not in spec
    assert not any("<img" in m.value or "**bold**" in m.value for m in test.markdown)
