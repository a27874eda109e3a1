"""One word as the page shows it: its comparison, own sentences, published figures, and its points in a plane."""

from dataclasses import replace
from itertools import combinations

import hypothesis.extra.numpy as arrays
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cosine as scipy_cosine
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import cosine_similarity

from embtools.charts import layers as charts
from embtools.charts import style
from embtools.charts import trajectories as trajectory_charts
from embtools.layer_combinations import combination_names
from embtools.layers import comparisons, published, senses, sentences, trajectories, verdict, word
from embtools.layers import senses as layers_senses
from embtools.statistics.decimals import decimal
from embtools.words import occurrences
from tests.layers.conftest import LINES

# One word compared in every layer, layer combination and with both segment ids; and its charts


def test_one_word_is_its_comparison(tiny, compared):
    found = word.one_word("bank", tiny, lines=LINES, keep=(1, 2, 4), pooling="first token")
    moving = trajectories.trajectories(compared, "first token", keep=(1, 2, 4))
    pd.testing.assert_frame_equal(found.moving.points, moving.points)
    pd.testing.assert_frame_equal(found.layers, moving.layers)
    pd.testing.assert_frame_equal(found.pair_lines, layers_senses.pair_lines(compared, "first token", keep=(1, 2, 4)))
    assert found.headline == verdict.finding(moving, "bank") and found.has_senses
    assert found.test_caption == verdict.sense_test_caption(moving.test)
    states = tiny.hidden_states(LINES[0].split(" | ")[1])
    assert found.shape == f"3 × 1 × {states.shape[1]} × 16" and found.concatenated == 2 * 16  # it has only two layers


def test_occurrences_that_do_not_exist_are_ignored(tiny):
    every = word.one_word("bank", tiny, lines=LINES)
    for keep in ((3,), (3, 3), (7, 8), (2, 9)):
        pd.testing.assert_frame_equal(word.one_word("bank", tiny, lines=LINES, keep=keep).pair_lines, every.pair_lines)
    plain = [line.split(" | ")[1] for line in LINES]
    together = word.one_word("bank", tiny, lines=plain, together=(1, 2, 9))
    assert together.layers["auc"].tolist() == every.layers["auc"].tolist() and not together.has_senses
    assert word.one_word("bank", tiny, lines=plain, together=(9,)).layers["auc"].isna().all()
    written = word.one_word("bank", tiny, lines=LINES, together=(1, 3))
    assert written.layers["auc"].tolist() == every.layers["auc"].tolist()  # the senses in the lines count


def test_combinations_are_those_of_the_comparison(tiny, compared):
    found = word.combinations("bank", tiny, lines=LINES, combination="layer 1", pooling="first token")
    pd.testing.assert_frame_equal(found.scores, layers_senses.separation(compared))
    pd.testing.assert_frame_equal(found.pairs, layers_senses.pair_cosines(compared, "layer 1", "first token"))
    assert found.splits == layers_senses.splits_as_good(compared, "layer 1", "first token") and found.size == 16
    row = found.scores.query("combination == 'layer 1' and pooling == 'first token'")
    assert found.auc == row["auc"].item()


def test_segment_ids_are_compared_by_the_cosines_of_the_network(tiny, tiny_distil):
    reported: list[float] = []
    found = word.segment_ids(
        "bank", tiny, lines=LINES, combination="layer 1", pooling="first token", progress=reported.append
    )
    for column, segment in ((word.SEGMENT_1, 1), (word.SEGMENT_0, 0)):
        vectors = []
        for line in LINES:
            sentence = line.split(" | ")[1]
            at = tiny.tokenize(sentence)["token"].tolist().index("bank")
            vectors.append(tiny.hidden_states(sentence, segment=segment)[1, at])
        expected = [1 - scipy_cosine(a, b) for a, b in combinations(vectors, 2)]
        assert sorted(found.frame[column]) == pytest.approx(sorted(expected), abs=1e-5)
        values = found.first_values[found.first_values["segment"] == str(segment)]
        np.testing.assert_allclose(values[list("12345")], [v[:5] for v in vectors], atol=1e-5)
    assert not found.has_published and reported == sorted(reported) and reported[-1] == 1
    with pytest.raises(ValueError, match="segment"):
        word.segment_ids("bank", tiny_distil, lines=LINES)


def test_lines_of_many_pairs_are_one_trace_with_gaps(tiny):
    many = comparisons.compare_word(LINES + LINES, tiny, word="bank")
    lines = layers_senses.pair_lines(many, "first token")
    figure = charts.pair_lines(lines).figure
    assert len(figure.data) == 4  # two kinds, each with its mean
    for trace, kind in zip(figure.data[::2], ("same sense", "different senses"), strict=True):
        group = lines[lines["kind"] == kind]
        assert np.allclose(np.array(trace.y)[~np.isnan(trace.y)], group["cosine"])
        shown = zip(trace.customdata[:, 0], trace.y, strict=True)
        assert [pair for pair, y in shown if not np.isnan(y)] == group["pair"].tolist()
    one = lines[lines["pair"] == lines["pair"].iloc[0]]
    alts = [charts.pair_lines(each).alt for each in (one, one.assign(cosine=np.nan))]
    assert alts[0].startswith("Cosines of 1 pair of occurrences") and "nan" not in alts[1]
    few = charts.pair_lines(layers_senses.pair_lines(many, "first token", keep=(1, 2, 3))).figure
    assert [t.name for t in few.data] == [
        "1 the bank works – 2 a bank works",
        "1 the bank works – 3 green bank",
        "2 a bank works – 3 green bank",
    ]


def test_the_pairs_of_a_combination_are_drawn_by_their_kind(compared):
    pairs = layers_senses.pair_cosines(compared, "layer 1", "first token")
    chart = charts.pair_cosines(pairs)
    assert chart.frame is pairs and chart.figure.layout.yaxis.ticktext == ("same<br>sense", "different<br>senses")
    for trace, kind in zip(chart.figure.data, ("same sense", "different senses"), strict=True):
        np.testing.assert_allclose(trace.x, pairs[pairs["kind"] == kind]["cosine"], atol=1e-6)
    best = pairs[pairs["kind"] == "same sense"]["cosine"]
    assert f"{decimal(best.min())} to {decimal(best.max())} for 2 pairs with the same sense" in chart.alt


# Own sentences: which lines are compared, which are skipped and why, and which word is compared instead

GOOD = ("the bank", "money | a green bank.")


def test_lines_that_can_be_compared_stay_unchanged(tiny):
    assert sentences.read(" bank ", tiny, lines=GOOD) == sentences.Reading("bank", GOOD, ())


@pytest.mark.parametrize(
    "line, why, form",
    [
        ("the banks", "It does not contain “bank” in this form.", "banks"),
        ("the king", "It does not contain “bank” in this form.", ""),
        ("a, b | the bank", "It has 1 occurrence but 2 senses.", ""),
        ("a |  ", "text is empty", ""),
        ("bank " + "king " * 90, "tokens", ""),
        ("bank " * 21, "At most 20 occurrences can be compared at once.", ""),
    ],
)
def test_only_the_line_that_cannot_be_read_is_skipped(tiny, line, why, form):
    reading = sentences.read("bank", tiny, lines=(GOOD[0], line, GOOD[1]))
    assert reading.word == "bank" and reading.lines == GOOD and not reading.problem
    (skipped,) = reading.skipped
    assert skipped.line == line and why in skipped.why and skipped.form == form


def test_a_word_is_found_with_the_apostrophe_that_most_sentences_have(bundled):
    lines = ("I don’t like it.", "They don’t go.", "We don't know.")
    reading = sentences.read("don't", bundled, lines=lines)
    assert (reading.word, reading.lines, reading.problem) == ("don’t", lines[:2], "")
    (skipped,) = reading.skipped
    assert sentences.rewritten(lines[2], skipped.form, reading.word) == "We don’t know."
    assert sentences.in_common("bank", ("It's a bank.", "It's here, don't go.", "So don't.")) == ["don't"]
    assert sentences.in_common("bank", ("The dog's tail.", "The dog’s bone.", "L'homme. Un homme.")) == ["homme", "dog"]


def test_no_more_than_can_be_compared(tiny):
    many = sentences.read("bank", tiny, lines=("the bank",) * 25)
    assert len(many.lines) == occurrences.MAX_SENTENCES and len(many.skipped) == 5
    long = sentences.read("bank", tiny, lines=("bank " + "king " * 57,) * 19)
    assert "tokens can be read at once" in long.skipped[-1].why
    comparisons.compare_word(long.lines, tiny, word="bank")  # the remaining lines can be read


@pytest.mark.parametrize(
    "word, lines, instead, others, problem",
    [
        ("river", GOOD, "bank", (), "No sentence contains “river”"),
        ("king", ("the king, the bank", "a bank"), "bank", (), "“king” occurs only once"),
        ("", GOOD, "bank", (), "no word to look for"),
        ("vault", GOOD, "bank", (), "does not know"),
        ("banks", ("a king, a king, a king", *GOOD), "bank", ("king",), "No sentence contains “banks”"),
    ],
)  # fmt: skip
def test_another_word_is_compared_if_the_typed_one_does_not_occur(tiny, word, lines, instead, others, problem):
    reading = sentences.read(word, tiny, lines=lines)
    assert reading.word == instead and reading.others == others and problem in reading.problem
    assert all("bank" in line for line in reading.lines)


def test_a_rewritten_line_can_be_read(tiny):
    line = "money | The banks, Banks and bankers."
    rewritten = sentences.rewritten(line, "banks", "bank")
    assert rewritten == "money | The bank, bank and bankers."
    assert sentences.read("bank", tiny, lines=(rewritten, "a bank")).lines == (rewritten, "a bank")


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=20), st.lists(st.text(max_size=40), max_size=6))
def test_whatever_is_typed_is_read_or_raises_an_error(tiny, word, lines):
    try:
        reading = sentences.read(word, tiny, lines=lines)
    except ValueError:
        return
    assert len(reading.lines) + len(reading.skipped) == len(lines)
    assert len(comparisons.compare_word(reading.lines, tiny, word=reading.word).occurrences) > 1


@pytest.mark.parametrize("word", [" River ", "bank", "qwxz", "", "a|b", "("])
def test_offered_sentences_can_be_compared(word, bundled):
    """All sentences that are offered for a word can be compared."""
    for lines in (sentences.built_in(word, bundled), sentences.starter(word, bundled)):
        assert len(lines) != 1 and len(lines) <= 8
        if lines:
            assert sentences.read(word, bundled, lines=lines) == sentences.Reading(word.strip(), lines, ())
    assert bool(sentences.built_in(word, bundled)) == (word.strip() in ("River", "bank"))
    assert bool(sentences.starter(word, bundled)) == (word not in ("", "a|b"))


def test_built_in_sentences_of_an_ambiguous_word_have_its_senses(bundled):
    lines = sentences.built_in("bank", bundled)
    assert {line.split(" | ")[0] for line in lines} == {"money", "river"} and len(lines) == 8


# Published figures and their comparison with our scores


def test_the_text_gives_two_cosines_and_three_vectors():
    assert published.bank_cosines() == {(1, 2): 0.94, (2, 3): 0.69}
    values = published.bank_values()
    assert list(values.columns) == ["occurrence", "1", "2", "3", "4", "5"]
    assert list(values["occurrence"]) == ["the bank vault", "the bank robber", "river bank"]
    assert values.set_index("occurrence").loc["river bank", ["1", "5"]].tolist() == [1.5266, 2.8334]
    assert values.set_index("occurrence").loc["the bank vault", "2"] == -2.9805


def test_the_published_values_belong_to_one_query_only():
    query = (published.BANK, (published.BANK_LINE,), "sum of last four", "mean of tokens")
    assert published.belongs_to_bank(*query)
    for index, other in enumerate(("banks", (published.BANK_LINE, "a bank"), "layer 1", "sentence: cls")):
        changed = [*query]
        changed[index] = other
        assert not published.belongs_to_bank(*changed)


def test_combinations_keep_the_order_of_the_paper_with_the_last_layer_of_this_model():
    names = combination_names(6)
    scores = pd.DataFrame(
        {
            "combination": [name for name in names for _ in range(2)] + ["shared words, no model"],
            "pooling": ["first token", "mean of tokens"] * len(names) + ["control"],
            "auc": [n / 100 for n in range(2 * len(names))] + [0.5],
        }
    )
    table = published.compare_combinations(scores)
    assert dict(zip(table["combination"], table["f1_published"], strict=True)) == {
        "layer 0": 91.0, "second-to-last layer": 95.6, "layer 6": 94.9, "sum of last four": 95.9,
        "concatenation of last four": 96.1, "sum of all layers": 95.5,
    }  # fmt: skip
    first = scores[scores["pooling"] == "first token"].set_index("combination")["auc"]
    assert table["auc"].tolist() == first[table["combination"]].tolist()


# The plane of the moving points compared with scikit-learn, and the frames of the figure compared with the points

SHAPES = st.tuples(st.integers(2, 5), st.integers(2, 6), st.integers(2, 8))
VECTORS = arrays.arrays(np.float64, SHAPES, elements=st.floats(-3, 3).map(lambda v: round(v, 3)))


@pytest.fixture(scope="module")
def moving(compared):
    return trajectories.trajectories(compared, "mean of tokens")


def centred(vectors: np.ndarray) -> np.ndarray:
    rows = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return rows - rows.mean(axis=1, keepdims=True)


def test_the_plane_is_that_of_the_principal_components():
    vectors = np.random.default_rng(0).normal(size=(5, 7, 20))
    rows = centred(vectors).reshape(-1, 20)
    expected = PCA(2, svd_solver="full").fit(rows).transform(rows).reshape(5, 7, 2)
    places, kept = trajectories.plane(vectors)
    for axis in range(2):
        sign = np.sign(places[0, 0, axis] * expected[0, 0, axis])
        assert np.allclose(places[..., axis], sign * expected[..., axis], atol=1e-9)
    assert np.allclose(kept, np.square(expected).sum((1, 2)) / np.square(rows).reshape(5, -1).sum(1))


@settings(max_examples=60, deadline=None)
@given(VECTORS, st.integers(0, 10_000))
def test_no_distance_is_drawn_longer_than_it_is(vectors, seed):
    vectors = vectors + np.random.default_rng(seed).normal(scale=1e-3, size=vectors.shape)
    places, kept = trajectories.plane(vectors)
    assert places.shape == (*vectors.shape[:2], 2)
    for layer, drawn in zip(vectors, places, strict=True):
        true = np.sqrt(np.maximum(2 - 2 * cosine_similarity(layer), 0))
        assert (np.linalg.norm(drawn[:, None] - drawn[None], axis=-1) <= true + 1e-6).all()
        assert np.allclose(drawn.mean(0), 0, atol=1e-9)
    known = kept[~np.isnan(kept)]
    assert ((known >= 0) & (known <= 1 + 1e-9)).all()
    assert places[-1, 0, 0] <= 0 <= places[-1, 0, 1]


def test_occurrences_that_coincide_have_no_share():
    vectors = np.random.default_rng(4).normal(size=(3, 4, 6))
    vectors[1] = vectors[1, :1]
    places, kept = trajectories.plane(vectors)
    assert np.isnan(kept).tolist() == [False, True, False] and np.allclose(places[1], 0)


def test_points_are_those_of_the_states(tiny, compared, moving):
    states = [tiny.hidden_states(line.split(" | ")[1]) for line in LINES]
    spots = [list(tiny.tokenize(line.split(" | ")[1])["token"]).index("bank") for line in LINES]
    vectors = np.stack([found[:, spot] for found, spot in zip(states, spots, strict=True)], axis=1)
    places, kept = trajectories.plane(vectors)
    for number, row in moving.points.iterrows():
        expected = places[row["layer"], row["occurrence"] - 1]
        assert [row["x"], row["y"]] == pytest.approx(expected, abs=1e-5), number
    assert moving.layers["variance_kept"].to_numpy() == pytest.approx(kept, abs=1e-5)
    assert moving.senses == 2 and moving.points["sense"].tolist() == ["money"] * 6 + ["river"] * 6


def test_scores_of_each_layer(compared, moving):
    scores = senses.separation(compared).set_index(["combination", "pooling"])["auc"]
    pairs = senses.pairs(compared)
    for layer, row in moving.layers.iterrows():
        assert row["auc"] == scores[(f"layer {layer}", "mean of tokens")]
        at = moving.points[moving.points["layer"] == layer].set_index("occurrence")[["x", "y"]]
        near = [-np.linalg.norm(at.loc[i] - at.loc[j]) for i, j in zip(pairs["first"], pairs["second"], strict=True)]
        assert row["plane_auc"] == pytest.approx(roc_auc_score(pairs["kind"] == senses.SAME, near))
        cosines = senses.pair_cosines(compared, f"layer {layer}", "mean of tokens")["cosine"]
        assert row["cosine"] == pytest.approx(cosines.mean())


def test_chosen_occurrences_and_what_cannot_be_compared(tiny, compared):
    kept = trajectories.trajectories(compared, "first token", keep=(1, 2, 4))
    assert kept.points["occurrence"].unique().tolist() == [1, 2, 4]
    together = comparisons.compare_word(("money, river | The bank works as a bank.",), tiny, word="bank")
    whole = trajectories.trajectories(together, "sentence: mean")
    assert whole.layers.drop(columns="layer").isna().all(axis=None)
    assert trajectories.trajectories(together, "first token").layers["auc"].isna().all()  # no pair of one sense


# The figure


def test_a_frame_for_each_layer_holds_its_points(moving):
    figure = trajectory_charts.trajectories(moving, 1).figure
    assert [frame.name for frame in figure.frames] == ["0", "1", "2"]
    assert [step.label for step in figure.layout.sliders[0].steps] == ["0", "1", "2"]
    assert figure.layout.sliders[0].active == 1
    low, high = figure.layout.xaxis.range, figure.layout.yaxis.range
    for frame in figure.frames:
        at = moving.points[moving.points["layer"] == int(frame.name)]
        points = next(p for p in frame.data if len(p.x or ()) == len(at))
        assert points.x == pytest.approx(at["x"].tolist(), abs=1e-4)
        assert points.y == pytest.approx(at["y"].tolist(), abs=1e-4)
        assert low[0] < min(points.x) and max(points.x) < low[1]
        assert high[0] < min(points.y) and max(points.y) < high[1]
        row, text = moving.layers.iloc[int(frame.name)], frame.data[-1].text[0]
        assert f"AUC {row['auc']:.2f}" in text and f"plane keeps {row['variance_kept']:.0%}" in text
        assert len(frame.traces) == len(frame.data)
    shown = figure.frames[1].data
    for trace, place in zip([figure.data[i] for i in figure.frames[1].traces], shown, strict=True):
        assert trace.x == place.x and trace.y == place.y


def test_with_reduced_motion_the_points_jump(moving):
    for animated, duration in ((True, 650), (False, 0)):
        figure = trajectory_charts.trajectories(moving, 2, animated=animated).figure
        steps = [step.args[1]["transition"]["duration"] for step in figure.layout.sliders[0].steps]
        play = figure.layout.updatemenus[0].buttons[0].args[1]
        assert set(steps) == {duration} == {play["transition"]["duration"]}
        assert play["frame"]["duration"] > 650  # it still plays, layer by layer


def test_each_sense_has_a_colour_and_a_shape_of_its_own():
    names = [f"sense {i}" for i in range(20)]
    assert len({trajectory_charts.mark_of(names, name) for name in names}) == 20
    assert trajectory_charts.mark_of(["", "money"], "") == (style.GREY, "circle")
    assert trajectory_charts.mark_of(["", "money"], "money") == trajectory_charts.mark_of(["money"], "money")


def test_the_alt_text_describes_the_first_and_the_last_layer(moving):
    text = trajectory_charts.trajectories(moving, 0).alt
    first, last = moving.layers.iloc[0], moving.layers.iloc[-1]
    assert text.startswith("4 occurrences as points in one plane, moving from layer 0 to layer 2.")
    assert f"is {first['auc']:.2f} in layer 0 and {last['auc']:.2f} in the last layer" in text
    assert f"keeps {last['variance_kept']:.0%}" in text
    nothing = moving.layers.assign(auc=np.nan, variance_kept=np.nan)
    drawn = trajectory_charts.trajectories(replace(moving, layers=nothing), 0)
    assert drawn.alt.endswith("layer 2.") and "identical vectors" in drawn.figure.frames[0].data[-1].text[0]
