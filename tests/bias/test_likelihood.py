"""Counterfactual sentences, template scores and occupations, against the network itself, sentence by sentence."""

import time

import numpy as np
import pandas as pd
import pytest
from scipy.special import log_softmax
from scipy.stats import spearmanr

from embtools import fill_mask, wordlists
from embtools.bias import counterfactual, directions, likelihood, occupations, verdict
from embtools.bias.occupations import ENDS
from tests.hooked import Hooked


@pytest.fixture(scope="module")
def log_probability(tiny):
    """log P of a token at the n-th mask of a text, straight from a copy of the network."""
    hooked = Hooked(tiny)

    def read(text, token, mask=0):
        at = np.flatnonzero(tiny.tokenize(text)["id"] == tiny.mask_id)[mask]
        return float(log_softmax(hooked.logits(text)[at].astype(float))[tiny.ids[token]])

    return read


def test_template_scores_are_log_ratios_of_the_network(tiny, log_probability):
    found = likelihood.template_scores(
        ("{group} works as a {occupation}.", "The {occupation} is {group}."),
        tiny,
        occupations=("king", "bank"),
        first=("he",),
        second=("she", "woman"),
    )
    assert len(found) == 4
    for row in found.itertuples():
        known = row.template.replace("{group}", "[MASK]").replace("{occupation}", row.occupation)
        prior = row.template.replace("{group}", "[MASK]").replace("{occupation}", "[MASK]")
        mask = 0 if row.template.startswith("{group}") else 1
        first, *second = (log_probability(known, w) - log_probability(prior, w, mask) for w in ("he", "she", "woman"))
        assert row.first == pytest.approx(first, abs=2e-5)
        assert row.second == pytest.approx(np.mean(second), abs=2e-5)
        assert row.score == pytest.approx(np.mean(second) - first, abs=2e-5)


def test_an_occupation_of_two_tokens_is_masked_by_two_masks(tiny, log_probability):
    found = likelihood.template_scores(
        ("{group} is {occupation}.",), tiny, occupations=("unable",), first=("he",), second=("she",)
    ).iloc[0]
    expected = log_probability("[MASK] is unable.", "he") - log_probability("[MASK] is [MASK] [MASK].", "he")
    assert found["first"] == pytest.approx(expected, abs=2e-5)


def test_summary_is_the_mean_and_range_over_templates(tiny):
    scores = likelihood.template_scores(
        ("{group} is a {occupation}.", "The {occupation} is {group}."),
        tiny,
        occupations=("king", "queen", "bank"),
        first=("he",),
        second=("she",),
    )
    found = likelihood.summary(scores).set_index("occupation")
    for word, group in scores.groupby("occupation"):
        assert found.loc[word, "score"] == pytest.approx(group["score"].mean())
        assert (found.loc[word, "lowest"], found.loc[word, "highest"]) == (group["score"].min(), group["score"].max())
        assert found.loc[word, "same_side"] == (len(set(np.sign(group["score"]))) == 1)
    assert found["score"].is_monotonic_increasing


def test_the_total_number_of_tokens_is_limited_before_any_is_read(tiny, monkeypatch):
    templates, occupations = ("{group} is a {occupation}.", "The {occupation} is {group}."), ("king", "unable", "bank")
    read = []
    monkeypatch.setattr(likelihood, "log_probabilities", lambda rows, *_, **__: read.extend(rows) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        likelihood.template_scores(templates, tiny, occupations=occupations, first=("he",), second=("she",))
    total = sum(len(row.ids) for row in read)
    monkeypatch.setattr(likelihood, "MAX_PIECES", total - 1)
    read.clear()
    with pytest.raises(ValueError, match=f"{total} tokens in total; at most {total - 1}.*fewer"):
        likelihood.template_scores(templates, tiny, occupations=occupations, first=("he",), second=("she",))
    assert not read


@pytest.mark.parametrize(
    ("templates", "occupations", "first", "message"),
    [
        ((), ("king",), ("he",), "0 templates"),
        (("{group} is here.",), ("king",), ("he",), "needs one {group} and one {occupation}"),
        (("{group} is {occupation} [MASK].",), ("king",), ("he",), "no \\[MASK\\]"),
        (("{group} is {occupation}.",), (), ("he",), "0 words"),
        (("{group} are {occupation}s.",), ("king",), ("he",), "{occupation} touches a letter or digit"),
        (("{group} is {occupation}.",), ("king",) * 201, ("he",), "201 words"),
        (("{group} is {occupation}.",), ("king",), (), "at least one word"),
        (("{group} is {occupation}.",), ("king",), ("he",) * 201, "A group has 201 words"),
        (("{group} is {occupation}.",), ("king",), ("unable",), "not a single token"),
    ],
)
def test_bad_input_says_what_to_do(templates, occupations, first, message, tiny):
    with pytest.raises(ValueError, match=message):
        likelihood.template_scores(templates, tiny, occupations=occupations, first=first, second=("she",))


def test_swapped_words_are_masked_one_at_a_time(tiny, log_probability):
    found = likelihood.swapped_words("he is a king of paris.", "she is a queen of paris.", tiny).set_index("word")
    assert list(found.index) == ["is", "a", "of", "paris"]
    assert found.loc["of", "first"] == pytest.approx(log_probability("he is a king [MASK] paris.", "of"), abs=2e-5)
    assert found.loc["of", "second"] == pytest.approx(log_probability("she is a queen [MASK] paris.", "of"), abs=2e-5)
    np.testing.assert_allclose(found["change"], found["second"] - found["first"])


def test_a_shared_word_of_two_tokens_is_masked_as_a_whole(tiny, log_probability):
    found = likelihood.swapped_words("he is unable.", "she is unable.", tiny).set_index("word")
    text = "he is [MASK] [MASK]."
    expected = log_probability(text, "un") + log_probability(text, "##able", 1)
    assert found.loc["unable", "first"] == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("he is a king.", "she is king.", "5 and 4 words"),
        ("he is here.", "he is here.", "the same"),
        ("he!", "she!", "share no word"),
        ("he " * 41, "she " * 41, "41 words"),
    ],
)
def test_sentences_that_cannot_be_compared(first, second, message, tiny):
    with pytest.raises(ValueError, match=message):
        likelihood.swapped_words(first, second, tiny)


def test_swapped_answers_are_those_of_both_sentences(tiny, log_probability):
    found, bits = likelihood.swapped_answers("he is [MASK].", "she is [MASK].", tiny, k=3)
    row = found.iloc[0]
    assert np.log(row["first"]) == pytest.approx(log_probability("he is [MASK].", row["token"]), abs=2e-5)
    assert np.log(row["second"]) == pytest.approx(log_probability("she is [MASK].", row["token"]), abs=2e-5)
    assert 0 < bits < 1
    with pytest.raises(ValueError, match="exactly one"):
        likelihood.swapped_answers("he is.", "she is.", tiny)


def test_hidden_words_are_left_out_and_the_others_keep_their_probability(tiny):
    whole, _ = likelihood.swapped_answers("he is [MASK].", "she is [MASK].", tiny, k=5)
    hidden = tuple(whole["token"].iloc[:2])
    rest, _ = likelihood.swapped_answers("he is [MASK].", "she is [MASK].", tiny, k=5, leave_out=hidden)
    assert not set(rest["token"]) & set(hidden)
    both = whole.merge(rest, on="token", suffixes=("", "_rest"))
    np.testing.assert_allclose(both["first"], both["first_rest"])


def test_the_effort_grows_with_what_is_read(tiny):
    templates, words = ("{group} is a {occupation}.",), ("king", "queen")
    once, twice = (likelihood.effort(templates * n, tiny, occupations=words) for n in (1, 2))
    assert 0 < once < twice < likelihood.effort(templates * 2, tiny, occupations=words * 3)


SWAPPED = (("he", "she"), ("him", "her"), ("man", "woman"), ("king", "queen"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She lost her keys.", "He lost his keys."),
        ("He saw her.", "She saw him."),
        ("The book is his.", "The book is hers."),
        ("THE KING and his queen!", "THE QUEEN and her king!"),
        ("The [MASK] man", "The [MASK] woman"),
        ("[he] man", "[he] woman"),
        ("He loves his [MASK].", "She loves her [MASK]."),
    ],
)
def test_swap_keeps_capitals_and_knows_possessives(text, expected):
    assert counterfactual.swap(text, SWAPPED) == expected


PRONOUNS = [
    ("They asked her about it.", "They asked him about it."),
    ("I told her that it rained.", "I told him that it rained."),
    ("We gave it to her yesterday.", "We gave it to him yesterday."),
    ("Give her a book and her own pen.", "Give him a book and his own pen."),
    ("We saw her when she came with her mother.", "We saw him when he came with his mother."),
    ("Call her if you wait for her for an hour.", "Call him if you wait for him for an hour."),
    ("Nobody likes her, her in-laws say.", "Nobody likes him, his in-laws say."),
    ("This is hers to keep.", "This is his to keep."),
    ("The choice was hers and not ours.", "The choice was his and not ours."),
    ("Her work speaks for itself.", "His work speaks for itself."),
    ("She hurt herself.", "He hurt himself."),
]


@pytest.mark.parametrize("pairs", [SWAPPED, (("he", "she"),), (("she", "he"),)])
def test_ambiguous_pronouns_depend_on_the_next_word(pairs):
    for her, him in PRONOUNS:
        assert counterfactual.swap(her, pairs) == him
        assert counterfactual.swap(him, pairs) == her


@pytest.mark.parametrize(
    ("text", "pair", "expected"),
    [
        ("A monk and her book", ("monk", "nun"), "A nun and her book"),
        ("The mother-in-law came.", ("father-in-law", "mother-in-law"), "The father-in-law came."),
        ("A Black\u00a0man and a blackman.", ("black man", "white man"), "A White man and a blackman."),
        ("O’Brien met O'Brien.", ("O'Brien", "McDonald"), "McDonald met McDonald."),
        ("The U.S. and C++", ("U.S.", "C++"), "The C++ and U.S."),
        ("İstanbul", ("İstanbul", "Ankara"), "Ankara"),
        ("Anna left.", ("Anna", "she"), "She left."),
    ],
)
def test_other_pairs_can_be_phrases_with_spaces_hyphens_and_signs_and_leave_pronouns_alone(text, pair, expected):
    assert counterfactual.swap(text, (pair, ("", "x"))) == expected
    assert counterfactual.swap("She saw him and them.", (("he", "she"), ("him", "them"))) == "He saw them and him."


@pytest.mark.parametrize(("text", "message"), [("The sky is blue.", "no word of the pairs"), (" ", "is empty")])
def test_a_text_without_a_word_of_the_pairs_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        counterfactual.swap(text, SWAPPED)


def test_long_texts_are_refused_and_the_longest_is_fast():
    with pytest.raises(ValueError, match="5,001 characters, but at most 5,000"):
        counterfactual.swap("she [".ljust(5_001, "h"), SWAPPED)
    began = time.process_time()
    assert counterfactual.swap("her " * 1_250, SWAPPED).startswith("him him")
    assert time.process_time() - began < 0.5


def test_a_sentence_is_compared_with_its_swapped_version(bundled):
    text = "He loves his [mask]."
    found = counterfactual.compare(text, bundled)
    both = "He loves his [MASK].", "She loves her [MASK]."
    assert (found.first, found.second) == both and found.uncertain
    pd.testing.assert_frame_equal(found.words, likelihood.swapped_words(*both, bundled))
    answers, bits = likelihood.swapped_answers(*both, bundled)
    pd.testing.assert_frame_equal(found.answers, answers)
    assert found.distance == bits
    assert (found.headline, found.together) == verdict.swapped(found.words)
    first, second = (fill_mask(sentence, bundled, k=5).set_index("token")["probability"] for sentence in both)
    shown = found.answers.set_index("token")
    assert shown.loc[first.index, "first"].to_numpy() == pytest.approx(first.to_numpy(), rel=1e-5)
    assert shown.loc[second.index, "second"].to_numpy() == pytest.approx(second.to_numpy(), rel=1e-5)


def test_own_pairs_an_own_sentence_and_words_that_are_left_out(bundled):
    found = counterfactual.compare("The king is here.", bundled, pairs=(("king", "queen"),))
    assert found.second == "The queen is here." and found.answers is None and not found.uncertain
    assert not counterfactual.compare("The king saw her.", bundled, pairs=(("king", "queen"),)).uncertain
    accent = counterfactual.compare(
        "A fiance\u0301 saw her, and left.", bundled, pairs=(("fiancé", "x"), ("he", "she"))
    )
    assert accent.second == "A x saw him, and left." and accent.uncertain
    found = counterfactual.compare("She lost her keys.", bundled, swapped="They lost their keys.")
    assert found.second == "They lost their keys." and not found.uncertain
    first = counterfactual.compare("He is a [MASK].", bundled).answers["token"]
    hidden = counterfactual.compare("He is a [MASK].", bundled, leave_out=(first[0],)).answers["token"]
    assert first[0] not in set(hidden)
    with pytest.raises(ValueError, match="exactly one"):
        counterfactual.compare("He is a [MASK] [MASK].", bundled)


def test_built_in_pairs_are_of_one_group_each():
    rows = wordlists.load("groups")
    male, female = (set(rows.loc[rows["group"] == sex, "word"]) for sex in ("male", "female"))
    pairs = counterfactual.builtin_pairs()
    assert ("he", "she") in pairs and len(set(pairs)) == len(pairs)
    assert all(one in male and other in female for one, other in pairs)


WORDS = ("nurse", "judge", "poet", "baker", "dancer")
OCCUPATION_TEMPLATES = ("{group} is the {occupation}.", "The {occupation} met {group}.")
PAIRS = (("he", "she"), ("man", "woman"), ("king", "queen"))


@pytest.fixture(scope="module")
def found(bundled):
    return occupations.score_occupations(
        WORDS, bundled, templates=OCCUPATION_TEMPLATES, first=("he", "him", "man"), second=("she",)
    )


def test_scores_and_projections_are_those_of_their_own_functions(found, bundled):
    scores = likelihood.template_scores(
        OCCUPATION_TEMPLATES, bundled, occupations=WORDS, first=("he", "him", "man"), second=("she",)
    )
    pd.testing.assert_frame_equal(found.scores, scores)
    pd.testing.assert_frame_equal(found.summary, likelihood.summary(scores))
    axis = bundled.vector("she") - np.mean([bundled.vector(w) for w in ("he", "him", "man")], axis=0)
    axis /= np.linalg.norm(axis)
    vectors = np.array([bundled.vector(word) for word in found.both["occupation"]])
    cosines = vectors @ axis / np.linalg.norm(vectors, axis=1)
    np.testing.assert_allclose(found.both["dot_product"], vectors @ axis, atol=1e-5)
    np.testing.assert_allclose(found.both["projection"], cosines - cosines.mean(), atol=1e-5)
    assert found.fit[0] == pytest.approx(spearmanr(found.both["projection"], found.both["score"]).statistic)
    assert found.names == ("he, him …", "she") and "dancer and poet lean towards she" in found.headline


def test_the_direction_can_come_from_pairs(bundled):
    sides = {"templates": OCCUPATION_TEMPLATES, "first": ("he",), "second": ("she",)}
    found = occupations.score_occupations(WORDS, bundled, **sides, pairs=PAIRS)
    axis = directions.direction(*zip(*PAIRS, strict=True), bundled, how="pca")
    along = directions.projections(tuple(found.both["occupation"]), bundled, axis=axis)
    np.testing.assert_allclose(found.both["projection"], along["cosine"] - along["cosine"].mean())
    assert (found.both["projection"] > 0).any() and (found.both["projection"] < 0).any()  # 0 divides the words
    single = occupations.score_occupations(("nurse",), bundled, **sides)
    assert single.fit is None and single.agreement == ""
    again = {"templates": OCCUPATION_TEMPLATES * 2, "first": ("he", "he"), "second": ("she", "she")}
    again = occupations.score_occupations(("nurse", "nurse"), bundled, **again)
    assert again.one_sided == single.one_sided and again.names == ("he", "she") and len(again.scores) == 2


def test_few_words_are_all_ends_and_of_many_those_at_both_ends(found):
    assert found.ends is found.summary
    many = pd.DataFrame({"occupation": [str(n) for n in range(30)], "score": np.linspace(-1, 1, 30)})
    ends = occupations.Occupations(("a", "b"), many, many, many).ends
    assert list(ends["occupation"]) == [*map(str, range(ENDS)), *map(str, range(30 - ENDS, 30))]


def test_indirect_bias_leaves_out_the_reference_word(bundled):
    sides = {"first": ("he",), "second": ("she",)}
    found = occupations.indirect_bias(WORDS, bundled, reference="dancer", **sides)
    axis = directions.direction(("he",), ("she",), bundled)
    others = [word for word in WORDS if word != "dancer"]
    expected = directions.indirect_bias(others, bundled, reference="dancer", axis=axis).set_index("word")
    assert sorted(found["word"]) == sorted(others) and found["cosine"].is_monotonic_decreasing
    np.testing.assert_allclose(found["beta"], expected.loc[found["word"], "beta"])
    assert found.equals(occupations.indirect_bias(WORDS, bundled, reference="Dancer", **sides))


def test_errors_come_before_the_long_run(bundled):
    named = {"templates": OCCUPATION_TEMPLATES, "second": ("she",), "progress": None}
    for words, first in ((("nurse", "zzqq"), ("he",)), (WORDS, ("lakisha",))):
        with pytest.raises(ValueError, match="not a single token"):
            occupations.score_occupations(words, bundled, first=first, **named)
    with pytest.raises(ValueError, match="'nurse' and 'Nurse' are the same word"):
        occupations.score_occupations(("nurse", "Nurse"), bundled, first=("he",), **named)
