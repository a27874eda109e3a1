"""Edits after each layer, and the lenses, against the network's own layers and head run by hand from there."""

import numpy as np
import pandas as pd
import pytest
import torch

from embtools import fill_mask, load_model
from embtools.arithmetic import controls, later_edits
from embtools.arithmetic.later_edits import WHOLE, edits_by_layer
from embtools.arithmetic.logit_lens import LOGIT_LENS, TUNED_LENS, both_lenses, lens
from embtools.mask_filling.controls import ADDED, OTHER_EDITED, OTHER_SUBTRACTED, RANDOM, SUBTRACTED
from embtools.mask_filling.edits import Change
from embtools.models.patching import with_rows
from embtools.models.tuned_lens import needed_lens
from tests.conftest import make_tiny

ROME = "rome is the capital of [MASK]."
EDIT = Change.of(["rome = rome - italy + france"])
PLAIN = ("the river {word}.", "{word} works as a king.")


@pytest.fixture(scope="module")
def found(tiny):
    return later_edits.layer_edits(ROME, tiny, change=EDIT, word="france", templates=PLAIN, draws=2)


def by_hand(model, layer, words):
    """The mean hidden state of each word at a layer, in the two templates, one sentence at a time."""
    places = {PLAIN[0]: 3, PLAIN[1]: 1}
    return {
        word: np.mean(
            [model.hidden_states(t.format(word=word))[layer, place].astype(float) for t, place in places.items()],
            axis=0,
        )
        for word in words
    }


def test_the_difference_is_that_of_the_layer_and_the_network_goes_on_from_there(tiny, found):
    vectors = by_hand(tiny, 1, ("rome", "italy", "france"))
    states = tiny.hidden_states(ROME)[1].copy()
    states[1] += vectors["france"] - vectors["italy"]
    x = torch.from_numpy(states[None].astype(np.float32))
    with torch.no_grad():
        for block in tiny.encoder_layers[1:]:
            x = block(x)
            x = x[0] if isinstance(x, tuple) else x
    logits = tiny.logits(tiny.transform(x[0, 6:7].numpy()))[0].astype(float)
    chances = np.exp(logits) / np.exp(logits).sum()
    row = found[(found["layer"] == 1) & (found["run"] == WHOLE)].iloc[0]
    assert row["probability"] == pytest.approx(chances[tiny.ids["france"]], abs=1e-5)
    assert row["answer"] == tiny.vocabulary[int(chances.argmax())]


def test_a_cased_model_reads_the_words_as_they_are_written(tiny_cased):
    text, change = "Rome is the capital of [MASK].", Change.of(["Rome = Rome - Italy + France"])
    found = later_edits.layer_edits(
        text, tiny_cased, change=change, word="France", templates=["the bank {word}."], draws=2
    )
    italy, france = (tiny_cased.hidden_states(f"the bank {word}.")[1, 3] for word in ("Italy", "France"))
    states = tiny_cased.hidden_states(text)[1].copy()
    states[1] += france - italy
    last = with_rows(states[None], tiny_cased, layer=1)[0, 6:7]
    logits = tiny_cased.logits(tiny_cased.transform(last))[0].astype(float)
    row = found[(found["layer"] == 1) & (found["run"] == WHOLE)].iloc[0]
    chance = np.exp(logits[tiny_cased.ids["France"]]) / np.exp(logits).sum()
    assert row["probability"] == pytest.approx(chance, abs=1e-5)


@pytest.mark.parametrize("strength", [0.5, 1.0])
def test_at_the_embeddings_it_is_the_experiment_of_the_page(tiny, strength):
    change = Change.of([str(EDIT.edits[0])], strength=strength)
    found = later_edits.layer_edits(ROME, tiny, change=change, word="france", templates=PLAIN, draws=2)
    first = found[found["layer"] == 0].groupby("run")["probability"].agg(["mean", "size"])
    run = controls.experiment(ROME, tiny, change=change, k=40, draws=2)
    shown = run.answers.set_index("token")
    assert first.loc[WHOLE, "mean"] == pytest.approx(shown.loc["france", "probability_after"], abs=1e-6)
    assert found.iloc[0]["probability"] == pytest.approx(shown.loc["france", "probability_before"], abs=1e-6)
    winner = shown.index[shown["rank_after"] == 1][0]
    same = later_edits.layer_edits(ROME, tiny, change=change, word=winner, templates=PLAIN, draws=2)
    same = same[same["layer"] == 0].groupby("run")["probability"].mean()
    summary = run.summary.set_index("control")["mean"]
    for name in (ADDED, SUBTRACTED, OTHER_SUBTRACTED, OTHER_EDITED):
        assert same[name] == pytest.approx(summary[name], abs=1e-6), name
    assert first.loc[RANDOM, "size"] == 2


def test_nothing_changes_without_strength_and_after_the_last_layer_nothing_at_the_mask(tiny, found):
    last = found[found["layer"] == tiny.layers]
    np.testing.assert_allclose(last["probability"], found.iloc[0]["probability"], atol=1e-6)
    still = later_edits.layer_edits(
        ROME, tiny, change=Change.of([str(EDIT.edits[0])], strength=0), word="france", templates=PLAIN
    )
    np.testing.assert_allclose(still["probability"], still.iloc[0]["probability"], atol=1e-6)


def test_the_shared_model_is_not_changed(tiny):
    before = tiny.matrix.copy(), tiny.hidden_states(ROME)
    later_edits.layer_edits(ROME, tiny, change=EDIT, word="france", templates=PLAIN)
    assert np.array_equal(before[0], tiny.matrix) and np.array_equal(before[1], tiny.hidden_states(ROME))


def test_contextual_vectors_of_several_tokens_are_means(tiny):
    vectors = later_edits.contextual(["unable"], tiny, templates=["the {word}."])
    states = tiny.hidden_states("the unable.")
    np.testing.assert_allclose(vectors["unable"], states[:, 2:4].mean(axis=1), atol=1e-6)


def test_the_summary_and_the_sentence_say_what_the_rows_say(found):
    lines = later_edits.summary(found).set_index(["layer", "run"])
    rows = found[(found["layer"] == 1) & (found["run"] == RANDOM)]
    line = lines.loc[(1, RANDOM)]
    assert (line["draws"], line["lowest"], line["highest"]) == (2, rows["probability"].min(), rows["probability"].max())
    assert line["changed"] == (rows["answer"] != found.iloc[0]["answer"]).mean()
    made = found.assign(answer="italy")
    assert later_edits.sentence(made, ".").startswith("The difference does not make “.” the")
    text = later_edits.sentence(made, "france")
    assert text == "The difference does not make france the top answer, whichever layer it is added after."
    made.loc[made["run"] == WHOLE, "answer"] = ["france", "italy", "france"]
    text = "If the difference is added after any of layers 0 and 2, france becomes the top answer."
    made.loc[made["run"] != WHOLE, "probability"] = 0.1
    added = (made["run"] == ADDED) & (made["layer"] == 2)
    made.loc[added, "probability"] = 0.4
    strongest = "the strongest of 14 control runs"
    weak = f"{strongest} gives it 40% (if france alone is added after layer 2)."
    assert later_edits.sentence(made, "france") == f"{text} No control does this there: {weak}"
    made.loc[(made["run"] == SUBTRACTED) & (made["layer"] == 0), "answer"] = "france"
    assert later_edits.sentence(made, "france") == (
        f"{text} In 1 control run there, BERT answers france too, but weakly: {weak}"
    )
    made.loc[added, "answer"] = "france"
    assert later_edits.sentence(made, "france") == (
        f"{text} If france alone is added after layer 2, BERT answers france too (40%, {strongest} there)."
    )


@pytest.mark.parametrize(
    ("change", "templates", "message"),
    [
        (Change(), PLAIN, "There is no edit"),
        (EDIT, ("the king.",), "exactly once"),
        (EDIT, PLAIN * 11, "There are 22 sentences for the words' vectors; write 1 to 20, one per line"),
        (
            Change.of(["paris = rome"], "tied"),
            PLAIN,
            r"'paris' is not in the sentence.* Edit a word of the sentence\.$",
        ),
    ],
)
def test_errors_say_what_to_do(tiny, change, templates, message):
    with pytest.raises(ValueError, match=message):
        later_edits.layer_edits(ROME, tiny, change=change, word="france", templates=templates)


def test_the_result_has_the_sentence_and_the_summary_of_its_frame(tiny, found):
    """The mask can be written as a gap, and the word with a capital letter."""
    typed = edits_by_layer(ROME.replace("[MASK]", "___"), tiny, change=EDIT, word="France", templates=PLAIN, draws=2)
    pd.testing.assert_frame_equal(typed.frame, found)
    pd.testing.assert_frame_equal(typed.lines, later_edits.summary(found))
    assert typed.word == "france" and typed.sentence == later_edits.sentence(found, "france")
    assert typed.before == found.loc[found["run"] == "original", "probability"].item()


TIED_EDIT = Change.of(("rome = rome - italy + france",), "tied")


@pytest.mark.parametrize(("name", "temperature"), [("tiny_distil", 2.5), ("bundled", 0.4)])
def test_the_last_layer_is_fill_mask(name, temperature, request):
    model = request.getfixturevalue(name)
    frame = lens(ROME, model, change=TIED_EDIT, words=["france", "italy"], temperature=temperature)
    last = frame[frame["layer"] == model.layers].set_index(["run", "token"])["probability"]
    answers = fill_mask(
        ROME, model, k=30, edits=[str(e) for e in TIED_EDIT.edits], scope="tied", temperature=temperature
    ).set_index("token")
    found = {"france", "italy"} & set(answers.index)
    assert found
    for word in found:
        assert last["edited", word] == pytest.approx(answers.loc[word, "probability"], abs=1e-6)
        assert last["original", word] == pytest.approx(answers.loc[word, "probability_before"], abs=1e-6)
    assert set(frame[(frame["layer"] == model.layers) & (frame["run"] == "edited")]["top_answer"]) == {answers.index[0]}


def test_every_layer_is_the_head_on_its_states(tiny):
    frame = lens(ROME, tiny, change=Change(), words=["france"])
    assert list(frame["layer"]) == list(range(tiny.layers + 1))
    states = tiny.hidden_states(ROME)
    (place,) = np.flatnonzero(tiny.tokenize(ROME)["id"] == tiny.mask_id)
    for layer, chance in zip(frame["layer"], frame["probability"], strict=True):
        scores = tiny.logits(tiny.transform(states[layer, [place]]))[0].astype(float)
        expected = np.exp(scores) / np.exp(scores).sum()
        assert chance == pytest.approx(expected[tiny.ids["france"]], abs=1e-6)


def test_an_unknown_word_is_no_answer_of_a_lens(tmp_path):
    model = load_model(str(make_tiny(tmp_path, seed=2)))
    assert "[UNK]" not in set(lens(ROME, model, change=Change(), words=["france"])["top_answer"])


def test_what_a_lens_cannot_read_is_refused(tiny):
    with pytest.raises(ValueError, match="no mask 2"):
        lens(ROME, tiny, change=Change(), words=["france"], mask=2)
    with pytest.raises(ValueError, match="not a single token"):
        lens(ROME, tiny, change=Change(), words=["unable"])
    with pytest.raises(ValueError, match="no tuned lens. Use the logit lens, or fit"):
        lens(ROME, tiny, change=TIED_EDIT, words=["france"], tuned=True)


def test_both_lenses_are_those_of_each_alone(bundled, tiny):
    assert "top_answer" in both_lenses(ROME, bundled, change=Change(), words=[])
    arguments = {"change": TIED_EDIT, "words": ("france", "italy"), "mask": 1, "temperature": 0.7}
    found = both_lenses(ROME.replace("[MASK]", "___"), bundled, **arguments)
    for name, tuned in ((LOGIT_LENS, False), (TUNED_LENS, True)):
        own = found[found["lens"] == name].drop(columns="lens").reset_index(drop=True)
        pd.testing.assert_frame_equal(own, lens(ROME, bundled, **arguments, tuned=tuned))
    assert set(found["lens"]) == {LOGIT_LENS, TUNED_LENS}
    assert set(both_lenses(ROME, tiny, **arguments)["lens"]) == {LOGIT_LENS}


def test_the_tuned_lens_translates_the_states_before_the_head(bundled):
    """By hand for every layer but the last, which is the same as without it; and an edit passes through it too."""
    plain = lens(ROME, bundled, change=TIED_EDIT, words=["france"])
    tuned = lens(ROME, bundled, change=TIED_EDIT, words=["france"], tuned=True)
    translators = needed_lens(bundled)
    states = bundled.hidden_states(ROME)
    (place,) = np.flatnonzero(bundled.tokenize(ROME)["id"] == bundled.mask_id)
    original = tuned[tuned["run"] == "original"].set_index("layer")["probability"]
    for layer in range(bundled.layers):
        state = translators.weights[layer] @ states[layer, place] + translators.biases[layer]
        scores = bundled.logits(bundled.transform(state[None]))[0].astype(float)
        expected = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        assert original[layer] == pytest.approx(expected[bundled.ids["france"]], rel=1e-3)
    last = [frame[frame["layer"] == bundled.layers]["probability"].tolist() for frame in (plain, tuned)]
    assert last[0] == last[1]
    assert tuned[tuned["run"] == "edited"]["probability"].tolist() != original.tolist()
