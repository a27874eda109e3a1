"""The scores of the bundled model, stored with the checksum of its weights: read, not computed."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from embtools.statistics.percentages import percent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

FILE = Path(__file__).parent.parent / "bundled" / "scores.json"
COLUMNS = ["measure", "value", "low", "high", "n", "start"]
SHORT = {
    "masked words: pairs up to 128 pieces": "masked word, first answer",
    "next sentence: passages up to 128 pieces": "next sentence",
    "cloze: capital → country, two templates, first answer": "capital → country, first answer",
    "cloze: capital → country, two templates, top five": "capital → country, top five",
    "cloze: facts, top five": "simple facts, top five",
    "edit: edit": "capital − country + other turns the answer",
    "edit: other country only added": "control: other country only added",
    "edit: wrong country subtracted": "control: wrong country subtracted",
    "edit: random difference": "control: random difference",
}
"""The measures that the app shows, and under which name."""
_EDIT, _ADDED, _WRONG, _RANDOM = (
    SHORT[f"edit: {kind}"]
    for kind in ("edit", "other country only added", "wrong country subtracted", "random difference")
)


def short(table: pd.DataFrame, start: pd.DataFrame | None = None) -> list[dict[str, Any]]:
    """The measures of `SHORT` from the table of all scores, rounded: measure, value, low, high, n.

    With `start`, the table of the checkpoint that the training began with, also its value.
    """
    chosen = table[table["measure"].isin(SHORT)].drop(columns="unit")
    if start is not None:
        chosen = chosen.assign(start=chosen["measure"].map(start.set_index("measure")["value"]))
    lines = chosen.assign(measure=chosen["measure"].map(SHORT)).round(4).to_dict("records")
    return [{key: value for key, value in line.items() if not pd.isna(value)} for line in lines]


def write(model: "EmbeddingModel", scores: list[dict[str, Any]], file: Path = FILE) -> None:
    """Store the scores of a model in place of what was there."""
    stored = {"checksum": model.checksum, "scores": scores}
    file.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read(*, model: "EmbeddingModel", file: Path = FILE) -> pd.DataFrame:
    """The stored scores of a model, with the columns COLUMNS; no rows for a model with other weights."""
    checksum, scores = _read(file)
    return pd.DataFrame(scores if checksum == model.checksum else [], columns=COLUMNS)


def evidence(scores: pd.DataFrame) -> str:
    """What the edit suite found, in sentences; "" without its scores.

    >>> names = (_EDIT, _ADDED, _WRONG, _RANDOM)
    >>> frame = pd.DataFrame({"measure": names, "value": [0.98, 0.54, 0.58, 0.006], "n": 536})
    >>> print(evidence(frame))
    In 536 edits such as rome = rome - italy + france, the top answer became the added country in 98%. Subtracting a \
wrong country had this effect in 58%, only adding the country in 54%, a random change in 0.6%.
    """
    found = scores.set_index("measure")
    if not {_EDIT, _ADDED, _WRONG, _RANDOM} <= set(found.index):
        return ""
    edit, added, wrong, random = (percent(found.loc[name, "value"]) for name in (_EDIT, _ADDED, _WRONG, _RANDOM))
    return (
        f"In {found.loc[_EDIT, 'n']:,} edits such as rome = rome - italy + france, the top answer became the added"
        f" country in {edit}. Subtracting a wrong country had this effect in {wrong}, only adding the country in"
        f" {added}, a random change in {random}."
    )


def copying(scores: pd.DataFrame) -> str:
    """Why the rate of "only added" is flattering, in sentences; "" where the start of the training was not scored.

    >>> frame = pd.DataFrame({"measure": [_ADDED], "value": [0.54], "start": [0.67]})
    >>> print(copying(frame))
    This model was trained not to copy words of the sentence, and the mix of its training texts was chosen with these \
edits. The rate of “other country only added” is therefore flattering: 54%, and 67% in the model that the training \
began with.
    """
    found = scores.set_index("measure")
    if _ADDED not in found.index or pd.isna(found.loc[_ADDED, "start"]):
        return ""
    return (
        "This model was trained not to copy words of the sentence, and the mix of its training texts was chosen with"
        " these edits. The rate of “other country only added” is therefore flattering:"
        f" {percent(found.loc[_ADDED, 'value'])}, and {percent(found.loc[_ADDED, 'start'])} in the model that the"
        " training began with."
    )


def _read(file: Path) -> tuple[str, list[dict[str, Any]]]:
    if not file.exists():
        return "", []
    stored = json.loads(file.read_text(encoding="utf-8"))
    return stored["checksum"], stored["scores"]
