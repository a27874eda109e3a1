"""Minimal pairs against a plain loop with transformers, one mask at a time, and their sentences and charts."""

from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from embtools.charts import evidence as charts
from embtools.evidence.minimal_pairs import (
    METHODS,
    SHARED,
    TOKEN,
    WORD,
    minimal_pair,
    pair_effort,
    prepare,
    seconds,
    two_minimal_pairs,
)
from tests.conftest import WORDS

GOOD, BAD = "The king of paris works.", "The queen of paris works."
LONG, SHORT = "The king is unable.", "The bank is red."


def plain(text, other, network, tokenizer, method):  # type: ignore[no-untyped-def]
    """The score of a sentence by masking one token at a time, without any code of the library."""
    import torch

    encoding = tokenizer(text)
    ids, words = encoding["input_ids"], encoding.word_ids()
    shared = range(1, len(ids) - 1)
    if method == "shared":
        blocks = SequenceMatcher(None, ids, tokenizer(other)["input_ids"], autojunk=False).get_matching_blocks()
        shared = [p for block in blocks for p in range(block.a, block.a + block.size) if 0 < p < len(ids) - 1]
    total = 0.0
    for position in shared:
        masked = list(ids)
        masked[position] = tokenizer.mask_token_id
        if method == "word":
            for later in range(position, len(ids)):
                if words[later] == words[position]:
                    masked[later] = tokenizer.mask_token_id
        with torch.no_grad():
            logits = network(torch.tensor([masked]))
        scores = (logits.prediction_logits if hasattr(logits, "prediction_logits") else logits.logits)[0, position]
        total += float(torch.log_softmax(scores.double(), -1)[ids[position]])
    return total


@pytest.fixture(scope="module")
def networks(tiny_folder, tiny_distil_folder):  # type: ignore[no-untyped-def]
    from transformers import AutoTokenizer, BertForPreTraining, DistilBertForMaskedLM

    return {
        "tiny": (BertForPreTraining.from_pretrained(tiny_folder).eval(), AutoTokenizer.from_pretrained(tiny_folder)),
        "tiny_distil": (
            DistilBertForMaskedLM.from_pretrained(tiny_distil_folder).eval(),
            AutoTokenizer.from_pretrained(tiny_distil_folder),
        ),
    }


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
@pytest.mark.parametrize("method", METHODS)
def test_scores_are_those_of_a_plain_loop(name, method, networks, request) -> None:  # type: ignore[no-untyped-def]
    model = request.getfixturevalue(name)
    for first, second in ((GOOD, BAD), (LONG, SHORT)):
        found = minimal_pair(first, second, model, method=method)
        expected = [plain(*both, *networks[name], method) for both in ((first, second), (second, first))]
        assert found.scores == pytest.approx(expected, abs=1e-4)
        assert found.tokens["difference"].sum() == pytest.approx(expected[0] - expected[1], abs=1e-4)


def test_the_bundled_model_agrees_with_a_plain_loop(bundled) -> None:  # type: ignore[no-untyped-def]
    from pathlib import Path

    import torch
    from transformers import AutoTokenizer, BertForPreTraining

    import embtools

    folder = Path(embtools.__file__).parent / "bundled"
    network = BertForPreTraining.from_pretrained(folder, dtype=torch.float32).eval()  # stored in 16 bits
    tokenizer = AutoTokenizer.from_pretrained(folder)
    first, second = "Two hippopotamuses came.", "Two hippopotamus came."
    found = minimal_pair(first, second, bundled, method="word")
    assert len(found.tokens) > 4
    expected = [plain(*both, network, tokenizer, "word") for both in ((first, second), (second, first))]
    assert found.scores == pytest.approx(expected, abs=1e-3)


def test_tokens_are_aligned_and_replaced_words_are_one_part(tiny) -> None:  # type: ignore[no-untyped-def]
    found = minimal_pair(LONG, SHORT, tiny)
    assert found.tokens["first"].tolist() == ["the", "king", "is", "un", "##able", "."]
    assert found.tokens["second"].tolist() == ["the", "bank", "is", "red", "", "."]
    assert found.tokens["part"].tolist() == [0, 1, 2, 3, 3, 4] and found.counts == (6, 5)
    values = found.tokens
    together = values["log_probability_first"][3:5].sum() - values["log_probability_second"][3]
    assert values["difference"][3] == pytest.approx(together) and np.isnan(values["difference"][4])
    (caution,) = found.cautions
    assert "6 and 5 tokens" in caution and f"{found.scores[0] / 6:.2f}".lstrip("-") in caution
    only = minimal_pair(LONG, SHORT, tiny, method="shared")
    assert np.isnan(only.tokens["difference"][[1, 3, 4]]).all() and not only.cautions


def test_the_deciding_part_has_the_largest_contribution(tiny) -> None:  # type: ignore[no-untyped-def]
    for first, second in ((GOOD, BAD), (BAD, GOOD), (LONG, SHORT)):
        found = minimal_pair(first, second, tiny)
        sign = 1 if found.difference > 0 else -1
        assert found.preferred == (first if sign > 0 else second)
        assert found.deciding["difference"] * sign == pytest.approx((found.tokens["difference"] * sign).max())
        rest = abs(found.difference) - abs(found.deciding["difference"])
        assert ("the other sentence would be preferred" in found.decision) == (rest < 0)
        if rest < 0:  # a contribution larger than the whole is no part of it
            assert f"{abs(found.deciding['difference']):.2f} nats, comes from" in found.decision
            assert f"reduce it to {abs(found.difference):.2f} nats in total" in found.decision
        assert (" of " in found.decision.partition(" nats")[0]) == (rest >= 0)
        assert f"by {abs(found.difference):.2f} nats" in found.headline and found.preferred in found.headline


def test_a_part_that_one_sentence_lacks_is_no_quoted_word(tiny) -> None:  # type: ignore[no-untyped-def]
    found = minimal_pair("rome is", "rome is the king", tiny)
    assert found.deciding_words == "no word instead of “the king”" and "“nothing”" not in found.decision


@settings(max_examples=20)
@given(
    words=some.lists(some.sampled_from([w for w in WORDS if w.isalpha()]), min_size=2, max_size=6),
    place=some.integers(0, 5), new=some.sampled_from([w for w in WORDS if w.isalpha()]),
)  # fmt: skip
def test_exchanged_sentences_give_the_opposite_difference(tiny, words, place, new) -> None:  # type: ignore[no-untyped-def]
    other = [*words]
    other[place % len(words)] = new
    if other == words:
        return
    first, second = " ".join(words), " ".join(other)
    one, turned = minimal_pair(first, second, tiny), minimal_pair(second, first, tiny)
    assert one.difference == pytest.approx(-turned.difference, abs=1e-4)
    assert one.difference == pytest.approx(one.tokens["difference"].sum(), abs=1e-6)


def test_two_models_are_compared_in_a_sentence(tiny, tiny_distil) -> None:  # type: ignore[no-untyped-def]
    one, other = minimal_pair(GOOD, BAD, tiny), minimal_pair(GOOD, BAD, tiny_distil)
    text = two_minimal_pairs(one, other, ("A", "B"))
    assert f"{abs(one.difference):.2f} nats" in text and f"{abs(other.difference):.2f} nats" in text
    assert text.startswith("Both models prefer") == (one.difference * other.difference > 0)
    turned = minimal_pair(BAD, GOOD, tiny)
    assert two_minimal_pairs(one, turned, ("A", "B")).startswith("A prefers the ")


def test_the_effort_grows_with_the_sentences(tiny) -> None:  # type: ignore[no-untyped-def]
    assert (
        pair_effort("the red king works " * 8, "the red king works " * 8 + "red", tiny)
        > pair_effort(GOOD, BAD, tiny)
        > 0
    )


def test_strips_show_the_tokens_their_numbers_and_the_deciding_part(tiny) -> None:  # type: ignore[no-untyped-def]
    found = minimal_pair(LONG, SHORT, tiny)
    drawn = charts.token_strips(found)
    tokens, differences = drawn.figure.data
    np.testing.assert_allclose(-tokens.z[:, 0], found.tokens["log_probability_first"].astype(np.float32))
    assert tokens.text[1][0].startswith("king −") and tokens.text[4][1] == ""
    marked = [n for n, (text,) in enumerate(differences.text) if "◀" in text]
    assert marked == [found.deciding.name] and found.decision in drawn.alt
    values = found.tokens[["log_probability_first", "log_probability_second"]].abs().max().max()
    change = found.tokens["difference"].abs().max()
    assert strongest(drawn) == pytest.approx((0, values, -change, change))


def strongest(drawn):  # type: ignore[no-untyped-def]
    """The ends of the two scales of colours."""
    layout = drawn.figure.layout
    return *(layout.coloraxis1[end] for end in ("cmin", "cmax")), *(layout.coloraxis2[end] for end in ("cmin", "cmax"))


def masks(rows, model):  # type: ignore[no-untyped-def]
    return [[int(i) for i, each in enumerate(row.ids) if each == model.mask_id] for row in rows]


def test_each_method_masks_its_tokens(tiny) -> None:  # type: ignore[no-untyped-def]
    first, second = "the king is unable", "the queen is unable"
    assert masks(prepare(first, second, tiny).rows, tiny) == [[1], [2], [3], [4], [5]] * 2
    assert masks(prepare(first, second, tiny, method="word").rows, tiny) == [[1], [2], [3], [4, 5], [5]] * 2
    shared = prepare(first, second, tiny, method="shared")
    assert masks(shared.rows, tiny) == [[1], [3], [4], [5]] * 2 and shared.positions == ((1, 3, 4, 5),) * 2
    assert [span.shared for span in shared.spans] == [True, False, True]
    assert seconds(shared.rows, tiny) < seconds(prepare(first, second, tiny).rows, tiny)


@pytest.mark.parametrize(
    ("first", "second", "method", "words"),
    [
        ("The king.", "the king .", "token", "same tokens"),
        ("", "the king", "token", "empty"),
        ("the [MASK]", "the king", "token", "contains"),
        ("the king [SEP] is", "the king", "token", "contains"),
        ("the ☃ is", "the king", "token", "does not know"),
        ("the king", "red blue", "shared", "share no token"),
        ("the king", "the queen", "tokens", "no method"),
        ("king " * 63, "king", "token", "at most 62"),  # this model reads 64 tokens with [CLS] and [SEP]
        ("k" * 1_001, "king", "token", "1,001 characters"),
    ],
)
def test_what_cannot_be_compared_is_refused(tiny, first, second, method, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        prepare(first, second, tiny, method=method)


def test_long_sentences_are_refused_before_they_are_read(bundled) -> None:  # type: ignore[no-untyped-def]
    prepare("king " * 64, "queen " * 64, bundled)
    with pytest.raises(ValueError, match="65 tokens, but at most 64"):
        prepare("king " * 65, "queen", bundled)
    assert METHODS == (TOKEN, WORD, SHARED)
