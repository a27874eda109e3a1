"""The logit lens: the answers of the masked-word head when it reads the hidden state at the mask after each layer.

nostalgebraist 2020, "interpreting GPT: the logit lens", applied to BERT. The head was trained for the last layer only,
so early layers show where an answer takes shape, not what the model "thinks" there. The tuned lens (Belrose et al.
2023) first translates the state of a layer into one that the head can read.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.mask_filling.answers import answer_ids, best_answer
from embtools.mask_filling.edits import Change, Patch, resolve
from embtools.mask_filling.forward import mask_position, probabilities
from embtools.mask_filling.typed_input import normalise_masks
from embtools.models.tuned_lens import has_tuned_lens, needed_lens

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LOGIT_LENS, TUNED_LENS = "logit lens", "tuned lens"


def lens(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    words: Sequence[str],
    mask: int = 1,
    temperature: float = 1.0,
    tuned: bool = False,
) -> pd.DataFrame:
    """Return the probability of words by layer, with and without an edit, by the output head on the states of each
    layer."""
    frame = model.tokenize(normalise_masks(text))
    position = mask_position(frame, model, mask=mask)
    word_ids = answer_ids(words, model)
    translators = needed_lens(model) if tuned else None
    runs = {"original": Patch()} | ({"edited": resolve(change, model)} if change.edits else {})
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    inputs = np.stack([patch.embed(ids, model) for patch in runs.values()])
    states = model.encode(inputs, segments)[:, :, position]  # (l + 1, runs, d)
    rows = []
    for row, (name, patch) in enumerate(runs.items()):
        read = states[:, row] if translators is None else translators.translate(states[:, row], range(len(states)))
        transformed = model.transform(read)
        values = probabilities(patch.rescore(model.logits(transformed), transformed, model), temperature=temperature)
        first = [model.vocabulary[i] for i in best_answer(values, model)]
        rows += [
            {"layer": layer, "run": name, "token": model.vocabulary[i], "probability": p, "top_answer": first[layer]}
            for i in word_ids
            for layer, p in enumerate(values[:, i])
        ]
    return pd.DataFrame(rows, columns=["layer", "run", "token", "probability", "top_answer"])


def both_lenses(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    words: Sequence[str],
    mask: int = 1,
    temperature: float = 1.0,
) -> pd.DataFrame:
    """Return the probability of words by layer with the logit lens and, if the model has one, with the tuned lens.

    Parameters
    ----------
    text, model, change, words, mask, temperature
        As in `strength_curve`.

    Returns
    -------
    DataFrame
        Columns: lens ("logit lens" or "tuned lens"), layer, run ("original" or "edited"), token, probability,
        top_answer (of the layer).

    Raises
    ------
    ValueError
        As `fill_mask` does, for a mask that does not exist, and for a word that is not one token.
    """
    kinds = {LOGIT_LENS: False} | ({TUNED_LENS: True} if has_tuned_lens(model) else {})
    frames = []
    for name, tuned in kinds.items():
        frame = lens(text, model, change=change, words=words, mask=mask, temperature=temperature, tuned=tuned)
        frame.insert(0, "lens", name)
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)
