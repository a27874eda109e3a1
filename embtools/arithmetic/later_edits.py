"""Edits in later layers: the answers when an edit's difference is added after each layer of the network.

At layer 0, the difference is that of the static embeddings, as everywhere on this page. After a later layer, a word has
a vector only within a sentence. The difference is then that of the words' hidden states at that layer, averaged over
some template sentences. It is added to the word's own hidden state, and the remaining layers continue from there.
"Operations on contextual word embeddings" asks whether arithmetic holds for such vectors; adding a direction to hidden
states is known as activation addition (Turner et al. 2023).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.chance import generator
from embtools.formula import expression
from embtools.formula.expression import Equation
from embtools.limits import enough
from embtools.mask_filling.answers import answer_ids, best_answer
from embtools.mask_filling.controls import OTHER_EDITED, RANDOM, Control, controls
from embtools.mask_filling.edits import Change, Patch, by_target, moved, resolve
from embtools.mask_filling.forward import mask_position, probabilities
from embtools.mask_filling.typed_input import normalise_masks
from embtools.messages import counted, listed, mentioned
from embtools.models.last_states import last_states
from embtools.models.patching import with_rows
from embtools.progress import Progress, part, silent
from embtools.statistics.percentages import percent
from embtools.vectors import Array
from embtools.words.templates import sentences

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

WHOLE = "the whole formula"
TEMPLATES = (
    "We talked about {word} for a long time.",
    "This is a story about {word}.",
    "I often think of {word}.",
    "Nobody knew much about {word} then.",
    "The word on the board was {word}.",
)
MAX_TEMPLATES = 20
_READING = 0.5  # share of the work for reading the templates


@dataclass(frozen=True)
class _Row:
    """One run: its name, the shift (d,) of each word that it changes, by token id, and what it changes after "if"."""

    name: str
    shifts: Mapping[int, Array]
    clause: str = ""


@dataclass(frozen=True)
class EditsByLayer:
    """An edit and its controls after each layer.

    frame  frame of `layer_edits`
    word   the word whose probability it holds
    """

    frame: pd.DataFrame
    word: str

    @property
    def sentence(self) -> str:
        """After which layers the edit makes the word the top answer: see `sentence`."""
        return sentence(self.frame, self.word)

    @cached_property
    def lines(self) -> pd.DataFrame:
        """The runs by layer: see `summary`."""
        return summary(self.frame)

    @property
    def before(self) -> float:
        """The probability of the word without an edit."""
        return float(self.frame["probability"].iloc[0])


def edits_by_layer(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    word: str,
    templates: Sequence[str] = TEMPLATES,
    mask: int = 1,
    temperature: float = 1.0,
    draws: int = 3,
    progress: Progress = silent,
) -> EditsByLayer:
    """Add an edit and its controls after each layer, with a sentence about the result.

    Parameters
    ----------
    text : str
        A text with a mask.
    model : EmbeddingModel
    change : Change
        The edits, from `Change.of`.
    word : str
        The word whose probability is returned.
    templates : sequence of str, optional
        Sentences with {word}; in each layer, the vector of a word is its mean over them.
    mask : int, default 1
        Number of the mask, from 1.
    temperature : float, default 1.0
        Divides the scores before the softmax.
    draws : int, default 3
        Number of runs of each control that chooses words at random.
    progress : callable, optional

    Returns
    -------
    EditsByLayer
        All runs, with their summary by layer.

    Raises
    ------
    ValueError
        Without an edit, for no or too many templates, a template without {word} as a separate word, a word that is not
        one token, draws out of range, a mask that does not exist, and as `fill_mask` does.
    """
    frame = layer_edits(
        text,
        model,
        change=change,
        word=word,
        templates=templates,
        mask=mask,
        temperature=temperature,
        draws=draws,
        progress=progress,
    )
    return EditsByLayer(frame, model.vocabulary[answer_ids([word], model)[0]])


def layer_edits(
    text: str,
    model: "EmbeddingModel",
    *,
    change: Change,
    word: str,
    templates: Sequence[str] = TEMPLATES,
    mask: int = 1,
    temperature: float = 1.0,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Add an edit and its controls after each layer, and return the top answer and the probability of a word."""
    if not change.edits:
        raise ValueError("There is no edit. Write one, such as rome = rome - italy + france.")
    if not 1 <= len(templates) <= MAX_TEMPLATES:
        raise ValueError(
            f"There are {len(templates)} sentences for the words' vectors; write 1 to {MAX_TEMPLATES}, one per line."
        )
    # A hidden state has no output score.
    change = replace(change, scope="input")
    frame = model.tokenize(normalise_masks(text))
    ids, segments = frame["id"].to_numpy(), frame["segment"].to_numpy()
    resolve(change, model).check_present(ids, model)
    mask_index, (word_id,) = mask_position(frame, model, mask=mask), answer_ids([word], model)
    runs = controls(text, model, change=change, draws=draws, seed=seed)
    pairs = _random_pairs(model, draws, seed)
    written = {w for run in runs for e in run.edits for w in (e.target, *expression.words(e.expression))}
    named = {w for e in change.edits for w in (e.target, *expression.words(e.expression))}
    others = {model.vocabulary[i] for run in runs if run.name == OTHER_EDITED for i in run.patch.vectors}
    normalised = str if model.cased else str.lower  # as the tokens are
    vectors = contextual(
        sorted({normalised(w) for w in written | named} | {w for pair in pairs for w in pair}),
        model,
        templates=templates,
        progress=part(progress, 0.0, _READING),
    )
    original = model.encode(model.matrix[ids][None], segments)  # (l + 1, 1, t, d)

    def answers(states: Array) -> tuple[list[str], Array]:
        scores = probabilities(model.logits(model.transform(states)), temperature=temperature)
        return [model.vocabulary[i] for i in best_answer(scores, model)], scores[:, word_id]

    (first,), start = answers(original[-1][:, mask_index])
    rows = [(-1, "original", "", first, float(start[0]))]
    for layer in range(model.layers + 1):

        def at_layer(name: str, layer: int = layer) -> Array:
            return model.vector(name).astype(np.float64) if layer == 0 else vectors[normalised(name)][layer]

        moves = _rows(change, [run for run in runs if run.edits], others, pairs, at_layer, model)
        patches = [_patch(row, change, model) for row in moves]
        if layer == 0:
            inputs = np.stack([p.embed(ids, model) for p in patches])
            states = last_states(inputs, model, at=[mask_index], segments=segments)[:, 0]
        else:
            batch = np.repeat(original[layer], len(moves), axis=0)
            for line, row, patch in zip(batch, moves, patches, strict=True):
                for target, shift in row.shifts.items():
                    for position in patch.occurrences(target, ids, model):
                        line[position] = moved(line[position], shift, change)
            states = with_rows(batch, model, layer=layer, positions=[mask_index])[:, 0]
        tops, values = answers(states)
        rows += [(layer, row.name, row.clause, a, float(p)) for row, a, p in zip(moves, tops, values, strict=True)]
        progress(_READING + (1 - _READING) * (layer + 1) / (model.layers + 1))
    return pd.DataFrame(rows, columns=["layer", "run", "clause", "answer", "probability"])


def contextual(
    words: Sequence[str], model: "EmbeddingModel", *, templates: Sequence[str], progress: Progress = silent
) -> dict[str, Array]:
    """Return the hidden states (l + 1, d) of words at every layer, averaged over their tokens and the templates."""
    total = {word: np.zeros((model.layers + 1, model.dimensions)) for word in words}
    for done, template in enumerate(templates, start=1):
        texts, spans = sentences(template, model, words=words, layer=0)
        for number, states in model.hidden_states_many(texts):
            total[words[number]] += states[:, spans[number]].mean(axis=1) / len(templates)
        progress(done / len(templates))
    return total


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Summarise `layer_edits` per layer and run: layer, run, draws, probability (mean), lowest, highest, and changed,
    the share of runs whose top answer is not that of the sentence without an edit."""
    enough(frame, "runs")
    before = frame.loc[frame["layer"] == -1, "answer"].iloc[0]
    runs = frame[frame["layer"] >= 0]
    grouped = runs.assign(changed=runs["answer"] != before).groupby(["layer", "run"], sort=False)
    result = grouped.agg(
        draws=("answer", "size"),
        probability=("probability", "mean"),
        lowest=("probability", "min"),
        highest=("probability", "max"),
        changed=("changed", "mean"),
    )
    return result.reset_index()


def sentence(frame: pd.DataFrame, word: str) -> str:
    """State after which layers the edit makes `word` the top answer, and the strongest run of a control there."""
    runs = frame[frame["layer"] >= 0]
    hits = runs[runs["answer"] == word]
    layers = sorted(int(i) for i in hits.loc[hits["run"] == WHOLE, "layer"])
    named = mentioned(word)
    if not layers:
        return f"The difference does not make {named} the top answer, whichever layer it is added after."
    where = f"any of layers {_listed(layers)}" if len(layers) > 1 else f"layer {_listed(layers)}"
    if word == frame.loc[frame["layer"] == -1, "answer"].iloc[0]:
        return f"If the difference is added after {where}, {named} stays the top answer."
    text = f"If the difference is added after {where}, {named} becomes the top answer."
    there = runs[(runs["run"] != WHOLE) & runs["layer"].isin(layers)]
    best = there.loc[there["probability"].idxmax()]
    count = f"the strongest of {counted(len(there), 'control run')}" if len(there) > 1 else "1 control run"
    share = percent(best["probability"])
    change = f"{best['clause']} after layer {best['layer']}" if len(layers) > 1 else best["clause"]
    if best["answer"] == word:
        return f"{text} If {change}, BERT answers {named} too ({share}, {count} there)."
    matching = there[there["answer"] == word]
    start = "No control does this there:"
    if len(matching):
        start = f"In {counted(len(matching), 'control run')} there, BERT answers {named} too, but weakly:"
    return f"{text} {start} {count} gives it {share} (if {change})."


def _listed(layers: list[int]) -> str:
    """Format layer numbers, with consecutive ones as a range.

    >>> _listed([0, 1, 2, 4])
    '0 to 2 and 4'
    """
    groups: list[list[int]] = []
    for layer in layers:
        if groups and layer == groups[-1][-1] + 1:
            groups[-1].append(layer)
        else:
            groups.append([layer])
    return listed(str(g[0]) if len(g) == 1 else f"{g[0]} to {g[-1]}" for g in groups)


def _random_pairs(model: "EmbeddingModel", draws: int, seed: int) -> list[tuple[str, str]]:
    """Draw pairs of whole words that are one token when they are written into a sentence."""
    random = generator(seed)
    order = (model.vocabulary[int(i)] for i in random.permutation(np.flatnonzero(model.whole_words)))
    words = (word for word in order if model.pieces(word) == (word,))
    return list(zip(islice(words, draws), islice(words, draws), strict=True))


def _rows(
    change: Change,
    edited: Sequence[Control],
    others: set[str],
    pairs: Sequence[tuple[str, str]],
    at_layer: Callable[[str], Array],
    model: "EmbeddingModel",
) -> list[_Row]:
    """Compute the shifts of every run from the vectors of words at one layer."""

    def shifts(edits: Sequence[Equation]) -> dict[int, Array]:
        return {
            target: expression.value(edit.expression, at_layer) - at_layer(edit.target)
            for target, edit in by_target(edits, model).items()
        }

    whole = shifts(change.edits)
    rows = [_Row(WHOLE, whole), *(_Row(run.name, shifts(run.edits), run.clause) for run in edited)]
    total = np.sum(list(whole.values()), axis=0)
    changed = "is changed by the same difference"
    rows += [_Row(OTHER_EDITED, {model.ids[other]: total}, f"{other} {changed}") for other in sorted(others)]
    for first, second in pairs:
        direction = at_layer(first) - at_layer(second)
        length = max(float(np.linalg.norm(direction)), 1e-12)
        clause = f"the random difference {first} - {second} is added"
        rows.append(_Row(RANDOM, {t: direction * (np.linalg.norm(s) / length) for t, s in whole.items()}, clause))
    return rows


def _patch(row: _Row, change: Change, model: "EmbeddingModel") -> Patch:
    vectors = {t: moved(model.matrix[t], shift, change) for t, shift in row.shifts.items()}
    return Patch(vectors, () if row.name == OTHER_EDITED else change.positions)  # another word is changed everywhere
