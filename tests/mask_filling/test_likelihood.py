"""Log probabilities of masked tokens against `fill_mask`'s logits, and the masks of a sentence."""

import numpy as np
import pytest
from scipy.special import log_softmax

from embtools.mask_filling.forward import mask_logits
from embtools.mask_filling.likelihood import Masked, log_probabilities, sentence, target_logs, token_masks


def test_log_probabilities_are_the_log_softmax_of_the_logits(bundled) -> None:  # type: ignore[no-untyped-def]
    texts = ("Rome is the capital of [MASK].", "The [MASK] is red, but the [MASK] is blue.")
    rows, expected = [], []
    for text in texts:
        ids = bundled.tokenize(text)["id"].to_numpy()
        logits = log_softmax(mask_logits(text, bundled)[0].astype(np.float64), axis=-1)
        masks = np.flatnonzero(ids == bundled.mask_id).tolist()
        targets = [bundled.ids[word] for word in ("italy", "king")[: len(masks)]]
        rows.append(Masked(ids, masks, targets))
        expected.append(logits[range(len(masks)), targets])
    done: list[float] = []
    for found, values in zip(log_probabilities(rows, bundled, progress=done.append), expected, strict=True):
        np.testing.assert_allclose(found, values, atol=2e-5)
    assert done[-1] == 1


@pytest.mark.parametrize("rows", [1, 2, 256])
def test_targets_of_states_are_read_in_blocks(tiny, monkeypatch, rows) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("embtools.mask_filling.likelihood._ROWS", rows)
    states = np.random.default_rng(0).standard_normal((5, tiny.dimensions)).astype(np.float32)
    logs = log_softmax(tiny.logits(tiny.transform(states)).astype(np.float64), axis=1)
    targets = [3, 8, 5, 8, 11]
    np.testing.assert_allclose(target_logs(states, tiny, targets=targets), logs[range(5), targets], atol=1e-5)
    at = [4, 0, 0, 2]  # in any order, and a state more than once
    found = target_logs(states, tiny, targets=targets[:4], at=at)
    np.testing.assert_allclose(found, logs[at, targets[:4]], atol=1e-5)
    with pytest.raises(ValueError, match="4 tokens and 5 states"):
        target_logs(states, tiny, targets=targets[:4])


def test_sentences_have_the_tokens_and_words_of_the_tokenizer(tiny) -> None:  # type: ignore[no-untyped-def]
    for text in ("The king is unable.", "unables", "he, she"):
        read, frame = sentence(text, tiny), tiny.tokenize(text)
        assert read.ids.tolist() == frame["id"].tolist() and read.words.tolist() == frame["word"].tolist()


def test_each_token_is_masked_alone_or_with_the_rest_of_its_word(tiny) -> None:  # type: ignore[no-untyped-def]
    read = sentence("unables works", tiny)  # un ##able ##s works
    for rest, masked in ((False, [[1], [2], [3], [4]]), (True, [[1, 2, 3], [2, 3], [3], [4]])):
        rows = token_masks(read, tiny, positions=[1, 2, 3, 4], rest_of_word=rest)
        assert [np.flatnonzero(row.ids == tiny.mask_id).tolist() for row in rows] == masked
        assert [row.targets for row in rows] == [[int(read.ids[p])] for p in (1, 2, 3, 4)]
    with pytest.raises(ValueError, match="no position 9"):
        token_masks(read, tiny, positions=[9])
