"""A question for a class about a battery: for how many words does an edit work?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from embtools.evidence.battery import battery
from embtools.mask_filling.cases import A, filled_edit, read_edit
from embtools.mask_filling.edits import Scope
from embtools.messages import shortened
from embtools.progress import Progress, silent
from embtools.rooms.question import MOST_TEXT, Question

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

_PARTS = 4  # ranges that the choices divide the number of words into


def battery_question(
    pairs: "pd.DataFrame | Sequence[tuple[str, str]] | str",
    model: "EmbeddingModel",
    *,
    edit: str,
    sentence: str,
    scope: Scope = "input",
    strength: float = 1.0,
    first: int | None = None,
    seed: int = 0,
    choices: Sequence[str] = (),
    progress: Progress = silent,
) -> Question:
    """For how many of these words does an edit make the new word BERT's answer? A question for a class.

    Parameters
    ----------
    pairs : DataFrame, sequence of (str, str), or str
        Pairs (a, b), or the key of a built-in relation, such as "capital".
    model : EmbeddingModel
    edit : str
        An edit with placeholders, such as "{a} = {a} - {b} + {c}". Each word a gets one word c, drawn at random.
    sentence : str
        A sentence with {a} and one [MASK].
    scope, strength, first, seed
        As in `battery`.
    choices : sequence of str, optional
        The choices; by default ranges of numbers.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Question
        BERT's answer is the range that contains the number.

    Raises
    ------
    ValueError
        As `battery` and `Question` do.
    """
    found = battery(
        pairs, model, edit=edit, sentences=(sentence,), others=1, scope=scope, strength=strength, controls=False,
        first=first, seed=seed, progress=progress,
    )  # fmt: skip
    words = found.by_word.query("cases > 0")  # without words whose answer already is c
    count, worked = len(words), int(words["changed"].sum())
    case = found.cases.iloc[0]
    example = filled_edit(read_edit(edit), case["a"], case["b"], case["c"])
    gap = sentence.replace(A, str(case["a"])).replace("[MASK]", "____")
    ending = (
        f" The edit: {shortened(example, 90)}. We do the same with {count} words. For how many of them does BERT then"
        " answer with the new word?"
    )
    ranges = _ranges(count)
    picked = next(label for label, (low, high) in ranges.items() if low <= worked <= high)
    text = f"“{shortened(gap, MOST_TEXT - len(ending) - 2)}”{ending}"
    return Question(text, tuple(choices) or tuple(ranges)).with_answer(f"{worked} of {count}", picked)


def _ranges(count: int) -> dict[str, tuple[int, int]]:
    """Return ranges of the numbers from 0 to `count` by their labels.

    >>> list(_ranges(68)), list(_ranges(2))
    (['0 to 17', '18 to 34', '35 to 51', '52 to 68'], ['0', '1', '2'])
    """
    ends = sorted({round(count * part / _PARTS) for part in range(1, _PARTS + 1)} | ({0} if count < _PARTS else set()))
    starts = [0, *(end + 1 for end in ends[:-1])]
    ranges = zip(starts, ends, strict=True)
    return {(f"{low} to {high}" if low < high else str(low)): (low, high) for low, high in ranges}
