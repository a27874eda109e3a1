"""The answers of a model about colours: compared with fill-mask, without base rates, and in a chart."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts.similarity import answers as charts
from embtools.similarity import answers, matrix
from tests.drawn import HOSTILE, shows_no_markup

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


def test_the_black_sheep_has_controls(bundled):
    frame = answers.black_sheep(answers.SUBJECTS, bundled)
    assert list(frame["subject"]) == list(answers.SUBJECTS)
    assert np.allclose(frame["ratio"], frame["first"] / frame["second"])
    assert frame[["first", "second"]].to_numpy().min() > 0


# The chart


def test_the_two_answers_for_each_subject_are_joined_by_a_line():
    frame = pd.DataFrame({"subject": [HOSTILE, "cat"], "first": [0.1, 0.2], "second": [0.01, 0.4]})
    figure = charts.sheep(frame, "black", "white", {"white": "#ffffff"})
    lines, first, second = figure.data
    np.testing.assert_allclose(lines.x, [0.1, 0.01, np.nan, 0.2, 0.4, np.nan])
    np.testing.assert_allclose(first.x, [0.1, 0.2])
    np.testing.assert_allclose(second.x, [0.01, 0.4])
    assert second.marker.color == "#ffffff" and first.marker.symbol != second.marker.symbol
    assert figure.layout.xaxis.type == "log" and shows_no_markup(figure)
