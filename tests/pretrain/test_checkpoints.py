"""Checkpoints: whole ones, in their order, with enough disk."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from embtools.pretrain import batches, checkpoints, training
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


def test_a_half_written_checkpoint_is_ignored_and_a_damaged_one_explained(tmp_path: Path) -> None:
    arrays = {"a": np.ones(3, np.float32)}
    checkpoints.write(tmp_path, 1, arrays, arrays, {}, keep=3)
    (tmp_path / "step-000002.partial").mkdir()
    found = checkpoints.found(tmp_path)
    assert [f.name for f in found] == ["step-000001"]
    (found[0] / "weights.safetensors").write_bytes(b"no")
    with pytest.raises(ValueError, match="damaged"):
        checkpoints.read(found[0])


def test_checkpoints_are_in_the_order_of_their_steps(tmp_path: Path) -> None:
    for name in ("step-1000000", "step-999999", "step-000250", "step-000500.partial", "step-old"):
        (tmp_path / name).mkdir()
    found = [p.name for p in checkpoints.found(tmp_path)]
    assert found == ["step-000250", "step-999999", "step-1000000"]


def test_too_little_disk_is_said_before_training(start: Path, text_file: Path, tmp_path: Path, monkeypatch) -> None:
    usage = checkpoints.shutil._ntuple_diskusage(10, 10, 5)
    monkeypatch.setattr(checkpoints.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ValueError, match=r"needs 0\.0 GB and only"):
        training.train(settings(start, text_file, tmp_path))
    assert not (tmp_path / "run").exists()
