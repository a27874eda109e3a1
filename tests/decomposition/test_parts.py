"""The parts of a vector, against scikit-learn and scipy; and their bars."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import lsq_linear
from sklearn.linear_model import Lasso

from embtools.charts import decomposition as charts
from embtools.decomposition import dictionary, targets
from embtools.decomposition.parts import SMALLEST, by_word, decompose, explained_share


@pytest.mark.parametrize("share", [0.9, 0.3, 0.1])
@pytest.mark.parametrize("rules", [{}, {"same_word": True}, {"same_sentence": False}])
def test_weights_and_figures_are_scikit_learns(found, atoms, tiny, share, rules):
    target = targets.occurrence(found, tiny, word="king")
    parts = decompose(target, atoms, share=share, **rules)
    allowed = np.flatnonzero(atoms.allowed(target, **rules))
    x, y = atoms.vectors[allowed].astype(float), target.vector.astype(float)
    top = max(x @ y) / len(y)
    lasso = Lasso(share * top, positive=True, fit_intercept=False, tol=1e-13, max_iter=1_000_000).fit(x.T, y)
    weights = pd.Series(lasso.coef_[lasso.coef_ > 1e-9], allowed[lasso.coef_ > 1e-9]).sort_values(ascending=False)
    assert set(parts.rows) == set(weights.index)
    np.testing.assert_allclose(parts.table["weight"], weights.to_numpy(), rtol=1e-4)
    np.testing.assert_allclose(parts.table["share"], weights / weights.sum(), rtol=1e-4)
    mix = lasso.predict(x.T)
    figures = parts.figures.set_index("measure")["value"]
    assert figures["share explained, with LASSO weights"] == pytest.approx(
        1 - ((y - mix) ** 2).sum() / (y @ y), abs=1e-5
    )
    assert figures["cosine of the LASSO mix and the vector"] == pytest.approx(
        mix @ y / np.linalg.norm(mix) / np.linalg.norm(y), abs=1e-5
    )
    assert figures["alpha at which the mix is empty"] == pytest.approx(top)
    assert figures["alpha"] == pytest.approx(share * top)
    assert figures["duality gap, as a share of the objective"] < 1e-9
    for row in parts.table.itertuples():
        assert row.sentence[row.start : row.end] == row.word


def test_alpha_itself_may_be_given(found, atoms, tiny):
    target = targets.occurrence(found, tiny, word="king")
    one = decompose(target, atoms, share=0.3)
    alpha = one.figures.set_index("measure")["value"]["alpha"]
    pd.testing.assert_frame_equal(decompose(target, atoms, alpha=alpha).table, one.table, rtol=1e-9)


def test_a_penalty_at_its_maximum_leaves_nothing(found, atoms, tiny):
    for given in ({"share": 1.0}, {"alpha": 1e6}):
        parts = decompose(targets.occurrence(found, tiny, word="king"), atoms, **given)
        assert len(parts.table) == len(parts.words) == 0 and parts.explained == 0


@pytest.mark.parametrize("given", [{"share": SMALLEST / 2}, {"share": 0.0}, {"alpha": 0.0}, {"share": float("nan")}])
def test_a_penalty_that_is_too_small_is_refused(found, atoms, tiny, given):
    with pytest.raises(ValueError, match="too small for a sparse mix. Choose at least"):
        decompose(targets.occurrence(found, tiny, word="king"), atoms, **given)


def test_vectors_of_other_dimensions_are_refused(tiny):
    target = targets.from_sentence("he is a king", tiny, word="king", combination="concatenation of last four")
    with pytest.raises(ValueError, match="has 32 dimensions, but those of the dictionary have 16"):
        decompose(target, dictionary.of_vocabulary(tiny))


def test_refitted_weights_explain_as_much_as_possible():
    rng = np.random.default_rng(0)
    atoms, y = rng.normal(size=(5, 12)), rng.normal(size=12) + 1
    best = lsq_linear(atoms.T, y, (0, np.inf), tol=1e-14)
    mix = best.x @ atoms
    assert explained_share(atoms, y) == pytest.approx(1 - ((y - mix) ** 2).sum() / (y @ y), abs=1e-9)
    assert explained_share(atoms, y) == pytest.approx(
        (mix @ y) ** 2 / (mix @ mix) / (y @ y), abs=1e-6
    )  # the squared cosine
    assert explained_share(atoms[:0], y) == 0


def test_shares_are_summed_by_word():
    table = pd.DataFrame({"word": ["a", "b", "a"], "share": [0.4, 0.5, 0.2]})
    assert by_word(table).to_dict("list") == {"word": ["a", "b"], "share": [pytest.approx(0.6), 0.5], "parts": [2, 1]}


def test_bars_name_the_heaviest_words_and_sum_up_the_others():
    n = 14
    words = {"word": [f"w{i // 2}" for i in range(2 * n)], "sentence": [f"s{i}" for i in range(2 * n)]}
    table = pd.DataFrame({**words, "share": 1 / (2 * n), "start": 0, "end": 1})
    figure = charts.parts(table).figure
    assert sum(figure.data[0].x) == pytest.approx(1) and len(figure.data[0].x) == 2 * n
    most = charts.MOST_BARS
    assert figure.layout.yaxis.ticktext == (*(f"w{i}" for i in range(most)), f"{n - most} other words")
    assert set(figure.data[0].y) == set(range(most + 1))
    assert sum(figure.data[1].x) == pytest.approx(1)
    few = charts.parts(table.head(4).assign(share=[0.4, 0.4, 0.1, 0.1]))
    assert few.alt == "Shares of the words in the mix: w0 80%, w1 20%." and len(set(few.figure.data[0].y)) == 2
