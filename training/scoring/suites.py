"""Scores on analogies of static embeddings, senses of words in context, and association tests."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.arithmetic.nearest_tokens import analogy
from embtools.bias.published_tests import battery
from embtools.vectors import cosine
from training.scoring.measures import COLUMNS, row, written

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def analogies(model: "EmbeddingModel") -> pd.DataFrame:
    """Return score rows of analogies: how often the expected word is nearest, with and without the arithmetic."""
    frame = wordlists.load("analogies")
    hits: dict[str, list[float]] = {"inputs kept": [], "inputs left out": [], "nearest to c alone, inputs left out": []}
    frame = written(frame, ["a", "b", "c", "expected"], model)
    for item in frame.itertuples():
        ranks = analogy(f"{item.b} - {item.a} + {item.c}", model, expected=str(item.expected)).set_index("method")
        hits["inputs kept"].append(float(ranks.loc["3CosAdd", "rank_kept"] == 1))
        hits["inputs left out"].append(float(ranks.loc["3CosAdd", "rank_excluded"] == 1))
        alone = ranks.loc[f"nearest to {item.c} alone", "rank_excluded"]
        hits["nearest to c alone, inputs left out"].append(float(alone == 1))
    table = [row(f"analogy first: {name}", values, frame["c"]) for name, values in hits.items() if values]
    return pd.DataFrame(table, columns=COLUMNS)


def senses(model: "EmbeddingModel") -> pd.DataFrame:
    """Return score rows: how often the nearest other sentence, by the word's vectors in context, uses it in the same
    sense; intervals over words.
    """
    frame = wordlists.load("senses")
    positions = [
        np.flatnonzero(model.tokenize(sentence)["id"].to_numpy() == model.ids.get(word, -1))
        for word, sentence in zip(frame["word"], frame["sentence"], strict=True)
    ]
    missing = set(frame["word"][[not len(found) for found in positions]])
    frame = frame.assign(positions=positions)[~frame["word"].isin(missing)].reset_index(drop=True)
    last = model.layers
    vectors: dict[int, list[NDArray[np.float32]]] = {last: [], last - 1: []}
    for found, sentence in zip(frame["positions"], frame["sentence"], strict=True):
        states = model.hidden_states(sentence)
        for layer, rows in vectors.items():
            rows.append(states[layer, found[0]])
    table = []
    for layer, rows in vectors.items() if len(frame) else ():
        matrix, same = np.stack(rows), []
        for _, part in frame.groupby("word", sort=False):
            near = cosine(matrix[part.index], matrix[part.index])
            np.fill_diagonal(near, -np.inf)
            sense = part["sense"].to_numpy()
            same += list((sense[near.argmax(axis=1)] == sense).astype(float))
        words = [w for _, part in frame.groupby("word", sort=False) for w in part["word"]]
        table.append(row(f"senses: nearest sentence has the same, layer {layer}", same, words))
    return pd.DataFrame(table, columns=COLUMNS)


def associations(model: "EmbeddingModel", seed: int = 0) -> pd.DataFrame:
    """Return score rows of WEAT effect sizes on the published lists (Caliskan et al. 2017), for words of one token,
    `n`, with the published effect on GloVe vectors in the name of the measure.
    """
    frame = battery(model, seed=seed).frame.dropna(subset="effect")
    titles = "WEAT " + frame["test"] + frame["published"].map(" (GloVe {:.2f})".format)
    rows = frame.assign(measure=titles, value=frame["effect"], n=frame["words"] - frame["left_out"], unit="effect size")
    return rows[COLUMNS].reset_index(drop=True)
