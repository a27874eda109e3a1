"""Each mitigation method against its definition and articles; its gain, cost and the bias that it leaves."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.linalg import null_space, pinv, sqrtm
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.svm import SVC

from embtools import wordlists
from embtools.bias import methods, mitigated, mitigation, residual, verdict
from embtools.bias.mitigated import METHODS, mitigate, pair_ids
from embtools.mask_filling.forward import mask_logits, probabilities
from embtools.spaces.two_groups import classifier
from embtools.vectors import unit
from tests.hooked import Hooked

FIRST, SECOND = ("he", "man", "king"), ("she", "woman", "queen")


def everything(method, model, seed=0):
    change = mitigate(FIRST, SECOND, model, method=method, seed=seed)
    return change, change.embed(np.arange(len(model.matrix)), model)


def test_none_changes_nothing_and_average_makes_both_words_of_a_pair_equal(tiny):
    np.testing.assert_array_equal(everything("none", tiny)[1], tiny.matrix)
    _, rows = everything("average", tiny)
    for a, b in zip(FIRST, SECOND, strict=True):
        middle = (tiny.vector(a) + tiny.vector(b)) / 2
        np.testing.assert_allclose(rows[tiny.ids[a]], middle, atol=1e-6)
        np.testing.assert_allclose(rows[tiny.ids[b]], middle, atol=1e-6)
    others = [i for w, i in tiny.ids.items() if w not in FIRST + SECOND]
    np.testing.assert_array_equal(rows[others], tiny.matrix[others])


@pytest.mark.parametrize("method", ["project away", "random direction"])
def test_projected_words_lose_only_their_component_along_the_axis(method, tiny):
    change, rows = everything(method, tiny)
    assert np.linalg.norm(change.axis) == pytest.approx(1, abs=1e-6)
    assert np.abs(rows[tiny.rankable] @ change.axis).max() < 1e-5
    lost = tiny.matrix - rows
    np.testing.assert_allclose(
        lost[tiny.rankable], np.outer(tiny.matrix @ change.axis, change.axis)[tiny.rankable], atol=1e-5
    )
    np.testing.assert_array_equal(rows[~tiny.rankable], tiny.matrix[~tiny.rankable])


def test_equalised_pairs_differ_only_along_the_axis_and_equally(tiny):
    change, rows = everything("equalise", tiny)
    for a, b in zip(FIRST, SECOND, strict=True):
        x, y = rows[tiny.ids[a]], rows[tiny.ids[b]]
        assert x @ change.axis == pytest.approx(-(y @ change.axis), abs=1e-5)
        np.testing.assert_allclose(x - (x @ change.axis) * change.axis, y - (y @ change.axis) * change.axis, atol=1e-5)
        length = (np.linalg.norm(tiny.vector(a)) + np.linalg.norm(tiny.vector(b))) / 2
        assert np.linalg.norm(x) == pytest.approx(length, abs=1e-5) == np.linalg.norm(y)
        neutral = rows[tiny.ids["bank"]]
        assert neutral @ x == pytest.approx(neutral @ y, abs=1e-4)  # Bolukbasi et al.'s criterion


def pair_rows(model):
    """The vectors (2n, d) of the words of the pairs, and whether each is on the second side."""
    words = [model.matrix[model.ids[word]] for word in FIRST + SECOND]
    return np.array(words, np.float64), np.arange(len(words)) >= len(FIRST)


def test_leace_is_the_formula_of_the_article_on_every_word(tiny):
    x, second = pair_rows(tiny)
    centred, z = x - x.mean(0), second - second.mean()
    root = np.real(sqrtm(centred.T @ centred / len(x)))
    whitening = pinv(root, rtol=1e-5)
    along = whitening @ (centred.T @ z / len(x))[:, None]
    back = pinv(whitening, rtol=1e-5) @ along @ pinv(along) @ whitening
    expected = tiny.matrix - (tiny.matrix - x.mean(0)) @ back.T
    rows = everything("LEACE", tiny)[1]
    np.testing.assert_allclose(rows[tiny.rankable], expected[tiny.rankable], atol=1e-4)


def test_inlp_removes_the_weights_of_one_classifier_after_the_other_from_every_word(tiny, monkeypatch):
    monkeypatch.setattr(mitigated, "ROUNDS", 2)
    x, second = pair_rows(tiny)
    basis = []
    for _ in range(2):
        inside = null_space(np.array(basis)) if basis else np.eye(x.shape[1])
        basis.append(classifier((x - x.mean(0)) @ inside @ inside.T, second)[1])
    inside = null_space(np.array(basis))
    rows = everything("INLP", tiny)[1]
    expected = x.mean(0) + (tiny.matrix - x.mean(0)) @ inside @ inside.T
    np.testing.assert_allclose(rows[tiny.rankable], expected[tiny.rankable], atol=1e-5)


def test_the_control_of_inlp_removes_the_same_number_of_meaningless_directions(tiny, monkeypatch):
    monkeypatch.setattr(mitigated, "ROUNDS", 3)
    erased, control = (everything(method, tiny)[0] for method in ("INLP", "random directions"))
    assert erased.axes.shape == control.axes.shape == (3, len(tiny.matrix[0]))
    np.testing.assert_allclose(control.axes @ control.axes.T, np.eye(3), atol=1e-6)
    np.testing.assert_array_equal(control.axis, control.axes[0])
    assert np.linalg.norm(control.axes @ erased.axes.T) < np.sqrt(3) - 0.1


def test_one_pair_is_enough_for_every_method(tiny):
    for method in METHODS:
        change = mitigate(("he",), ("she",), tiny, method=method)
        rows = change.embed(np.array([tiny.ids["he"], tiny.ids["she"]]), tiny)
        assert np.isfinite(rows).all() and len(change.axes) <= 1
        if method in ("average", "project away", "LEACE", "INLP"):
            np.testing.assert_allclose(rows[0], rows[1], atol=1e-5)


def test_random_directions_depend_on_the_seed(tiny):
    one, again, other = (mitigate(FIRST, SECOND, tiny, method="random direction", seed=s).axis for s in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert abs(one @ other) < 0.9


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ((), (), "the same number of words, at least one"),
        (("he",), ("she", "woman"), "1 and 2"),
        (("he", "he"), ("she", "woman"), "'he' occurs in two pairs"),
        (("king", "he"), ("he", "woman"), "'he' occurs in two pairs"),
        (("man", "he"), ("Man", "she"), "Both words of a pair are 'man'"),
        (("unable",), ("she",), "not a single token"),
        (("he",) * 61, ("she",) * 61, "61 pairs, but at most 60"),
    ],
)
def test_bad_pairs_say_what_to_do(first, second, message, tiny):
    with pytest.raises(ValueError, match=message):
        mitigate(first, second, tiny, method="average")


SENTENCES, ANSWERS = ("rome is the capital of [MASK].", "the river is [MASK]."), ("italy", "blue|green")


@pytest.mark.parametrize("method", ["average", "LEACE", "INLP"])
def test_tied_costs_are_those_of_an_overwritten_network(method, tiny):
    changed, hooked = (
        mitigate(FIRST, SECOND, tiny, method=method).embed(np.arange(len(tiny.matrix)), tiny),
        Hooked(tiny),
    )
    with torch.no_grad():
        hooked.network.get_input_embeddings().weight[:] = torch.from_numpy(changed)
    costs = mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, scope="tied")
    found, none = (costs[costs["method"] == each] for each in (method, "none"))
    for row, text, answers, before in zip(found.itertuples(), SENTENCES, ANSWERS, none["probability"], strict=True):
        at = tiny.tokenize(text)["id"].tolist().index(tiny.mask_id)
        chances, ids = softmax(hooked.logits(text)[at].astype(float)), [tiny.ids[word] for word in answers.split("|")]
        assert row.probability == pytest.approx(chances[ids].sum(), abs=1e-6)
        assert row.log_change == pytest.approx(np.log(row.probability / before), abs=1e-6)
        assert row.top_acceptable == (int(chances.argmax()) in ids)


def test_no_mitigation_costs_nothing_and_the_input_scope_leaves_other_words_alone(tiny):
    costs = mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, scope="input").set_index(
        "method"
    )
    assert (costs.loc["none", "log_change"] == 0).all() and (costs.loc["none", "distance"] < 1e-12).all()
    assert (costs.loc["average", "log_change"] == 0).all()  # no word of a pair is in the sentences
    few = mitigation.cost_summary(costs.reset_index()).set_index("method")
    assert list(few.index) == list(METHODS) and few[["low", "high"]].isna().all(axis=None)
    summary = mitigation.cost_summary(pd.concat([costs.reset_index()] * 10)).set_index("method")
    low, change, high = summary.loc["project away", ["low", "log_change", "high"]]
    assert low <= change <= high


@pytest.mark.parametrize("scope", ["input", "tied"])
def test_the_gain_of_an_average_is_the_whole_gap(scope, tiny):
    found = mitigation.gain(
        ("{group} is a [MASK].",), tiny, occupations=("king", "bank"), first=FIRST, second=SECOND, scope=scope
    ).set_index("method")
    assert found.loc["average", "gap"] == pytest.approx(0, abs=1e-6)
    assert found.loc["average", "distance"] == pytest.approx(0, abs=1e-9)
    assert found.loc["none", "gap"] > 0.01


def test_the_gap_without_mitigation_is_that_of_plain_answers(tiny):
    from embtools import fill_mask

    found = mitigation.gain(
        ("{group} is a [MASK].",), tiny, occupations=("rome", "bank"), first=FIRST, second=SECOND
    ).set_index("method")
    he, she = (fill_mask(f"{w} is a [MASK].", tiny, k=45).set_index("token")["probability"] for w in ("he", "she"))
    expected = np.mean([abs(np.log(he[w]) - np.log(she[w])) for w in ("rome", "bank")])
    assert found.loc["none", "gap"] == pytest.approx(expected, abs=1e-5)


def test_the_total_number_of_tokens_is_limited_before_any_is_read(tiny, monkeypatch):
    total = sum(len(tiny.tokenize(text)) for text in SENTENCES) * len(METHODS)
    monkeypatch.setattr(mitigation, "MAX_PIECES", total)
    mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND)
    monkeypatch.setattr(mitigation, "last_states_of_rows", None)
    monkeypatch.setattr(mitigation, "MAX_PIECES", total - 1)
    with pytest.raises(ValueError, match=f"{total} tokens in total; at most {total - 1}"):
        mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND)
    templates = [sentence.replace("the", "{group}") for sentence in SENTENCES]
    with pytest.raises(ValueError, match="tokens in total"):
        mitigation.gain(templates, tiny, occupations=("king",), first=FIRST, second=SECOND)


@pytest.mark.parametrize(("method", "scope"), [("equalise", "input"), ("LEACE", "input"), ("INLP", "tied")])
def test_a_mitigation_is_one_kind_of_changed_embeddings(method, scope, tiny):
    change = mitigate(FIRST, SECOND, tiny, method=method, scope=scope)
    text = SENTENCES[0]
    run = mask_logits(text, tiny, patches=[change])[0, 0]
    table = mitigation.cost(SENTENCES[:1], tiny, answers=ANSWERS[:1], first=FIRST, second=SECOND, scope=scope)
    ids = [tiny.ids[word] for word in ANSWERS[0].split("|") if word in tiny.ids]
    expected = probabilities(run)[ids].sum()
    assert table.set_index("method").loc[method, "probability"] == pytest.approx(expected, abs=1e-6)


def test_bad_requests_say_what_to_do(tiny):
    with pytest.raises(ValueError, match="no method"):
        mitigate(FIRST, SECOND, tiny, method="wish")
    with pytest.raises(ValueError, match="no scope"):
        mitigation.cost(SENTENCES, tiny, answers=ANSWERS, first=FIRST, second=SECOND, scope="both")
    for occupations in ((), ("king",) * 201):
        with pytest.raises(ValueError, match="occupations; use 1 to 200"):
            mitigation.gain(("{group} is a [MASK].",), tiny, occupations=occupations, first=FIRST, second=SECOND)
    with pytest.raises(ValueError, match="1 to 200"):
        mitigation.cost((), tiny, answers=(), first=FIRST, second=SECOND)
    with pytest.raises(ValueError, match="None of the answers"):
        mitigation.cost(SENTENCES[:1], tiny, answers=("zebra",), first=FIRST, second=SECOND)
    with pytest.raises(ValueError, match="exactly one"):
        mitigation.cost(("[MASK] [MASK]",), tiny, answers=("king",), first=FIRST, second=SECOND)


def test_the_efforts_grow_with_the_work(tiny, bundled):
    once = mitigation.effort(("{group} is [MASK].",), tiny, sentences=SENTENCES)
    assert 0 < once < mitigation.effort(("{group} is [MASK].",) * 2, tiny, sentences=SENTENCES)
    assert 0 < methods.effort(bundled, per_side=50) < methods.effort(bundled, per_side=200)
    assert residual.effort(100, tiny) == pytest.approx(residual.effort(50, tiny) * 4)
    assert residual.effort(200, bundled) == pytest.approx(16 * 0.15)


TWO_PAIRS = ("he", "man"), ("she", "woman")


@pytest.fixture(scope="module")
def found(bundled):
    return methods.compare_methods(*TWO_PAIRS, bundled, scope="input", per_side=50)


@pytest.mark.slow
def test_each_part_is_that_of_its_own_function(found, bundled):
    """The costs are computed again here for one method and sentence, and for all by their own function."""
    sides = {"first": TWO_PAIRS[0], "second": TWO_PAIRS[1], "scope": "input"}
    neutral = wordlists.load("neutral_sentences")
    costs = mitigation.cost(neutral["sentence"].tolist(), bundled, answers=neutral["answer"].tolist(), **sides)
    pd.testing.assert_frame_equal(found.costs, costs)
    pd.testing.assert_frame_equal(found.summary, mitigation.cost_summary(costs))
    pd.testing.assert_frame_equal(found.residuals, residual.residual_bias(*TWO_PAIRS, bundled, per_side=50))
    rows = wordlists.load("bias_templates").query("kind == 'fill_occupation' and slot == 'noun'")
    occupations = wordlists.load("occupations")["occupation"].tolist()
    gains = mitigation.gain(rows["template"].tolist(), bundled, occupations=occupations, **sides)
    pd.testing.assert_frame_equal(found.gains, gains)


@pytest.mark.slow
def test_sentences_and_tables_come_from_the_frames(found):
    assert found.pair == ("he", "she")
    sentences = verdict.mitigation(found.gains, found.summary, found.residuals, ("he", "she"))
    assert (found.headline, found.control) == sentences
    assert found.erasers == verdict.erasers(found.residuals)
    table = found.by_sentence
    assert list(table.columns) == ["sentence", *METHODS] and len(table) == len(wordlists.load("neutral_sentences"))
    row = found.costs.query("method == 'equalise'").iloc[3]
    assert table.set_index("sentence").loc[row["sentence"], "equalise"] == row["probability"]
    share = found.costs.query("method == 'none'")["top_acceptable"].mean()
    assert f"acceptable in {share:.0%} of the sentences before “project away”" in found.neutral
    probability = found.costs.query("method == 'project away'")["probability"].mean()
    assert found.neutral.endswith(f"of the probability before and {probability:.1%} after.")


PAIRS = (("pa", "pb", "pc"), ("qa", "qb", "qc"))


def space(second_trace: float):
    """3,000 words in 40 dimensions; the pairs differ in dimension 0, on which 20 others depend by `second_trace`."""
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((3_000, 40)).astype(np.float32)
    matrix[:, 1:21] += second_trace * matrix[:, :1]
    matrix[:6] = rng.standard_normal((6, 40)) * 0.01
    matrix[:3, 0], matrix[3:6, 0] = -4, 4
    letters = "abcdefghijklmnop"
    words = [*PAIRS[0], *PAIRS[1], *("w" + "".join(letters[(i >> s) % 16] for s in (0, 4, 8)) for i in range(6, 3_000))]
    return SimpleNamespace(
        matrix=matrix,
        vocabulary=tuple(words),
        ids={w: i for i, w in enumerate(words)},
        inverse_norms=1 / np.linalg.norm(matrix, axis=1),
        rankable=np.ones(3_000, bool),
        whole_words=np.ones(3_000, bool),
        tied=True,
        token_id={w: i for i, w in enumerate(words)}.__getitem__,
    )


def test_no_bias_remains_if_only_one_direction_differs():
    found = residual.residual_bias(*PAIRS, space(0.0), per_side=150).set_index("method")
    assert found.loc["none", "accuracy"] > 0.97
    assert found.loc["project away", "low"] < 0.56
    assert 0.4 < found.loc["project away", "clusters"] < 0.6


def test_bias_remains_if_other_dimensions_depend_on_the_direction_but_not_of_shuffled_sides():
    found = residual.residual_bias(*PAIRS, space(0.6), per_side=150).set_index("method")
    assert found.loc["project away", "accuracy"] > 0.95
    assert found.loc["project away", "clusters"] > 0.9
    assert found["shuffled"].between(0.38, 0.62).all() and list(found.index) == list(METHODS)


def test_a_model_with_an_untied_output_gives_the_same_result():
    tied, untied = space(0.6), space(0.6)
    untied.tied = False
    pd.testing.assert_frame_equal(
        residual.residual_bias(*PAIRS, untied, per_side=20), residual.residual_bias(*PAIRS, tied, per_side=20)
    )
    assert len(residual.residual_map(*PAIRS, untied, method="project away", per_side=20)) == 40


def test_biased_words_are_the_extremes_without_the_pairs():
    model = space(0.3)
    change = mitigate(*PAIRS, model, method="project away")
    ids, sides = residual.leaning_words(change, model, per_side=50, taken=range(6))
    cosines = model.matrix[6:] @ change.axis / np.linalg.norm(model.matrix[6:], axis=1)
    order = 6 + np.argsort(cosines)
    assert set(ids[sides == 0]) == set(order[:50]) and set(ids[sides == 1]) == set(order[-50:])


@pytest.mark.slow
def test_accuracy_is_scikit_learns_cross_validation(bundled):
    first, second = ("he", "man", "boy"), ("she", "woman", "girl")
    found = residual.residual_bias(first, second, bundled, per_side=40).set_index("method").loc["project away"]
    change = mitigate(first, second, bundled, method="project away")
    ids, sides = residual.leaning_words(change, bundled, per_side=40, taken=pair_ids(first, second, bundled).ravel())
    scores = cross_val_score(
        SVC(), unit(change.embed(ids, bundled)), sides, cv=StratifiedKFold(5, shuffle=True, random_state=0)
    )
    assert found["accuracy"] == pytest.approx(scores.mean())
    points = residual.residual_map(first, second, bundled, method="project away", per_side=40)
    assert [bundled.ids[w] for w in points["word"]] == list(ids) and list(points["side"]) == list(sides)


def test_the_loss_on_the_pairs_is_that_of_a_logistic_regression(bundled):
    first, second = ("he", "man", "boy", "king"), ("she", "woman", "girl", "queen")
    found = residual.residual_bias(first, second, bundled, per_side=20).set_index("method")["loss_fitted"]
    sides = np.arange(8) >= 4
    for method in ("none", "project away", "equalise", "LEACE"):
        change = mitigate(first, second, bundled, method=method, scope="input")
        vectors = change.embed(pair_ids(first, second, bundled).ravel(), bundled).astype(float)
        vectors -= vectors.mean(0)
        vectors /= np.sqrt((vectors**2).sum(axis=1).mean())
        shares = LogisticRegression(C=10, tol=1e-8, max_iter=5_000).fit(vectors, sides).predict_proba(vectors)
        assert found[method] == pytest.approx(log_loss(sides, shares) / np.log(2), abs=1e-4), method
    assert found["none"] < found["project away"] < found["LEACE"] == pytest.approx(1)
    assert found["INLP"] == pytest.approx(1)  # more rounds than there are directions between eight words


def test_no_word_is_on_both_sides():
    model = space(0.3)
    model.whole_words[106:] = False  # the pairs and 100 others
    change = mitigate(*PAIRS, model, method="project away")
    ids, _ = residual.leaning_words(change, model, per_side=50, taken=range(6))
    assert len(set(ids.tolist())) == 100
    few = "only 100 usable words, but 51 per side would need 102. Choose at most 50 per side"
    for count, message in ((51, few), (19, "choose 20 to 500"), (501, "choose 20 to 500")):
        with pytest.raises(ValueError, match=message):
            residual.leaning_words(change, model, per_side=count, taken=range(6))
