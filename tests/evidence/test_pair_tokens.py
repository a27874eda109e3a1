"""Pairs before a model reads them: what is masked, and what is refused."""

import pytest

from embtools.evidence.minimal_pairs import METHODS, SHARED, TOKEN, WORD, prepare, seconds


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
