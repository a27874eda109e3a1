"""Word vectors of four groups in 12 dimensions, as a table."""

import io

import numpy as np
import pytest

from embtools.models.vectors_as_model import Vectors

GROUPS = {
    "colours": ("red", "green", "blue", "white", "black"),
    "places": ("rome", "paris", "italy", "france", "river"),
    "people": ("king", "queen", "man", "woman", "she"),
}


def npy(values: np.ndarray, **options: bool) -> bytes:
    """An array as the bytes of a .npy file."""
    file = io.BytesIO()
    np.save(file, values, **options)
    return file.getvalue()


def made(seed: int = 0, shift: float = 0.5) -> Vectors:
    """Groups around random centres, with a common shift."""
    rng = np.random.default_rng(seed)
    words, labels, rows = [], [], []
    for name, members in GROUPS.items():
        centre = rng.normal(size=12)
        for word in members:
            words.append(word)
            labels.append(name)
            rows.append(centre + 0.6 * rng.normal(size=12) + shift)
    vectors = np.array(rows, np.float32)
    vectors.flags.writeable = False
    return Vectors(tuple(words), vectors, (("kind", tuple(labels)),), code=f"made({seed})")


@pytest.fixture(scope="session")
def table() -> Vectors:
    return made()
