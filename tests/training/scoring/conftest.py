"""A text whose held-out documents are scored."""

from pathlib import Path

import numpy as np
import pytest

WORDS = "rome italy france paris king queen man woman he she red green blue the is a of capital bank river".split()


@pytest.fixture(scope="session")
def text_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,200 documents of six sentences, of which about one in a hundred is held out."""
    rng = np.random.default_rng(0)
    documents = [
        " ".join(" ".join(rng.choice(WORDS, rng.integers(4, 9))).capitalize() + "." for _ in range(6))
        for _ in range(1200)
    ]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n\n".join(documents))
    return path
