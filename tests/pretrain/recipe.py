"""A small recipe: made-up words, a text of them, and the settings of a short run."""

from pathlib import Path

import numpy as np

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


def settings(start: Path, text: Path, folder: Path, **changes: object) -> pretrain_settings.Settings:
    usual: dict = {"steps": 6, "decay": 2, "warmup": 1, "save_every": 2, "threads": 1}
    return pretrain_settings.Settings(str(start), ((text, 1.0),), folder / "run", folder / "out", **(usual | changes))
