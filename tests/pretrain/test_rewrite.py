"""The one command line of the two programs that make training text."""

from pathlib import Path

import pytest

from embtools.pretrain import articles, glosses
from embtools.pretrain.text import is_held_out, read_documents

WORDS = [f"{a}{b}" for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "en", "on", "ar", "or")]

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ","]


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


def test_what_is_made_from_training_documents_never_passes_for_held_out(start: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "text.txt", tmp_path / "out.txt"
    for program, document in (
        (glosses, "ba: a dog number {:05}."),
        (articles, "A ba is dog number {:05}. " + "It barks. " * 30),
    ):
        file.write_text("\n\n".join(document.format(i) for i in range(2000)), encoding="utf-8")
        assert program.main([str(file), "--vocabulary", str(start), "--out", str(out)]) == 0
        written = list(read_documents(out))
        assert 1900 < len(written) < 2000
        assert not any(map(is_held_out, written))
