"""All measures of a model in one table, as Markdown, and in the short form of the app's first page."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from embtools.models.embedding_model import EmbeddingModel
from embtools.scoring.capital_edits import edits
from embtools.scoring.cloze import capitals, cloze, locations
from embtools.scoring.passages import held_out, middles, pairs
from embtools.scoring.pronouns import pronouns
from embtools.scoring.running_text import masked_words, next_sentence
from embtools.scoring.suites import analogies, associations, senses

SHORT = {
    "masked words: pairs up to 128 pieces": "masked word, first answer",
    "next sentence: passages up to 128 pieces": "next sentence",
    "cloze: capital → country, two templates, first answer": "capital → country, first answer",
    "cloze: capital → country, two templates, top five": "capital → country, top five",
    "cloze: facts, top five": "simple facts, top five",
    "edit: edit": "capital − country + other turns the answer",
    "edit: other country only added": "control: other country only added",
    "edit: random difference": "control: random difference",
}
"""The measures that the app's first page shows, and under which name."""


def evaluate(
    model: EmbeddingModel,
    files: Sequence[tuple[Path, float]] = (),
    count: int = 1000,
    templates: Sequence[str] = (),
) -> pd.DataFrame:
    """All measures of a model in one table: measure, value, low, high, n, unit.

    `files` are texts with their shares, of which `count` held-out passages are read, `templates` sentences with
    {capital} and [MASK]. Raises ValueError for a text or a template that cannot be used.
    """
    parts = [capitals(model, templates)] if templates else []
    if files:
        sources = held_out(files, count)
        passages = list(pairs(sources, model, 128))
        parts.append(masked_words([*passages, *middles(sources, model)], model))
        if model.has_next_sentence:
            parts.append(next_sentence(passages, model, "passages up to 128 pieces"))
            single = list(pairs(sources, model, 64, single=True, seed=1))
            parts.append(next_sentence(single, model, "two single sentences"))
    parts += [suite(model) for suite in (cloze, locations, edits, analogies, senses, pronouns, associations)]
    return pd.concat(parts, ignore_index=True)


def markdown(table: pd.DataFrame) -> str:
    """The table as Markdown, for a model card; a value without an interval has none there."""
    lines = ["| measure | value | 95% interval | n |", "|---|---|---|---|"]
    for r in table.itertuples():
        interval = "" if pd.isna(r.low) else f"{r.low:.3f} … {r.high:.3f}"
        lines.append(
            f"| {r.measure}{'' if r.unit == 'share' else f' ({r.unit})'} | {r.value:.3f} | {interval} | {r.n:,} |"
        )
    return "\n".join(lines)


def short(table: pd.DataFrame) -> list[dict[str, object]]:
    """The few measures for the app's first page: measure, value, low, high, n; rounded."""
    chosen = table[table["measure"].isin(SHORT)].assign(measure=lambda t: t["measure"].map(SHORT))
    return chosen.drop(columns="unit").round(4).to_dict("records")
