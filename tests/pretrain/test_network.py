"""The network a run begins with."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from embtools.pretrain import batches, training
from embtools.pretrain import settings as pretrain_settings

WORDS = [f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "en", "on", "ar", "or")]

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","]


def write_text(path: Path, documents: int = 40, seed: int = 0) -> Path:
    """Documents of six sentences of 4 to 12 of the words."""
    rng = np.random.default_rng(seed)

    def sentence() -> str:
        return " ".join(rng.choice(WORDS, rng.integers(4, 13))).capitalize() + "."

    parts = ["\n".join(" ".join(sentence() for _ in range(3)) for _ in range(2)) for _ in range(documents)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random BERT that reads 128 pieces."""
    import torch
    from transformers import BertConfig, BertForPreTraining, BertTokenizer

    folder = tmp_path_factory.mktemp("start")
    tokens = SPECIAL + WORDS
    BertTokenizer(vocab={token: i for i, token in enumerate(tokens)}, do_lower_case=True).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokens),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
    )
    BertForPreTraining(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def text_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_text(tmp_path_factory.mktemp("text") / "text.txt")


def settings(start: Path, text: Path, folder: Path, **changes: object) -> pretrain_settings.Settings:
    usual: dict = {"steps": 6, "decay": 2, "warmup": 1, "save_every": 2, "threads": 1}
    return pretrain_settings.Settings(str(start), ((text, 1.0),), folder / "run", folder / "out", **(usual | changes))


def parts(batch: batches.Batch) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Label, first and second part of each row, without [CLS] and [SEP]."""
    for ids, segments, attention, label in zip(batch.ids, batch.segments, batch.attention, batch.follows, strict=True):
        both = ids[attention == 1]
        second = int(segments[attention == 1].sum())
        yield int(label), both[1 : -second - 1], both[-second:-1]


def test_a_start_of_another_size_or_kind_is_refused(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import BertConfig, BertForPreTraining

    run = settings(start, text_file, tmp_path, steps=2)
    training.train(run)
    other, kind = tmp_path / "start", tmp_path / "kind"
    for folder in (other, kind):
        shutil.copytree(start, folder)
    config = json.loads((start / "config.json").read_text())
    BertForPreTraining(BertConfig(**(config | {"intermediate_size": 24}))).save_pretrained(other)
    state = run.run / "step-000002" / "state.json"
    state.write_text(state.read_text().replace(str(start), str(other)))
    with pytest.raises(ValueError, match="another model than --start"):
        training.train(replace(run, start=str(other), steps=4))
    weights = load_file(kind / "model.safetensors")
    save_file({f"distil{k}": v for k, v in weights.items()}, kind / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ValueError, match=r"is no BERT: it lacks bert\.embeddings"):
        training.train(settings(kind, text_file, tmp_path / "b"))


def test_heads_that_the_start_lacks_begin_at_random_but_the_same_each_time(
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
    once, again = (training.train(settings(bare, text_file, tmp_path / name, steps=1)) for name in "ab")
    assert "lacks cls.seq_relationship" in capsys.readouterr().out
    assert (once / "model.safetensors").read_bytes() == (again / "model.safetensors").read_bytes()


def test_a_cut_or_padding_in_the_start_tokenizer_changes_nothing(start: Path, text_file: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    cut = tmp_path / "start"
    shutil.copytree(start, cut)
    tokenizer = AutoTokenizer.from_pretrained(start)
    tokenizer.backend_tokenizer.enable_truncation(3)
    tokenizer.backend_tokenizer.enable_padding(length=8)
    tokenizer.backend_tokenizer.save(str(cut / "tokenizer.json"))
    plain, freed = (training.train(settings(s, text_file, tmp_path / n)) for s, n in ((start, "a"), (cut, "b")))
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
    with pytest.raises(ValueError, match=f"{len(tokens)} pieces and the model {len(tokens) - 1} rows"):
        training.train(settings(wrong, text_file, tmp_path))
