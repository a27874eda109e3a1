"""A run: loss, resuming, averaging, export, its settings, checkpoints, log and command line."""

import argparse
import itertools
import json
import math
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.training.recipe import SPECIAL, WORDS, settings, write_text
from training import __main__ as command
from training import checkpoints, feeding, loop, progress
from training import text as pretrain_text
from training.batches import make_batch
from training.progress import Progress, summary
from training.settings import Settings, learning_rate

# Training: loss, resuming, averaging, export


def log_of(run: Settings) -> list[dict[str, float]]:
    return [json.loads(line) for line in (run.run / "log.jsonl").read_text().splitlines()]


@pytest.mark.slow
def test_training_lowers_the_loss_and_exports_a_folder_that_loads(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForMaskedLM, AutoTokenizer, BertForPreTraining

    from embtools import load_model

    run = settings(start, text_file, tmp_path, steps=60, save_every=30, learning_rate=1e-2)
    out = loop.train(run)
    log = log_of(run)
    assert [entry["step"] for entry in log] == [30, 60]
    assert all(0 <= entry["waiting"] < 1 and entry["pieces_per_second"] > 0 for entry in log)
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


def test_a_killed_run_resumes_and_ends_with_the_same_weights(
    start: Path, text_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight = loop.train(settings(start, text_file, tmp_path / "a"))
    broken = settings(start, text_file, tmp_path / "b")

    def killed(sources, vocab, group, *rest):
        if group.first == 5:
            raise KeyboardInterrupt
        return make_batch(sources, vocab, group, *rest)

    monkeypatch.setattr(feeding, "make_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        loop.train(broken)
    monkeypatch.undo()
    assert [f.name for f in checkpoints.found(broken.run)] == ["step-000002", "step-000004"]
    resumed = loop.train(broken)
    for name in ("weights.safetensors", "optimizer.safetensors"):
        one, two = (load_file(tmp_path / r / "run" / "step-000006" / name) for r in "ab")
        assert one.keys() == two.keys()
        for key in one:
            np.testing.assert_array_equal(one[key], two[key], err_msg=key)
    assert (straight / "model.safetensors").read_bytes() == (resumed / "model.safetensors").read_bytes()


def test_the_export_can_be_the_mean_of_the_last_checkpoints(start: Path, text_file: Path, tmp_path: Path) -> None:
    run = settings(start, text_file, tmp_path, average=2, keep=2)
    out = loop.train(run)
    folders = checkpoints.found(run.run)
    assert [f.name for f in folders] == ["step-000004", "step-000006"]
    parts = [load_file(f / "weights.safetensors")["bert.embeddings.word_embeddings.weight"] for f in folders]
    mean = load_file(out / "model.safetensors")["bert.embeddings.word_embeddings.weight"]
    np.testing.assert_allclose(mean, (parts[0] + parts[1]) / 2, atol=1e-4)


def test_an_earlier_export_can_be_mixed_in(start: Path, text_file: Path, tmp_path: Path) -> None:
    name = "bert.embeddings.word_embeddings.weight"
    run = settings(start, text_file, tmp_path, blend=(start, 0.25))
    mixed = load_file(loop.train(run) / "model.safetensors")[name].astype(np.float32)
    trained = load_file(checkpoints.found(run.run)[-1] / "weights.safetensors")[name]
    np.testing.assert_allclose(mixed, 0.75 * trained + 0.25 * load_file(start / "model.safetensors")[name], atol=1e-3)
    with pytest.raises(ValueError, match="no model in"):  # raised before training
        loop.train(settings(start, text_file, tmp_path / "none", blend=(tmp_path, 0.5)))
    assert not (tmp_path / "none").exists()
    with pytest.raises(ValueError, match="another shape"):
        checkpoints.mix({"a": np.ones(1, np.float32)}, start, 0.5)


def test_a_run_resumes_with_more_steps_but_not_with_other_settings(
    start: Path, text_file: Path, tmp_path: Path
) -> None:
    run = settings(start, text_file, tmp_path, steps=2)
    loop.train(run)
    with pytest.raises(ValueError, match="started with other values of: texts, seed, mask_rate"):
        loop.train(replace(run, steps=4, texts=((text_file, 2.0),), seed=1, mask_rate=0.3))
    other = write_text(tmp_path / text_file.name, seed=1)
    with pytest.raises(ValueError, match="started with other values of: texts"):
        loop.train(replace(run, steps=4, texts=((other, 1.0),)))
    with pytest.raises(ValueError, match="started with other values of: sentence_texts"):
        loop.train(replace(run, steps=4, sentence_texts=((text_file, 1.0),)))
    with pytest.raises(ValueError, match="has done 2 steps"):
        loop.train(replace(run, steps=1))
    loop.train(replace(run, steps=4, decay=0.25, save_every=4, average=2))
    assert [f.name for f in checkpoints.found(run.run)] == ["step-000002", "step-000004"]


def weights_of(run: Settings) -> dict[str, np.ndarray]:
    return load_file(checkpoints.found(run.run)[-1] / "weights.safetensors")


@pytest.mark.slow
def test_processes_that_prepare_batches_change_nothing(start: Path, text_file: Path, tmp_path: Path) -> None:
    plain, ahead = (settings(start, text_file, tmp_path / str(n), pieces=8192, workers=n) for n in (0, 2))
    assert loop.train(plain).joinpath("model.safetensors").read_bytes() == (
        loop.train(ahead).joinpath("model.safetensors").read_bytes()
    )


@pytest.mark.slow
def test_a_large_step_gives_the_same_result_in_one_pass_or_several(
    start: Path, text_file: Path, tmp_path: Path
) -> None:
    many, once = (
        settings(start, text_file, tmp_path / str(n), steps=2, pieces=32768, at_once=n) for n in (4096, 32768)
    )
    for run in (many, once):
        loop.train(run)
    before, one, two = load_file(start / "model.safetensors"), weights_of(many), weights_of(once)
    moved = sum(np.linalg.norm(one[n] - before[n]) ** 2 for n in one) ** 0.5
    apart = sum(np.linalg.norm(one[n] - two[n]) ** 2 for n in one) ** 0.5
    assert 0 < apart < 0.25 * moved  # another order of summation, and the first AdamW steps use only signs


def test_a_time_limit_ends_a_run_with_a_learning_rate_of_zero(
    start: Path, text_file: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.0)  # a line after each step
    seconds = itertools.count()  # a clock that advances by a second whenever it is read
    clock = SimpleNamespace(monotonic=lambda: float(next(seconds)), perf_counter=time.perf_counter)
    monkeypatch.setattr(loop, "time", clock)
    run = settings(start, text_file, tmp_path, steps=10**9, minutes=1.0, decay=0.8, learning_rate=1e-2)
    loop.train(run)
    rates = [entry["rate"] for entry in log_of(run)]
    assert len(rates) > 10
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.1e-2 < 0.9e-2 < rates[0]
    (last,) = checkpoints.found(run.run)[-1:]
    assert int(last.name[5:]) == len(rates)
    before = (run.out / "model.safetensors").read_bytes()
    loop.train(replace(run, minutes=0))  # only writes the model
    assert checkpoints.found(run.run)[-1] == last
    assert (run.out / "model.safetensors").read_bytes() == before
    loop.train(replace(run, minutes=0, average=2))
    assert (run.out / "model.safetensors").read_bytes() != before


def test_checkpoints_are_also_written_after_a_given_time(start: Path, text_file: Path, tmp_path: Path) -> None:
    run = settings(start, text_file, tmp_path, steps=3, save_every=1000, save_minutes=1e-6)
    loop.train(run)
    assert [f.name for f in checkpoints.found(run.run)] == ["step-000001", "step-000002", "step-000003"]


@pytest.mark.slow
def test_a_run_that_starts_from_float16_weights_has_no_jump_in_the_loss(start: Path, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)  # a text of five words is easy to learn
    lines = [
        " ".join(" ".join(rng.choice(WORDS[:5], 8)).capitalize() + "." for _ in range(4)) for _ in range(60)
    ]  # fmt: skip
    text = tmp_path / "text.txt"
    text.write_text("\n\n".join(lines))
    first = settings(start, text, tmp_path / "a", steps=60, save_every=50, learning_rate=2e-2, copy_weight=0.0)
    out = loop.train(first)
    again = replace(first, start=str(out), run=tmp_path / "b" / "run", steps=20, warmup=60, decay=0.0, save_every=5)
    loop.train(again)
    before, after = log_of(first)[-1]["passage_loss"], [entry["passage_loss"] for entry in log_of(again)]
    assert before < 2 < math.log(len(WORDS) + len(SPECIAL)) - 2  # the model has learnt the text
    assert max(after) < before + 0.1


# Checkpoints are complete, in order, and need enough disk space


def test_an_incomplete_checkpoint_is_ignored_and_a_damaged_one_raises_an_error(tmp_path: Path) -> None:
    arrays = {"a": np.ones(3, np.float32)}
    checkpoints.write(tmp_path, 1, arrays, arrays, {}, keep=3)
    (tmp_path / "step-000002.partial").mkdir()
    found = checkpoints.found(tmp_path)
    assert [f.name for f in found] == ["step-000001"]
    (found[0] / "weights.safetensors").write_bytes(b"no")
    with pytest.raises(ValueError, match="damaged"):
        checkpoints.read(found[0])


def test_checkpoints_are_sorted_by_step(tmp_path: Path) -> None:
    for name in ("step-1000000", "step-999999", "step-000250", "step-000500.partial", "step-old"):
        (tmp_path / name).mkdir()
    found = [p.name for p in checkpoints.found(tmp_path)]
    assert found == ["step-000250", "step-999999", "step-1000000"]


def test_too_little_disk_space_raises_an_error_before_training(
    start: Path, text_file: Path, tmp_path: Path, monkeypatch
) -> None:
    usage = checkpoints.shutil._ntuple_diskusage(10, 10, 5)
    monkeypatch.setattr(checkpoints.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ValueError, match=r"needs 0\.0 GB, but only"):
        loop.train(settings(start, text_file, tmp_path))
    assert not (tmp_path / "run").exists()


# The log of a run


def test_the_losses_of_each_shape_are_averaged_separately() -> None:
    found = summary([("pair", [4.0, 0.2, 0.5, 0.0]), ("brief", [5.0, 0.1, 0.0, 0.3]), ("pair", [2.0, 0.4, 0.7, 0.0])])
    assert found == {
        "brief_loss": 5.0, "brief_accuracy": 0.1, "brief_copy": 0.3,
        "pair_loss": 3.0, "pair_accuracy": 0.3, "pair_next": 0.6,
    }  # fmt: skip
    assert summary([]) == {}


def test_a_line_reports_speed_and_waiting_time_and_resets_the_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    said = Progress(tmp_path / "log.jsonl", began=now[0])
    assert not said.due()
    said.losses.append(("pair", [4.0, 0.2, 0.5, 0.0]))
    said.pieces, said.waited = 8000, 15.0
    now[0] = 160.0
    assert said.due()
    first = said.write({"step": 2})
    assert (first["pieces_per_second"], first["waiting"], first["pair_loss"]) == (133, 0.25, 4.0)
    assert not said.due()
    now[0] = 161.0
    second = said.write({"step": 3})
    assert (second["pieces_per_second"], second["waiting"]) == (0, 0.0)
    assert [json.loads(line) for line in said.log.read_text().splitlines()] == [first, second]


# The settings of a run and its learning rate


def test_the_learning_rate_rises_stays_constant_and_falls_to_zero() -> None:
    run = Settings("", (), Path(), Path(), steps=100, decay=0.2, warmup=10, learning_rate=1.0)
    assert learning_rate(0, run) == pytest.approx(0.1)
    assert learning_rate(9, run) == learning_rate(79, run) == 1.0
    assert learning_rate(90, run) == pytest.approx(0.5)
    assert learning_rate(100, run) == 0
    assert learning_rate(80, replace(run, decay=0)) == learning_rate(0, replace(run, warmup=0)) == 1.0


def test_the_learning_rate_falls_by_time_or_by_steps_whichever_ends_first() -> None:
    run = Settings("", (), Path(), Path(), steps=100, decay=0.5, warmup=1, learning_rate=1.0)
    assert learning_rate(10, run, time_left=0.6) == 1.0
    assert learning_rate(10, run, time_left=0.25) == pytest.approx(0.5)
    assert learning_rate(75, run, time_left=0.9) == pytest.approx(0.5)
    assert learning_rate(10, run, time_left=-0.1) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mask_rate": 0.0}, "mask rate must be between 0 and 1"),
        ({"learning_rate": float("nan")}, "numbers of 0 or more"),
        ({"steps": 0}, "--steps is 0"),
        ({"save_every": 0}, "--save-every is 0"),
        ({"workers": -1}, "--workers must be 0 or more"),
        ({"decay": 1.1}, "decay is a share"),
        ({"minutes": -1.0}, "--minutes must be 0 or more"),
        ({"save_minutes": 0.0}, "--save-minutes more than 0"),
        ({"pieces": 4000}, "--pieces is 4000. Give a multiple of 4096"),
        ({"at_once": 5000}, "--at-once is 5000"),
        ({"texts": ()}, "no text to train on"),
        ({"texts": ((Path("a.txt"), 0.0),)}, "share of a.txt is 0"),
    ],
)
def test_settings_out_of_range_are_refused(start: Path, text_file: Path, tmp_path: Path, wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        loop.train(replace(settings(start, text_file, tmp_path), **wrong))
    assert not (tmp_path / "run").exists()


# `python -m training`: errors in one sentence


def test_the_command_line_reports_errors_in_one_sentence(start: Path, tmp_path: Path, capsys) -> None:
    usual = ["--run", str(tmp_path / "run"), "--out", str(tmp_path / "out"), "--steps", "1", "--threads", "1"]
    assert command.main(["--start", str(start), "--text", "nowhere.txt", *usual]) == 1
    assert "There is no text file nowhere.txt" in capsys.readouterr().err
    assert command.main(["--start", str(tmp_path / "gone"), "--text", "x.txt", *usual]) == 1
    assert "cannot be loaded" in capsys.readouterr().err
    assert pretrain_text.text_argument("a=b.txt=0.5") == (Path("a=b.txt"), 0.5)
    file = tmp_path / "file"
    file.write_text("")
    usual[1] = str(file)
    assert command.main(["--start", str(start), "--text", "x.txt", *usual]) == 1
    assert "File exists" in capsys.readouterr().err
    assert pretrain_text.text_argument("a.txt") == (Path("a.txt"), 1.0)
    assert command.blend_argument("a=0.25") == (Path("a"), 0.25)
    for wrong in ("folder", "a=1", "a=-1", "a=nan"):
        with pytest.raises(argparse.ArgumentTypeError, match="FOLDER=SHARE"):
            command.blend_argument(wrong)


def test_minutes_alone_set_no_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = []
    monkeypatch.setattr(command, "train", recorded.append)
    usual = ["--start", "x", "--text", "a.txt", "--run", "r", "--out", "o"]
    for given in ([], ["--steps", "7"], ["--minutes", "3"], ["--minutes", "3", "--steps", "7"]):
        assert command.main([*usual, *given]) == 0
    assert [(s.steps, s.minutes) for s in recorded] == [
        (10_000, math.inf), (7, math.inf), (command.MOST_STEPS, 3.0), (7, 3.0)
    ]  # fmt: skip
    assert recorded[0].at_once is None
