"""Words that lean to one side in every sentence, and how many would by chance, against a simulation."""

import numpy as np
import pandas as pd
import pytest

from embtools.bias import leanings, likelihood


def summary(*rows, sentences=4):
    return pd.DataFrame(rows, columns=["occupation", "score", "agree"]).assign(sentences=sentences)


def headline(*rows, sentences=4):
    return leanings.headline(summary(*rows, sentences=sentences), "he", "she")


def test_only_words_that_lean_in_every_sentence_are_named():
    low = [(name, score, True) for name, score in zip("abcd", (-4, -3, -2, -1), strict=True)]
    assert headline(*low, ("e", -9, False), ("f", 1, True)) == "A, b and c lean to he; f leans to she."
    assert headline(("e", -9, False)) == "No word leans to one side in every sentence."


def test_as_many_as_by_chance_is_no_finding():
    """Of eight words with three sentences two lean to one side by chance; of three such p is 0.32."""
    rows = [("a", -1, True), ("b", 1, True), ("c", 2, True), *((w, 0.5, False) for w in "defgh")]
    assert headline(*rows, sentences=3) == (
        "A leans to he; c and b lean to she. But no more words lean to one side in every sentence than expected by"
        " chance."
    )
    assert leanings.one_sided(summary(*rows, sentences=3)) == (
        "3 of 8 words lean to one side in every sentence; 2.0 are expected by chance (p = 0.321)."
    )
    assert headline(*rows, sentences=8) == "A leans to he; c and b lean to she."


def test_one_sentence_shows_no_agreement():
    rows = [("a", -1, True), ("b", 1, True)]
    assert headline(*rows, sentences=1) == "A leans to he; b leans to she."
    assert leanings.one_sided(summary(*rows, sentences=1)).startswith("This is one sentence only.")
    assert leanings.one_sided_p(summary(*rows, sentences=1)) == 1


@pytest.mark.parametrize("sentences", [2, 4])
def test_random_scores_are_called_a_finding_in_at_most_one_case_of_twenty(sentences):
    rng, found = np.random.default_rng(0), []
    for _ in range(300):
        scores = pd.DataFrame(
            {
                "occupation": np.repeat([f"w{n}" for n in range(60)], sentences),
                "score": rng.normal(size=60 * sentences),
            }
        )
        table = likelihood.summary(scores)
        assert (table["sentences"] == sentences).all()
        found.append(leanings.one_sided_p(table))
    assert 0.01 < np.mean(np.array(found) < 0.05) < 0.075
    assert np.mean(found) > 0.45


def test_the_bundled_models_occupations_lean_more_than_chance(bundled):
    from embtools.ui.bias import occupations

    templates = tuple(occupations.TEMPLATES.default.splitlines())
    words = tuple(occupations.WORDS.default.split(", "))[:30]
    table = likelihood.summary(likelihood.template_scores(templates, words, ("he",), ("she",), bundled))
    expected = 30 * 2.0 ** (1 - len(templates))
    assert leanings.one_sided(table).startswith(f"{table['agree'].sum()} of 30 words lean to one side")
    assert f"{expected:.1f} are expected by chance" in leanings.one_sided(table)
