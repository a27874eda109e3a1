"""Colour words: answers of the model, the black sheep, and perception."""

import numpy as np
import pandas as pd
import pytest

from embtools import fill_mask
from embtools.charts import similarity as charts
from embtools.similarity import answers, colours, matrix, sheep
from embtools.statistics.decimals import decimal
from embtools.statistics.permutations import mantel
from tests.drawn import HOSTILE, shows_no_markup

# The answers of a model about colours: compared with fill-mask, without base rates, and with cosine and appearance

COLOURS = matrix.preset("Colours")


def test_answers_are_the_plain_fill_mask(bundled):
    """One batch with replaced vectors gives the same answers as running each sentence."""
    from embtools import fill_mask

    words = COLOURS[:6]
    found = answers.ask_most_similar(words, bundled)
    for row, word in enumerate(words):
        plain = fill_mask(f"The most similar color to {word} is [MASK].", bundled, k=100).set_index("token")[
            "probability"
        ]
        assert plain.index[0] == found.best["answer"][row]
        for column, other in enumerate(words):
            if other in plain:
                assert found.probabilities[row, column] == pytest.approx(plain[other], rel=1e-3)
        assert found.best["answer_in_list"][row] != word
    similar = answers.answer_similarity(found)
    assert np.array_equal(similar, similar.T) and np.isfinite(similar).all()


def test_base_rates_are_subtracted():
    """An answer that is likely for every question is not similar to any word in particular."""
    found = np.array([[0.1, 0.6, 0.2], [0.1, 0.1, 0.2], [0.1, 0.6, 0.1]])
    table = answers.answer_similarity(answers.ColourAnswers(("a", "b", "c"), found, None))  # type: ignore[arg-type]
    assert np.allclose(table, 0)


def test_mask_before_the_word_and_bad_templates(tiny):
    from embtools.mask_filling.forward import mask_logits, probabilities

    found, best = answers.slot_probabilities(
        "the [MASK] is {word} .", tiny, fillers=("red", "green"), answers=("bank", "river")
    )
    for row, word in enumerate(("red", "green")):
        plain = probabilities(mask_logits(f"the [MASK] is {word} .", tiny)[0, 0])
        assert np.allclose(found[row], plain[[tiny.ids["bank"], tiny.ids["river"]]], rtol=1e-4)
    assert list(best["word"]) == ["red", "green"]
    for template, message in (
        ("the bank is [MASK] .", "exactly once"),
        ("the {word} is red .", "exactly once"),
        ("the un{word} is [MASK] .", "Put spaces"),
    ):
        with pytest.raises(ValueError, match=message):
            answers.slot_probabilities(template, tiny, fillers=("red",), answers=("bank",))
    with pytest.raises(ValueError, match="Give 1 to 150"):
        answers.slot_probabilities("the {word} is [MASK] .", tiny, fillers=(), answers=("bank",))


def test_the_answers_are_compared_in_the_order_of_the_tree(bundled):
    words = ("red", "piano", "rebeccapurple", "green", "blue", "black", "white", "gold")
    found = answers.compare_answers(words, bundled, pieces="mean", question="{word} is like [MASK].")
    known = ("red", "green", "blue", "black", "white", "gold")
    assert found.left_out == ("rebeccapurple",) and tuple(found.hexes) == known
    assert found.table["probability"].tolist() == found.answers.probabilities.ravel().tolist()
    assert found.table["word"].tolist() == [word for word in found.answers.words for _ in known]
    alone = answers.ask_most_similar(known, bundled, template="{word} is like [MASK].")
    tree = matrix.compare_words(words, bundled, pieces="mean")
    assert found.answers.words == tuple(words[i] for i in tree.order if words[i] in known)
    for row, word in enumerate(found.answers.words):
        for column, other in enumerate(found.answers.words):
            expected = alone.probabilities[known.index(word), known.index(other)]
            assert found.answers.probabilities[row, column] == expected
    similar = answers.answer_similarity(alone)
    assert found.with_cosine == mantel(similar, matrix.similarity_matrix(known, bundled))
    assert found.with_eye == mantel(similar, -colours.colour_differences(tuple(colours.hexes(known).values())))
    with pytest.raises(ValueError, match="Only 2 of these words"):
        answers.compare_answers(("red", "green", "piano"), bundled)


# The black sheep: the probabilities of two colours with their controls, the headline and the chart


def test_the_black_sheep_has_controls(bundled):
    frame = sheep.black_sheep(sheep.SUBJECTS, bundled).table
    assert list(frame["subject"]) == list(sheep.SUBJECTS)
    assert np.allclose(frame["ratio"], frame["first"] / frame["second"])
    assert frame[["first", "second"]].to_numpy().min() > 0
    plain = fill_mask("The sheep is [MASK].", bundled, k=100).set_index("token")["probability"]
    assert frame["second"][0] == pytest.approx(plain["white"], rel=1e-3)
    with pytest.raises(ValueError, match="exactly two colours"):
        sheep.black_sheep(("sheep",), bundled, colours=("red",))


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ([0.4, 9.0, 0.1], "There is no black-sheep effect here: for sheep, white is 2.5 times as likely as black."),
        ([1.0, 0.1], "There is no black-sheep effect here: for sheep, both are equally likely."),
        ([0.04], "There is no black-sheep effect here: for sheep, white is 25 times as likely as black."),
        ([25.0, *[1.0] * 20],
         "The effect is present: for sheep, black is 25 times as likely as white, and 0 of 20 other subjects reach this"
         " ratio (p ≤ 0.048, the smallest possible with 20 other subjects)."),
        # by chance, the first of ten has the highest ratio in one list of ten
        ([2.5, *[1.0] * 9], "There is a hint of the effect: for sheep, black is 2.5 times as likely as white, and 0 of 9 other"),
        ([25.0, *[1.0] * 19, 26.0],
         "There is no clear effect: for sheep, black is 25 times as likely as white, but 1 of 20 other subjects reaches"),
        ([2.5, 3.0, 0.5],
         "There is no clear effect: for sheep, black is 2.5 times as likely as white, but 1 of 2 other subjects reaches"),
        ([2.5, 1.0],
         "There is a hint of the effect: for sheep, black is 2.5 times as likely as white, and 0 of 1 other subject reaches"
         " this ratio (p ≤ 0.5, the smallest possible with 1 other subject). Add"),
        ([2.5], "For sheep, black is 2.5 times as likely as white. Add other subjects"),
    ],
)  # fmt: skip
def test_the_sheep(ratios, expected):
    frame = pd.DataFrame({"subject": ["sheep", *[f"s{i}" for i in range(len(ratios) - 1)]], "ratio": ratios})
    assert sheep.BlackSheep(("black", "white"), frame).headline.startswith(expected)


# The chart


def test_the_two_answers_for_each_subject_are_joined_by_a_line():
    frame = pd.DataFrame({"subject": [HOSTILE, "cat"], "first": [0.1, 0.2], "second": [0.01, 0.4]})
    chart = charts.colour_probabilities(sheep.BlackSheep(("black", "white"), frame))
    figure = chart.figure
    assert chart.alt.endswith(" (10.0% and 1.0%) and cat (20.0% and 40.0%).")
    assert list(chart.frame) == ["subject", "probability_of_black", "probability_of_white"]
    same = charts.colour_probabilities(sheep.BlackSheep(("!", "?"), frame))  # signs have no letters for a name
    assert list(same.frame) == ["subject", "probability_of_first", "probability_of_second"]
    lines, first, second = figure.data
    np.testing.assert_allclose(lines.x, [0.1, 0.01, np.nan, 0.2, 0.4, np.nan])
    np.testing.assert_allclose(first.x, [0.1, 0.2])
    np.testing.assert_allclose(second.x, [0.01, 0.4])
    assert second.marker.color == "#ffffff" and first.marker.symbol != second.marker.symbol
    assert shows_no_markup(figure)


# Colour words and perception, compared with scikit-image's differences and scipy's correlation; and their chart


def test_cosines_are_compared_with_perception(bundled):
    from scipy.stats import spearmanr

    words = (*COLOURS, "piano")
    comparison = colours.compare_with_perception(words, matrix.similarity_matrix(words, bundled), permutations=99)
    assert "piano" not in comparison.words and len(comparison.pairs) == 21 * 20 // 2
    assert comparison.test.rho == pytest.approx(
        -spearmanr(comparison.pairs["cosine"], comparison.pairs["difference"]).statistic
    )
    assert comparison.pairs["gap"].is_monotonic_decreasing and comparison.pairs["gap"].abs().max() < 1
    top = comparison.pairs.iloc[0]
    assert top["rank_by_cosine"] < top["rank_by_difference"]
    named = colours.named_pairs(comparison)
    assert next(zip(named["first"], named["second"], strict=True)) == ("black", "white") and len(named) == 4
    with pytest.raises(ValueError, match="Only 3 of these words name a CSS colour. The comparison needs 4"):
        colours.compare_with_perception(("red", "green", "blue", "piano"), np.eye(4))


def test_only_pairs_whose_ranks_differ_are_extreme(bundled):
    comparison = colours.compare_with_perception(COLOURS, matrix.similarity_matrix(COLOURS, bundled), permutations=99)
    extreme = comparison.marked.set_index("kind")
    in_use, to_the_eye = extreme.loc[colours.IN_USE], extreme.loc[colours.TO_THE_EYE]
    assert (in_use["rank_by_cosine"] < in_use["rank_by_difference"]).all() and len(in_use) == 4
    assert (to_the_eye["rank_by_cosine"] > to_the_eye["rank_by_difference"]).all() and len(to_the_eye) == 3
    words = COLOURS[:5]
    nearness = -colours.colour_differences(tuple(colours.hexes(words).values()))
    same = colours.compare_with_perception(words, nearness, permutations=9)  # a model that equals perception
    assert same.test.rho == pytest.approx(1) and set(same.marked["kind"]) <= {colours.IN_ARTICLE}


# The chart


@pytest.fixture(scope="module")
def comparison(bundled):
    return colours.compare_with_perception(COLOURS, matrix.similarity_matrix(COLOURS, bundled), permutations=99)


def test_every_pair_is_drawn_by_difference_and_cosine(comparison):
    chart = charts.colour_pairs(comparison)
    everything, *marked = chart.figure.data
    np.testing.assert_allclose(everything.x, comparison.pairs["difference"], atol=1e-4)
    np.testing.assert_allclose(everything.y, comparison.pairs["cosine"], atol=1e-6)
    assert [trace.name for trace in marked] == [colours.IN_USE, colours.TO_THE_EYE, colours.IN_ARTICLE]
    for trace in marked:
        named = comparison.marked[comparison.marked["kind"] == trace.name]
        np.testing.assert_allclose(trace.y, named["cosine"], atol=1e-6)
        assert list(trace.text) == [f"{a} – {b}" for a, b in zip(named["first"], named["second"], strict=True)]
    assert chart.frame is comparison.pairs
    assert f"correlation of cosine and visual similarity is {decimal(comparison.test.rho, signed=True)}." in chart.alt


def test_names_of_near_points_do_not_overlap(comparison):
    """Two pairs at almost the same position have their names on different sides."""
    twice = comparison.pairs.head(2).assign(difference=50.0, cosine=[0.5, 0.51])
    assert charts._spots(comparison.pairs, twice.head(1), [9]) == {0: "top center"}
    assert len(set(charts._spots(comparison.pairs, twice, [9, 9]).values())) == 2


def test_a_list_is_compared_by_its_cosines(bundled):
    options = {"layer": 1, "template": "It is {word}."}
    found = colours.compare_colours((*COLOURS, "piano"), bundled, **options)
    expected = colours.compare_with_perception(COLOURS, matrix.similarity_matrix(COLOURS, bundled, **options))
    assert found.test == expected.test and found.words == COLOURS
    assert set(found.marked["kind"]) == {colours.IN_USE, colours.TO_THE_EYE, colours.IN_ARTICLE}
    assert [kind for kind, _ in found.most] == [colours.IN_USE, colours.TO_THE_EYE]
    named = zip(found.named["first"], found.named["second"], strict=True)
    assert [set(pair) for pair in named] == [set(pair) for pair in colours.NAMED]
