"""Two runs and their answers."""

import numpy as np
import pytest

from embtools import fill_mask
from embtools.tracing.runs import MOST_TOKENS, log_probabilities, measured, metric_of, two_runs, word_groups

ROME, EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"


def test_runs_have_the_answers_and_probabilities_of_fill_mask(bundled):
    runs = two_runs(ROME, bundled, edits=(EDIT,))
    before, after = fill_mask(ROME, bundled), fill_mask(ROME, bundled, edits=[EDIT])
    assert runs.answers == runs.tops == (before["token"][0], after["token"][0]) == ("italy", "france")
    assert runs.probabilities[0, 0] == pytest.approx(before["probability"][0], abs=1e-6)
    assert runs.probabilities[1, 1] == pytest.approx(after["probability"][0], abs=1e-6)
    odds = np.log(runs.probabilities[:, 1] / runs.probabilities[:, 0])
    assert runs.values == pytest.approx(tuple(odds)) and runs.effect == pytest.approx(odds[1] - odds[0])
    assert runs.words[1] == "rome" and runs.changed == (1,) and runs.labels[1] == "rome (edited)"
    assert runs.mask == 6 and runs.mask_index == 6 and runs.changed_positions == (1,)
    assert "from “italy” to “france”" in runs.sentence and "from 99% to" in runs.sentence


def test_two_sentences_are_compared_and_their_words_named(bundled):
    runs = two_runs("The capital of France is [MASK].", bundled, second_text="The capital of Poland is [MASK].")
    assert runs.answers == ("paris", "warsaw") and runs.labels[4] == "france → poland" and not runs.edited


def test_the_second_answer_is_the_word_that_gains_most_if_the_top_answer_stays(bundled):
    texts = "My brother said that [MASK] was tired.", "My sister said that [MASK] was tired."
    runs = two_runs(texts[0], bundled, second_text=texts[1])
    logp = [log_probabilities(bundled.hidden_states(text)[-1, [5]], bundled)[0] for text in texts]
    gains = np.exp(logp[1]) - np.exp(logp[0])
    assert runs.tops == ("i", "i") and runs.answers == ("i", bundled.vocabulary[int(gains.argmax())])
    assert "does not change the top answer" in runs.sentence


def test_metrics_are_those_of_the_probabilities(bundled):
    p = np.array([[0.5, 0.1], [0.2, 0.6]])
    assert metric_of(np.log(p), "difference") == pytest.approx(np.log(p[:, 1] / p[:, 0]))
    assert metric_of(np.log(p), "log probability") == pytest.approx(np.log(p[:, 1]))
    assert metric_of(np.log(p), "probability") == pytest.approx(p[:, 1])
    for metric in ("difference", "log probability", "probability"):
        runs = two_runs(ROME, bundled, edits=(EDIT,), metric=metric, answers=("italy", "greece"))
        assert measured(runs.states[-1, :, runs.mask], bundled, runs=runs) == pytest.approx(runs.values, abs=1e-4)


def test_tokens_of_a_word_in_either_text_belong_together(tiny):
    frames = [tiny.tokenize("un able kings ."), tiny.tokenize("unable king s .")]
    assert [len(frame) for frame in frames] == [len(frames[0])] * 2
    assert word_groups(frames) == ((0,), (1, 2), (3, 4), (5,), (6,))
    assert word_groups(frames[:1]) == ((0,), (1,), (2,), (3, 4), (5,), (6,))


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        (ROME, {}, "nothing to compare"),
        (ROME, {"edits": (EDIT,), "second_text": ROME}, "only one of them"),
        (ROME, {"second_text": "Rome is the capital of all [MASK]."}, "9 and 10 tokens"),
        (ROME, {"second_text": "Rome is the [MASK] of italy."}, "position 6 in the first sentence and 4 in the second"),
        (ROME, {"second_text": "Rome is the capital of Italy."}, "no .MASK."),
        ("Rome is the capital of Italy.", {"edits": (EDIT,)}, "no .MASK."),
        (ROME, {"edits": (EDIT,), "answers": ("italy",)}, "Two different answers"),
        (ROME, {"edits": (EDIT,), "answers": ("italy", "italy")}, "Two different answers"),
        (ROME, {"edits": (EDIT,), "answers": ("italy", "lodnon")}, "not a single token"),
        (ROME, {"edits": (EDIT,), "metric": "accuracy"}, "no metric 'accuracy'"),
        (ROME, {"edits": ("paris = paris + rome",)}, "'paris' is not in the sentence"),
        (ROME, {"edits": (EDIT,), "mask": 2}, "no mask 2"),
        ("rome " * MOST_TOKENS + "[MASK]", {"edits": (EDIT,)}, "at most 64 are traced"),
    ],
)
def test_what_cannot_be_compared_is_refused(text, given, words, bundled):
    with pytest.raises(ValueError, match=words):
        two_runs(text, bundled, **given)


def test_an_answer_of_the_vocabulary_is_accepted_as_it_is(bundled):
    assert two_runs(ROME, bundled, edits=(EDIT,), answers=("italy", "##ing")).answers[1] == "##ing"
