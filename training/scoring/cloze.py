"""Scores on sentences with one [MASK]: the list `cloze`, and capitals in given templates."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.mask_filling.forward import mask_logits, probabilities
from embtools.messages import quoted
from training.scoring.calibration import calibration
from training.scoring.measures import COLUMNS, row, spellings

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


def cloze_answers(model: "EmbeddingModel", frame: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the list `cloze`, or a frame like it, with the model's top answer (`first`), its probability
    (`confidence`), whether it (`top1`) or one of five (`top5`) is right, and the `probability` of the right ones.
    """
    frame = wordlists.load("cloze") if frame is None else frame
    known = [[w for a in answers.split("|") for w in spellings(a, model)] for answers in frame["answer"]]
    frame = frame.assign(known=known)[[bool(words) for words in known]].reset_index(drop=True)
    rows = []
    for sentence, words in zip(frame["sentence"], frame.pop("known"), strict=True):
        scores = mask_logits(sentence, model)[0, 0]
        chances = probabilities(scores)
        scores[~model.rankable] = -np.inf
        right = [model.ids[w] for w in words]
        best = np.argsort(-scores, kind="stable")[:5]
        rows.append(
            (
                model.vocabulary[best[0]],
                float(chances[best[0]]),
                float(best[0] in right),
                float(bool(set(best) & set(right))),
                float(chances[right].sum()),
            )
        )
    return frame.join(pd.DataFrame(rows, columns=["first", "confidence", "top1", "top5", "probability"]))


def cloze(model: "EmbeddingModel") -> pd.DataFrame:
    """Return the score rows of the cloze suites: top answer, top five and calibration; intervals over right answers."""
    frame = cloze_answers(model)
    frame["key"] = frame["answer"].str.split("|").str[0]
    capitals = frame[frame["suite"].isin(["capitals_of", "capitals_is"])]
    parts = [("capital → country, two templates", capitals)]
    parts += [(str(name), part) for name, part in frame.groupby("suite", sort=False)]
    parts += [("all but capitals", frame.drop(capitals.index)), ("all sentences", frame)]
    table = _shares("cloze: ", parts, "key")
    if frame.empty:
        return table
    rows = calibration("cloze, all sentences", frame["confidence"], frame["top1"], frame["key"])
    return pd.concat([table, pd.DataFrame(rows, columns=COLUMNS)], ignore_index=True)


def capitals(model: "EmbeddingModel", templates: Sequence[str]) -> pd.DataFrame:
    """Return the score rows of capital → country in templates with {capital} and [MASK], which becomes "the [MASK]"
    where needed, for each and for all; intervals over countries.
    """
    frame = _country_answers(model, templates)
    parts = [(str(name), part) for name, part in frame.groupby("suite", sort=False)]
    parts += [("all these templates", frame)] if len(templates) > 1 else []
    return _shares("capital → country, ", parts, "answer")


def locations(model: "EmbeddingModel") -> pd.DataFrame:
    """Return the score rows of capital → country in the list `locations`, whose wordings are never used in training."""
    templates = list(wordlists.load("locations")["template"])
    frame = _country_answers(model, templates)
    return _shares("cloze: ", [(f"capital → country, {len(templates)} held-out wordings", frame)], "answer")


def _country_answers(model: "EmbeddingModel", templates: Sequence[str]) -> pd.DataFrame:
    """Return the answers (as `cloze_answers`) for each template, filled with each capital of the list `cloze`."""
    cities = wordlists.load("cloze").query("suite == 'capitals_of'")
    rows = []
    for template in templates:
        if template.count("[MASK]") != 1 or "{capital}" not in template:
            raise ValueError(f"The template {quoted(template, 80)} must contain {{capital}} and one [MASK].")
        for sentence, answer in zip(cities["sentence"], cities["answer"], strict=True):
            city, _, country = sentence.partition(" is the capital of ")
            blank = country.removesuffix(".")
            if template.startswith("[MASK]"):
                blank = blank[0].upper() + blank[1:]
            filled = template.replace("[MASK]", blank).replace("{capital}", city)
            rows.append({"suite": template, "sentence": filled, "answer": answer})
    return cloze_answers(model, pd.DataFrame(rows, columns=["suite", "sentence", "answer"]))


def _shares(what: str, parts: Sequence[tuple[str, pd.DataFrame]], key: str) -> pd.DataFrame:
    """Return score rows for each part: how often the top answer and one of the top five are right."""
    table = [
        row(f"{what}{name}, {label}", part[column], part[key])
        for name, part in parts
        for column, label in (("top1", "first answer"), ("top5", "top five"))
        if len(part)
    ]
    return pd.DataFrame(table, columns=COLUMNS)
