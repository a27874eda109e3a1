"""Template log-probability scores and swapped sentences against the network itself, sentence by sentence."""

import numpy as np
import pytest

from embtools.bias import likelihood


@pytest.fixture(scope="module")
def log_probability(tiny_folder):
    """log P of a token at the n-th mask of a text, straight from transformers."""
    import torch
    from transformers import AutoTokenizer, BertForMaskedLM

    tokenizer = AutoTokenizer.from_pretrained(tiny_folder)
    network = BertForMaskedLM.from_pretrained(tiny_folder).eval()

    def read(text, token, mask=0):
        encoding = tokenizer(text, return_tensors="pt")
        at = (encoding["input_ids"][0] == tokenizer.mask_token_id).nonzero()[mask, 0]
        with torch.no_grad():
            logits = network(**encoding).logits[0, at].double()
        return float(logits.log_softmax(-1)[tokenizer.convert_tokens_to_ids(token)])

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


def test_progress_ends_at_one(tiny):
    reported = []
    likelihood.template_scores(
        ("{group} is {occupation}.",),
        tiny,
        occupations=("king",),
        first=("he",),
        second=("she",),
        progress=reported.append,
    )
    assert reported[-1] == 1 and reported == sorted(reported)


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
        (("{group}s are {occupation}.",), ("king",), ("he",), "{group} touches a letter or digit"),
        (("{group} is {occupation}.",), ("king",), ("he",) * 201, "201 words; use at most 200"),
        (("{group} is {occupation}.",), ("king",) * 201, ("he",), "201 words"),
        (("{group} is {occupation}.",), ("king",), (), "at least one word"),
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
    once = likelihood.effort(templates, tiny, occupations=words)
    assert (
        0
        < once
        < likelihood.effort(templates * 2, tiny, occupations=words)
        < likelihood.effort(templates * 2, tiny, occupations=words * 3)
    )
    with pytest.raises(ValueError, match="0 templates"):
        likelihood.effort((), tiny, occupations=words)
