"""The table of all scores of a model, and its Markdown form."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from embtools.models.embedding_model import EmbeddingModel
from training.scoring.capital_edits import edits
from training.scoring.cloze import capitals, cloze, locations
from training.scoring.passages import held_out, middles, pairs
from training.scoring.pronouns import pronouns
from training.scoring.running_text import masked_words, next_sentence
from training.scoring.suites import analogies, associations, senses


def evaluate(
    model: EmbeddingModel,
    files: Sequence[tuple[Path, float]] = (),
    count: int = 1000,
    templates: Sequence[str] = (),
) -> pd.DataFrame:
    """Return all scores of a model in one table, with `count` held-out passages of `files` (by their shares), and with
    `templates` that have {capital} and [MASK].
    """
    parts = [capitals(model, templates)] if templates else []
    if files:
        sources = held_out(files, count)
        passages = list(pairs(sources, model, 128))
        parts.append(masked_words([*passages, *middles(sources, model)], model))
        if model.has_next_sentence:
            parts.append(next_sentence(passages, model, "passages up to 128 tokens"))
            single = list(pairs(sources, model, 64, single=True, seed=1))
            parts.append(next_sentence(single, model, "two single sentences"))
    parts += [suite(model) for suite in (cloze, locations, edits, analogies, senses, pronouns, associations)]
    return pd.concat(parts, ignore_index=True)


def markdown(table: pd.DataFrame) -> str:
    """Return the table as Markdown, for a model card."""
    lines = ["| measure | value | 95% interval | n |", "|---|---|---|---|"]
    for r in table.itertuples():
        interval = "" if pd.isna(r.low) else f"{r.low:.3f} … {r.high:.3f}"
        lines.append(
            f"| {r.measure}{'' if r.unit == 'share' else f' ({r.unit})'} | {r.value:.3f} | {interval} | {r.n:,} |"
        )
    return "\n".join(lines)
