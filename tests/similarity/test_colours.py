"""Colour words against the eye: scikit-image's differences, plain fill-mask."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts.similarity import colours as charts
from embtools.similarity import colours, matrix
from embtools.statistics.permutations import Mantel
from tests.drawn import HOSTILE, shows_no_markup

COLOURS = matrix.preset("Colours")


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
    from embtools.mask_filling.forward import mask_logits, probabilities

    found, best = colours.slot_probabilities("the [MASK] is {word} .", ("red", "green"), ("bank", "river"), tiny)
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
            colours.slot_probabilities(template, ("red",), ("bank",), tiny)
    with pytest.raises(ValueError, match="give 1 to 150"):
        colours.slot_probabilities("the {word} is [MASK] .", (), ("bank",), tiny)


def test_black_sheep_has_its_controls(bundled):
    frame = colours.black_sheep(colours.SUBJECTS, bundled)
    assert list(frame["subject"]) == list(colours.SUBJECTS)
    assert np.allclose(frame["ratio"], frame["first"] / frame["second"])
    assert frame[["first", "second"]].to_numpy().min() > 0


# Charts


def test_every_pair_is_drawn_to_the_eye_and_to_bert(bundled):
    sight = colours.compare_with_sight(COLOURS[:6], bundled, permutations=99)
    named = sight.pairs.head(2).assign(kind="alike in use, not to the eye")
    everything, some = charts.sight(sight.pairs, named).data
    np.testing.assert_allclose(everything.x, sight.pairs["difference"], atol=1e-4)
    np.testing.assert_allclose(everything.y, sight.pairs["cosine"], atol=1e-6)
    np.testing.assert_allclose(some.y, named["cosine"], atol=1e-6)


def test_two_answers_for_each_subject_in_their_colours():
    frame = pd.DataFrame({"subject": [HOSTILE, "dog"], "first": [0.1, 0.2], "second": [0.01, 0.4]})
    figure = charts.sheep(frame, "black", "white", {"white": "#ffffff"})
    first, second = figure.data[-2:]
    np.testing.assert_allclose(first.x, [0.1, 0.2])
    np.testing.assert_allclose(second.x, [0.01, 0.4])
    assert second.marker.color == "#ffffff" and first.marker.symbol != second.marker.symbol
    assert figure.layout.xaxis.type == "log"
    assert shows_no_markup(figure)


@pytest.mark.parametrize(
    ("rho", "p", "said"),
    [
        (0.9, 0.05, "No link found"),
        (0.1, 0.001, "A weak link: colours that look alike"),
        (0.3, 0.001, "A moderate link: colours that look alike"),
        (-0.45, 0.049, "A moderate link: colours that look unlike"),
        (-0.6, 0.001, "A strong link: colours that look unlike"),
    ],
)
def test_a_link_is_put_in_words(rho, p, said):
    assert colours.verdict(Mantel(rho, p, 999)).startswith(said)
