"""Comparison of the two scopes of an edit: only what BERT reads, or the word's own output score too.

"BERT Embedding Math" overwrote the word's row of a matrix that is used for both (`tied`); `input` does not change the
output.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd

from embtools.mask_filling.answers import left_out, without
from embtools.mask_filling.edits import Change, Scope, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.messages import mentioned
from embtools.statistics.percentages import percents

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def first_answers(
    text: str, model: "EmbeddingModel", *, change: Change, leave_out: Sequence[str] = (), temperature: float = 1.0
) -> pd.DataFrame:
    """Return the top answer at each mask with both scopes.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    change : Change
        The edits, from `Change.of`.
    leave_out : sequence of str, optional
        Words that are skipped; the others keep their probability.
    temperature : float, default 1.0
        Divides the scores before the softmax.

    Returns
    -------
    DataFrame
        Columns: mask, scope, token, probability.

    Raises
    ------
    ValueError
        As `fill_mask` does, and if the model or the sentence allows only one of the scopes.
    """
    hidden = left_out(leave_out, model)
    scopes: tuple[Scope, ...] = ("input", "tied")
    patches = [resolve(replace(change, scope=scope), model) for scope in scopes]
    patches[0].check_present(model.ids_and_segments(text)[0], model)
    rows = []
    stream = mask_probabilities(text, model, patches=patches, temperature=temperature)
    for scope, values in zip(scopes, stream, strict=True):
        best = without(values, hidden).argmax(1)
        rows += [(m, scope, model.vocabulary[i], float(values[m - 1, i])) for m, i in enumerate(best, 1)]
    frame = pd.DataFrame(rows, columns=["mask", "scope", "token", "probability"])
    return frame.sort_values("mask", kind="stable", ignore_index=True)


def sentence(answers: pd.DataFrame, scope: str, *, mask: int = 1) -> str:
    """State how the top answer with the other scope compares with the one in use, for one mask of `first_answers`."""
    row = answers[answers["mask"] == mask].set_index("scope")
    name = "tied" if scope == "input" else "input"
    here, there = percents(row.loc[scope, "probability"], row.loc[name, "probability"], digits=1)
    one, other = (mentioned(str(row.loc[which, "token"])) for which in (scope, name))
    if one == other:
        return f"The top answer is {one} with both scopes: {here} with {scope}, {there} with {name}."
    return f"With the scope {name}, the top answer is {other} ({there}); with {scope}, it is {one} ({here})."
