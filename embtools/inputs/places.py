"""What a guess owes to the places of the tokens: the same text with other positions and segments."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.inputs.terms import Terms
from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS
from embtools.mask_filling.forward import mask_positions, probabilities
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

WRITTEN, MOVED = "as written", "the piece moved"
ONE_SEGMENT, OTHER_SEGMENT = "all in segment 0", "all in segment 1"
REVERSED, HEAP = "positions reversed", "all at position 1"


def guesses(frame: pd.DataFrame, found: Terms, model: "EmbeddingModel", k: int = 5) -> pd.DataFrame:
    """What the model guesses at the first [MASK] of the text in which the piece stands last, whatever the places.

    frame: of `terms.pieces`. The words stay the same; [CLS] and the last [SEP] keep their places where all words are
    reversed or put on one position. Columns: places, first … k-th (the best answers), probability (of the best),
    written (of the best answer as written), shifted (the share of the probability that has gone to other words: half
    the sum of the differences). Raises ValueError where that text has no mask, and for k out of range.
    """
    within(k, MAX_ANSWERS, "answers")
    place = found.places.iloc[-1]
    alone = (frame["position"] == 0).sum() > 1  # two texts, each with a [CLS] of its own
    rows = frame[frame["text"] == place["text"]] if alone else frame
    mask = mask_positions(rows, model)[0]
    t = len(rows)
    written, segments = np.arange(t), rows["segment"].to_numpy()
    ways = {WRITTEN: (written, segments)}
    if found.moved:
        at = int(place["stood"])
        ways[MOVED] = (_put(written, at, place["position"]), _put(segments, at, place["segment"]))
    if model.has_segments:
        both = bool(segments.any())
        ways[ONE_SEGMENT if both else OTHER_SEGMENT] = (written, np.full(t, 0 if both else 1))
    inner = slice(1, t - 1)
    ways[REVERSED] = (np.concatenate([[0], written[inner][::-1], [t - 1]]), segments)
    ways[HEAP] = (np.where((written == 0) | (written == t - 1), written, 1), segments)
    places, kinds = (np.stack(each) for each in zip(*ways.values(), strict=True))
    inputs = np.repeat(model.matrix[rows["id"].to_numpy()][None], len(ways), axis=0)
    states = model.encode(inputs, kinds, positions=places, last_only=True)[0, :, mask]
    shares = probabilities(model.logits(model.transform(states)))
    best = int(shares[0].argmax())
    lines = []
    for name, share in zip(ways, shares, strict=True):
        order = top_k(share, k)
        words = [model.vocabulary[i] for i in order]
        lines.append((name, *words, share[order[0]], share[best], float(np.abs(share - shares[0]).sum() / 2)))
    names = [f"answer_{i}" for i in range(1, k + 1)]
    return pd.DataFrame(lines, columns=["places", *names, "probability", "written", "shifted"])


def _put(values: np.ndarray, at: int, value: int) -> np.ndarray:
    changed = values.copy()
    changed[at] = value
    return changed
