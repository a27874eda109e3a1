"""A question about a mask: the choices, and BERT's probabilities of them."""

import pytest

from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.edits import Change
from embtools.mask_filling.guesses import mask_question

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


def test_a_sentence_without_a_mask_says_so(bundled):
    with pytest.raises(ValueError, match=r"The sentence has no \[MASK\]"):
        mask_question("Rome is old.", bundled)


def test_a_small_vocabulary_still_gives_a_question(tiny):
    question = mask_question("rome is the capital of [MASK] .", tiny)
    assert len(question.choices) == 4
