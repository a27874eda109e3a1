"""Cases of an edit that are drawn: their runs, the roles of their positions, and the answers that are compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.limits import within
from embtools.mask_filling.cases import A, Pair, case_patch, case_tokens, plan, read_edit, read_sentences
from embtools.mask_filling.edits import Change, check_strength
from embtools.mask_filling.pairs import Pairs
from embtools.mask_filling.relations import EDIT as FORMULA
from embtools.mask_filling.relations import as_value, pairs_of
from embtools.messages import quoted
from embtools.vectors import Array, unit
from embtools.written import Listed

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

EDIT, RANDOM, OTHER = CONDITIONS = "edit", "random difference", "another word edited"
BEFORE, EDITED, BETWEEN, MASK, AFTER = ROLES = "words before", "edited word", "words between", "[MASK]", "words after"
SENTENCE = "{a} is the capital of [MASK]."
MOST_CHARACTERS = 300
LEAST_PAIRS, MOST_PAIRS, MOST_OTHERS = 4, 60, 5


@dataclass(frozen=True)
class DrawnCases(Listed):
    """An edit that is traced over pairs (a, b), which are drawn at random, and other words c.

    >>> DrawnCases("capital", "{a} = {a} + {c}", count=4).code
    "DrawnCases('capital', edit='{a} = {a} + {c}', count=4)"

    Attributes
    ----------
    pairs : tuple of (str, str) or str
        Pairs (a, b), such as capitals with their countries; a frame with the columns a and b, or any sequence, becomes
        a tuple. A text is the key of a built-in relation, such as "capital".
    edit : str
        An edit with placeholders, such as "{a} = {a} - {b} + {c}".
    sentence : str
        A sentence with {a} and one mask.
    count : int
        Number of words a, drawn at random: 4 to `MOST_PAIRS`, or all that the model knows.
    others : int
        Number of words c for each pair, drawn at random from the words b.
    strength : float
        Strength of the edit, −1 … 2.
    first : int or None
        Trace only the first cases, at least `LEAST_CASES`; None traces all.
    seed : int
        Seed of the draws and of the intervals.
    """

    by_position = 1

    pairs: "Pairs | str"
    edit: str = FORMULA
    sentence: str = SENTENCE
    count: int = 8
    others: int = 1
    strength: float = 1.0
    first: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "pairs", as_value(self.pairs))

    @property
    def subject(self) -> str:
        """What the cases are about."""
        return self.sentence


@dataclass(frozen=True)
class CaseRuns:
    """The runs of n cases, which all have t tokens.

    table     a, b, c, half: one row per case; cases of different halves share no word a and no word c
    inputs    word embeddings (4n, t, d): first all unedited runs, then those of each condition
    mask      the position of the mask
    roles     for each condition, the positions of each role of `ROLES`, around the word that is edited
    ids       (n, 2) token ids of b and c
    excluded  pairs that cannot be tested: a, b, reason
    """

    table: pd.DataFrame
    inputs: Array
    mask: int
    roles: tuple[tuple[tuple[int, ...], ...], ...]
    ids: Array
    excluded: pd.DataFrame

    def part(self, start: int, stop: int) -> "CaseRuns":
        """The cases of these numbers, without the pairs that are left out."""
        n, rows = len(self.table), np.arange(start, min(stop, len(self.table)))
        inputs = self.inputs[np.concatenate([rows + run * n for run in range(len(CONDITIONS) + 1)])]
        table = self.table.iloc[rows].reset_index(drop=True)
        return CaseRuns(table, inputs, self.mask, self.roles, self.ids[rows], self.excluded.iloc[:0])

    def measured(self, last: Array, model: "EmbeddingModel", *, runs: Array) -> Array:
        """Return log p(c) − log p(b) (n,) for last states (n, d) at the mask; `runs` are their runs (n,)."""
        needed, columns = np.unique(self.ids, return_inverse=True)
        columns = columns.reshape(self.ids.shape)[runs % len(self.table)]
        logits = model.logits(model.transform(last), needed.tolist()).astype(np.float64)
        rows = np.arange(len(runs))
        return np.asarray(logits[rows, columns[:, 1]] - logits[rows, columns[:, 0]])


def edited_cases(cases: DrawnCases, model: "EmbeddingModel") -> CaseRuns:
    """Fill the sentence for each case of an edit: unedited, edited, and with both controls; the halves alternate."""
    (text,) = read_sentences((cases.sentence,))
    if text.count(A) != 1 or len(text) > MOST_CHARACTERS:
        raise ValueError(f"{quoted(text)} does not contain {A} exactly once. Write {A} where the changed word belongs.")
    within(cases.count, MOST_PAIRS, "pairs", least=LEAST_PAIRS)
    within(cases.others, MOST_OTHERS, "other words")
    change = Change((), "input", check_strength(cases.strength))
    formula = read_edit(cases.edit)
    planned = plan(pairs_of(cases.pairs), model)
    chosen = _drawn(planned.pairs, cases.count, cases.others, generator(cases.seed))
    if (known := len({pair.a_id for pair in planned.pairs})) < LEAST_PAIRS:
        raise ValueError(
            f"This model knows {known} of the pairs as single tokens, but at least {LEAST_PAIRS} are needed, with"
            " different words a, and several words b. Add pairs, or choose another model."
        )
    if min(sum(half == part for _, _, half in chosen) for part in (1, 2)) < LEAST_PAIRS // 2:
        raise ValueError(
            "The pairs and their words b are divided into two halves, and one half has fewer than two pairs that can be"
            " tested. Add pairs with other words b."
        )
    # The pairs and the words c are divided into halves first: a pair gets words c of its own half.
    drawn = _alternating([(pair, c, half) for pair, new, half in chosen for c in new])
    rows = [case_tokens(pair, model, template=text) for pair, _, _ in drawn]
    (mask,), position = rows[0][1], _position(text, model)
    if len({len(ids) for ids, _ in rows}) > 1 or any(
        ids[position] != pair.a_id for (ids, _), (pair, _, _) in zip(rows, drawn, strict=True)
    ):
        raise ValueError(f"{A} is joined to other letters, so BERT reads another word. Put spaces around it.")
    ids = np.stack([ids for ids, _ in rows])
    patches = [case_patch(pair, model, formula=formula, c_id=c[1], change=change)[0] for pair, c, _ in drawn]
    edited = np.stack([patch.vectors[pair.a_id] for patch, (pair, _, _) in zip(patches, drawn, strict=True)])
    runs, elsewhere = _inputs(ids, edited, position, model, generator(cases.seed, 1))
    return CaseRuns(
        pd.DataFrame([(pair.a, pair.b, c[0], half) for pair, c, half in drawn], columns=["a", "b", "c", "half"]),
        runs,
        mask,
        tuple(_roles(p, mask, ids.shape[1]) for p in (position, position, elsewhere)),
        np.array([[pair.b_id, c[1]] for pair, c, _ in drawn]),
        pd.DataFrame(planned.excluded, columns=["a", "b", "reason"]),
    )


def _alternating(cases: list[tuple[Pair, tuple[str, int], int]]) -> list[tuple[Pair, tuple[str, int], int]]:
    """Return the cases of both halves in turn, so that the first ones already have both."""
    order, seen = [], {1: 0, 2: 0}
    for _, _, half in cases:
        order.append((seen[half], half))
        seen[half] += 1
    return [cases[i] for i in sorted(range(len(cases)), key=order.__getitem__)]


def _drawn(
    pairs: Sequence[Pair], count: int, others: int, random: np.random.Generator
) -> list[tuple[Pair, list[tuple[str, int]], int]]:
    """Draw pairs with words c and their half, 1 or 2. A word a, and a word c, is in one of the halves only."""
    words = list(dict.fromkeys(pair.a_id for pair in pairs))
    new = list(dict.fromkeys(c for pair in pairs for c in pair.others))
    kept = {words[i] for i in random.permutation(len(words))[:count]}
    half_of_a = dict(zip((word for word in words if word in kept), _halves(len(kept), random), strict=True))
    half_of_c = dict(zip(new, _halves(len(new), random), strict=True))
    found = []
    for pair in pairs:
        if pair.a_id in kept:
            half = half_of_a.pop(pair.a_id, 0)  # a word with several answers b is tested with the first
            if half and all(half_of_c[c] != half for c in pair.others):
                half = 3 - half  # all its words c are in the other half
            possible = [c for c in pair.others if half_of_c[c] == half]
            drawn = [possible[i] for i in random.permutation(len(possible))[:others]]
            if drawn:
                found.append((pair, drawn, half))
    return found


def _halves(count: int, random: np.random.Generator) -> list[int]:
    """Divide numbers at random: return 1 or 2 for each."""
    return (random.permutation(count) % 2 + 1).tolist()


def _inputs(
    ids: Array, edited: Array, position: int, model: "EmbeddingModel", random: np.random.Generator
) -> tuple[Array, int]:
    """Return the embeddings (4n, t, d) of all runs, and the position of the other word that is edited as a control."""
    plain = model.matrix[ids]
    elsewhere = _other_word(ids[0], position, model)
    shift = edited - plain[:, position]
    words = np.flatnonzero(model.whole_words)
    pairs = np.stack([random.choice(words, 2, replace=False) for _ in range(len(ids))])
    noise = unit(model.matrix[pairs[:, 0]] - model.matrix[pairs[:, 1]]) * np.linalg.norm(shift, axis=1, keepdims=True)
    runs = [plain]
    for p, change in ((position, shift), (position, noise), (elsewhere, shift)):
        changed = plain.copy()
        changed[:, p] += change
        runs.append(changed)
    return np.concatenate(runs), elsewhere


def _position(sentence: str, model: "EmbeddingModel") -> int:
    """Return the position of {a}: that of a mask in its place."""
    before = sentence[: sentence.index(A)].count("[MASK]")
    masks = np.flatnonzero(model.tokenize(sentence.replace(A, "[MASK]"))["id"] == model.mask_id)
    return int(masks[before])


def _other_word(ids: Array, position: int, model: "EmbeddingModel") -> int:
    """Return the position of the rarest other word of the sentence (the vocabulary is ordered by frequency)."""
    others = [(int(i), p) for p, i in enumerate(ids) if model.whole_words[int(i)] and p != position]
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


def states_of(cases: CaseRuns, model: "EmbeddingModel") -> Array:
    """Return the hidden states (l + 1, 4n, t, d) of all runs, computed in batches."""
    inputs = cases.inputs
    size = max(1, model.BATCH_PIECES // inputs.shape[1])
    return np.concatenate([model.encode(inputs[i : i + size]) for i in range(0, len(inputs), size)], axis=1)
