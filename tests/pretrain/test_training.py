"""Training: loss, resuming, averaging, export."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from embtools.pretrain import checkpoints, training
from embtools.pretrain.batches import make_batch
from tests.pretrain.recipe import SPECIAL, WORDS, settings, write_text


def test_training_lowers_the_loss_and_exports_a_folder_that_loads(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer, BertForPreTraining

    from embtools import load_model

    run = settings(start, text_file, tmp_path, steps=60, decay=10, save_every=30, average=1, learning_rate=1e-2)
    out = training.train(run)
    log = [json.loads(line) for line in (run.run / "log.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in log] == [50, 60]
    assert all(np.isfinite(v) for entry in log for v in entry.values())
    assert log[-1]["sentence_loss"] < np.log(len(WORDS) + len(SPECIAL))
    weights = load_file(out / "model.safetensors")
    assert {w.dtype for w in weights.values()} == {np.dtype(np.float16)}
    assert json.loads((out / "tokenizer.json").read_text())["truncation"] is None
    assert AutoTokenizer.from_pretrained(out).tokenize("BA be.") == ["ba", "be", "."]
    assert AutoModelForMaskedLM.from_pretrained(out).config.vocab_size == len(WORDS) + len(SPECIAL)
    assert BertForPreTraining.from_pretrained(out).cls.seq_relationship.out_features == 2
    assert load_model(str(out)).has_next_sentence
    assert not out.with_name("out.partial").exists()


def test_a_killed_run_continues_to_the_same_weights(
    start: Path, text_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = training.train(settings(start, text_file, tmp_path / "a"))
    broken = settings(start, text_file, tmp_path / "b")

    def killed(sources, vocab, step, seed, **named):
        if step == 5:
            raise KeyboardInterrupt
        return make_batch(sources, vocab, step, seed, **named)

    monkeypatch.setattr(training, "make_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        training.train(broken)
    monkeypatch.undo()
    assert [f.name for f in checkpoints.found(broken.run)] == ["step-000002", "step-000004"]
    resumed = training.train(broken)
    for name in ("weights.safetensors", "optimizer.safetensors"):
        one, two = (load_file(tmp_path / r / "run" / "step-000006" / name) for r in "ab")
        assert one.keys() == two.keys()
        for key in one:
            np.testing.assert_array_equal(one[key], two[key], err_msg=key)
    assert (straight / "model.safetensors").read_bytes() == (resumed / "model.safetensors").read_bytes()


def test_the_export_can_be_the_mean_of_the_last_checkpoints(start: Path, text_file: Path, tmp_path: Path) -> None:
    run = settings(start, text_file, tmp_path, average=2, keep=2)
    out = training.train(run)
    folders = checkpoints.found(run.run)
    assert [f.name for f in folders] == ["step-000004", "step-000006"]
    parts = [load_file(f / "weights.safetensors")["bert.embeddings.word_embeddings.weight"] for f in folders]
    mean = load_file(out / "model.safetensors")["bert.embeddings.word_embeddings.weight"]
    np.testing.assert_allclose(mean, (parts[0] + parts[1]) / 2, atol=1e-4)


def test_an_earlier_export_can_be_mixed_in(start: Path, text_file: Path, tmp_path: Path) -> None:
    name = "bert.embeddings.word_embeddings.weight"
    run = settings(start, text_file, tmp_path, blend=(start, 0.25))
    mixed = load_file(training.train(run) / "model.safetensors")[name].astype(np.float32)
    trained = load_file(checkpoints.found(run.run)[-1] / "weights.safetensors")[name]
    np.testing.assert_allclose(mixed, 0.75 * trained + 0.25 * load_file(start / "model.safetensors")[name], atol=1e-3)
    with pytest.raises(ValueError, match="no model in"):  # said before training
        training.train(settings(start, text_file, tmp_path / "none", blend=(tmp_path, 0.5)))
    assert not (tmp_path / "none").exists()
    with pytest.raises(ValueError, match="another shape"):
        checkpoints.mix({"a": np.ones(1, np.float32)}, start, 0.5)


def test_a_run_goes_on_with_more_steps_but_not_with_another_recipe(
    start: Path, text_file: Path, tmp_path: Path
) -> None:
    run = settings(start, text_file, tmp_path, steps=2)
    training.train(run)
    with pytest.raises(ValueError, match="begun with other values of: texts, seed, mask_rate"):
        training.train(replace(run, steps=4, texts=((text_file, 2.0),), seed=1, mask_rate=0.3))
    other = write_text(tmp_path / text_file.name, seed=1)
    with pytest.raises(ValueError, match="begun with other values of: texts"):
        training.train(replace(run, steps=4, texts=((other, 1.0),)))
    with pytest.raises(ValueError, match="has done 2 steps"):
        training.train(replace(run, steps=1))
    training.train(replace(run, steps=4, decay=1, save_every=4, average=2))
    assert [f.name for f in checkpoints.found(run.run)] == ["step-000002", "step-000004"]
