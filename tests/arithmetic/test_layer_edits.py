"""An edit after each layer, against the network run by hand from there."""

import numpy as np
import pytest
import torch

from embtools.arithmetic import controls, later_answers
from embtools.arithmetic.later_answers import WHOLE
from embtools.mask_filling.edits import Change
from embtools.models.patching import with_rows

ROME = "rome is the capital of [MASK]."
EDIT = Change.of(["rome = rome - italy + france"])
PLAIN = ("the river {word}.", "{word} works as a king.")


@pytest.fixture(scope="module")
def found(tiny):
    return later_answers.layer_edits(ROME, tiny, change=EDIT, word="france", templates=PLAIN, draws=2)


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


@pytest.mark.parametrize("layer", [1, 2])
def test_the_difference_is_that_of_the_layer_and_the_network_goes_on_from_there(tiny, found, layer):
    vectors = by_hand(tiny, layer, ("rome", "italy", "france"))
    states = tiny.hidden_states(ROME)[layer].copy()
    states[1] += vectors["france"] - vectors["italy"]
    x = torch.from_numpy(states[None].astype(np.float32))
    with torch.no_grad():
        for block in tiny.encoder_layers[layer:]:
            x = block(x)
            x = x[0] if isinstance(x, tuple) else x
    logits = tiny.logits(tiny.transform(x[0, 6:7].numpy()))[0].astype(float)
    chances = np.exp(logits) / np.exp(logits).sum()
    row = found[(found["layer"] == layer) & (found["run"] == WHOLE)].iloc[0]
    assert row["probability"] == pytest.approx(chances[tiny.ids["france"]], abs=1e-5)
    assert row["answer"] == tiny.vocabulary[int(chances.argmax())]


@pytest.mark.parametrize("seed", range(6))
def test_a_cased_model_reads_the_words_as_they_are_written(tiny_cased, seed):
    text, change = "Rome is the capital of [MASK].", Change.of(["Rome = Rome - Italy + France"])
    found = later_answers.layer_edits(
        text, tiny_cased, change=change, word="France", templates=["the bank {word}."], draws=2, seed=seed
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
    found = later_answers.layer_edits(ROME, tiny, change=change, word="france", templates=PLAIN, draws=2)
    first = found[found["layer"] == 0].groupby("run")["probability"].agg(["mean", "size"])
    run = controls.experiment(ROME, tiny, change=change, k=40, draws=2)
    shown = run.answers.set_index("token")
    assert first.loc[WHOLE, "mean"] == pytest.approx(shown.loc["france", "probability_after"], abs=1e-6)
    assert found.iloc[0]["probability"] == pytest.approx(shown.loc["france", "probability_before"], abs=1e-6)
    winner = shown.index[shown["rank_after"] == 1][0]
    same = later_answers.layer_edits(ROME, tiny, change=change, word=winner, templates=PLAIN, draws=2)
    same = same[same["layer"] == 0].groupby("run")["probability"].mean()
    summary = run.summary.set_index("control")["mean"]
    for name in (controls.ADDED, controls.SUBTRACTED, controls.OTHER_SUBTRACTED, controls.OTHER_EDITED):
        assert same[name] == pytest.approx(summary[name], abs=1e-6), name
    assert first.loc[controls.RANDOM, "size"] == 2


def test_nothing_changes_without_strength_and_after_the_last_layer_nothing_at_the_mask(tiny, found):
    last = found[found["layer"] == tiny.layers]
    np.testing.assert_allclose(last["probability"], found.iloc[0]["probability"], atol=1e-6)
    still = later_answers.layer_edits(
        ROME, tiny, change=Change.of([str(EDIT.edits[0])], strength=0), word="france", templates=PLAIN
    )
    np.testing.assert_allclose(still["probability"], still.iloc[0]["probability"], atol=1e-6)


def test_the_shared_model_is_not_changed(tiny):
    before = tiny.matrix.copy(), tiny.hidden_states(ROME)
    later_answers.layer_edits(ROME, tiny, change=EDIT, word="france", templates=PLAIN)
    assert np.array_equal(before[0], tiny.matrix) and np.array_equal(before[1], tiny.hidden_states(ROME))


def test_contextual_vectors_of_several_tokens_are_means(tiny):
    vectors = later_answers.contextual(["unable"], tiny, templates=["the {word}."])
    states = tiny.hidden_states("the unable.")
    np.testing.assert_allclose(vectors["unable"], states[:, 2:4].mean(axis=1), atol=1e-6)


def test_the_summary_and_the_sentence_say_what_the_rows_say(found):
    lines = later_answers.summary(found).set_index(["layer", "run"])
    rows = found[(found["layer"] == 1) & (found["run"] == controls.RANDOM)]
    line = lines.loc[(1, controls.RANDOM)]
    assert (line["draws"], line["lowest"], line["highest"]) == (2, rows["probability"].min(), rows["probability"].max())
    assert line["changed"] == (rows["answer"] != found.iloc[0]["answer"]).mean()
    made = found.assign(answer="italy")
    text = later_answers.sentence(made, "france")
    assert text == "The difference does not make france the top answer, whichever layer it is added after."
    made.loc[made["run"] == WHOLE, "answer"] = ["france", "italy", "france"]
    text = "If the difference is added after any of layers 0 and 2, france becomes the top answer."
    made.loc[made["run"] != WHOLE, "probability"] = 0.1
    added = (made["run"] == controls.ADDED) & (made["layer"] == 2)
    made.loc[added, "probability"] = 0.4
    strongest = "the strongest of 14 control runs"
    weak = f"{strongest} gives it 40% (if france alone is added after layer 2)."
    assert later_answers.sentence(made, "france") == f"{text} No control does this there: {weak}"
    made.loc[(made["run"] == controls.SUBTRACTED) & (made["layer"] == 0), "answer"] = "france"
    assert later_answers.sentence(made, "france") == (
        f"{text} In 1 control run there, BERT answers france too, but weakly: {weak}"
    )
    made.loc[added, "answer"] = "france"
    assert later_answers.sentence(made, "france") == (
        f"{text} If france alone is added after layer 2, BERT answers france too (40%, {strongest} there)."
    )


@pytest.mark.parametrize(
    ("change", "templates", "message"),
    [
        (Change(), PLAIN, "There is no edit"),
        (EDIT, (), "There are 0 sentences for the words' vectors; write 1 to 20, one per line"),
        (EDIT, ("the king.",), "exactly once"),
        (EDIT, PLAIN * 11, "There are 22 sentences for the words' vectors"),
        (Change.of(["paris = rome"]), PLAIN, "'paris' is not in the sentence"),
    ],
)
def test_errors_say_what_to_do(tiny, change, templates, message):
    with pytest.raises(ValueError, match=message):
        later_answers.layer_edits(ROME, tiny, change=change, word="france", templates=templates)


def test_it_reports_progress_and_works_without_segments(tiny_distil):
    reported = []
    frame = later_answers.layer_edits(
        ROME, tiny_distil, change=EDIT, word="france", templates=PLAIN, progress=reported.append
    )
    assert reported == sorted(reported) and reported[-1] == 1 and set(frame["layer"]) == {-1, 0, 1, 2}


def test_the_bundled_model_keeps_the_effect_for_some_layers(bundled):
    frame = later_answers.layer_edits("Rome is the capital of [MASK].", bundled, change=EDIT, word="france", draws=1)
    lines = later_answers.summary(frame).set_index(["run", "layer"])["changed"]
    assert lines[WHOLE, 0] == 1 and lines[WHOLE, 1] == 1 and lines[WHOLE, bundled.layers] == 0
