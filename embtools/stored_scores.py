"""The stored scores of the bundled model, with the checksum of its weights."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.statistics.percentages import percent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FILE = Path(__file__).parent / "bundled" / "scores.json"
COLUMNS = ["measure", "value", "low", "high", "n", "start"]
SHORT = {
    "masked words: pairs up to 128 tokens": "masked word, top answer",
    "next sentence: passages up to 128 tokens": "next sentence",
    "cloze: capital → country, two templates, first answer": "capital → country, top answer",
    "cloze: capital → country, two templates, top five": "capital → country, top five",
    "cloze: facts, top five": "simple facts, top five",
    "edit: edit": "capital − country + other turns the answer",
    "edit: other country only added": "control: other country only added",
    "edit: wrong country subtracted": "control: wrong country subtracted",
    "edit: random difference": "control: random difference",
}
"""The measures that the app shows, with the names that it uses for them."""
_EDIT, _ADDED, _WRONG, _RANDOM = (
    SHORT[f"edit: {kind}"]
    for kind in ("edit", "other country only added", "wrong country subtracted", "random difference")
)


def short(table: pd.DataFrame, *, start: pd.DataFrame | None = None) -> list[dict[str, Any]]:
    """Return the measures of `SHORT` from the table of all scores, rounded: measure, value, low, high, n, and with
    `start`, the values of the table of the checkpoint that the training started from.
    """
    chosen = table[table["measure"].isin(SHORT)].drop(columns="unit")
    if start is not None:
        chosen = chosen.assign(start=chosen["measure"].map(start.set_index("measure")["value"]))
    lines = chosen.assign(measure=chosen["measure"].map(SHORT)).round(4).to_dict("records")
    return [{key: value for key, value in line.items() if not pd.isna(value)} for line in lines]


def write(scores: list[dict[str, Any]], model: "EmbeddingModel", *, file: Path = FILE) -> None:
    """Store the scores of a model; replaces all stored scores."""
    stored = {"checksum": model.checksum, "scores": scores}
    file.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(model: "EmbeddingModel", *, file: Path = FILE) -> pd.DataFrame:
    """Return the stored scores of a model, one row per measure of `SHORT` with the columns COLUMNS; no rows for a model
    with other weights.
    """
    checksum, scores = _read(file)
    return pd.DataFrame(scores if checksum == model.checksum else [], columns=COLUMNS)


def evidence(scores: pd.DataFrame) -> str:
    """Return the results of the edits in sentences; "" if they are not stored.

    >>> names = (_EDIT, _ADDED, _WRONG, _RANDOM)
    >>> frame = pd.DataFrame({"measure": names, "value": [0.98, 0.54, 0.58, 0.006], "n": 536})
    >>> print(evidence(frame))
    Of 536 edits such as rome = rome - italy + france, 98% made the added country the top answer. Subtracting a \
wrong country instead, and still adding the new one, did this in 58% of the cases, adding the country alone in 54%, \
and a random change in 0.6%.
    """
    rows = scores.set_index("measure")
    if not {_EDIT, _ADDED, _WRONG, _RANDOM} <= set(rows.index):
        return ""
    edit, added, wrong, random = (percent(rows.loc[name, "value"]) for name in (_EDIT, _ADDED, _WRONG, _RANDOM))
    return (
        f"Of {rows.loc[_EDIT, 'n']:,} edits such as rome = rome - italy + france, {edit} made the added country the top"
        f" answer. Subtracting a wrong country instead, and still adding the new one, did this in {wrong} of the cases,"
        f" adding the country alone in {added}, and a random change in {random}."
    )


def copying(scores: pd.DataFrame) -> str:
    """Return why the rate of "only added" looks too good; "" if the start of the training was not scored.

    >>> frame = pd.DataFrame({"measure": [_ADDED], "value": [0.54], "start": [0.67]})
    >>> print(copying(frame))
    This model was trained not to copy words from the sentence, and its training texts were chosen by comparing the \
results of edits of capital cities and of their controls. In the control “other country only added”, that \
country should rarely become the top answer. It did so in 67% of the cases before this training, and does so in \
54% now. Because of this training and this choice, the rate makes the model look better than it is.
    """
    rows = scores.set_index("measure")
    if _ADDED not in rows.index or pd.isna(rows.loc[_ADDED, "start"]):
        return ""
    return (
        "This model was trained not to copy words from the sentence, and its training texts were chosen by comparing"
        " the results of edits of capital cities and of their controls. In the control “other country only added”, that"
        f" country should rarely become the top answer. It did so in {percent(rows.loc[_ADDED, 'start'])} of the cases"
        f" before this training, and does so in {percent(rows.loc[_ADDED, 'value'])} now. Because of this training and"
        " this choice, the rate makes the model look better than it is."
    )


def _read(file: Path) -> tuple[str, list[dict[str, Any]]]:
    if not file.exists():
        return "", []
    stored = json.loads(file.read_text(encoding="utf-8"))
    return stored["checksum"], stored["scores"]
