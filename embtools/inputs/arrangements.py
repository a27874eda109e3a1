"""How an answer depends on positions and segments: the same text with other position and segment embeddings."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.inputs.input_terms import Terms
from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.models.last_states import last_states
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

WRITTEN, MOVED = "as written", "token moved"
ONE_SEGMENT, OTHER_SEGMENT = "all in segment 0", "all in segment 1"
REVERSED, HEAP = "positions reversed", "all at position 1"


def answers(frame: pd.DataFrame, model: "EmbeddingModel", *, result: Terms, k: int = 5) -> pd.DataFrame:
    """Return the answers at the first [MASK] with other positions and segments.

    The words stay the same. If all positions are reversed or made equal, [CLS] and the last [SEP] keep theirs.
    """
    within(k, MAX_ANSWERS, "answers")
    last = result.occurrences.iloc[-1]
    alone = (frame["position"] == 0).sum() > 1  # two texts, each with its own [CLS]
    rows = frame[frame["text"] == last["text"]] if alone else frame
    mask = mask_positions(rows, model)[0]
    t = len(rows)
    written, segments = np.arange(t), rows["segment"].to_numpy()
    ways = {WRITTEN: (written, segments)}
    if result.moved:
        own = int(last["own_position"])
        ways[MOVED] = (_replaced(written, own, last["position"]), _replaced(segments, own, last["segment"]))
    if model.has_segments:
        both = bool(segments.any())
        ways[ONE_SEGMENT if both else OTHER_SEGMENT] = (written, np.full(t, 0 if both else 1))
    inner = slice(1, t - 1)
    ways[REVERSED] = (np.concatenate([[0], written[inner][::-1], [t - 1]]), segments)
    ways[HEAP] = (np.where((written == 0) | (written == t - 1), written, 1), segments)
    positions, kinds = (np.stack(each) for each in zip(*ways.values(), strict=True))
    inputs = np.repeat(model.matrix[rows["id"].to_numpy()][None], len(ways), axis=0)
    states = last_states(inputs, model, at=[mask], segments=kinds, positions=positions)[:, 0]
    shares = probabilities(model.logits(model.transform(states)))
    best = int(shares[0].argmax())
    lines = []
    for name, share in zip(ways, shares, strict=True):
        order = top_k(share, k)
        words = [model.vocabulary[i] for i in order]
        lines.append((name, *words, share[order[0]], share[best], float(np.abs(share - shares[0]).sum() / 2)))
    names = [f"answer_{i}" for i in range(1, k + 1)]
    columns = ["arrangement", *names, "probability", "probability_as_written", "total_variation"]
    return pd.DataFrame(lines, columns=columns)


def _replaced(values: np.ndarray, at: int, value: int) -> np.ndarray:
    changed = values.copy()
    changed[at] = value
    return changed
