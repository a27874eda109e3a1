"""How expected a word is in its sentence: the template log-probability score, and two sentences compared word by word.

A score is a property of the model and of the sentence chosen, not of the people a word stands for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS
from embtools.mask_filling.forward import mask_probabilities
from embtools.mask_filling.tables import divergence, top_union
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words.templates import SLOT, check_alone, check_pieces, count_pieces, fill, seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

OCCUPATION = "{occupation}"
MAX_TEMPLATES = 20
MAX_WORDS = 200
MAX_SENTENCE_WORDS = 40
MAX_PIECES = 40_000  # of all sentences of a run: a base model reads about a thousand a second


@dataclass(frozen=True)
class Masked:
    """A masked sentence: its ids (t,), the positions to read (m,), the ids of the pieces expected there (m,)."""

    ids: NDArray[np.int64]
    positions: list[int]
    targets: list[int]


def template_scores(
    templates: Sequence[str],
    occupations: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    model: "EmbeddingModel",
    *,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Template log-probability scores: occupation, template, first, second, score (in nats, second minus first).

    For a word of a group: log of P([MASK] = word | sentence) over P([MASK] = word | sentence with the occupation masked
    as well), so that a group word that is likely everywhere has no head start; a group's number is the mean of its
    words. Positive scores lean to the second group. Kurita, Vyas, Pareek, Black & Tsvetkov 2019 (arXiv:1906.07337),
    section 3. Raises ValueError for a template without {group} and {occupation} standing alone, for a group word of
    several pieces, for a group of more than MAX_WORDS, and for more than MAX_PIECES to read.
    """
    _check_templates(templates, occupations)
    if max(len(first), len(second)) > MAX_WORDS:
        raise ValueError(f"A group has {max(len(first), len(second))} words; use at most {MAX_WORDS}. Take some away.")
    targets = {side: [model.token_id(w) for w in words] for side, words in (("first", first), ("second", second))}
    if not all(targets.values()):
        raise ValueError("Both groups need at least one word. Write a word such as he in one and she in the other.")
    both = [*targets["first"], *targets["second"]]
    check_pieces(_pieces(templates, occupations, model), MAX_PIECES)
    rows: dict[str, Masked] = {}
    cases = []
    for occupation in occupations:
        masks = " ".join(["[MASK]"] * len(model.pieces(occupation)))
        for template in templates:
            known = fill(template, occupation, OCCUPATION).replace(SLOT, "[MASK]")
            prior = fill(template, masks, OCCUPATION, spelt=occupation).replace(SLOT, "[MASK]")
            group_first = template.index(SLOT) < template.index(OCCUPATION)
            for text in (known, prior):
                rows.setdefault(text, _masked(text, group_first, both, model))
            cases.append((occupation, template, known, prior))
    found = dict(zip(rows, log_probabilities(list(rows.values()), model, progress), strict=True))
    n = len(targets["first"])
    scores = np.stack([found[known] - found[prior] for _, _, known, prior in cases])
    a, b = scores[:, :n].mean(1), scores[:, n:].mean(1)
    return pd.DataFrame(
        {
            "occupation": [c[0] for c in cases],
            "template": [c[1] for c in cases],
            "first": a,
            "second": b,
            "score": b - a,
        }
    )


def effort(templates: Sequence[str], occupations: Sequence[str], model: "EmbeddingModel") -> float:
    """About how many seconds one core takes for `template_scores`; ValueError for templates as there."""
    _check_templates(templates, occupations)
    return seconds(_pieces(templates, occupations, model), model)


def summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores per occupation: occupation, score (mean over the templates), low, high (their range), sentences, agree.

    sentences is how many templates there are; agree, whether all of them have the same sign.

    The range and not an interval: a few hand-written templates are no sample of the language.
    """
    grouped = scores.groupby("occupation", sort=False)["score"]
    frame = grouped.agg(score="mean", low="min", high="max", sentences="size").reset_index()
    frame["agree"] = (frame["low"] > 0) | (frame["high"] < 0)
    return frame.sort_values("score", ignore_index=True)


def log_probabilities(rows: Sequence[Masked], model: "EmbeddingModel", progress: Progress = silent) -> list[Array]:
    """log P of the expected pieces of each masked sentence, (m,) each, in nats.

    `progress` is told 0 … 1 and may raise to stop.
    """
    from scipy.special import log_softmax

    found: dict[int, Array] = {}
    for numbers, states in model.encode_many([row.ids for row in rows], last_only=True):
        # A position that several pieces are expected at is read once: its logits are as many as the vocabulary.
        read = [(line, p) for line, number in enumerate(numbers) for p in sorted(set(rows[number].positions))]
        logits = model.logits(model.transform(states[0][tuple(zip(*read, strict=True))]))
        logs = log_softmax(logits.astype(np.float64), axis=-1)
        where = {place: n for n, place in enumerate(read)}
        for line, number in enumerate(numbers):
            row = rows[number]
            found[number] = logs[[where[line, p] for p in row.positions], row.targets]
        progress(len(found) / len(rows))
    return [found[number] for number in range(len(rows))]


def swapped_words(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """How expected each word is in two sentences that differ in a few: word, first, second (log P, nats), change.

    Every word that both share is masked as a whole, one at a time, and its log-probability read. The sum of `change`
    says which sentence the model expects more, after CrowS-Pairs (Nangia et al. 2020, arXiv:2010.00133). Raises
    ValueError when the sentences differ in their number of words, in nothing, or in every word.
    """
    frames = [model.tokenize(text) for text in (first, second)]
    words = [[g.to_numpy() for _, g in f[f["word"] >= 0].groupby("word")[["position", "id"]]] for f in frames]
    if len(words[0]) != len(words[1]):
        raise ValueError(
            f"The sentences have {len(words[0])} and {len(words[1])} words and signs. Exchange word for word only."
        )
    if len(words[0]) > MAX_SENTENCE_WORDS:
        raise ValueError(f"The sentence has {len(words[0])} words; at most {MAX_SENTENCE_WORDS} fit. Shorten it.")
    same = [n for n, (a, b) in enumerate(zip(*words, strict=True)) if list(a[:, 1]) == list(b[:, 1])]
    shared = [n for n in same if any(model.vocabulary[i][-1].isalnum() for i in words[0][n][:, 1])]
    if len(same) == len(words[0]):
        raise ValueError("Both sentences are the same. Exchange at least one word.")
    if not shared:
        raise ValueError("The sentences share no word, so nothing can be compared. Keep some words the same.")
    rows = []
    for frame, side in zip(frames, words, strict=True):
        for n in shared:
            ids = frame["id"].to_numpy().copy()
            positions = [int(p) for p in side[n][:, 0]]
            ids[positions] = model.mask_id
            rows.append(Masked(ids, positions, [int(i) for i in side[n][:, 1]]))
    logs = np.array([found.sum() for found in log_probabilities(rows, model)]).reshape(2, -1)
    pieces = [[model.vocabulary[i] for i in words[0][n][:, 1]] for n in shared]
    return pd.DataFrame(
        {
            "word": ["".join(p.removeprefix("##") for p in word) for word in pieces],
            "first": logs[0],
            "second": logs[1],
            "change": logs[1] - logs[0],
        }
    )


def swapped_answers(
    first: str, second: str, model: "EmbeddingModel", k: int = 5, *, leave_out: Sequence[str] = ()
) -> tuple[pd.DataFrame, float]:
    """The answers at the [MASK] of both sentences: frame of token, first, second, change; and their distance in bits.

    Words to leave out are skipped, the others keep their probability. Raises ValueError when a sentence has not exactly
    one [MASK].
    """
    within(k, MAX_ANSWERS, "answers")
    if first.count("[MASK]") != 1 or second.count("[MASK]") != 1:
        raise ValueError("Both sentences need exactly one [MASK]: the word that BERT is to guess.")
    found = {n: next(mask_probabilities(t, model))[0] for n, t in (("first", first), ("second", second))}
    frame = top_union(found, model, k, leave_out)
    frame["change"] = frame["second"] - frame["first"]
    return frame, divergence(found["first"], found["second"])


def scored(summary: pd.DataFrame) -> dict[str, float]:
    """The score of each word of a `summary`: word → nats."""
    return dict(zip(summary["occupation"], summary["score"].astype(float), strict=True))


def _pieces(templates: Sequence[str], occupations: Sequence[str], model: "EmbeddingModel") -> int:
    """How many pieces the sentences with each occupation, and with masks in its place, have together."""
    masked = [template.replace(SLOT, "[MASK]") for template in templates]
    unknown = {" ".join(["[MASK]"] * len(model.pieces(occupation))) for occupation in occupations}
    return count_pieces(masked, [*occupations, *unknown], OCCUPATION, model)


def _check_templates(templates: Sequence[str], occupations: Sequence[str]) -> None:
    if not 1 <= len(templates) <= MAX_TEMPLATES:
        raise ValueError(f"There are {len(templates)} templates; use 1 to {MAX_TEMPLATES}.")
    if not 1 <= len(occupations) <= MAX_WORDS:
        raise ValueError(f"There are {len(occupations)} words to score; use 1 to {MAX_WORDS}.")
    for template in templates:
        if template.count(SLOT) != 1 or template.count(OCCUPATION) != 1 or "[MASK]" in template:
            raise ValueError(
                f"{quoted(template, 80)} needs one {SLOT} and one {OCCUPATION}, and no [MASK]. Write it like"
                f" '{SLOT} is the {OCCUPATION}.'."
            )
        check_alone(template, SLOT)
        check_alone(template, OCCUPATION)


def _masked(text: str, group_first: bool, targets: list[int], model: "EmbeddingModel") -> Masked:
    ids = model.tokenize(text)["id"].to_numpy()
    masks = np.flatnonzero(ids == model.mask_id)
    at = int(masks[0] if group_first else masks[-1])
    return Masked(ids, [at] * len(targets), targets)
