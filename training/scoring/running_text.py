"""Scores on running text: masked words and next sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.mask_filling.forward import probabilities
from embtools.models.last_states import last_states
from embtools.models.sentence_order import next_sentence as follows
from training.scoring.calibration import calibration
from training.scoring.measures import COLUMNS, row

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MASK_SHARE = 0.15
LENGTHS = (16, 32, 64, 128)


@dataclass(frozen=True)
class Passage:
    """One input of running text: its first part, its second part or None, and whether that really follows.

    `document` names the document of the first part, because passages of one document are not independent.
    """

    first: str
    second: str | None
    follows: bool
    document: str


def masked_words(texts: Sequence[Passage], model: "EmbeddingModel", seed: int = 0) -> pd.DataFrame:
    """Return score rows for texts with 15% of the tokens masked: accuracy and loss (in nats) by length, and calibration
    on pairs; the masks depend only on the seed and the text, so that models with one vocabulary have the same.
    """
    checked_seed(seed)
    rows = []
    for number, text in enumerate(texts):
        frame = model.tokenize(text.first, text.second)
        ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
        open_positions = np.flatnonzero(frame["word"].to_numpy() >= 0)
        count = max(1, round(MASK_SHARE * len(open_positions)))
        masks = np.sort(generator(seed, number).choice(open_positions, count, replace=False))
        masked = ids.copy()
        masked[masks] = model.mask_id
        states = last_states(model.matrix[masked][None], model, at=masks, segments=segments)[0]
        chances = probabilities(model.logits(model.transform(states)))
        right = chances.argmax(axis=1) == ids[masks]
        confidence = chances.max(axis=1)
        loss = -np.log(chances[np.arange(count), ids[masks]])
        rows.append(
            pd.DataFrame(
                {
                    "document": text.document,
                    "length": len(ids),
                    "pair": text.second is not None,
                    "right": right.astype(float),
                    "loss": loss,
                    "confidence": confidence,
                }
            )
        )
    frame = pd.concat(rows)
    pairs = frame[frame["pair"]]
    table = []
    if len(pairs):
        table.append(row("masked words: pairs up to 128 tokens", pairs["right"], pairs["document"]))
        table.append(row("masked words: loss on these pairs", pairs["loss"], pairs["document"], unit_name="nats"))
        table += calibration(
            "masked words, pairs up to 128 tokens", pairs["confidence"], pairs["right"], pairs["document"]
        )
    lower = 0
    for upper in LENGTHS:
        part = frame[(frame["length"] > lower) & (frame["length"] <= upper)]
        if len(part):
            table.append(row(f"masked words: inputs of {lower + 1}–{upper} tokens", part["right"], part["document"]))
            table.append(
                row(f"masked words: loss, {lower + 1}–{upper} tokens", part["loss"], part["document"], unit_name="nats")
            )
        lower = upper
    return pd.DataFrame(table, columns=COLUMNS)


def next_sentence(pairs: Sequence[Passage], model: "EmbeddingModel", name: str) -> pd.DataFrame:
    """Return one score row: how often the next-sentence head is right; the interval is over documents."""
    right = [float((follows(p.first, p.second or "", model) > 0.5) == p.follows) for p in pairs]
    return pd.DataFrame([row(f"next sentence: {name}", right, [p.document for p in pairs])], columns=COLUMNS)
