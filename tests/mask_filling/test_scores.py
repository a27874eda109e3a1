"""Answers side by side, log probabilities of tokens, drawn answers, controls by token ids, and questions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import jensenshannon
from scipy.special import log_softmax

from embtools import fill_mask
from embtools.chance import generator
from embtools.mask_filling import answers, controls, sampling
from embtools.mask_filling.edits import Change, resolve
from embtools.mask_filling.forward import mask_logits
from embtools.mask_filling.guesses import mask_question
from embtools.mask_filling.likelihood import Masked, log_probabilities, sentence, target_logs, token_masks

# Answers side by side, against plain sorting and scipy's Jensen-Shannon distance


@pytest.fixture(scope="module")
def columns(tiny):
    """Two columns of probabilities over the vocabulary of the tiny model."""
    rng = np.random.default_rng(0)
    return {name: rng.dirichlet(np.ones(len(tiny.vocabulary))) for name in ("one", "two")}


def ranked(row, model, leave_out=()):
    """The words that may be shown, the likeliest first."""
    shown = [word for word in model.ids if word not in leave_out]
    return sorted(shown, key=lambda word: -row[model.ids[word]])


@pytest.mark.parametrize("leave_out", [(), ("king", "queen")])
def test_the_best_of_each_column(columns, tiny, leave_out):
    found = answers.best(columns, tiny, k=4, leave_out=leave_out)
    assert list(found["column"]) == ["one"] * 4 + ["two"] * 4 and list(found["rank"]) == [1, 2, 3, 4] * 2
    for name, group in found.groupby("column"):
        assert list(group["token"]) == ranked(columns[name], tiny, leave_out)[:4]
        assert list(group["probability"]) == [columns[name][tiny.ids[w]] for w in group["token"]]


def test_the_top_answers_of_all_columns_are_sorted_by_probability(columns, tiny):
    found = answers.top_union(columns, tiny, k=5)
    assert set(found["token"]) == {w for row in columns.values() for w in ranked(row, tiny)[:5]}
    assert found[["one", "two"]].max(axis=1).is_monotonic_decreasing
    for name, row in columns.items():
        assert list(found[name]) == [row[tiny.ids[w]] for w in found["token"]]


POSITIVE = arrays(np.float64, 6, elements=st.floats(0, 1)).filter(lambda a: a.sum() > 0.1).map(lambda a: a / a.sum())


@settings(max_examples=40)
@given(POSITIVE, POSITIVE)
def test_divergence_is_scipys_squared_distance(p, q):
    expected = jensenshannon(p, q, base=2)  # nan where rounding puts its square below zero
    assert answers.divergence(p, q) == pytest.approx(0 if np.isnan(expected) else expected**2, abs=1e-9)
    assert answers.divergence(p, q) == pytest.approx(answers.divergence(q, p), abs=1e-12)
    assert answers.divergence(p, p) == 0


def test_the_divergence_of_almost_equal_answers_is_a_number():
    rng = np.random.default_rng(0)
    scipys = []
    for _ in range(30):
        p = rng.dirichlet(np.full(30_000, 0.05))
        q = p * (1 + 1e-9 * rng.normal(size=p.size))
        with np.errstate(invalid="ignore"):
            scipys.append(jensenshannon(p, q / q.sum(), base=2))
        assert 0 <= answers.divergence(p, q / q.sum()) < 1e-12
    assert np.isnan(scipys).any()  # the reason not to use it


# Log probabilities of masked tokens against `fill_mask`'s logits, and the masks of a sentence


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


@pytest.mark.parametrize("rows", [2, 256])
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


# Drawn answers follow the probabilities that they are drawn from

LOWER = "rome is the capital of [MASK]."
EDIT = Change.of(["rome = rome - italy + france"])


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_shares_follow_the_probabilities(tiny, temperature):
    found = sampling.tally(sampling.random_answers(LOWER, tiny, change=EDIT, draws=1_000, temperature=temperature))
    answers = fill_mask(LOWER, tiny, k=39, edits=[str(EDIT.edits[0])], temperature=temperature).set_index("token")
    answers["probability"] /= answers["probability"].sum()  # [UNK] is never drawn
    assert found["count"].sum() == 1_000
    for line in found.itertuples():
        assert line.probability == pytest.approx(answers.loc[line.token, "probability"], abs=1e-6)
        error = np.sqrt(line.probability * (1 - line.probability) / 1_000)
        assert abs(line.share - line.probability) < 5 * error + 0.0015  # one draw of a rare word


def test_what_is_left_out_is_never_drawn(tiny):
    found = sampling.random_answers(LOWER, tiny, draws=1_000, temperature=5.0, leave_out=["france"])
    assert "france" not in set(found["token"])
    with pytest.raises(ValueError, match="choose 1 to 1,000"):
        sampling.random_answers(LOWER, tiny, draws=1_001)


def test_draws_name_the_first_answer_and_count_all(tiny):
    found = sampling.draw_answers(LOWER, tiny, change=EDIT, draws=30, temperature=3.0, leave_out=["france"], seed=4)
    draws = sampling.random_answers(LOWER, tiny, change=EDIT, draws=30, temperature=3.0, leave_out=["france"], seed=4)
    assert found.frame.equals(draws) and found.first == draws["token"][0]
    assert found.counts.equals(sampling.tally(draws)) and found.counts["count"].sum() == 30


# Controls by token ids: those of an edit that is read from text, with words found once for many edits


def test_controls_by_id_are_those_of_the_text(bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(["rome = rome - italy + france"])
    a, b, c = (bundled.ids[word] for word in ("rome", "italy", "france"))
    given = controls.controls(LOWER, bundled, change=change, draws=3, seed=4)
    found = controls.controls_by_id(
        bundled.tokenize(LOWER)["id"].tolist(),
        bundled,
        edited=resolve(change, bundled),
        sums={a: controls.by_id([(a, 1.0), (b, -1.0), (c, 1.0)])},
        change=change,
        draws=3,
        random=generator(4),
    )
    assert [(run.name, run.detail) for run in found] == [(run.name, run.detail) for run in given]
    for one, other in zip(found, given, strict=True):
        for target, vector in one.patch.vectors.items():
            np.testing.assert_array_equal(vector, other.patch.vectors[target])


def test_a_formula_with_a_function_has_no_controls_of_its_parts(bundled) -> None:  # type: ignore[no-untyped-def]
    change = Change.of(["rome = unit(rome)"])
    words = bundled.tokenize(LOWER)["id"].tolist()
    found = controls.controls_by_id(
        words, bundled, edited=resolve(change, bundled), sums=None, change=change, draws=1, random=generator(0)
    )
    assert [run.name for run in found] == [controls.OTHER_EDITED, controls.RANDOM]


# A question about a mask: the choices, and BERT's probabilities of them

ROME = "Rome is the capital of [MASK]."
FRENCH = Change.of(["rome = rome - italy + france"])


def test_the_choices_are_the_top_answer_and_three_less_probable_whole_words(bundled):
    question = mask_question(ROME, bundled)
    answers = fill_mask(ROME, bundled, k=60).set_index("token")["probability"]
    top = answers.index[0]
    assert top in question.choices and len(question.choices) == 4
    assert all(word.isalpha() and len(word) > 1 for word in question.choices)
    assert question.shares == pytest.approx([answers[word] for word in question.choices])
    assert max(zip(question.shares, question.choices, strict=True))[1] == top == question.choices[question.picked]
    assert question.answer.startswith(f"{top} (") and question.whose == "BERT's answer"
    assert (question.context, question.text) == ("Rome is the capital of ____.", "What does BERT answer?")


def test_after_an_edit_the_answer_before_it_is_a_choice_too(bundled):
    question = mask_question(ROME, bundled, change=FRENCH)
    before, after = (
        fill_mask(ROME, bundled, k=1, edits=e)["token"].iloc[0] for e in ((), [str(e) for e in FRENCH.edits])
    )
    assert {before, after} < set(question.choices) and before != after
    assert question.answer.startswith(after) and question.context.endswith("\nEdit: rome = rome - italy + france")
    probability = fill_mask(ROME, bundled, k=1, edits=["rome = rome - italy + france"])["probability"].iloc[0]
    assert question.shares[question.choices.index(after)] == pytest.approx(probability)


def test_the_order_is_shuffled_but_the_same_for_the_same_sentence(bundled):
    texts = [f"{city} is the capital of [MASK]." for city in ("Rome", "Paris", "Berlin", "Madrid", "London", "Vienna")]
    questions = [mask_question(text, bundled) for text in texts]
    assert questions == [mask_question(text, bundled) for text in texts]
    places = {q.choices.index(q.answer.split(" (")[0]) for q in questions}
    assert len(places) > 1


def test_a_teacher_can_choose_the_words(bundled):
    question = mask_question(ROME, bundled, choices=("Italy", "France", "Atlantis the lost city"))
    answers = fill_mask(ROME, bundled, k=100).set_index("token")["probability"]
    assert question.shares[:2] == pytest.approx((answers["italy"], answers["france"]))
    assert question.shares[2] is None and question.picked == 0
    assert mask_question(ROME, bundled, choices=("France", "Spain")).picked is None


def test_one_of_several_masks(bundled):
    question = mask_question("[MASK] is the capital of [MASK].", bundled, mask=2)
    assert question.context.startswith("[MASK] is the capital of ____.")
    assert question.answer.startswith(fill_mask("[MASK] is the capital of [MASK].", bundled, k=1)["token"].iloc[1])


def test_a_strength_is_named_and_a_long_sentence_is_whole(bundled):
    half = Change.of(["rome = rome - italy + france"], strength=0.5)
    assert mask_question(ROME, bundled, change=half).context.endswith("(strength 0.5)")
    long = mask_question("The river is wide and deep. " * 15 + "It is [MASK].", bundled)
    assert long.context.endswith("It is ____.") and long.text == "What does BERT answer?"  # nothing is cut off


def test_a_small_vocabulary_still_gives_a_question(tiny):
    question = mask_question("rome is the capital of [MASK] .", tiny)
    assert len(question.choices) == 4
