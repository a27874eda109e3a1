"""Edits of capitals: how often `capital = capital − country + other` changes the answer to the other country."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.chance import generator
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import mask_logits
from embtools.vectors import unit
from training.scoring.measures import COLUMNS, row, written

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


OTHERS = 8
"""Number of other countries for each capital."""


def edit_answers(model: "EmbeddingModel", others: int = OTHERS, seed: int = 0) -> pd.DataFrame:
    """Return the answers in "X is the capital of [MASK]." after `capital = capital − country + other` and controls."""
    frame = wordlists.load("capitals").drop_duplicates("country")
    # The cloze list has no ambiguous names (Male, Victoria, Georgetown); with "the", the sentence would be no English.
    sentences = wordlists.load("cloze").query("suite == 'capitals_of'")
    plain = sentences[~sentences["sentence"].str.contains("the [MASK]", regex=False)]
    frame = frame[frame["country"].isin(plain["answer"])]
    frame = written(frame, ["capital", "country"], model)
    countries = list(frame["country"])
    words = np.flatnonzero(model.whole_words)
    rng = generator(seed)
    rows: list[tuple[str, str, str, str, str, bool]] = []
    if len(countries) < 3:
        frame, countries = frame.head(0), []
    for capital, country in zip(frame["capital"], countries, strict=True):
        target, base = model.token_id(capital), model.vector(capital)
        cases: list[tuple[str, str, NDArray[np.float32]]] = []
        for other in rng.choice([c for c in countries if c != country], min(others, len(countries) - 1), replace=False):
            wrong = rng.choice([c for c in countries if c not in (country, other)])
            edit = model.vector(other) - model.vector(country)
            noise = model.matrix[rng.choice(words)] - model.matrix[rng.choice(words)]
            cases += [
                (other, "edit", edit),
                (other, "other country only added", model.vector(other)),
                (other, "wrong country subtracted", model.vector(other) - model.vector(wrong)),
                (other, "random difference", np.linalg.norm(edit) * unit(noise)),
            ]
        patches = [Patch({target: np.asarray(base + shift, np.float32)}) for _, _, shift in cases]
        scores = mask_logits(f"{capital} is the capital of [MASK].", model, patches=patches)[:, 0]
        best = np.where(model.rankable, scores, -np.inf).argmax(axis=1)
        for (other, kind, _), i in zip(cases, best, strict=True):
            rows.append((capital, country, str(other), kind, model.vocabulary[i], model.vocabulary[i] == other))
    return pd.DataFrame(rows, columns=["capital", "country", "other", "kind", "answer", "turned"])


def edits(model: "EmbeddingModel") -> pd.DataFrame:
    """Return the score rows of the edits and their controls, with intervals over capitals and other countries."""
    frame = edit_answers(model)
    table = [
        row(f"edit: {kind}", part["turned"].astype(float), part["capital"], part["other"])
        for kind, part in frame.groupby("kind", sort=False)
    ]
    return pd.DataFrame(table, columns=COLUMNS)
