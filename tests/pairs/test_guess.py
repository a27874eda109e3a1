"""A question about a pair of sentences."""

import pytest

from embtools import next_sentence
from embtools.pairs.guess import RANGES, pair_question

PAIRS = [
    ("I went to the store.", "They were closed."), ("He poured the milk into a glass.", "Then he drank it."),
    ("Rome is the capital of Italy.", "Penguins are birds that cannot fly."), ("She sat down.", "Who is he?"),
]  # fmt: skip


@pytest.mark.parametrize("first, second", PAIRS)
def test_the_range_with_berts_probability_has_all_of_the_share(bundled, first, second):
    question, probability = pair_question(first, second, bundled), next_sentence(first, second, bundled)
    assert question.choices == RANGES and sum(question.shares) == 1
    low = question.shares.index(1.0) / 4
    assert low <= probability <= low + 0.25
    assert first in question.text and second in question.text


def test_other_choices_of_the_teacher_have_no_share(bundled):
    question = pair_question(*PAIRS[0], bundled, choices=("yes", "no"))
    assert question.shares == (0.0, 0.0) and question.answer


def test_long_sentences_are_shortened(bundled):
    assert len(pair_question("river " * 60, "bank " * 60, bundled).text) <= 300
