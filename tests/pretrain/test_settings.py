"""The settings of a run and its learning rate."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

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


def test_the_rate_rises_stays_and_falls_to_zero() -> None:
    run = pretrain_settings.Settings("", (), Path(), Path(), steps=100, decay=20, warmup=10, learning_rate=1.0)
    assert pretrain_settings.learning_rate(0, run) == pytest.approx(0.1)
    assert pretrain_settings.learning_rate(9, run) == pretrain_settings.learning_rate(80, run) == 1.0
    assert pretrain_settings.learning_rate(90, run) == pytest.approx(0.5)
    assert pretrain_settings.learning_rate(100, run) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mask_rate": 0.0}, "mask rate must lie"),
        ({"mask_rate": 1.0}, "mask rate must lie"),
        ({"copy_weight": -1.0}, "numbers of 0 or more"),
        ({"next_weight": -1.0}, "numbers of 0 or more"),
        ({"learning_rate": float("nan")}, "numbers of 0 or more"),
        ({"steps": 0}, "--steps is 0"),
        ({"save_every": 0}, "--save-every is 0"),
        ({"keep": 0}, "--keep is 0"),
        ({"average": 0}, "--average is 0"),
        ({"threads": 0}, "--threads is 0"),
        ({"texts": ()}, "no text to train on"),
        ({"texts": ((Path("a.txt"), 0.0),)}, "share of a.txt is 0"),
        ({"texts": ((Path("a.txt"), float("inf")),)}, "share of a.txt is inf"),
    ],
)
def test_settings_out_of_range_are_refused(start: Path, text_file: Path, tmp_path: Path, wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        training.train(replace(settings(start, text_file, tmp_path), **wrong))
    assert not (tmp_path / "run").exists()
