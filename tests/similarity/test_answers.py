"""The answers of a model about colours: compared with fill-mask, without base rates, and with cosine and appearance."""

import numpy as np
import pytest

from embtools.charts import matrix as charts
from embtools.similarity import answers, colours, matrix
from embtools.statistics.permutations import mantel

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


def test_the_scale_of_two_charts_of_answers_is_the_same(bundled):
    one, other = (
        answers.compare_answers(COLOURS, bundled, question=question)
        for question in (answers.MOST_SIMILAR, "The opposite of {word} is [MASK].")
    )
    alone, first, second = charts.answers(one), charts.answers(one, other), charts.answers(other, one)
    assert first.figure.data[0].zmax == second.figure.data[0].zmax >= alone.figure.data[0].zmax
    assert alone.frame.equals(one.table) and alone.alt.startswith("Heatmap of the probabilities of answers. Most")
