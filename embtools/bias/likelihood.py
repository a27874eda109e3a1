"""Log-probability scores of words in templates, and the words of two sentences compared one by one.

A score is a property of the model and of the chosen sentence, not of the people a word stands for.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS, divergence, top_union
from embtools.mask_filling.forward import mask_probabilities
from embtools.mask_filling.likelihood import Masked, log_probabilities
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.words.templates import SLOT, check_alone, check_pieces, count_pieces, fill, seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

OCCUPATION = "{occupation}"
MAX_TEMPLATES = 20
MAX_WORDS = 200
MAX_SENTENCE_WORDS = 40
MAX_PIECES = 40_000  # tokens of all sentences of a run: a base model reads about a thousand per second


def template_scores(
    templates: Sequence[str],
    model: "EmbeddingModel",
    *,
    occupations: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    progress: Progress = silent,
) -> pd.DataFrame:
    """Template log-probability scores of occupations, in nats, with the mean over the words of a group (Kurita, Vyas,
    Pareek, Black & Tsvetkov 2019, arXiv:1906.07337, section 3).
    """
    _check_templates(templates, occupations)
    if max(len(first), len(second)) > MAX_WORDS:
        raise ValueError(f"A group has {max(len(first), len(second))} words; use at most {MAX_WORDS}. Remove some.")
    targets = {side: [model.token_id(w) for w in words] for side, words in (("first", first), ("second", second))}
    if not all(targets.values()):
        raise ValueError("Both groups need at least one word. For example, write he in one and she in the other.")
    both = [*targets["first"], *targets["second"]]
    check_pieces(_pieces(templates, occupations, model), MAX_PIECES)
    rows: dict[str, Masked] = {}
    cases = []
    for occupation in occupations:
        masks = " ".join(["[MASK]"] * len(model.pieces(occupation)))
        for template in templates:
            known = fill(template, occupation, OCCUPATION).replace(SLOT, "[MASK]")
            # The occupation is masked too, so that a group word that is likely everywhere has no advantage.
            prior = fill(template, masks, OCCUPATION, spelling=occupation).replace(SLOT, "[MASK]")
            group_first = template.index(SLOT) < template.index(OCCUPATION)
            for text in (known, prior):
                rows.setdefault(text, _masked(text, group_first, both, model))
            cases.append((occupation, template, known, prior))
    logs = dict(zip(rows, log_probabilities(list(rows.values()), model, progress=progress), strict=True))
    n = len(targets["first"])
    scores = np.stack([logs[known] - logs[prior] for _, _, known, prior in cases])
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


def effort(templates: Sequence[str], model: "EmbeddingModel", *, occupations: Sequence[str]) -> float:
    """About how many seconds one core takes for `template_scores`."""
    _check_templates(templates, occupations)
    return seconds(_pieces(templates, occupations, model), model)


def summary(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean score of each occupation over the templates, with its range: no confidence interval, because a few
    hand-written templates are not a sample of the language.
    """
    grouped = scores.groupby("occupation", sort=False)["score"]
    frame = grouped.agg(score="mean", lowest="min", highest="max", sentences="size").reset_index()
    frame["same_side"] = (frame["lowest"] > 0) | (frame["highest"] < 0)
    return frame.sort_values("score", ignore_index=True)


def swapped_words(first: str, second: str, model: "EmbeddingModel") -> pd.DataFrame:
    """Log probabilities of the words that two sentences share, each masked as a whole, one at a time (after
    CrowS-Pairs, Nangia et al. 2020, arXiv:2010.00133).
    """
    frames = [model.tokenize(text) for text in (first, second)]
    words = [[g.to_numpy() for _, g in f[f["word"] >= 0].groupby("word")[["position", "id"]]] for f in frames]
    if len(words[0]) != len(words[1]):
        raise ValueError(
            f"The sentences have {len(words[0])} and {len(words[1])} words and punctuation marks. Replace word by word,"
            " so that both have the same number."
        )
    if len(words[0]) > MAX_SENTENCE_WORDS:
        raise ValueError(
            f"The sentence has {len(words[0])} words, but at most {MAX_SENTENCE_WORDS} can be read. Shorten it."
        )
    same = [n for n, (a, b) in enumerate(zip(*words, strict=True)) if list(a[:, 1]) == list(b[:, 1])]
    shared = [n for n in same if any(model.vocabulary[i][-1].isalnum() for i in words[0][n][:, 1])]
    if len(same) == len(words[0]):
        raise ValueError("Both sentences are the same. Replace at least one word.")
    if not shared:
        raise ValueError("The sentences share no word, so nothing can be compared. Keep some words the same.")
    rows = []
    for frame, side in zip(frames, words, strict=True):
        for n in shared:
            ids = frame["id"].to_numpy().copy()
            positions = [int(p) for p in side[n][:, 0]]
            ids[positions] = model.mask_id
            rows.append(Masked(ids, positions, [int(i) for i in side[n][:, 1]]))
    logs = np.array([values.sum() for values in log_probabilities(rows, model)]).reshape(2, -1)
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
    first: str, second: str, model: "EmbeddingModel", *, k: int = 5, leave_out: Sequence[str] = ()
) -> tuple[pd.DataFrame, float]:
    """Answers at the [MASK] of two sentences, and their distance."""
    within(k, MAX_ANSWERS, "answers")
    if first.count("[MASK]") != 1 or second.count("[MASK]") != 1:
        raise ValueError("Both sentences need exactly one [MASK] for the word that BERT should predict.")
    answers = {n: next(mask_probabilities(t, model))[0] for n, t in (("first", first), ("second", second))}
    frame = top_union(answers, model, k=k, leave_out=leave_out)
    frame["change"] = frame["second"] - frame["first"]
    return frame, divergence(answers["first"], answers["second"])


def scored(summary: pd.DataFrame) -> dict[str, float]:
    """The score of each occupation in a `summary`: word → nats."""
    return dict(zip(summary["occupation"], summary["score"].astype(float), strict=True))


def _pieces(templates: Sequence[str], occupations: Sequence[str], model: "EmbeddingModel") -> int:
    """Total number of tokens of the sentences with each occupation, and with masks instead of it."""
    masked = [template.replace(SLOT, "[MASK]") for template in templates]
    unknown = {" ".join(["[MASK]"] * len(model.pieces(occupation))) for occupation in occupations}
    return count_pieces(masked, model, words=[*occupations, *unknown], slot=OCCUPATION)


def _check_templates(templates: Sequence[str], occupations: Sequence[str]) -> None:
    if not 1 <= len(templates) <= MAX_TEMPLATES:
        raise ValueError(f"There are {len(templates)} templates; use 1 to {MAX_TEMPLATES}.")
    if not 1 <= len(occupations) <= MAX_WORDS:
        raise ValueError(f"There are {len(occupations):,} words to score; use 1 to {MAX_WORDS}.")
    for template in templates:
        if template.count(SLOT) != 1 or template.count(OCCUPATION) != 1 or "[MASK]" in template:
            raise ValueError(
                f"{quoted(template, 80)} needs one {SLOT} and one {OCCUPATION}, and no [MASK]. For example:"
                f" {SLOT} is the {OCCUPATION}."
            )
        check_alone(template, SLOT)
        check_alone(template, OCCUPATION)


def _masked(text: str, group_first: bool, targets: list[int], model: "EmbeddingModel") -> Masked:
    ids = model.tokenize(text)["id"].to_numpy()
    masks = np.flatnonzero(ids == model.mask_id)
    at = int(masks[0] if group_first else masks[-1])
    return Masked(ids, [at] * len(targets), targets)
