"""Similarity: checked against scipy, scikit-learn, networkx, scikit-image and by hand; then the page itself."""

import html
import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from embtools.charts.similarity import dendrogram
from embtools.charts.similarity import matrix as charts
from embtools.similarity import colours, matrix, odd_one_out
from embtools.similarity import pair as similarity_pair
from embtools.statistics import permutations
from embtools.ui import jobs
from embtools.ui.similarity import matrix as similarity_matrix
from embtools.words import templates
from embtools.words import vectors as wordlist

COLOURS = matrix.preset("Colours")


# Word lists


def test_a_list_is_read_as_typed():
    assert wordlist.split(" red ,  dark   green\nblue;;") == ("red", "dark green", "blue")
    assert wordlist.split("") == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "There are no words; at least 2"),
        (("red",), "There is one word; at least 2"),
        (("red", "green", "red"), "'red' is in the list twice"),
        (("Red", "red"), "'red' and 'Red' are the same to this model"),
        (tuple(str(i) for i in range(151)), "151 words; at most 150.*Take 1 away"),
        (("red", "ableableable"), "not one word piece|not in the vocabulary"),
        (("red", "unable", "unings"), "2 words are not one piece: unable \\(un ##able\\), unings \\(un ##ing ##s\\)"),
        (("red", "x" * 51), "51 characters; a word has at most 50"),
        (("red", "☃"), "'☃' is not in the vocabulary"),
    ],
)
def test_bad_lists_say_what_to_do(tiny, words, message):
    with pytest.raises(ValueError, match=message):
        matrix.similarity_matrix(words, tiny)


def test_words_of_several_pieces_only_by_choice(tiny):
    with pytest.raises(ValueError, match="not one word piece: un ##able"):
        matrix.similarity_matrix(("red", "unable"), tiny)
    ids = [tiny.ids["un"], tiny.ids["##able"]]
    mean, first = (wordlist.vectors(("red", "unable"), tiny, pieces=p)[1] for p in ("mean", "first"))
    assert np.allclose(mean, tiny.matrix[ids].mean(0)) and np.array_equal(first, tiny.matrix[ids[0]])
    assert matrix.compare_words(("red", "unable"), tiny, pieces="mean").pieces == {"unable": ("un", "##able")}
    with pytest.raises(ValueError, match="'unings' and 'unable' are the same"):
        wordlist.check(("unable", "unings"), tiny, low=2, high=9, pieces="first")
    with pytest.raises(ValueError, match="Choose refuse, mean or first"):
        wordlist.check(("red", "green"), tiny, low=2, high=9, pieces="last")  # type: ignore[arg-type]


def test_hidden_states_of_a_template(tiny):
    words = ("red", "unable", "green")
    rows = wordlist.vectors(words, tiny, pieces="mean", template="the {word} bank .", layer=2)
    for word, row in zip(words, rows, strict=True):
        states = tiny.hidden_states(f"the {word} bank .")
        n = len(tiny.pieces(word))
        assert np.allclose(row, states[2, 2 : 2 + n].mean(0), atol=1e-5)
    done = []
    wordlist.vectors(words, tiny, pieces="mean", layer=1, progress=done.append)
    assert done[-1] == 1
    for template, layer, message in (
        ("the bank", 0, "exactly once"),
        ("the {word}", 3, "no layer 3"),
        ("un{word} bank", 0, "stand alone"),
    ):
        with pytest.raises(ValueError, match=message):
            matrix.similarity_matrix(("red", "green"), tiny, layer=layer, template=template)
    with pytest.raises(ValueError, match=r"pieces|characters"):
        matrix.similarity_matrix(("red", "green"), tiny, template="{word} " + "the " * 600, layer=1)


# The matrix and the tree


def test_matrix_is_scikit_learns(bundled):
    from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances

    rows = np.stack([bundled.vector(w) for w in COLOURS])
    values = matrix.similarity_matrix(COLOURS, bundled)
    assert np.allclose(values, cosine_similarity(rows), atol=1e-5)
    assert np.array_equal(values, values.T) and np.array_equal(np.diag(values), np.ones(len(COLOURS)))
    distances = matrix.compare_words(COLOURS, bundled, metric="euclidean").values
    assert np.allclose(distances, euclidean_distances(rows.astype(np.float64)), atol=1e-5)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize("linkage", list(matrix.LINKAGES))
def test_tree_is_scikit_learns(bundled, metric, linkage):
    """Cut into every number of clusters, the tree gives the groups that scikit-learn finds on its own."""
    from scipy.cluster.hierarchy import fcluster
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.metrics import adjusted_rand_score

    rows = np.stack([bundled.vector(w) for w in COLOURS]).astype(np.float64)
    if linkage == "ward" and metric == "cosine":
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)  # unit vectors, Euclidean
    their_metric = "euclidean" if linkage == "ward" else metric
    result = matrix.compare_words(COLOURS, bundled, metric=metric, linkage=linkage)
    for k in (2, 4, 8, 15):
        theirs = AgglomerativeClustering(k, metric=their_metric, linkage=linkage).fit_predict(rows)
        assert adjusted_rand_score(theirs, fcluster(result.merges, k, "maxclust")) == 1
    assert sorted(result.order) == list(range(len(COLOURS)))
    assert -1 <= result.cophenetic <= 1


def test_leaves_stand_in_the_order_of_the_tree_and_near_ones_together(bundled):
    from scipy.cluster.hierarchy import is_valid_linkage, linkage
    from scipy.spatial.distance import squareform

    result = matrix.compare_words(COLOURS, bundled)
    assert is_valid_linkage(result.merges) and len(result.merges) == len(COLOURS) - 1
    distances = 1 - result.values
    plain = linkage(squareform(distances, checks=False), "average")
    assert np.allclose(plain[:, 2], result.merges[:, 2])  # the same tree as without the better order
    from scipy.cluster.hierarchy import leaves_list

    def length(order):  # type: ignore[no-untyped-def]
        return sum(distances[a, b] for a, b in itertools.pairwise(order))

    assert length(result.order) <= length(leaves_list(plain)) + 1e-9


def test_two_words_and_150(bundled):
    two = matrix.compare_words(("red", "green"), bundled)
    assert sorted(two.order) == [0, 1] and two.cophenetic == 1
    many = tuple(p for i, p in enumerate(bundled.vocabulary) if bundled.whole_words[i] and p.isascii())[500:650]
    assert matrix.compare_words(many, bundled).values.shape == (150, 150)


def test_pairs_are_all_there_best_first(bundled):
    frame = matrix.pair_table(matrix.compare_words(("red", "green", "piano"), bundled))
    assert len(frame) == 3 and frame["cosine"].is_monotonic_decreasing
    assert {frame["first"][0], frame["second"][0]} == {"red", "green"}
    far = matrix.pair_table(matrix.compare_words(("red", "green", "piano"), bundled, metric="euclidean"))
    assert far["distance"].is_monotonic_increasing


def test_unknown_choices_are_refused(tiny):
    with pytest.raises(ValueError, match="cosine or euclidean"):
        matrix.compare_words(("red", "green"), tiny, linkage="median")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no preset"):
        matrix.preset("Birds")


@pytest.mark.parametrize("name", matrix.PRESETS)
def test_presets_are_one_piece(bundled, name):
    words = matrix.preset(name)
    wordlist.check(words, bundled, low=4, high=matrix.MAX_WORDS)
    assert len(words) <= matrix.MAX_WORDS


# Odd one out


def test_odd_one_out_is_gensims_definition(bundled):
    words = ("breakfast", "lunch", "dinner", "guitar", "supper")
    frame = odd_one_out.odd_one_out(words, bundled)
    rows = np.stack([bundled.vector(w) for w in words]).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    expected = [words[i] for i in np.argsort(rows @ rows.mean(0))]
    assert list(frame["word"]) == expected
    assert frame["cosine"][0] == pytest.approx((rows @ rows[3]).sum() / 4 - 1 / 4, abs=1e-6)
    for i, word in enumerate(words):  # `kept`, the long way
        found = sum(
            odd_one_out.odd_one_out(words[:j] + words[j + 1 :], bundled)["word"][0] == word
            for j in range(len(words))
            if j != i
        )
        assert frame.set_index("word")["kept"][word] == found
    assert odd_one_out.odd_one_out(words[:3], bundled)["kept"].isna().all()
    with pytest.raises(ValueError, match="at least 3"):
        odd_one_out.odd_one_out(("red", "green"), bundled)


def test_quiz_is_fair(bundled):
    found = odd_one_out.quiz(bundled)
    assert 0 <= found.low < found.right / found.rounds < found.high <= 1 and found.rounds == 400
    assert found.low > 0.25  # a trained model is not guessing
    assert found == odd_one_out.quiz(bundled)
    with pytest.raises(ValueError, match="1 to 10,000"):
        odd_one_out.quiz(bundled, rounds=0)


# Two tables


def test_quiz_tells_of_its_progress_and_stops(bundled, tiny):
    told: list[float] = []
    assert odd_one_out.quiz(bundled, rounds=50, progress=told.append) == odd_one_out.quiz(bundled, rounds=50)
    assert told == sorted(told) and told[0] == 0 and 0.9 < told[-1] < 1

    def stop(done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        odd_one_out.quiz(bundled, progress=stop)
    with pytest.raises(ValueError, match="too few words of the built-in lists"):
        odd_one_out.quiz(tiny)


def test_difference():
    first = np.array([[1, 0.2, 0.4], [0.2, 1, 0.6], [0.4, 0.6, 1]])
    second = np.array([[1, 0.5, 0.5], [0.5, 1, 0.8], [0.5, 0.8, 1]])
    assert np.allclose(matrix.difference(first, second)[0], [0, 0.3, 0.1])
    assert np.allclose(matrix.difference(first, 0.5 * first + 0.3, standardise=True), 0)


def test_mantel_against_every_permutation():
    """With 5 words all 120 shuffles can be counted, with scipy's own Spearman."""
    from scipy.stats import spearmanr

    random = np.random.default_rng(3)
    a, b = (t + t.T for t in random.normal(size=(2, 5, 5)))
    b = b + a
    i, j = np.triu_indices(5, 1)
    rho = spearmanr(a[i, j], b[i, j]).statistic
    exact = np.mean(
        [
            abs(spearmanr(a[np.ix_(p, p)][i, j], b[i, j]).statistic) >= abs(rho) - 1e-12
            for p in itertools.permutations(range(5))
        ]
    )
    found = permutations.mantel(a, b, permutations=9_999)
    assert found.rho == pytest.approx(rho) and found.p == pytest.approx(exact, abs=0.02)
    assert found == permutations.mantel(a, b, permutations=9_999)  # the same seed, the same answer
    assert permutations.mantel(a, 2 * a + 1, permutations=99).rho == pytest.approx(1)
    with pytest.raises(ValueError, match="at least 4"):
        permutations.mantel(a[:3, :3], b[:3, :3])
    with pytest.raises(ValueError, match="same value"):
        permutations.mantel(np.ones((5, 5)), b)


def test_mantel_refuses_what_has_no_rank():
    table = matrix.table_of(np.random.default_rng(0).normal(size=(5, 3)))
    holed = table.copy()
    holed[1, 2] = holed[2, 1] = np.nan
    for tables in ((table, holed), (holed, table)):
        with pytest.raises(ValueError, match="A pair has no value"):
            permutations.mantel(*tables)
    with pytest.raises(ValueError, match="square ones of the same words"):
        permutations.mantel(table, table[:4, :4])


def test_mantel_finds_nothing_where_nothing_is():
    """Under the null hypothesis p is even: about a tenth of the tests fall below 0.1."""
    random = np.random.default_rng(0)
    tables = [t + t.T for t in random.normal(size=(120, 8, 8))]
    halves = zip(tables[::2], tables[1::2], strict=True)
    below = np.mean([permutations.mantel(a, b, permutations=199).p <= 0.1 for a, b in halves])
    assert 0.02 < below < 0.25


# The pair behind a cell


def _neighbours(model, word):  # type: ignore[no-untyped-def]
    """All candidates by cosine, the plain way."""
    allowed = [i for i in np.flatnonzero(similarity_pair.candidates(model)) if model.vocabulary[i] != word]
    rows = model.matrix[allowed] / np.linalg.norm(model.matrix[allowed], axis=1, keepdims=True)
    cosines = rows @ model.vector(word) / np.linalg.norm(model.vector(word))
    return [model.vocabulary[allowed[i]] for i in np.argsort(-cosines, kind="stable")]


def test_pair_by_the_long_way(bundled):
    found = similarity_pair.pair("silver", "gold", bundled, k=15)
    near_silver, near_gold = (_neighbours(bundled, w) for w in ("silver", "gold"))
    assert found.rank_ab == near_silver.index("gold") + 1 and found.rank_ba == near_gold.index("silver") + 1
    assert found.shared == len(set(near_silver[:15]) & set(near_gold[:15]))
    frame = found.neighbours.set_index("token")
    assert set(frame.index) == set(near_silver[:15]) | set(near_gold[:15])
    assert frame["rank_a"].dropna().sort_values().index.tolist() == near_silver[:15]
    assert frame["rank_b"].dropna().sort_values().index.tolist() == near_gold[:15]
    both = frame["rank_a"].notna() & frame["rank_b"].notna()
    assert both.iloc[: found.shared].all() and not both.iloc[found.shared :].any()  # shared ones first
    assert found.cosine == pytest.approx(matrix.similarity_matrix(("silver", "gold"), bundled)[0, 1])
    assert found.candidates == len(near_silver)


def test_pair_of_a_word_of_several_pieces(tiny):
    found = similarity_pair.pair("red", "unable", tiny, k=5, pieces="mean")
    assert 1 <= found.rank_ab <= found.candidates + 1 and 0 <= found.beats <= 1
    with pytest.raises(ValueError, match="not one word piece"):
        similarity_pair.pair("red", "unable", tiny)
    with pytest.raises(ValueError, match="choose 1 to"):
        similarity_pair.pair("red", "green", tiny, k=0)


def test_random_pairs_are_different_words(bundled):
    cosines = similarity_pair.random_cosines(bundled)
    assert len(cosines) == 10_000 and cosines.max() < 0.9999
    assert np.array_equal(cosines, similarity_pair.random_cosines(bundled))


@pytest.mark.parametrize("k", [2, 3, 6])
def test_path_meets_where_networkx_says(tiny, k):
    """The two ends meet after the fewest rounds, in the graph of k nearest neighbours built by networkx."""
    import networkx

    words = [w for w, ok in zip(tiny.vocabulary, similarity_pair.candidates(tiny), strict=True) if ok]
    graph = networkx.DiGraph()
    for word in words:
        graph.add_edges_from((word, other) for other in _neighbours(tiny, word)[:k])
    for first, second in itertools.combinations(words[:12], 2):
        a, b = (networkx.single_source_shortest_path_length(graph, w) for w in (first, second))
        common = a.keys() & b.keys()
        if not common:
            with pytest.raises(ValueError, match="do not meet"):
                similarity_pair.path(first, second, tiny, k)
            continue
        frame = similarity_pair.path(first, second, tiny, k)
        chain = list(frame["word"])
        assert chain[0] == first and chain[-1] == second and len(set(chain)) == len(chain)
        rounds = min(max(a[w], b[w]) for w in common)
        assert rounds in {max(a.get(w, 99), b.get(w, 99)) for w in chain}
        half = next(i for i, w in enumerate(chain) if max(a.get(w, 99), b.get(w, 99)) == rounds)
        assert half + (len(chain) - 1 - half) <= 2 * rounds
        for step, (one, two) in enumerate(itertools.pairwise(chain), 1):
            assert graph.has_edge(one, two) or graph.has_edge(two, one)
            cosine = matrix.similarity_matrix((one, two), tiny)[0, 1]
            assert frame["cosine"][step] == pytest.approx(cosine, abs=1e-5)
    with pytest.raises(ValueError, match="not one word piece"):
        similarity_pair.path("red", "unable", tiny)


def test_path_that_cannot_be(tiny):
    with pytest.raises(ValueError, match="list twice"):
        similarity_pair.path("red", "red", tiny)


# Colours


def test_differences_are_scikit_images():
    skimage = pytest.importorskip("skimage.color")
    values = colours.hexes(COLOURS)
    rgb = np.array([[int(v[i : i + 2], 16) for i in (1, 3, 5)] for v in values.values()]) / 255
    lab = skimage.rgb2lab(rgb)
    expected = skimage.deltaE_ciede2000(lab[:, None], lab[None])
    assert np.allclose(colours.colour_differences(tuple(values.values())), expected, atol=0.02)


def test_differences_of_known_colours():
    """Values that scikit-image 0.26 gives for the same sRGB colours."""
    table = colours.colour_differences(("#000000", "#ffffff", "#ffd700", "#ffff00", "#c0c0c0"))
    assert table[0, 1] == pytest.approx(100, abs=1e-3)
    assert table[2, 3] == pytest.approx(11.58, abs=0.02)
    assert table[2, 4] == pytest.approx(30.09, abs=0.02)
    assert np.array_equal(table, table.T) and not np.diag(table).any()


def test_names_of_colours():
    found = colours.hexes(["Red", "teal", "dark red", "piano", "#ff0000", "transparent", "currentcolor", "red)"])
    assert found == {"Red": "#ff0000", "teal": "#008080", "dark red": "#8b0000"}
    from embtools.wordlists import load

    listed = load("colours")
    assert list(colours.hexes(listed["colour"]).values()) == list(listed["hex"])


def test_sight(bundled):
    from scipy.stats import spearmanr

    sight = colours.compare_with_sight((*COLOURS, "piano"), bundled, permutations=99)
    assert "piano" not in sight.words and len(sight.pairs) == 21 * 20 // 2
    assert sight.test.rho == pytest.approx(-spearmanr(sight.pairs["cosine"], sight.pairs["difference"]).statistic)
    assert sight.pairs["gap"].is_monotonic_decreasing and sight.pairs["gap"].abs().max() < 1
    top = sight.pairs.iloc[0]
    assert top["rank_use"] < top["rank_sight"]
    named = colours.named_pairs(sight)
    assert next(zip(named["first"], named["second"], strict=True)) == ("black", "white") and len(named) == 4
    with pytest.raises(ValueError, match="needs 4"):
        colours.compare_with_sight(("red", "green", "blue", "piano"), bundled)


def test_answers_are_the_plain_fill_mask(bundled):
    """One batch with exchanged vectors gives what asking with each sentence gives."""
    from embtools import fill_mask

    words = COLOURS[:6]
    answers = colours.ask_most_similar(words, bundled)
    for row, word in enumerate(words):
        plain = fill_mask(f"The most similar color to {word} is [MASK].", bundled, k=100).set_index("token")[
            "probability"
        ]
        assert plain.index[0] == answers.best["answer"][row]
        for column, other in enumerate(words):
            if other in plain:
                assert answers.probabilities[row, column] == pytest.approx(plain[other], rel=1e-3)
        assert answers.best["best_of_list"][row] != word
    similar = colours.answer_similarity(answers)
    assert np.array_equal(similar, similar.T) and np.isfinite(similar).all()


def test_base_rates_are_taken_out():
    """An answer that is likely everywhere is similar to nothing in particular."""
    chances = np.array([[0.1, 0.6, 0.2], [0.1, 0.1, 0.2], [0.1, 0.6, 0.1]])
    table = colours.answer_similarity(colours.ColourAnswers(("a", "b", "c"), chances, None))  # type: ignore[arg-type]
    assert np.allclose(table, 0)


def test_mask_before_the_word_and_bad_templates(tiny):
    from embtools.mask_filling.forward import mask_scores, probabilities

    found, best = colours.slot_probabilities("the [MASK] is {word} .", ("red", "green"), ("bank", "river"), tiny)
    for row, word in enumerate(("red", "green")):
        plain = probabilities(mask_scores(f"the [MASK] is {word} .", tiny)[0, 0])
        assert np.allclose(found[row], plain[[tiny.ids["bank"], tiny.ids["river"]]], rtol=1e-4)
    assert list(best["word"]) == ["red", "green"]
    for template, message in (
        ("the bank is [MASK] .", "exactly once"),
        ("the {word} is red .", "exactly once"),
        ("the un{word} is [MASK] .", "Put spaces"),
    ):
        with pytest.raises(ValueError, match=message):
            colours.slot_probabilities(template, ("red",), ("bank",), tiny)
    with pytest.raises(ValueError, match="give 1 to 150"):
        colours.slot_probabilities("the {word} is [MASK] .", (), ("bank",), tiny)


def test_black_sheep_has_its_controls(bundled):
    frame = colours.black_sheep(colours.SUBJECTS, bundled)
    assert list(frame["subject"]) == list(colours.SUBJECTS)
    assert np.allclose(frame["ratio"], frame["first"] / frame["second"])
    assert frame[["first", "second"]].to_numpy().min() > 0


# The charts


def test_the_tree_is_drawn_as_scipy_draws_it(bundled):
    from scipy.cluster.hierarchy import dendrogram as scipys

    result = matrix.compare_words(COLOURS, bundled)
    xs, ys, names = dendrogram.branches(result)
    theirs = scipys(result.merges, no_plot=True)
    assert theirs["leaves"] == list(result.order)
    expected = sorted(
        (sorted((np.array(i) - 5) / 10), sorted(d)) for i, d in zip(theirs["icoord"], theirs["dcoord"], strict=True)
    )
    ours = sorted((sorted(y), sorted(x)) for x, y in zip(xs, ys, strict=True))
    assert np.allclose(ours, expected)
    assert names[-1].endswith("and 15 more")
    assert set(names[0].split(", ")) == {result.words[int(i)] for i in result.merges[0, :2]}


def test_heatmap_rows_and_columns_are_the_words(bundled):
    result = matrix.compare_words(("red", "<b>x</b>", "green"), bundled, pieces="mean")
    ordered = [result.words[i] for i in result.order]
    figure = charts.heatmap(result.values[np.ix_(result.order, result.order)], ordered, tree=result, clickable=True)
    assert list(figure.data[0].x) == list(figure.layout.yaxis.ticktext) == [html.escape(w) for w in ordered]
    assert np.isnan(np.diag(figure.data[0].z)).all() and figure.data[0].z.dtype == np.float32
    assert figure.data[0].zmid == 0 and figure.data[0].zmin == -figure.data[0].zmax
    targets = figure.data[1]
    for point, (column, row, value) in enumerate(zip(targets.x, targets.y, targets.customdata, strict=True)):
        cell = charts.cell_of(point, 3)
        assert cell == (row, list(figure.data[0].x).index(column))
        assert value == pytest.approx(result.values[np.ix_(result.order, result.order)][cell])
    assert "<b>" not in figure.to_json().replace("\\u003cb\\u003e", "<b>").replace("&lt;b&gt;", "")


def test_long_labels_are_cut_but_stay_different():
    figure = charts.heatmap(np.eye(2), ["a" * 30, "b"])
    assert figure.data[0].x[0] == "a" * 17 + "…"
    same = ["a" * 30 + "1", "a" * 30 + "2"]
    assert list(charts.heatmap(np.eye(2), same).data[0].x) == same


def test_150_words_stay_small():
    rows = np.random.default_rng(0).normal(size=(150, 8))
    words = [f"word{i:04d}" for i in range(150)]
    figure = charts.heatmap(matrix.table_of(rows), words, clickable=True)
    assert len(figure.to_json()) < 200_000 and len(figure.data) == 1  # no points over the cells


# The page


def page(**state):  # type: ignore[no-untyped-def]
    """The page, opened by a link that sets these widgets."""
    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=120)
    at.switch_page("pages/similarity.py")
    at.query_params["tables"] = "true"
    for key, value in state.items():
        at.query_params[f"similarity_{key}"] = value
    at.run()
    assert not at.exception
    return at


def text(at) -> str:  # type: ignore[no-untyped-def]
    """Everything the page says."""
    parts = [e.value for kind in (at.text, at.caption, at.markdown, at.subheader) for e in kind]
    return "\n".join([*parts, *(f"{m.label}: {m.value} ({m.delta})" for m in at.metric)])


def snippet(at) -> str:  # type: ignore[no-untyped-def]
    """The code that "copy as Python" offers."""
    return next(c.value for c in at.code if c.value.startswith("import embtools"))


def test_first_sight_has_a_result(bundled):
    at = page()
    best = matrix.pair_table(matrix.compare_words(COLOURS, bundled)).iloc[0]
    assert f"Most alike: {best['first']} – {best['second']}" in text(at).replace("\\", "")
    assert len(at.get("plotly_chart")) == 2
    pair = similarity_pair.pair(best["first"], best["second"], bundled)
    assert f"{pair.shared} of 20 are shared" in text(at) and f"{pair.cosine:.3f}" in text(at)


@pytest.mark.parametrize("name", matrix.PRESETS)
def test_every_preset(name, bundled):
    at = page()
    at.button(key=f"similarity-{name}").click().run()
    assert not at.exception
    assert at.text_area(key="similarity_words").value == ", ".join(matrix.preset(name))
    best = matrix.pair_table(matrix.compare_words(matrix.preset(name), bundled)).iloc[0]
    assert at.selectbox(key="similarity_first").value == best["first"]
    assert at.selectbox(key="similarity_second").value == best["second"]
    at.button(key="similarity-reset").click().run()
    assert at.text_area(key="similarity_words").value == ", ".join(COLOURS)


BAD = {
    "one word": ("red", "There is one word; at least 2"),
    "nothing": ("", "There are no words"),
    "two equal words": ("red, green, red", "'red' is in the list twice"),
    "151 words": (", ".join(f"w{i}" for i in range(151)), "151 words; at most 150"),
    "nine pieces": ("red, electroencephalographically", "is not one word piece"),
    "a sign nobody knows": ("red, \u2603\u2603", "is not in the vocabulary"),
    "a long word": ("red, " + "x" * 60, "60 characters"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lists_are_told_and_the_last_good_one_stays(case):
    words, message = BAD[case]
    at = page()
    before = [m.value for m in at.metric]
    at.text_area(key="similarity_words").set_value(words).run()
    assert not at.exception
    assert message in text(at) and "The last good result stays" in text(at)
    assert [m.value for m in at.metric] == before


def test_several_pieces_get_a_badge(bundled):
    at = page(words="red, green, electroencephalographically", pieces="mean")
    assert "1 read as the mean of their pieces" in "\n".join(m.value for m in at.markdown)
    pieces = " ".join(bundled.pieces("electroencephalographically"))
    assert f"electroencephalographically: {pieces}" in text(at)


@pytest.mark.parametrize("linkage", list(matrix.LINKAGES))
def test_linkages_and_measures(linkage, bundled):
    at = page(linkage=linkage, metric="euclidean")
    result = matrix.compare_words(COLOURS, bundled, metric="euclidean", linkage=linkage)
    assert f"{result.cophenetic:.2f}" in text(at) and "distance" in text(at)


def test_a_layer(bundled, monkeypatch):
    import streamlit as st

    st.cache_data.clear()
    monkeypatch.setattr(jobs, "PATIENCE", 0)  # show the bar at once
    at = page(vectors="layer 2", template="I painted it {word}.")
    result = matrix.compare_words(COLOURS, bundled, layer=2, template="I painted it {word}.")
    best = matrix.pair_table(result).iloc[0]
    assert f"cosine {best['cosine']:.2f}" in text(at)
    assert f"In the table above: {best['cosine']:.3f} (cosine of this layer)" in text(at)
    assert not at.run().exception  # remembered now, with nothing of the progress bar in it
    at.text_input(key="similarity_template").set_value("no slot").run()
    assert "exactly once" in text(at) and not at.exception


def test_every_words_sentence_is_checked(tiny):
    at = page(words="red, ##ing", vectors="layer 2")
    assert "'##ing' grows together" in text(at) and len(at.get("plotly_chart")) == 2
    with pytest.raises(ValueError, match="65 pieces"):  # the first word's sentence would just fit
        templates.sentences("the {word} " + "is " * 60, ("red", "unable"), tiny, layer=1)


def test_sentences_together_have_a_limit(bundled, monkeypatch):
    monkeypatch.setattr(templates, "MAX_PIECES", 11)
    with pytest.raises(ValueError, match="12 pieces together; at most 11"):
        wordlist.vectors(("red", "blue"), bundled, layer=1, template="This is {word}.")


def test_reset_brings_every_field_back():
    fields = {
        "question": "{word} is like [MASK].",
        "sheep": "A {word} is [MASK].",
        "subjects": "cow",
        "two": "red, blue",
    }
    at = page(tab="Does it follow sight?", **fields)
    at.button(key="similarity-reset").click().run()
    assert at.text_input(key="similarity_question").value == colours.MOST_SIMILAR
    assert at.text_input(key="similarity_sheep").value == colours.SHEEP
    assert at.text_area(key="similarity_subjects").value == ", ".join(colours.SUBJECTS)
    assert at.text_input(key="similarity_two").value == "black, white"
    at = page(tab="Two spaces", standardise="false", other_vectors="layer 1", other_template="A {word}.")
    first = page(tab="Two spaces")
    at.button(key="similarity-reset").click().run()
    for kind, key in (("toggle", "standardise"), ("selectbox", "other_vectors"), ("text_input", "other_template")):
        assert getattr(at, kind)(key=f"similarity_{key}").value == getattr(first, kind)(key=f"similarity_{key}").value


def test_the_same_word_twice_in_the_pair():
    at = page(first="red", second="red")
    assert "Choose two different ones" in text(at)


def test_sight_tab(bundled):
    at = page(tab="Does it follow sight?")
    sight = colours.compare_with_sight(COLOURS, bundled)
    assert f"ρ = {sight.test.rho:+.2f}" in text(at)
    frame = colours.black_sheep(colours.SUBJECTS, bundled)
    assert f"{frame['ratio'][0]:.2f} ×" in text(at)
    at.text_input(key="similarity_question").set_value("no mask {word}").run()
    assert "[MASK] exactly once" in text(at) and not at.exception
    at.text_input(key="similarity_two").set_value("red").run()
    assert "exactly two colours" in text(at) and not at.exception
    at.text_area(key="similarity_subjects").set_value("sheep, sheep").run()
    assert "'sheep' is in the list twice" in text(at) and not at.exception


def test_sight_reads_a_layers_sentences_once(bundled, monkeypatch):
    import streamlit as st

    st.cache_data.clear()
    reads, vectors = [], wordlist.vectors

    def counted(words, model, **named):
        if named.get("layer") is not None:
            reads.append(named)
        return vectors(words, model, **named)

    monkeypatch.setattr(wordlist, "vectors", counted)
    at = page(tab="Does it follow sight?", vectors="layer 2")
    assert len(reads) == 1 and reads[0]["progress"] is not None
    sight = colours.compare_with_sight(COLOURS, bundled, layer=2, template="This is {word}.")
    assert f"ρ = {sight.test.rho:+.2f}" in text(at)
    answers = colours.answer_similarity(colours.ask_most_similar(COLOURS, bundled))
    cosines = matrix.similarity_matrix(COLOURS, bundled, layer=2, template="This is {word}.")
    assert f"Answers and cosine: ρ = {permutations.mantel(answers, cosines).rho:+.2f}" in text(at)


def test_sight_without_colours():
    at = page(tab="Does it follow sight?", words="monday, tuesday, sunday")
    assert "name a colour of CSS" in text(at)
    next(b for b in at.button if b.label == "Take the 21 colours").click().run()
    assert "Mantel" in text(at)


def test_two_spaces(bundled):
    at = page(tab="Two spaces", other_vectors="layer 1")
    first = matrix.similarity_matrix(COLOURS, bundled)
    second = matrix.similarity_matrix(COLOURS, bundled, layer=1, template="This is {word}.")
    assert f"ρ = {permutations.mantel(first, second, permutations=99).rho:+.2f}" in text(at)
    assert len(at.get("plotly_chart")) == 3
    at = page(tab="Two spaces", words="red, green, blue", other_template="{word} and {word}")
    assert "exactly once" in text(at) and "at least 4 words" in text(at)


def test_swatches_only_for_colours():
    figure = charts.heatmap(np.eye(2), ["red", "blue"], swatches={"red": "#ff0000"})
    assert list(figure.data[1].marker.color) == ["#ff0000"] and list(figure.data[1].y) == [0]
    assert similarity_matrix._swatches(("peru", "chile", "china")) == {}
    assert set(similarity_matrix._swatches(("red", "blue", "piano"))) == {"red", "blue"}


def test_odd_one_out_tab():
    at = page(tab="Odd one out")
    assert "Odd one out: guitar" in text(at)
    at.button(key="odd-Metals").click().run()
    assert "wood" in at.text_input(key="similarity_odd").value
    at.text_input(key="similarity_odd").set_value("red, green").run()
    assert "at least 3" in text(at) and "The last good result stays" in text(at)


def copied(at, bundled) -> tuple[dict, list]:  # type: ignore[no-untyped-def]
    """The names that the code offered by the page leaves behind, and the values that it prints."""
    printed: list = []
    names = {"bundled": bundled, "print": lambda *values, sep="": printed.extend(values)}
    exec(snippet(at).replace("embtools.load_model('bundled')", "bundled"), names)
    return names, printed


def frames(values) -> list[pd.DataFrame]:  # type: ignore[no-untyped-def]
    return [v for v in values if isinstance(v, pd.DataFrame)]


def rows_of(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows in one order, numbers to five places."""
    values = frame.astype(object).where(frame.notna(), "").itertuples(index=False, name=None)
    return sorted(
        tuple(f"{v:.5f}" if isinstance(v, float | int | np.number) else str(v) for v in row) for row in values
    )


def is_among(mine: pd.DataFrame, tables: list[pd.DataFrame]) -> bool:
    """Is one of the page's tables this one, but for the names of its columns and the order of its rows?"""
    return rows_of(mine) in map(rows_of, tables)


SMALL = {"words": "red, green, blue, gold, silver", "vectors": "layer 1"}


def test_copied_python_of_the_heatmap_gives_every_number(bundled):
    at = page(**SMALL, first="gold", second="silver", k="10", linkage="ward")
    names, printed = copied(at, bundled)
    tables = [d.value for d in at.dataframe]
    assert f"Tree against table: {names['result'].cophenetic:.2f}" in text(at)
    pair = next(p for p in printed if isinstance(p, similarity_pair.Pair))
    assert f"{pair.cosine:.3f} (above {pair.beats:.1%} of random pairs)" in text(at)
    for one, other, rank in (("gold", "silver", pair.rank_ab), ("silver", "gold", pair.rank_ba)):
        assert f"Rank of {other} for {one}: {rank:,} (of {pair.candidates:,} words)" in text(at)
    assert f"{pair.shared} of 10 are shared" in text(at)
    found = [*frames(printed), pair.neighbours]
    assert len(found) == 3 and all(is_among(frame, tables) for frame in found)  # pairs, path, neighbours


def test_copied_python_of_the_sight_tab_gives_every_number(bundled):
    at = page(tab="Does it follow sight?", **SMALL, sheep="A {word} is [MASK].", question="{word} is like [MASK].")
    _, printed = copied(at, bundled)
    tests = [p for p in printed if isinstance(p, permutations.Mantel)]
    for label, test in zip(
        ("Similarity follows sight", "Answers and cosine", "Answers and the eye"), tests, strict=True
    ):
        assert f"{label}: ρ = {test.rho:+.2f} (p = {test.p:.4f} (Mantel))" in text(at)
    tables = [d.value for d in at.dataframe]
    pairs, named, best, answers, sheep = frames(printed)
    assert all(is_among(frame, tables) for frame in (pairs, best, answers, sheep))
    assert len(answers) == 25 and list(named["first"]) == ["gold"]


def test_copied_python_of_two_spaces_gives_every_number(bundled):
    at = page(tab="Two spaces", **SMALL, other_vectors="layer 2")
    _, (test, first, second, difference) = copied(at, bundled)
    assert f"ρ = {test.rho:+.2f} (p = {test.p:.3f} (Mantel))" in text(at)
    words = SMALL["words"].split(", ")
    (shown,) = (d.value for d in at.dataframe if "in the second" in d.value)
    for row in shown.itertuples(index=False):
        i, j = words.index(row.first), words.index(row.second)
        assert list(row[2:]) == pytest.approx([first[i, j], second[i, j], difference[i, j]])
    # Three words are too few for the test: the code does without.
    assert len(copied(page(tab="Two spaces", words="red, green, blue"), bundled)[1]) == 3


def test_copied_python_of_the_odd_one_gives_every_number(bundled):
    at = page(tab="Odd one out", **SMALL)
    _, (frame, quiz) = copied(at, bundled)
    assert is_among(frame, [d.value for d in at.dataframe])
    assert f"Found in random puzzles: {quiz.right / quiz.rounds:.0%}" in text(at)


def test_a_quiz_that_cannot_be_played_leaves_the_rest(monkeypatch, bundled):
    def refuse(**_):
        raise ValueError("This model reads too few words.")

    monkeypatch.setattr(odd_one_out, "quiz", refuse)
    at = page(tab="Odd one out")
    assert "reads too few words" in text(at) and "Odd one out: guitar" in text(at)
    assert len(copied(at, bundled)[1]) == 1
