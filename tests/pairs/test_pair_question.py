"""A question about a pair of sentences."""

import pytest

from embtools import next_sentence
from embtools.pairs import next_sentence as numbers
from embtools.pairs.next_sentence import pair_question
from embtools.rooms.question import SHARES

PAIRS = [
    ("I went to the store.", "They were closed."), ("He poured the milk into a glass.", "Then he drank it."),
    ("Rome is the capital of Italy.", "Penguins are birds that cannot fly."), ("She sat down.", "Who is he?"),
]  # fmt: skip


@pytest.mark.parametrize("first, second", PAIRS)
def test_the_answer_is_the_range_with_berts_probability(bundled, first, second):
    question, probability = pair_question(first, second, bundled), next_sentence(first, second, bundled)
    assert question.choices == SHARES and question.shares == ()  # one answer, of which BERT gives no probability
    low = (0, 25, 50, 75)[question.picked]
    assert low <= round(100 * probability) <= (24, 49, 74, 100)[question.picked]
    assert question.context == f"“{first}”\n“{second}”"


@pytest.mark.parametrize(
    "probability, picked",
    [(0.0, 0), (0.244, 0), (0.246, 1), (0.25, 1), (0.494, 1), (0.496, 2), (0.744, 2), (0.746, 3), (0.75, 3), (1.0, 3)],
)
def test_an_answer_as_it_is_written_fits_one_range_only(monkeypatch, tiny, probability, picked):
    monkeypatch.setattr(numbers, "next_sentences", lambda pairs, model: [probability])
    assert pair_question("A.", "B.", tiny).picked == picked


def test_other_choices_of_the_teacher_are_no_answer(bundled):
    question = pair_question(*PAIRS[0], bundled, choices=("yes", "no"))
    assert question.picked is None and question.answer


def test_long_sentences_are_whole(bundled):
    assert pair_question("river " * 60, "bank " * 60, bundled).context.count("river") == 60
