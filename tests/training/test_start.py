"""The start of a run: its network and its text."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from embtools.documents import is_held_out, read_documents
from tests.training.recipe import SPECIAL, WORDS, block, number, settings, write_text
from training import loop
from training.batches import make_batch
from training.network import compiled, load_start, losses
from training.shapes import IGNORE, SHAPES, SINGLE
from training.text import load_text, split_sentences

# The network at the start of a run

CPU = torch.device("cpu")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_losses_equal_those_of_transformers_and_the_copy_term_equals_the_published_one(start: Path, shape) -> None:
    _, model = load_start(str(start), CPU)
    batch = make_batch(*number(20), block(shape.name))
    arrays = [torch.from_numpy(a) for a in batch.arrays]
    ids, segments, attention, where, labels, follows, visible = arrays
    ids, labels = ids % 20, torch.where(labels == IGNORE, IGNORE, labels % 20)  # the tiny vocabulary
    visible = visible % 20
    words, right, next_loss, copy_loss = losses(model, ids, segments, attention, where, labels, follows, visible)
    everywhere = torch.full((ids.numel(),), IGNORE)
    everywhere[where[labels != IGNORE]] = labels[labels != IGNORE]
    out = model(
        ids, token_type_ids=segments, attention_mask=attention, labels=everywhere.view(ids.shape),
        next_sentence_label=torch.where(follows == IGNORE, IGNORE, follows),
    )  # fmt: skip
    chances = out.prediction_logits.softmax(-1)
    if shape.name in SINGLE:
        assert next_loss == 0
        terms = []
        for place in where[labels != IGNORE].tolist():
            row, column = divmod(place, shape.width)
            seen = [i for i in visible[row].tolist() if i]  # Welleck et al. 2019: -log(1 - p) of forbidden tokens
            terms.append(-np.log(1 - sum(chances[row, column, i].item() for i in seen)))
        assert copy_loss.item() == pytest.approx(np.mean(terms), rel=1e-4)
        next_loss = torch.tensor(0.0)
    else:
        assert copy_loss == 0
        assert (words + next_loss).item() == pytest.approx(out.loss.item(), rel=1e-5)
    best = out.prediction_logits.flatten(0, 1)[where].argmax(-1)
    assert right.item() == pytest.approx((best == labels)[labels != IGNORE].float().mean().item())
    picked = chances.flatten(0, 1)[where].log().gather(1, labels.clamp(min=0)[:, None])[:, 0]
    assert words.item() == pytest.approx(-picked[labels != IGNORE].mean().item(), rel=1e-5)


@pytest.mark.slow("cpu")
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_what_is_compiled_gives_the_same_losses_and_gradients(start: Path, device: str) -> None:
    # "cuda" only says which parts are compiled. Without a compiler, the parts run as they are.
    _, model = load_start(str(start), CPU)
    arrays = [torch.from_numpy(a) for a in make_batch(*number(20), block("brief")).arrays]
    arrays = [a % 20 if index in (0, 6) else a for index, a in enumerate(arrays)]
    arrays[4] = torch.where(arrays[4] == IGNORE, IGNORE, arrays[4] % 20)

    def gradients(compute) -> tuple[list[float], list[torch.Tensor]]:
        model.zero_grad()
        found = compute(model, *arrays)
        sum(found).backward()
        return [value.item() for value in found], [p.grad.clone() for p in model.parameters() if p.grad is not None]

    plain, plain_gradients = gradients(losses)
    with torch.compiler.set_stance("force_eager"):
        again, again_gradients = gradients(compiled(model, torch.device(device)))
    assert again == pytest.approx(plain, rel=1e-5)
    for a, b in zip(plain_gradients, again_gradients, strict=True):
        torch.testing.assert_close(a, b)


def test_a_start_model_of_another_size_or_kind_is_refused(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import BertConfig, BertForPreTraining

    run = settings(start, text_file, tmp_path, steps=2)
    loop.train(run)
    other, kind = tmp_path / "start", tmp_path / "kind"
    for folder in (other, kind):
        shutil.copytree(start, folder)
    config = json.loads((start / "config.json").read_text())
    BertForPreTraining(BertConfig(**(config | {"intermediate_size": 24}))).save_pretrained(other)
    state = run.run / "step-000002" / "state.json"
    state.write_text(state.read_text().replace(str(start), str(other)))
    with pytest.raises(ValueError, match="another model than --start"):
        loop.train(replace(run, start=str(other), steps=4))
    weights = load_file(kind / "model.safetensors")
    save_file({f"distil{k}": v for k, v in weights.items()}, kind / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match=r"is not a BERT: it lacks bert\.embeddings"):
        loop.train(settings(kind, text_file, tmp_path / "b"))


def test_heads_that_the_start_model_lacks_are_initialised_with_the_same_random_weights_each_time(
    start: Path, text_file: Path, tmp_path: Path, capsys
) -> None:
    bare = tmp_path / "start"
    shutil.copytree(start, bare)
    weights = load_file(bare / "model.safetensors")
    save_file(
        {k: v for k, v in weights.items() if "seq_relationship" not in k},
        bare / "model.safetensors",
        metadata={"format": "pt"},
    )
    once, again = (loop.train(settings(bare, text_file, tmp_path / name, steps=1)) for name in "ab")
    assert "lacks cls.seq_relationship" in capsys.readouterr().out
    assert (once / "model.safetensors").read_bytes() == (again / "model.safetensors").read_bytes()


def test_truncation_or_padding_in_the_start_tokenizer_changes_nothing(
    start: Path, text_file: Path, tmp_path: Path
) -> None:
    from transformers import AutoTokenizer

    cut = tmp_path / "start"
    shutil.copytree(start, cut)
    tokenizer = AutoTokenizer.from_pretrained(start)
    tokenizer.backend_tokenizer.enable_truncation(3)
    tokenizer.backend_tokenizer.enable_padding(length=8)
    tokenizer.backend_tokenizer.save(str(cut / "tokenizer.json"))
    plain, freed = (loop.train(settings(s, text_file, tmp_path / n)) for s, n in ((start, "a"), (cut, "b")))
    assert (plain / "model.safetensors").read_bytes() == (freed / "model.safetensors").read_bytes()
    saved = json.loads((freed / "tokenizer.json").read_text())
    assert saved["truncation"] is saved["padding"] is None


def test_a_vocabulary_that_does_not_match_is_refused(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import BertTokenizer

    wrong = tmp_path / "wrong"
    shutil.copytree(start, wrong)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (wrong / name).unlink()
    tokens = [*SPECIAL, *WORDS, "extra"]
    BertTokenizer(vocab={t: i for i, t in enumerate(tokens)}, do_lower_case=True).save_pretrained(wrong)
    with pytest.raises(ValueError, match=f"{len(tokens)} tokens, the model has {len(tokens) - 1} rows"):
        loop.train(settings(wrong, text_file, tmp_path))


# Training text: sentences, held-out documents, and stored tokens


def test_sentences_are_split_at_their_ends_and_not_at_abbreviations() -> None:
    assert split_sentences("Mr. Smith met J. Doe in the U.S. in 1990. It rained! Was it cold? “Yes.” He left.") == [
        "Mr. Smith met J. Doe in the U.S. in 1990.",
        "It rained!",
        "Was it cold?",
        "“Yes.”",
        "He left.",
    ]
    assert split_sentences("  ") == []


def test_held_out_documents_are_never_used_for_training(tmp_path: Path) -> None:
    file = write_text(tmp_path / "many.txt", documents=2000)
    documents = list(read_documents(file))
    held = [d for d in documents if is_held_out(d)]

    def encode(sentences: list[str]) -> list[list[int]]:
        return [[WORDS.index(w) for w in s.lower().rstrip(".").split()] for s in sentences]

    train = load_text(file, encode, "words", tmp_path / "cache", held_out=False, report=lambda _: None)
    test = load_text(file, encode, "words", tmp_path / "cache", held_out=True, report=lambda _: None)
    assert len(train.documents) - 1 == 2000 - len(held)
    assert len(test.documents) - 1 == len(held)
    expected = encode([s for p in held[0] for s in split_sentences(p)])
    assert [list(test.sentence(i)) for i in range(len(expected))] == expected


def test_a_text_is_tokenised_once(text_file: Path, tmp_path: Path) -> None:
    calls: list[int] = []

    def encode(sentences: list[str]) -> list[list[int]]:
        calls.append(len(sentences))
        return [[1, 2, 3]] * len(sentences)

    first = load_text(text_file, encode, "three", tmp_path, held_out=False, report=lambda _: None)
    count = len(calls)
    again = load_text(text_file, encode, "three", tmp_path, held_out=False, report=lambda _: None)
    assert len(calls) == count > 0
    np.testing.assert_array_equal(first.pieces, again.pieces)
    load_text(text_file, encode, "another tokenizer", tmp_path, held_out=False, report=lambda _: None)
    assert len(calls) == 2 * count
    assert not list(tmp_path.glob("*.partial"))


def test_the_error_for_an_unusable_text_names_the_reason(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n\n")
    for name, message in (("none.txt", r"no text file .*none\.txt"), ("empty.txt", "contains no text")):
        with pytest.raises(ValueError, match=message):
            load_text(tmp_path / name, lambda sentences: [[1]] * len(sentences), "one", tmp_path, held_out=False)
