"""Word vectors of three groups in 12 dimensions, and the same as files."""

import io

import numpy as np
import pandas as pd

from embtools.models.vectors_as_model import Vectors

GROUPS = {
    "colours": ("red", "green", "blue", "white", "black"),
    "places": ("rome", "paris", "italy", "france", "river"),
    "people": ("king", "queen", "man", "woman", "she"),
}


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
    return Vectors(words, np.array(rows), (("kind", tuple(labels)),), code=f"made({seed})")


def npy(values: np.ndarray, **options: bool) -> bytes:
    """An array as the bytes of a .npy file."""
    file = io.BytesIO()
    np.save(file, values, **options)
    return file.getvalue()


def csv(table: Vectors | None = None) -> bytes:
    """Vectors as a CSV file with two columns of labels."""
    table = table or made()
    frame = pd.DataFrame(table.matrix.astype(float)).rename(columns="d{}".format)
    frame.insert(0, "word", table.names)
    frame["kind"], frame["half"] = table.labels[0][1], (["a", "b"] * 8)[:15]
    return frame.to_csv(index=False).encode()
