"""Many sentences and edits at once: a table in, a table of answers out."""

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from embtools.arithmetic import controls, verdict
from embtools.chance import checked_seed
from embtools.limits import within
from embtools.mask_filling.answers import MAX_ANSWERS, ranking
from embtools.mask_filling.asking import spelt
from embtools.mask_filling.edits import Change, Patch, Scope, resolve
from embtools.mask_filling.forward import mask_probabilities
from embtools.progress import Progress, silent

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

Rows = tuple[tuple[str, tuple[str, ...]], ...]
"""Sentences, each with its edits."""
MAX_ROWS = 200
MAX_CHARACTERS = 60_000
_TEXTS = ("before", "after", "finding", "problem")
_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # where str.splitlines cuts


def read_rows(text: str) -> Rows:
    """Read a sentence a line; edits follow a bar, separated by semicolons.

    Raises ValueError for no row, too many, a row without a sentence and too long a text.

    >>> read_rows("Rome is in ___. | rome = rome - italy + france")
    (('Rome is in ___.', ('rome = rome - italy + france',)),)
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The table has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it.")
    rows = []
    for line in filter(str.strip, text.splitlines()):
        sentence, _, edits = line.partition("|")
        rows.append((sentence.strip(), tuple(edit.strip() for edit in edits.split(";") if edit.strip())))
    return _checked(rows)


def write_rows(rows: Rows) -> str:
    """Rows as the text that `read_rows` reads.

    >>> write_rows((("Rome is in ___.", ("rome = italy", "in = on")), ("He is a ___.", ())))
    'Rome is in ___. | rome = italy; in = on\\nHe is a ___.'
    """
    return "\n".join(f"{sentence} | {'; '.join(edits)}" if edits else sentence for sentence, edits in rows)


def from_csv(data: bytes) -> Rows:
    """Read rows from a CSV file with the columns `sentence` and, if anything is edited, `edits` (between semicolons).

    Raises ValueError for a file that is no such table, for a cell that a line of `read_rows` cannot hold, and as
    `read_rows` does.

    >>> from_csv(b"sentence,edits\\nRome is in ___.,rome = italy\\n")
    (('Rome is in ___.', ('rome = italy',)),)
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(f"The file has {len(data):,} bytes; at most {4 * MAX_CHARACTERS:,} are read. Divide it.")
    try:
        table = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        table.fieldnames = [column.strip().lower() for column in table.fieldnames or ()]
        if "sentence" not in table.fieldnames:
            raise ValueError("The file needs a first line with the columns sentence and edits.")
        rows = [((line["sentence"] or "").strip(), (line.get("edits") or "").strip()) for line in table]
    except UnicodeDecodeError:
        raise ValueError("The file is not text in UTF-8. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        raise ValueError(f"The file cannot be read as CSV ({error}). Save it again from your spreadsheet.") from None
    for number, (sentence, edits) in enumerate(rows, start=2):
        if any(sign in sentence + edits for sign in ("|", *_LINE_ENDS)):
            raise ValueError(f"Row {number} of the file has a bar or the end of a line in a cell. Take it out.")
    return _checked([(s, tuple(e.strip() for e in edits.split(";") if e.strip())) for s, edits in rows])


def answers(
    rows: Sequence[tuple[str, Sequence[str]]],
    k: int = 1,
    *,
    model: "EmbeddingModel",
    scope: Scope = "input",
    strength: float = 1.0,
    leave_out: Sequence[str] = (),
    with_controls: bool = False,
    draws: int = 5,
    seed: int = 0,
    progress: Progress = silent,
) -> pd.DataFrame:
    """The k best answers before and after the edits of each sentence, a line each.

    Columns: row (1, 2, …), sentence, edits, mask, rank, before, probability_before, after, probability_after; then
    `finding` and the mean probability of the first answer under each control, if `with_controls`; then `problem`: a
    row that cannot be read has a line of its own that says why, and the others go on.

    `progress` is told 0 … 1 after each row and may raise to stop. Raises ValueError for too many rows or answers.
    """
    checked_seed(seed)
    within(k, MAX_ANSWERS, "answers")
    _checked([(sentence, tuple(edits)) for sentence, edits in rows])
    lines: list[dict[str, object]] = []
    for number, (sentence, edits) in enumerate(rows, 1):
        row = {"row": number, "sentence": sentence, "edits": "; ".join(edits)} | dict.fromkeys(_TEXTS, "")
        try:
            change = Change.of(edits, scope, strength)
            found = (
                _with_controls(spelt(sentence), change, k, model, leave_out, draws, seed)
                if with_controls and edits
                else _answers(spelt(sentence), change, k, model, leave_out)
            )
            lines += [row | line for line in found]
        except ValueError as error:
            lines.append(row | {"problem": str(error)})
        progress(number / len(rows))
    columns = ["row", "sentence", "edits", "mask", "rank", "before", "probability_before", "after", "probability_after"]
    columns += ["finding", *controls.CONTROLS] if with_controls else []
    frame = pd.DataFrame(lines).reindex(columns=[*columns, "problem"])
    return frame.astype({"mask": "Int64", "rank": "Int64"})


def _checked(rows: list[tuple[str, tuple[str, ...]]]) -> Rows:
    if not rows:
        raise ValueError("There is no sentence. Write one a line, such as Rome is the capital of ___.")
    if len(rows) > MAX_ROWS:
        raise ValueError(f"There are {len(rows):,} rows; at most {MAX_ROWS} are answered at once. Divide the table.")
    for number, (sentence, _) in enumerate(rows, 1):
        if not sentence:
            raise ValueError(f"Row {number} has no sentence. Write one before the bar, or delete the row.")
    return tuple(rows)


def _answers(
    text: str, change: Change, k: int, model: "EmbeddingModel", leave_out: Sequence[str]
) -> list[dict[str, object]]:
    patches = [Patch(), resolve(change, model)] if change.edits else [Patch()]
    before, *after = mask_probabilities(text, model, patches)
    return _lines(ranking(before, after[0] if after else before, model, k, leave_out=leave_out), k)


def _with_controls(
    text: str, change: Change, k: int, model: "EmbeddingModel", leave_out: Sequence[str], draws: int, seed: int
) -> list[dict[str, object]]:
    result = controls.experiment(text, change, k, model=model, leave_out=leave_out, draws=draws, seed=seed)
    lines = _lines(result.answers, k)
    for line in lines:
        if line["rank"] == 1:
            mask = int(str(line["mask"]))
            found = result.summary[result.summary["mask"] == mask]
            line |= {"finding": verdict.finding(result, mask)} | dict(zip(found["control"], found["mean"], strict=True))
    return lines


def _lines(shown: pd.DataFrame, k: int) -> list[dict[str, object]]:
    """The k best before beside the k best after, by mask and rank."""
    lines = []
    for mask, group in shown.groupby("mask"):
        old = group.sort_values("rank_before", kind="stable").head(k)
        new = group.sort_values("rank_after", kind="stable").head(k)
        for rank, (was, now) in enumerate(zip(old.itertuples(), new.itertuples(), strict=True), 1):
            lines.append(
                {
                    "mask": mask,
                    "rank": rank,
                    "before": was.token,
                    "probability_before": was.before,
                    "after": now.token,
                    "probability_after": now.probability,
                }
            )
    return lines
