"""A question for a class about the average of traces: how large is the effect of a random change?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from embtools.mask_filling.relations import EDIT
from embtools.messages import shortened
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_CONTEXT, Question, how_large
from embtools.statistics.decimals import half_up
from embtools.tracing.averages import SENTENCE, average
from embtools.tracing.cases import RANDOM
from embtools.tracing.positions import share_text

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def average_question(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]]",
    model: "EmbeddingModel",
    *,
    sentence: str = SENTENCE,
    edit: str = EDIT,
    count: int = 8,
    others: int = 1,
    strength: float = 1.0,
    seed: int = 0,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """How large is the effect of a random change, compared with that of an edit? A question for a class."""
    result = average(
        pairs, model, sentence=sentence, edit=edit, count=count, others=others, strength=strength, seed=seed,
        progress=progress,
    )  # fmt: skip
    if not result.defined:
        raise ValueError("The effect of this edit is too small to compare anything with it. Choose another edit.")
    share = float(result.effects.set_index("condition").loc[RANDOM, "share"])
    text = (
        "The edit moves the answer. How large is the effect of a random change of the same size, compared with that of"
        " the edit?"
    )
    context = f"{shortened(sentence, MOST_CONTEXT // 2)}\nEdit: {shortened(edit, MOST_CONTEXT // 3)}"
    return how_large(half_up(100 * share), share_text(share), choices, text=text, context=context)
