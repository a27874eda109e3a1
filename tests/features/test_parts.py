"""Vectors to decompose and their parts, against plain forward passes, scikit-learn, scipy and each step alone; and the charts."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import lsq_linear
from sklearn.linear_model import Lasso

from embtools.charts import features as charts
from embtools.features import controls, dictionary, results, targets
from embtools.features.dictionary import of_vocabulary
from embtools.features.mixes import (
    STATIC,
    decompose_formula,
    decompose_word,
    formula_controls,
    formula_path,
    word_controls,
    word_path,
)
from embtools.features.parts import SHARES, SMALLEST, by_word, decompose, explained_share, sparsity_path
from embtools.features.results import decomposed
from embtools.features.targets import normalised
from embtools.occurrences.corpus import built_in_corpus
from embtools.occurrences.encoding import encode_corpus


def test_a_word_has_the_form_of_an_uncased_model(tiny):
    assert normalised(" Queen ", tiny) == "queen"
    assert tiny.pieces("Unable") == ("un", "##able") and normalised("Unable", tiny) == "unable"


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (" ", "The word is missing. Enter one, such as cold."),
        ("spain", "'spain' contains a character that this model does not know. Use another word."),
    ],
)
def test_unreadable_words_raise_an_error(tiny, word, message):
    with pytest.raises(ValueError, match=message):
        normalised(word, tiny)


def test_an_occurrence_is_its_hidden_state(found, tiny):
    target = targets.occurrence(found, tiny, word=" Queen ", number=2)
    assert (target.name, target.words, target.sentence) == ("queen", ("queen",), "she is the queen of rome")
    assert target.sentence[target.start : target.end] == "queen"
    np.testing.assert_allclose(target.vector, tiny.hidden_states(target.sentence)[2, 4], atol=1e-5)
    assert found.table["word"][target.row] == "queen"
    assert targets.occurrence(found, tiny, word="queen", number=99).row == target.row  # the last there is


def test_a_typed_word_is_the_first_of_its_occurrences(tiny):
    target = targets.from_sentence("the  king is\nthe king", tiny, word="king", combination="layer 1")
    assert target.row == -1 and target.sentence == "the king is the king" and target.start == 4
    np.testing.assert_allclose(target.vector, tiny.hidden_states("the king is the king")[1, 2], atol=1e-5)


def test_a_word_of_several_tokens_is_the_mean_of_them(tiny):
    assert tiny.pieces("works") == ("works",) and tiny.pieces("unable") == ("un", "##able")
    target = targets.from_sentence("he is unable", tiny, word="Unable", combination="layer 1")
    assert target.name == "unable"
    np.testing.assert_allclose(target.vector, tiny.hidden_states("he is unable")[1, 3:5].mean(0), atol=1e-5)


def test_a_formula_is_its_value_and_names_its_words(tiny):
    target = targets.formula("king - man + woman", tiny)
    right = tiny.vector("king") - tiny.vector("man") + tiny.vector("woman")
    np.testing.assert_allclose(target.vector, right, atol=1e-6)
    assert target.words == ("king", "man", "woman") and target.row == -1
    assert targets.formula("king", tiny).row == tiny.ids["king"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda found, tiny: targets.occurrence(found, tiny, word="Un king"), "'Un king' does not occur in the"),
        (lambda found, tiny: targets.formula("king - king", tiny), "The result is zero"),
    ],
)
def test_what_is_no_target_is_refused(found, tiny, ask, message):
    with pytest.raises(ValueError, match=message):
        ask(found, tiny)


def test_an_occurrence_of_a_folder_is_its_row(folder, bundled):
    target = targets.from_folder(folder, bundled, word=" Cold ", number=2)
    rows = folder.occurrences("cold")
    assert np.array_equal(target.vector, rows.vectors[1]) and target.row == -1 and target.words == ("cold",)
    assert target.sentence == folder.sentences([int(rows.table["sentence"][1])])[0]
    last = targets.from_folder(folder, bundled, word="cold", number=9_999)
    assert np.array_equal(last.vector, rows.vectors[-1])
    with pytest.raises(ValueError, match="does not occur in this folder"):
        targets.from_folder(folder, bundled, word="xylophone")


@pytest.mark.parametrize(("share", "rules"), [(0.9, {}), (0.3, {"same_word": True}), (0.1, {"same_sentence": False})])
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
    explained, cosine = 1 - ((y - mix) ** 2).sum() / (y @ y), mix @ y / np.linalg.norm(mix) / np.linalg.norm(y)
    assert figures["share explained, with LASSO weights"] == pytest.approx(explained, abs=1e-5)
    assert figures["cosine of the LASSO mix and the vector"] == pytest.approx(cosine, abs=1e-5)
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


@pytest.mark.parametrize("given", [{"share": SMALLEST / 2}, {"alpha": 0.0}, {"share": float("nan")}])
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
    assert explained_share(atoms[:0], y) == 0


def test_shares_are_summed_by_word():
    table = pd.DataFrame({"word": ["a", "b", "a"], "share": [0.4, 0.5, 0.2]})
    assert by_word(table).to_dict("list") == {"word": ["a", "b"], "share": [pytest.approx(0.6), 0.5], "parts": [2, 1]}


def test_bars_name_the_heaviest_words_and_sum_up_the_others():
    n = 14
    words, sentences = [f"w{i // 2}" for i in range(2 * n)], [f"s{i}" for i in range(2 * n)]
    table = pd.DataFrame({"word": words, "share": 1 / (2 * n), "sentence": sentences, "start": 0, "end": 1})
    figure = charts.parts(table).figure
    assert sum(figure.data[0].x) == pytest.approx(1) and len(figure.data[0].x) == 2 * n
    most = charts.MOST_BARS
    assert figure.layout.yaxis.ticktext == (*(f"w{i}" for i in range(most)), f"{n - most} other words")
    assert set(figure.data[0].y) == set(range(most + 1))
    assert sum(figure.data[1].x) == pytest.approx(1)
    few = charts.parts(table.head(4).assign(share=[0.4, 0.4, 0.1, 0.1]))
    assert few.alt == "Shares of the words in the mix: w0 80%, w1 20%." and len(set(few.figure.data[0].y)) == 2


def test_every_step_is_what_its_penalty_alone_gives(found, atoms, tiny):
    target = targets.occurrence(found, tiny, word="king")
    path = sparsity_path(target, atoms)
    assert set(path["penalty"]) == set(SHARES)
    for penalty, rows in path.groupby("penalty"):
        alone = decompose(target, atoms, share=penalty)
        assert rows["word"].tolist() == alone.words["word"].tolist()
        np.testing.assert_allclose(rows["share"], alone.words["share"], atol=1e-6)
        assert set(rows["parts"]) == {len(alone.table)}
        figures = alone.figures.set_index("measure")["value"]
        assert rows["explained"].iloc[0] == pytest.approx(figures["share explained, with LASSO weights"], abs=1e-9)
    steps = path.drop_duplicates("penalty")
    assert steps["penalty"].is_monotonic_decreasing and steps["explained"].is_monotonic_increasing


def test_lines_show_the_heaviest_words_and_the_current_penalty(found, atoms, tiny):
    path = sparsity_path(targets.occurrence(found, tiny, word="king"), atoms)
    figure = charts.path(path, 0.3).figure
    assert len(figure.data) == 1 + min(charts.MOST_LINES, path["word"].nunique())
    assert len(figure.data[0].x) == path["penalty"].nunique() and figure.layout.shapes[0].x0 == 0.3
    for trace in figure.data[1:]:
        rows = path[path["word"] == trace.name].set_index("penalty")["share"]
        np.testing.assert_allclose(trace.y, [rows.get(penalty, 0) for penalty in path["penalty"].unique()], atol=1e-6)


def test_a_result_has_the_sentences_and_measures_of_its_parts(found, atoms, tiny):
    rules = {"same_sentence": False}
    target = targets.occurrence(found, tiny, word="king")
    result = decomposed(target, atoms, share=0.2, **rules, coverage="All of it.")
    parts = decompose(target, atoms, share=0.2, **rules)
    near = controls.nearest(target, atoms, parts, **rules)
    pd.testing.assert_frame_equal(result.parts.table, parts.table)
    assert result.headline == results.finding("king", parts, near) and result.optimum == results.optimum(parts)
    assert result.measure("sum of the weights") == pytest.approx(parts.table["weight"].sum())
    assert (result.sentences, result.count, result.coverage) == ((), 0, "All of it.")


LAYER = "layer 3"


@pytest.fixture(scope="module")
def read(bundled):
    return encode_corpus(built_in_corpus(), bundled, combination=LAYER)


def same(result, target, atoms, **asked):
    pd.testing.assert_frame_equal(result.parts.table, decompose(target, atoms, **asked).table)


def test_an_occurrence_of_the_corpus_is_decomposed_into_the_others(read, bundled):
    atoms, target = dictionary.of_occurrences(read), targets.occurrence(read, bundled, word="cold", number=3)
    arguments = {"number": 3, "combination": LAYER}
    rules = {"same_word": True, "same_sentence": False}
    result = decompose_word(" Cold ", bundled, **arguments, **rules, share=0.5)
    same(result, target, atoms, share=0.5, **rules)
    assert tuple(dict.fromkeys(result.sentences)) == built_in_corpus().having("cold").sentences
    assert len(result.sentences) == len(read.of("cold"))
    assert (result.count, result.coverage) == (0, "")
    mix = decompose(target, atoms, share=0.5, **rules)
    frame = word_controls(" Cold ", bundled, **arguments, **rules, share=0.5).frame
    pd.testing.assert_frame_equal(frame, controls.compare(target, atoms, mix, **rules))
    pd.testing.assert_frame_equal(
        word_path(" Cold ", bundled, **arguments, **rules), sparsity_path(target, atoms, **rules)
    )


def test_a_typed_sentence_and_static_embeddings(read, bundled):
    text = "My hands are cold and blue."
    target = targets.from_sentence(text, bundled, word="cold", combination=LAYER)
    same(decompose_word("cold", bundled, sentence=text, combination=LAYER), target, dictionary.of_occurrences(read))
    static = decompose_word("cold", bundled, sentence=text, combination=LAYER, into=STATIC, alpha=0.002)
    same(static, target, dictionary.of_vocabulary(bundled), alpha=0.002)


def test_only_occurrences_and_static_embeddings_can_be_parts(bundled):
    with pytest.raises(ValueError, match="Choose occurrences or static embeddings"):
        decompose_word("cold", bundled, combination=LAYER, into="anything")


def test_an_occurrence_of_a_folder_is_decomposed_into_a_sample_or_into_chosen_words(folder, bundled):
    atoms = dictionary.of_folder(folder, bundled)
    result = decompose_word("cold", bundled, folder=folder, number=2)
    same(result, targets.from_folder(folder, bundled, word="cold", number=2, atoms=atoms.positions), atoms)
    assert (result.count, result.coverage) == (folder.count("cold"), dictionary.coverage(folder, atoms))
    chosen = ("winter", "warm")
    atoms = dictionary.of_words(folder, bundled, words=chosen)
    target = targets.from_sentence("A cold look.", bundled, word="cold", combination=folder.combination)
    result = decompose_word("cold", bundled, folder=folder, chosen=chosen, sentence="A cold look.")
    same(result, target, atoms)
    assert result.coverage == dictionary.coverage(folder, atoms, words=chosen)
    path = word_path("cold", bundled, folder=folder, chosen=chosen, sentence="A cold look.")
    pd.testing.assert_frame_equal(path, sparsity_path(target, atoms))


TEXT = "king - man + woman"


@pytest.mark.parametrize("asked", [{}, {"share": 0.15}, {"alpha": 0.05, "same_word": True}])
def test_a_formula_is_decomposed_into_the_vocabulary(tiny, asked):
    target, atoms = targets.formula(TEXT, tiny), of_vocabulary(tiny)
    rules = {"same_word": asked.get("same_word", False)}
    parts = decompose(target, atoms, **asked)
    result = decompose_formula(TEXT, tiny, **asked)
    pd.testing.assert_frame_equal(result.parts.table, parts.table)
    assert result.headline == results.finding(TEXT, parts, controls.nearest(target, atoms, parts, **rules))
    frame = controls.compare(target, atoms, parts, **rules)
    pd.testing.assert_frame_equal(formula_controls(TEXT, tiny, **asked).frame, frame)
    pd.testing.assert_frame_equal(formula_path(TEXT, tiny, **rules), sparsity_path(target, atoms, **rules))
