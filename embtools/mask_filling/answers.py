"""The most probable words at each mask, before and after an edit, without the words that are left out; and the answers
of several runs compared: the best of each, their union, and the divergence of two.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools import wordlists
from embtools.limits import enough, several, within
from embtools.mask_filling.edits import NOTHING, Change, ChangedEmbeddings, Scope, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.vectors import Array, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_ANSWERS = 100
MAX_LEFT_OUT = 200


def answer_ids(words: Sequence[str], model: "EmbeddingModel") -> list[int]:
    """Return the ids of words, each once; entries of the vocabulary such as ##ing are accepted as they are."""
    return list(dict.fromkeys(model.ids[w] if w in model.ids else model.token_id(w) for w in words))


def left_out(words: Sequence[str], model: "EmbeddingModel") -> list[int]:
    """Return the ids of [UNK] and of words that cannot be answers; ValueError for too many or longer words."""
    unknown = [model.ids["[UNK]"]] if "[UNK]" in model.ids else []
    words = several(words, "words to leave out")
    if not words:
        return unknown
    offensive = set(wordlists.load("offensive")["word"])
    own = set(words) - offensive  # the offensive ones are added by a switch, not typed: they do not count
    if len(own) > MAX_LEFT_OUT:
        raise ValueError(
            f"There are {len(own):,} words to leave out; at most {MAX_LEFT_OUT} are possible. Remove some."
        )
    return [*unknown, *answer_ids([word for word in words if word in own or word in model.ids], model)]


def without(probabilities: Array, hidden: Sequence[int]) -> Array:
    """Return a copy of probabilities (…, v) in which words with these ids have -1, so that they are no answers."""
    # All other entries of the vocabulary can be answers, as in the Hugging Face fill-mask pipeline.
    result = np.array(probabilities)
    result[..., list(hidden)] = -1
    return result


def best_answer(values: Array, model: "EmbeddingModel") -> NDArray[np.intp]:
    """Return the id of the highest probability or score of (…, v) values, but for [UNK], which is never an answer."""
    found = np.asarray(values.argmax(axis=-1))
    unknown = model.ids.get("[UNK]")
    if unknown is not None and np.any(found == unknown):
        values = np.array(values)
        values[..., unknown] = -np.inf
        found = np.asarray(values.argmax(axis=-1))
    return found


def top_answers(probabilities: Array, hidden: Sequence[int], k: int) -> NDArray[np.intp]:
    """Return the ids of the k most probable words of (v,) probabilities but those left out, the most probable first."""
    left = without(probabilities, hidden)
    ids = top_k(left, k)
    return ids[left[ids] >= 0]  # with a large k, those left out would come last


def ranking(
    before: Array, after: Array, model: "EmbeddingModel", *, k: int, leave_out: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the k most probable words at each mask before or after, from probabilities before and after, each (m, v),
    with their ranks without those left out.
    """
    within(k, MAX_ANSWERS, "answers")
    hidden = left_out(leave_out, model)
    rows = []
    for mask, (old, new) in enumerate(zip(before, after, strict=True), 1):
        old_open, new_open = without(old, hidden), without(new, hidden)
        for i in _best_first(new, [new, old], hidden, k):
            rows.append(
                {
                    "mask": mask,
                    "token": model.vocabulary[i],
                    "probability_before": float(old[i]),
                    "probability_after": float(new[i]),
                    "change": float(new[i] - old[i]),
                    "rank_before": int((old_open > old[i]).sum()) + 1,
                    "rank_after": int((new_open > new[i]).sum()) + 1,
                }
            )
    return pd.DataFrame(rows)


def _best_first(values: Array, columns: Sequence[Array], hidden: Sequence[int], k: int) -> NDArray[np.intp]:
    """Return the ids among the k most probable words of any column (v,), with the highest of these values first."""
    ids = np.array(list(dict.fromkeys(i for column in columns for i in top_answers(column, hidden, k))), np.intp)
    return ids[np.argsort(-values[ids], kind="stable")]


def fill_mask(
    text: str,
    model: "EmbeddingModel",
    *,
    k: int = 5,
    edits: Sequence[str] = (),
    scope: Scope = "input",
    strength: float = 1.0,
    positions: Sequence[int] = (),
    keep_length: bool = False,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
) -> pd.DataFrame:
    """Return the k most probable words for each [MASK].

    Several masks are each predicted with the others masked. Without edits, the result is that of the Hugging Face
    fill-mask pipeline, but for [UNK], which is never an answer.

    Parameters
    ----------
    text : str
        A text with one or more [MASK].
    model : EmbeddingModel
    k : int, default 5
        Number of words for each mask.
    edits : sequence of str, optional
        Edits such as "rome = rome - italy + france".
    scope : {"input", "tied"}, default "input"
        "input" changes what BERT reads; "tied" changes its output scores too.
    strength : float, default 1.0
        0 is the original vector, 1 the result of the formula.
    positions : sequence of int, optional
        Positions (from 0) at which the words are edited; all of them if empty.
    keep_length : bool, default False
        Whether an edited vector keeps the length of the original one.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    temperature : float, default 1.0
        Divides the scores before the softmax.

    Returns
    -------
    DataFrame
        Columns: token, probability; with edits also probability_before, with several masks also mask (1, 2, …). The
        rows are sorted by the probability after the edits.

    Raises
    ------
    ValueError
        For a text that is empty, too long, without a mask or with more than 10, an edited word that is not in the text,
        a word to leave out that is not one token, k or a temperature out of range, and as `edited_model` does.
    """
    change = Change.of(edits, scope, strength, positions, keep_length)
    patches = [NOTHING, resolve(change, model)] if change.edits else [NOTHING]
    within(k, MAX_ANSWERS, "answers")
    hidden = left_out(leave_out, model)
    found = list(mask_probabilities(text, model, patches=patches, temperature=temperature))
    before, after = found[0], found[-1]
    # The columns are lists, since choosing and renaming columns of a frame would take as long as a layer of the model.
    rows = [(mask, i) for mask, row in enumerate(after) for i in _best_first(row, [row], hidden, k)]
    columns: dict[str, list[object]] = {"mask": [mask + 1 for mask, _ in rows]} if len(after) > 1 else {}
    columns["token"] = [model.vocabulary[i] for _, i in rows]
    columns["probability"] = [float(after[at]) for at in rows]
    if change.edits:
        columns["probability_before"] = [float(before[at]) for at in rows]
    return pd.DataFrame(columns)


def compare(
    text: str,
    model: "EmbeddingModel",
    *,
    before: ChangedEmbeddings = NOTHING,
    after: ChangedEmbeddings | None = None,
    k: int = 5,
    leave_out: Sequence[str] = (),
    temperature: float = 1.0,
) -> pd.DataFrame:
    """Return the `ranking` with two patches. Without `after`, the same patch is used for both."""
    patches = [before] if after is None else [before, after]
    probabilities = list(mask_probabilities(text, model, patches=patches, temperature=temperature))
    return ranking(probabilities[0], probabilities[-1], model, k=k, leave_out=leave_out)


def best(
    columns: Mapping[str, Array], model: "EmbeddingModel", *, k: int, leave_out: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the k most probable words of each column of probabilities (v,): column, rank, token, probability."""
    enough(columns, "columns of probabilities")
    hidden = left_out(leave_out, model)
    parts = []
    for name, row in columns.items():
        ids = top_answers(row, hidden, k)
        parts.append(
            pd.DataFrame(
                {
                    "column": name,
                    "rank": range(1, len(ids) + 1),
                    "token": [model.vocabulary[i] for i in ids],
                    "probability": row[ids],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def top_union(
    columns: Mapping[str, Array], model: "EmbeddingModel", *, k: int, leave_out: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the words among the k best of any column, with their probabilities in all columns; most probable first."""
    enough(columns, "columns of probabilities")
    hidden = left_out(leave_out, model)
    ids = list(dict.fromkeys(int(i) for row in columns.values() for i in top_answers(row, hidden, k)))
    ids.sort(key=lambda i: -max(row[i] for row in columns.values()))
    return pd.DataFrame({"token": [model.vocabulary[i] for i in ids]} | {n: row[ids] for n, row in columns.items()})


def divergence(p: Array, q: Array) -> float:
    """Return the Jensen-Shannon divergence of two distributions (v,) in bits, from 0 (equal) to 1 (Lin 1991).

    >>> divergence(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    1.0
    """
    from scipy.special import rel_entr

    # Not scipy's jensenshannon: it is nan if rounding makes the sum negative, as for almost equal answers.
    middle = (p + q) / 2
    nats = (rel_entr(p, middle).sum() + rel_entr(q, middle).sum()) / 2
    return max(0.0, float(nats / np.log(2)))
