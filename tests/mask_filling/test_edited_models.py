"""A model with edited words, compared with a separate copy of its Hugging Face network whose matrix is overwritten."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModelForMaskedLM, AutoTokenizer, BertForPreTraining

import embtools
from embtools.mask_filling.answers import compare, fill_mask
from embtools.mask_filling.edited_models import edited_model
from embtools.mask_filling.edits import Change, resolve
from embtools.models.gradients import answer_gradients
from embtools.models.sentence_order import next_sentence
from embtools.neighbours import neighbours
from embtools.spaces.of_model import fitted, in_space
from embtools.spaces.space import BY_CLUSTER, WHITENED, Space

EDITS = ("rome = rome - italy + france", "king = queen / 2")
TEXTS = ("rome is the capital of [MASK] .", "the king works .")
FOLDERS = {"bundled": Path(embtools.__file__).parent / "bundled"}


def value(name, model):
    """The value of the right side of an edit, by hand."""
    word = lambda w: model.matrix[model.ids[w]].astype(np.float64)  # noqa: E731
    return {"rome": word("rome") - word("italy") + word("france"), "king": word("queen") / 2}[name]


def overwritten(folder, model, scope, strength, kind=AutoModelForMaskedLM):
    """A separate network from the same files, with the rows of its input matrix overwritten; or, tied, of both."""
    network = kind.from_pretrained(folder, dtype=torch.float32).eval()
    output = network.get_output_embeddings()
    if scope == "input":  # a matrix of its own for the output, so that it stays
        output.weight = torch.nn.Parameter(output.weight.detach().clone())
    matrix = network.get_input_embeddings().weight
    with torch.no_grad():
        for name in ("rome", "king"):
            original = matrix[model.ids[name]].numpy().astype(np.float64)
            matrix[model.ids[name]] = torch.from_numpy(original + strength * (value(name, model) - original))
    assert (output.weight is matrix) == (scope == "tied")
    return network


@pytest.mark.parametrize("scope, strength", [("input", 1.0), ("tied", 0.6)])
@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
def test_it_is_the_network_with_overwritten_rows(name, scope, strength, request):
    model, folder = request.getfixturevalue(name), FOLDERS.get(name) or request.getfixturevalue(f"{name}_folder")
    network, tokenizer = overwritten(folder, model, scope, strength), AutoTokenizer.from_pretrained(folder)
    edited = edited_model(EDITS, model, scope=scope, strength=strength)
    np.testing.assert_allclose(edited.matrix[:], network.get_input_embeddings().weight.detach(), atol=1e-6)
    for text in TEXTS:
        encoding = tokenizer(text, return_tensors="pt")
        if not model.has_segments:
            encoding.pop("token_type_ids", None)
        with torch.no_grad():
            expected = network(**encoding, output_hidden_states=True)
        states = edited.hidden_states(text)
        np.testing.assert_allclose(states, torch.stack(expected.hidden_states)[:, 0], atol=2e-5)
        logits = edited.logits(edited.transform(states[-1]))
        np.testing.assert_allclose(logits, expected.logits[0], atol=1e-4)
        some = [model.ids["king"], model.ids["the"], model.ids["rome"]]
        np.testing.assert_allclose(edited.logits(edited.transform(states[-1]), some), logits[:, some], atol=1e-5)


@pytest.mark.parametrize("name", ["tiny", "bundled"])
def test_next_sentences_are_those_of_the_network(name, request):
    model, folder = request.getfixturevalue(name), FOLDERS.get(name) or request.getfixturevalue(f"{name}_folder")
    network = overwritten(folder, model, "input", 1.0, BertForPreTraining)
    encoding = AutoTokenizer.from_pretrained(folder)("the king works .", "rome is a capital .", return_tensors="pt")
    with torch.no_grad():
        expected = network(**encoding).seq_relationship_logits.softmax(-1)[0, 0]
    edited = edited_model(EDITS, model)
    assert next_sentence("the king works .", "rome is a capital .", edited) == pytest.approx(float(expected), abs=1e-6)


@pytest.mark.parametrize("scope", ["input", "tied"])
@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_gradients_are_those_of_the_network(name, scope, request):
    model, folder = request.getfixturevalue(name), request.getfixturevalue(f"{name}_folder")
    network, edited = overwritten(folder, model, scope, 1.0), edited_model(EDITS, model, scope=scope)
    frame, target = model.tokenize(TEXTS[0]), model.ids["king"]
    ids, mask = frame["id"].to_numpy(), int(np.flatnonzero(frame["id"] == model.mask_id)[0])
    own, mean = answer_gradients(
        edited.matrix[ids][None], edited, segments=frame["segment"].to_numpy(), position=mask, target=target
    )
    inputs = network.get_input_embeddings()(torch.from_numpy(ids.copy())[None]).detach().requires_grad_(True)
    chosen = network(inputs_embeds=inputs).logits.log_softmax(-1)[0, mask, target]
    chosen.backward()
    np.testing.assert_allclose(own[0], inputs.grad[0], atol=1e-4)
    assert mean == pytest.approx(chosen.item(), abs=1e-4)


@pytest.mark.parametrize("scope", ["input", "tied"])
def test_its_answers_are_those_of_an_edit_of_one_sentence(tiny, scope):
    change = Change.of(EDITS[:1], scope, 0.7, keep_length=True)
    edited = edited_model(EDITS[:1], tiny, scope=scope, strength=0.7, keep_length=True)
    expected = compare(TEXTS[0], tiny, after=resolve(change, tiny), k=5).set_index("token")["probability_after"]
    found = fill_mask(TEXTS[0], edited, k=5)
    np.testing.assert_allclose(found["probability"], expected[found["token"]], rtol=1e-4)


@settings(max_examples=25)
@given(
    scope=st.sampled_from(["input", "tied"]),
    weights=st.lists(st.floats(-3, 3), min_size=3, max_size=3),
    keep_length=st.booleans(),
)
def test_strength_0_is_the_model_itself(tiny, scope, weights, keep_length):
    edit = "rome = " + " + ".join(f"{x:.3f} * {w}" for x, w in zip(weights, ("rome", "italy", "king"), strict=True))
    if scope == "input" and keep_length:
        return
    assert edited_model([edit], tiny, scope=scope, strength=0.0) is tiny
    assert edited_model(["rome = rome", "king = 1 * king"], tiny, scope=scope) is tiny


@pytest.mark.slow
@given(strength=st.floats(0.05, 2), scope=st.sampled_from(["input", "tied"]), weight=st.floats(-3, 3))
def test_only_the_edited_words_change_and_the_original_is_untouched(tiny, strength, scope, weight):
    before, output = tiny.matrix.copy(), tiny.logits(tiny.matrix[:3])
    edited = edited_model([f"rome = {weight:.3f} * italy"], tiny, scope=scope, strength=strength)
    own = tiny.ids["rome"]
    others = [i for i in range(len(before)) if i != own]
    np.testing.assert_array_equal(edited.matrix[others], before[others])
    expected = before[own] + strength * (float(f"{weight:.3f}") * before[tiny.ids["italy"]] - before[own])
    np.testing.assert_allclose(edited.vector("rome"), expected, atol=1e-5)
    length = np.linalg.norm(edited.vector("rome"))
    assert edited.inverse_norms[own] == pytest.approx(1 / length if length else 1, rel=1e-5)
    np.testing.assert_array_equal(tiny.matrix, before)
    np.testing.assert_array_equal(tiny.logits(tiny.matrix[:3]), output)
    np.testing.assert_array_equal(np.delete(edited.logits(before[:3]), own, 1), np.delete(output, own, 1))
    # A sentence without the word gives exactly the same states.
    text = "the king works in a capital"
    np.testing.assert_array_equal(edited.hidden_states(text), tiny.hidden_states(text))


def test_the_view_shares_its_weights_and_has_its_own_checksum(bundled):
    edited = edited_model(EDITS[:1], bundled, scope="tied")
    own = [
        value for value in vars(edited).values() if hasattr(value, "nbytes") and not isinstance(value, type(bundled))
    ]
    shared = [value for value in vars(bundled).values() if hasattr(value, "nbytes")]
    new = [array for array in own if not any(array is other for other in shared)]
    assert 0 < sum(array.nbytes for array in new) < 500_000 < bundled.matrix.nbytes
    assert edited.base is bundled.base and edited.original is bundled and bundled.original is bundled
    assert list(edited.edited) == [bundled.ids["rome"]] and not bundled.edited
    assert "rome edited" in repr(edited)
    models = [
        edited_model(EDITS[:1], bundled),
        edited_model(EDITS[:1], bundled, strength=0.5),
        edited_model(EDITS[1:], bundled),
        edited_model(EDITS[:1], bundled, keep_length=True),
        edited,
        bundled,
    ]
    assert len({model.checksum for model in models}) == len(models)
    assert edited.checksum == edited_model(EDITS[:1], bundled, scope="tied").checksum
    assert edited.nbytes < 500_000


def test_several_edits_use_the_original_vectors_and_later_ones_the_edited_model(tiny):
    swapped = edited_model(["rome = italy", "italy = rome"], tiny)
    np.testing.assert_array_equal(swapped.vector("rome"), tiny.vector("italy"))
    np.testing.assert_array_equal(swapped.vector("italy"), tiny.vector("rome"))
    again = edited_model(["king = italy"], swapped, scope="tied")
    np.testing.assert_array_equal(again.vector("king"), tiny.vector("rome"))
    assert again.original is tiny and set(again.edited) == {tiny.ids[w] for w in ("rome", "italy", "king")}
    back = edited_model(["king = queen"], again)  # the output row of the tied edit stays
    states = np.eye(tiny.dimensions, dtype=np.float32)[:2]
    np.testing.assert_allclose(back.logits(states), again.logits(states), atol=1e-6)
    np.testing.assert_array_equal(back.vector("king"), tiny.vector("queen"))


def test_what_cannot_be_edited_is_refused(tiny, monkeypatch):
    for edits, more, text in (
        (["rome + italy"], {}, "target|=|edit"),
        (["rome = italy"], {"scope": "output"}, "There is no scope"),
    ):
        with pytest.raises(ValueError, match=text):
            edited_model(edits, tiny, **more)
    with pytest.raises(ValueError, match="tokens 0 to"):
        tiny.with_rows({len(tiny.matrix): tiny.vector("rome")}, "too far")
    with pytest.raises(ValueError, match="have 16 numbers"):
        tiny.with_rows({0: np.ones(3)}, "too short")
    monkeypatch.setattr(tiny, "tied", False)
    with pytest.raises(ValueError, match="not tied"):
        edited_model(["rome = italy"], tiny, scope="tied")
    with pytest.raises(ValueError, match="not tied"):
        tiny.with_rows({0: tiny.vector("rome")}, "tied", tied=True)
    assert edited_model(["rome = italy"], tiny).vector("rome").tolist() == tiny.vector("italy").tolist()


@pytest.mark.parametrize("space", [Space(WHITENED), Space(BY_CLUSTER, 1, clusters=3)], ids=str)
def test_a_space_is_fitted_without_the_edit_and_applied_to_the_edited_vectors(tiny, space):
    edited = edited_model(EDITS, tiny)
    view, plain = in_space(edited, space=space), in_space(tiny, space=space)
    for word in ("rome", "king"):
        np.testing.assert_allclose(
            view.vector(word), fitted(tiny, space=space).apply(edited.vector(word)), rtol=1e-5, atol=1e-6
        )
    others = [i for i in range(len(tiny.matrix)) if i not in edited.edited]
    np.testing.assert_array_equal(view.matrix[others], plain.matrix[others])
    assert len({model.checksum for model in (view, plain, edited, tiny)}) == 4
    assert in_space(edited, space=Space()) is edited
    whole = np.array(view.matrix)
    expected = (
        whole
        @ whole[tiny.ids["rome"]]
        / np.linalg.norm(whole, axis=1).clip(1e-12)
        / np.linalg.norm(view.vector("rome"))
    )
    near = neighbours(view.vector("rome"), view, k=5)[0].set_index("token")["cosine"]
    for token, cosine in near.items():
        assert cosine == pytest.approx(expected[tiny.ids[token]], abs=1e-5)
