"""Edits by hand, and scores at masks against the network: fed the same vectors (input), or its matrix overwritten (tied)."""

import copy

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from embtools.mask_filling import edits as mask_filling_edits
from embtools.mask_filling import forward
from embtools.mask_filling.edits import Change
from tests.mask_filling.conftest import masks_of

# Edits read from text and computed as vectors, by hand

EDITS = ("rome = rome - italy + france",)


def test_strength_and_length_by_hand(tiny):
    original, value = tiny.vector("rome"), value_of(EDITS[0], tiny.matrix, tiny.ids)
    target = tiny.ids["rome"]
    for strength in (0.0, 0.5, 1.0, 2.0):
        expected = (1 - strength) * original + strength * value
        plain = mask_filling_edits.resolve(Change.of(EDITS, strength=strength), tiny).vectors[target]
        np.testing.assert_allclose(plain, expected, atol=1e-6)
        kept = mask_filling_edits.resolve(Change.of(EDITS, strength=strength, keep_length=True), tiny).vectors[target]
        assert np.linalg.norm(kept) == pytest.approx(np.linalg.norm(original), rel=1e-6)
        np.testing.assert_allclose(kept / np.linalg.norm(kept), expected / np.linalg.norm(expected), atol=1e-6)


CHANGES = (
    Change(),
    Change.of(EDITS),
    Change.of(["rome = project(rome, she - he)", 'the = "[MASK]" / 2'], "tied", 0.3, (1, 4), True),
    Change.of(['"=" = mean(a, b) * 0.5'], keep_length=True),
)


@pytest.mark.parametrize("change", CHANGES, ids=repr)
def test_a_change_is_a_value_that_prints_the_call_that_makes_it(change):
    again = eval(repr(change), {"Change": Change})
    assert again == change and hash(again) == hash(change)
    assert {change: 1}[again] == 1


def test_too_many_edits_are_refused_when_read_and_when_applied(tiny):
    many = [f"rome = rome + {n} * king" for n in range(mask_filling_edits.MAX_EDITS + 1)]
    with pytest.raises(ValueError, match="There are 11 edits; at most 10 are applied"):
        Change.of(many)
    read = tuple(edit for text in many for edit in Change.of([text]).edits)
    with pytest.raises(ValueError, match="There are 11 edits; at most 10 are applied"):
        mask_filling_edits.resolve(Change(read), tiny)


def test_edits_by_the_word_that_they_change(tiny):
    change = Change.of(["Rome = france", "king = queen"])
    found = mask_filling_edits.by_target(change.edits, tiny)
    assert {tiny.vocabulary[i]: str(edit) for i, edit in found.items()} == {
        "rome": "Rome = france",
        "king": "king = queen",
    }
    for bad, text in (
        (["rome = france", "Rome = italy"], "'rome' is edited twice"),
        (["[MASK] = rome"], r"\[MASK\] is a special token, not a word"),
        (["unable = rome"], "'unable' is not a single token"),
    ):
        with pytest.raises(ValueError, match=text):
            mask_filling_edits.by_target(Change.of(bad).edits, tiny)


# Scores at masks against the Hugging Face network: fed the same vectors (input), or with its matrix overwritten (tied)

ROME = "Rome is the capital of [MASK]."


def logits(network, encoding, **changes):
    arguments = {"attention_mask": encoding["attention_mask"], **changes}
    if "token_type_ids" in encoding and network.config.model_type == "bert":
        arguments["token_type_ids"] = encoding["token_type_ids"]
    with torch.no_grad():
        return network(**arguments).logits[0].double().softmax(-1).numpy()


def value_of(edit, rows, ids):
    """The right side of the edits used here, in float64 and by hand."""
    word = lambda w: rows[ids[w]].astype(np.float64)  # noqa: E731
    return {
        "rome = rome - italy + france": lambda: word("rome") - word("italy") + word("france"),
        "he = (he + she) / 2": lambda: (word("he") + word("she")) / 2,
        "king = queen": lambda: word("queen"),
        "rome = italy": lambda: word("italy"),
        "italy = rome": lambda: word("rome"),
    }[edit]()


def as_input(pipe, model, text, edits, positions=(), strength=1.0):
    """Probabilities (t, v) of the pipeline's own network fed word embeddings with the edited rows put in."""
    encoding = pipe.tokenizer(text, return_tensors="pt")
    rows = pipe.model.get_input_embeddings().weight.detach().numpy()
    vectors = rows[encoding["input_ids"][0].numpy()].copy()
    for edit in edits:
        target = edit.split(" = ")[0]
        new = rows[model.ids[target]] + strength * (value_of(edit, rows, model.ids) - rows[model.ids[target]])
        for i, token in enumerate(encoding["input_ids"][0].tolist()):
            if token == model.ids[target] and (not positions or i in positions):
                vectors[i] = new
    return encoding, logits(pipe.model, encoding, inputs_embeds=torch.tensor(vectors)[None])


def as_tied(pipe, model, text, edits, strength=1.0):
    """Probabilities (t, v) of a private copy of the network whose matrix is overwritten, as the original script did."""
    network = copy.deepcopy(pipe.model)
    weight = network.get_input_embeddings().weight
    assert network.get_output_embeddings().weight is weight
    rows = weight.detach().numpy().copy()
    with torch.no_grad():
        for edit in edits:
            target = model.ids[edit.split(" = ")[0]]
            weight[target] = torch.tensor(rows[target] + strength * (value_of(edit, rows, model.ids) - rows[target]))
    encoding = pipe.tokenizer(text, return_tensors="pt")
    return encoding, logits(network, encoding, input_ids=encoding["input_ids"])


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        (ROME, ("rome = rome - italy + france",)),
        ("he works as a [MASK].", ("he = (he + she) / 2",)),
        ("the king of rome is the [MASK] of [MASK].", ("king = queen", "rome = rome - italy + france")),
        ("rome , rome , italy [MASK]", ("rome = italy", "italy = rome")),
    ],
)
def test_an_edit_is_what_the_network_itself_gives(both, text, edits):
    model, pipe = both
    strengths = (1.0,) if model.name == "bundled" else (1.0, 0.35, 2.0)
    for strength in strengths:
        for scope, reference in (("input", as_input), ("tied", as_tied)):
            encoding, expected = reference(pipe, model, text, edits, strength=strength)
            patch = mask_filling_edits.resolve(Change.of(edits, scope, strength), model)
            found = forward.probabilities(forward.mask_logits(text, model, patches=[patch]))[0]
            np.testing.assert_allclose(found, expected[masks_of(encoding, model)], atol=1e-5)


def test_positions_choose_occurrences(both):
    model, pipe = both
    text = "rome is the capital of rome [MASK]."
    for positions in ((1,), (6,), (1, 6), ()):
        encoding, expected = as_input(pipe, model, text, EDITS, positions)
        patch = mask_filling_edits.resolve(Change.of(EDITS, positions=positions), model)
        found = forward.probabilities(forward.mask_logits(text, model, patches=[patch]))[0]
        np.testing.assert_allclose(found, expected[masks_of(encoding, model)], atol=1e-5)


def test_more_variants_than_fit_one_batch_are_those_of_each_alone(tiny):
    text = "rome " * 40 + "[MASK]"
    patches = [mask_filling_edits.resolve(Change.of(EDITS, strength=s), tiny) for s in np.linspace(0, 2, 90)]
    many = forward.mask_logits(text, tiny, patches=patches)
    for i in (0, 44, 45, 89):
        np.testing.assert_allclose(many[i], forward.mask_logits(text, tiny, patches=[patches[i]])[0], atol=1e-5)


# What cannot be done


def test_a_tied_edit_of_a_word_that_is_not_in_the_sentence(tiny, pipelines):
    encoding, expected = as_tied(pipelines["tiny"], tiny, ROME, ("king = queen",))
    patch = mask_filling_edits.resolve(Change.of(("king = queen",), "tied"), tiny)
    found = forward.probabilities(forward.mask_logits(ROME, tiny, patches=[patch]))[0]
    np.testing.assert_allclose(found, expected[masks_of(encoding, tiny)], atol=1e-5)


def test_positions_of_several_edited_words(tiny):
    text = "rome is the king of rome [MASK]."
    edits = (EDITS[0], "king = queen")
    vectors = mask_filling_edits.resolve(Change.of(edits), tiny).vectors
    inputs = tiny.matrix[tiny.tokenize(text)["id"].to_numpy()].copy()
    inputs[1] = vectors[tiny.ids["rome"]]
    inputs[4] = vectors[tiny.ids["king"]]
    expected = tiny.logits(tiny.transform(tiny.encode(inputs[None])[-1, 0, [7]]))
    found = forward.mask_logits(
        text, tiny, patches=[mask_filling_edits.resolve(Change.of(edits, positions=(1, 4)), tiny)]
    )
    np.testing.assert_allclose(found[0], expected, atol=1e-5)
    with pytest.raises(ValueError, match="'king' is at position 4, not at the selected one"):
        forward.mask_logits(text, tiny, patches=[mask_filling_edits.resolve(Change.of(edits, positions=(1,)), tiny)])


def test_positions_do_not_matter_to_a_tied_word_outside_the_sentence(tiny):
    """Of two tied edits one may be of a word that only the output scores know."""
    edits = (EDITS[0], "king = queen")
    one, every = (
        forward.mask_logits(
            ROME, tiny, patches=[mask_filling_edits.resolve(Change.of(edits, "tied", positions=positions), tiny)]
        )
        for positions in ((1,), ())
    )
    np.testing.assert_array_equal(one, every)


@pytest.mark.parametrize(
    ("text", "glued"),
    [
        ("un[MASK]able", "un[MASK]able"),
        ("The [MASK]s are", "[MASK]s"),
        ("(“[MASK]”)", None),
        ("self-[MASK] here", None),
        ("[MASK][MASK]", None),
        ("", None),
        ("[MASK].re[MASK]", "[MASK].re[MASK]"),
    ],
)
def test_a_mask_glued_to_a_word_is_noticed(text, glued):
    assert forward.mask_inside_word(text) == glued


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-50, 50, width=32), min_size=2, max_size=20), st.floats(0.1, 5))
def test_probabilities_are_the_softmax(values, temperature):
    logits = np.array([values], np.float32)
    e = np.exp(logits.astype(np.float64) / temperature - logits.max() / temperature)
    # Numbers below 2e-308 have fewer digits.
    np.testing.assert_allclose(
        forward.probabilities(logits, temperature=temperature), e / e.sum(), rtol=1e-9, atol=1e-310
    )
    assert forward.probabilities(logits, temperature=temperature).dtype == np.float64


@pytest.mark.parametrize("temperature", [0.05, 5.1, float("nan")])
def test_a_temperature_out_of_range_is_refused(temperature):
    with pytest.raises(ValueError, match=r"choose 0\.1 to 5"):
        forward.probabilities(np.zeros((1, 3)), temperature=temperature)
