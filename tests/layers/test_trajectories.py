"""The plane of the moving points compared with scikit-learn, and the frames of the figure compared with the points."""

from dataclasses import replace

import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import cosine_similarity

from embtools.charts import style
from embtools.charts import trajectories as charts
from embtools.layers import comparisons, senses, trajectories

LINES = (
    "money | The bank works as a capital.",
    "money | A king works, a bank works.",
    "river | The river, a green bank.",
    "river | The blue bank of a red river!",
)
SHAPES = st.tuples(st.integers(2, 5), st.integers(2, 6), st.integers(2, 8))
VECTORS = arrays.arrays(np.float64, SHAPES, elements=st.floats(-3, 3).map(lambda v: round(v, 3)))


@pytest.fixture(scope="module")
def compared(tiny):
    return comparisons.compare_word(LINES, tiny, word="bank")


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


def test_turning_and_stretching_the_space_changes_nothing():
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(4, 6, 9))
    turned = vectors @ ortho_group.rvs(9, random_state=2) * rng.uniform(0.1, 9, size=(4, 6, 1))
    for one, other in zip(trajectories.plane(vectors), trajectories.plane(turned), strict=True):
        assert np.allclose(one, other)


def test_a_plane_keeps_all_variance_of_points_in_it():
    angles = np.random.default_rng(3).uniform(0, 6, size=(3, 5))
    circle = np.zeros((3, 5, 12))
    circle[..., 4], circle[..., 7] = np.cos(angles), np.sin(angles)
    places, kept = trajectories.plane(circle)
    assert np.allclose(kept, 1)
    assert np.allclose(
        np.linalg.norm(places[:, 0] - places[:, 1], axis=-1), 2 * np.abs(np.sin(np.diff(angles)[:, 0] / 2))
    )


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
    with pytest.raises(ValueError, match="There is no pooling"):
        trajectories.trajectories(compared, "last piece")
    with pytest.raises(ValueError, match="Select at least two"):
        trajectories.trajectories(compared, "first token", keep=(2,))


# The figure


def test_a_frame_for_each_layer_holds_its_points(moving):
    figure = charts.trajectories(moving, 1).figure
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
        figure = charts.trajectories(moving, 2, animated=animated).figure
        steps = [step.args[1]["transition"]["duration"] for step in figure.layout.sliders[0].steps]
        play = figure.layout.updatemenus[0].buttons[0].args[1]
        assert set(steps) == {duration} == {play["transition"]["duration"]}
        assert play["frame"]["duration"] > 650  # it still plays, layer by layer


def test_each_sense_has_a_colour_and_a_shape_of_its_own():
    names = [f"sense {i}" for i in range(20)]
    assert len({charts.mark_of(names, name) for name in names}) == 20
    assert charts.mark_of(["", "money"], "") == (style.GREY, "circle")
    assert charts.mark_of(["", "money"], "money") == charts.mark_of(["money"], "money")


def test_the_alt_text_describes_the_first_and_the_last_layer(moving):
    text = charts.trajectories(moving, 0).alt
    first, last = moving.layers.iloc[0], moving.layers.iloc[-1]
    assert text.startswith("4 occurrences as points in one plane, moving from layer 0 to layer 2.")
    assert f"is {first['auc']:.2f} in layer 0 and {last['auc']:.2f} in the last layer" in text
    assert f"keeps {last['variance_kept']:.0%}" in text
    nothing = moving.layers.assign(auc=np.nan, variance_kept=np.nan)
    drawn = charts.trajectories(replace(moving, layers=nothing), 0)
    assert drawn.alt.endswith("layer 2.") and "identical vectors" in drawn.figure.frames[0].data[-1].text[0]
