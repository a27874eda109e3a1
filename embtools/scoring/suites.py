"""Analogies of static embeddings, senses of words in context, associations with people: rows of the table of scores."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.arithmetic.analogy import analogy
from embtools.bias.published_tests import battery
from embtools.scoring.measures import COLUMNS, row, written
from embtools.vectors import cosine

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def analogies(model: "EmbeddingModel") -> pd.DataFrame:
    """Analogies over static embeddings: how often the expected word is nearest, and without any analogy at all."""
    frame = wordlists.load("analogies")
    hits: dict[str, list[float]] = {"inputs kept": [], "inputs left out": [], "nearest to c alone, inputs left out": []}
    frame = written(frame, ["a", "b", "c", "expected"], model)
    for item in frame.itertuples():
        ranks = analogy(f"{item.b} - {item.a} + {item.c}", str(item.expected), model).set_index("method")
        hits["inputs kept"].append(float(ranks.loc["3CosAdd", "rank_kept"] == 1))
        hits["inputs left out"].append(float(ranks.loc["3CosAdd", "rank_excluded"] == 1))
        alone = ranks.loc[f"nearest to {item.c} alone", "rank_excluded"]
        hits["nearest to c alone, inputs left out"].append(float(alone == 1))
    table = [row(f"analogy first: {name}", values, frame["c"]) for name, values in hits.items() if values]
    return pd.DataFrame(table, columns=COLUMNS)


def senses(model: "EmbeddingModel") -> pd.DataFrame:
    """Does the nearest other sentence use the word in the same sense? Rows of the table; intervals over words.

    Cosine between the word's vectors in context, last layer and last but one; the static vector cannot tell.
    """
    frame = wordlists.load("senses")
    places = [
        np.flatnonzero(model.tokenize(sentence)["id"].to_numpy() == model.ids.get(word, -1))
        for word, sentence in zip(frame["word"], frame["sentence"], strict=True)
    ]
    missing = set(frame["word"][[not len(place) for place in places]])
    frame = frame.assign(place=places)[~frame["word"].isin(missing)].reset_index(drop=True)
    last = model.layers
    vectors: dict[int, list[NDArray[np.float32]]] = {last: [], last - 1: []}
    for place, sentence in zip(frame["place"], frame["sentence"], strict=True):
        states = model.hidden_states(sentence)
        for layer, found in vectors.items():
            found.append(states[layer, place[0]])
    table = []
    for layer, found in vectors.items() if len(frame) else ():
        matrix, same = np.stack(found), []
        for _, part in frame.groupby("word", sort=False):
            near = cosine(matrix[part.index], matrix[part.index])
            np.fill_diagonal(near, -np.inf)
            sense = part["sense"].to_numpy()
            same += list((sense[near.argmax(axis=1)] == sense).astype(float))
        words = [w for _, part in frame.groupby("word", sort=False) for w in part["word"]]
        table.append(row(f"senses: nearest sentence has the same, layer {layer}", same, words))
    return pd.DataFrame(table, columns=COLUMNS)


def associations(model: "EmbeddingModel", seed: int = 0) -> pd.DataFrame:
    """WEAT effect sizes on the published lists (Caliskan et al. 2017), over the words of one piece: rows of the table.

    `n` counts the words that were left; the measure names the published effect on GloVe vectors for comparison.
    """
    frame = battery(model, seed=seed).dropna(subset="effect")
    titles = "WEAT " + frame["test"] + frame["published"].map(" (GloVe {:.2f})".format)
    rows = frame.assign(measure=titles, value=frame["effect"], n=frame["words"] - frame["left_out"], unit="effect size")
    return rows[COLUMNS].reset_index(drop=True)
