"""Words that lean towards the same group in every sentence, compared with chance by a simulation."""

import numpy as np
import pandas as pd
import pytest

from embtools.bias import leanings, likelihood


def summary(*rows, sentences=4):
    return pd.DataFrame(rows, columns=["occupation", "score", "same_side"]).assign(sentences=sentences)


def headline(*rows, sentences=4):
    return leanings.headline(summary(*rows, sentences=sentences), "he", "she")


def test_only_words_that_are_biased_in_every_sentence_are_named():
    low = [(name, score, True) for name, score in zip("abcd", (-4, -3, -2, -1), strict=True)]
    assert headline(*low, ("e", -9, False), ("f", 1, True)) == (
        "A, b and c lean towards he (by 2.0 to 4.0 nats); f leans towards she (by 1.0 nats)."
    )
    assert headline(("e", -9, False)) == ("Of 1 words, none leans towards the same group in every sentence.")


def test_a_number_expected_by_chance_is_no_finding():
    """Of eight words with three sentences, two are expected by chance; for three such words p is 0.42."""
    rows = [("a", -1, True), ("b", 1, True), ("c", 2, True), *((w, 0.5, False) for w in "defgh")]
    assert headline(*rows, sentences=3) == (
        "A leans towards he (by 1.0 nats); c and b lean towards she (by 1.0 to 2.0 nats). But this can be chance (p = 0.422)."
    )
    assert leanings.one_sided(summary(*rows, sentences=3)) == (
        "3 of 8 words lean towards the same group in every sentence; 2.0 are expected by chance (p = 0.422)."
    )
    assert headline(*rows, sentences=8).startswith(
        "A leans towards he (by 1.0 nats); c and b lean towards she (by 1.0 to 2.0 nats)."
    )


def test_a_single_word_can_be_chance_although_more_than_expected():
    assert (
        headline(("a", 1, True), sentences=5)
        == "A leans towards she (by 1.0 nats). But this can be chance (p = 0.063)."
    )
    assert leanings.one_sided(summary(("a", 1, True), sentences=5)) == (
        "1 of 1 word leans towards the same group in every sentence; 0.1 are expected by chance (p = 0.063)."
    )


def test_one_sentence_shows_no_agreement():
    rows = [("a", -1, True), ("b", 1, True)]
    assert headline(*rows, sentences=1) == "A leans towards he (by 1.0 nats); b leans towards she (by 1.0 nats)."
    assert leanings.one_sided(summary(*rows, sentences=1)).startswith("There is only one sentence.")
    assert leanings.same_side_p(summary(*rows, sentences=1)) == 1


def test_fewer_words_than_expected_by_chance_are_no_finding():
    """One of 20 words leans the same way in two sentences, of which chance gives ten: p is small, on the other side."""
    rows = [("a", -1, True), *((f"w{n}", 0.5, False) for n in range(19))]
    assert leanings.same_side_p(summary(*rows, sentences=2)) == pytest.approx(2 * 21 / 2**20)
    assert not leanings.more_than_chance(summary(*rows, sentences=2))
    assert headline(*rows, sentences=2).endswith("But there are no more such words than expected by chance.")
    turned = [(word, score, not same) for word, score, same in rows]
    assert leanings.more_than_chance(summary(*turned, sentences=2))
    assert "expected by chance" not in headline(*turned, sentences=2)


@pytest.mark.slow
@pytest.mark.parametrize("sentences", [2, 4])
def test_random_scores_are_a_finding_in_at_most_one_of_twenty_cases(sentences):
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
        found.append((leanings.same_side_p(table), leanings.more_than_chance(table)))
    p, more = np.array(found).T
    assert 0.01 < np.mean(p < 0.05) < 0.075 and np.mean(p) > 0.45
    assert 0 < more.mean() < 0.055  # exactly 1.4% and 3.2% for two and four sentences, with two deviations more


def test_the_occupations_of_the_bundled_model_are_more_biased_than_chance(bundled):
    from embtools.ui.bias import occupations

    templates = tuple(occupations.TEMPLATES.default.splitlines())
    words = tuple(occupations.WORDS.default.split(", "))[:30]
    table = likelihood.summary(
        likelihood.template_scores(templates, bundled, occupations=words, first=("he",), second=("she",))
    )
    expected = 30 * 2.0 ** (1 - len(templates))
    assert leanings.one_sided(table).startswith(f"{table['same_side'].sum()} of 30 words lean towards the same group")
    assert f"{expected:.1f} are expected by chance" in leanings.one_sided(table)
