"""Edited capitals as cases: their runs, the roles of their positions, and the answers that are compared."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.limits import within
from embtools.mask_filling.forward import mask_position
from embtools.messages import quoted
from embtools.vectors import Array, unit

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

EDIT, RANDOM, OTHER = CONDITIONS = "edit", "random difference", "another word edited"
BEFORE, EDITED, BETWEEN, MASK, AFTER = ROLES = "words before", "edited word", "words between", "[MASK]", "words after"
PLACE = "{capital}"
MOST_CHARACTERS = 300
MOST_CAPITALS, MOST_OTHERS = 60, 5


@dataclass(frozen=True)
class Cases:
    """The runs of n cases, which all have t tokens.

    table   capital, country, other: one row per case
    states  hidden states (l + 1, 4n, t, d): first all unedited runs, then those of each condition
    mask    the position of the mask
    roles   for each condition, the positions of each role of `ROLES`, around the word that is edited
    ids     (n, 2) token ids of country and other
    """

    table: pd.DataFrame
    states: Array
    mask: int
    roles: tuple[tuple[tuple[int, ...], ...], ...]
    ids: Array

    def measured(self, last: Array, model: "EmbeddingModel", *, runs: Array) -> Array:
        """Return log p(other) − log p(country) (b,) for last states (b, d) at the mask; `runs` are their runs (b,)."""
        needed, columns = np.unique(self.ids, return_inverse=True)
        columns = columns.reshape(self.ids.shape)[runs % len(self.table)]
        logits = model.logits(model.transform(last), needed.tolist()).astype(np.float64)
        rows = np.arange(len(runs))
        return np.asarray(logits[rows, columns[:, 1]] - logits[rows, columns[:, 0]])


def capital_cases(sentence: str, model: "EmbeddingModel", *, capitals: int, others: int = 2, seed: int = 0) -> Cases:
    """Run a sentence with each of some capitals: unedited, edited, and with both controls.

    Capitals and other countries are drawn at random among those that are one token. Countries that need "the" and
    capitals with a second meaning are left out. Raises ValueError for a sentence without one {capital} and one mask,
    or with no other word, and for a model that knows fewer than four of the capitals.
    """
    if sentence.count(PLACE) != 1 or len(sentence) > MOST_CHARACTERS:
        raise ValueError(
            f"{quoted(sentence)} does not contain {PLACE} exactly once. Write {PLACE} where the name of each capital"
            " belongs, as in: {capital} is the capital of [MASK]."
        )
    within(capitals, MOST_CAPITALS, "capitals", least=4)
    within(others, MOST_OTHERS, "other countries")
    known = _known(model)
    if len(known) < 4:
        raise ValueError(
            f"This model knows {len(known)} of the capitals and their countries as single tokens, but at least 4 are"
            " needed. Choose another model."
        )
    rng = generator(seed)
    drawn = known.iloc[rng.permutation(len(known))[:capitals]]
    rows = []
    for capital, country in zip(drawn["capital"], drawn["country"], strict=True):
        possible = [each for each in known["country"].drop_duplicates() if each != country]
        for other in rng.choice(possible, min(others, len(possible)), replace=False):
            rows.append((capital, country, str(other)))
    table = pd.DataFrame(rows, columns=["capital", "country", "other"])
    frames = [model.tokenize(sentence.replace(PLACE, capital)) for capital in table["capital"]]
    mask = mask_position(frames[0], model, mask=1)
    position = _position(sentence, model)
    if len({len(frame) for frame in frames}) > 1 or any(
        frame["token"].iloc[position] != capital for frame, capital in zip(frames, table["capital"], strict=True)
    ):
        raise ValueError(f"{PLACE} is joined to other letters, so BERT reads another word. Put spaces around it.")
    ids = np.stack([frame["id"].to_numpy() for frame in frames])
    elsewhere = _other_word(frames[0], position, model)
    answers = np.array([[model.ids[row.country], model.ids[row.other]] for row in table.itertuples()])
    plain = model.matrix[ids]
    shift = model.matrix[answers[:, 1]] - model.matrix[answers[:, 0]]
    words = np.flatnonzero(model.whole_words)
    pairs = np.stack([rng.choice(words, 2, replace=False) for _ in range(len(table))])
    noise = unit(model.matrix[pairs[:, 0]] - model.matrix[pairs[:, 1]]) * np.linalg.norm(shift, axis=1, keepdims=True)
    runs = [plain]
    for place, change in ((position, shift), (position, noise), (elsewhere, shift)):
        edited = plain.copy()
        edited[:, place] += change
        runs.append(edited)
    roles = tuple(_roles(place, mask, ids.shape[1]) for place in (position, position, elsewhere))
    return Cases(table, _states(np.concatenate(runs), model), mask, roles, answers)


def _known(model: "EmbeddingModel") -> pd.DataFrame:
    """Return the capitals that are one token, as is their country; a cased model gets capital letters."""
    frame = wordlists.load("capitals").drop_duplicates("country")
    sentences = wordlists.load("cloze").query("suite == 'capitals_of'")
    plain = sentences[~sentences["sentence"].str.contains("the [MASK]", regex=False)]
    frame = frame[frame["country"].isin(plain["answer"])]
    if model.cased:
        frame = frame.assign(**{name: frame[name].str.capitalize() for name in ("capital", "country")})
    known = frame["capital"].isin(model.ids) & frame["country"].isin(model.ids)
    return frame.loc[known, ["capital", "country"]].reset_index(drop=True)


def _position(sentence: str, model: "EmbeddingModel") -> int:
    """Return the position of the capital: that of a mask in its place."""
    before = sentence[: sentence.index(PLACE)].count("[MASK]")
    masks = np.flatnonzero(model.tokenize(sentence.replace(PLACE, "[MASK]"))["id"] == model.mask_id)
    return int(masks[before])


def _other_word(frame: pd.DataFrame, position: int, model: "EmbeddingModel") -> int:
    """Return the position of the rarest other word of the sentence (the vocabulary is ordered by frequency)."""
    others = [(int(i), place) for place, i in enumerate(frame["id"]) if model.whole_words[int(i)] and place != position]
    if not others:
        raise ValueError("The sentence has no other word that can be edited as a control. Add a word.")
    return max(others)[1]


def _roles(edited: int, mask: int, tokens: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions of each role.

    >>> _roles(1, 4, 7)
    ((0,), (1,), (2, 3), (4,), (5, 6))
    """
    first, last = sorted((edited, mask))
    return (
        tuple(range(first)),
        (edited,),
        tuple(range(first + 1, last)),
        (mask,),
        tuple(range(last + 1, tokens)),
    )


def _states(inputs: Array, model: "EmbeddingModel") -> Array:
    """Return the hidden states (l + 1, b, t, d) of inputs (b, t, d), computed in batches."""
    size = max(1, model.BATCH_PIECES // inputs.shape[1])
    return np.concatenate([model.encode(inputs[i : i + size]) for i in range(0, len(inputs), size)], axis=1)
