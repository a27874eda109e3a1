"""Next-sentence predictions for many pairs: reading the pairs, how often BERT is right, and a shuffled control."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.messages import quoted
from embtools.models.next_sentence import next_sentences
from embtools.progress import Progress, silent
from embtools.statistics.intervals import wilson
from embtools.statistics.percentages import interval_text, rounded

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PAIRS = 300
MAX_CHARACTERS = 60_000
_SECONDS = 2e-11  # per token and parameter of the model, on one core
YES, NO = ("yes", "1", "true", "next"), ("no", "0", "false", "random")
Pair = tuple[str, str, bool | None]
"""First sentence, second sentence, and whether the second really follows (None: not known)."""


@dataclass(frozen=True)
class Batch:
    """Next-sentence probabilities of many pairs, and how many are right.

    frame      first, second, probability, label (yes, no or ""), correct (yes, no or ""), shuffled (the probability of
               the first sentence with the second sentence of another pair)
    correct    number of labelled pairs that BERT gets right: at least 0.5 if labelled yes, below 0.5 if labelled no
    labelled   number of pairs with a label
    low, high  95% Wilson interval of the share that is right
    baseline   the share that would be right if BERT always gave the more frequent label
    above      number of pairs whose own second sentence is more likely than that of another pair
    compared   number of pairs in that comparison: all that are not labelled no
    """

    frame: pd.DataFrame
    correct: int
    labelled: int
    low: float
    high: float
    baseline: float
    above: int
    compared: int

    @property
    def headline(self) -> str:
        """How often BERT is right, and whether this is more often than always giving the same answer.

        It is more (or less) often if the 95% interval of the share that is right lies above (or below) that baseline.
        """
        n = len(self.frame)
        if not self.labelled:
            follows = int((self.frame["probability"] >= 0.5).sum())
            return (
                f"BERT says that the second sentence follows in {follows} of {n} pairs. The pairs have no labels to"
                " check this against."
            )
        share = f"{rounded(self.correct / self.labelled)}, {interval_text(self.low, self.high)}"
        if self.low > self.baseline:
            compared = "clearly more than"
        elif self.high < self.baseline:
            compared = "clearly less than"
        else:
            compared = "not clearly different from"
        return (
            f"BERT judges {self.correct} of {self.labelled} pairs correctly ({share}). This is {compared} the"
            f" {rounded(self.baseline)} that you would get by always giving the same answer."
        )


def read_pairs(text: str) -> tuple[Pair, ...]:
    """Read pairs from a text with one pair per line: `first | second`, or `first | second | yes` (or no).

    Raises ValueError for a line that is not a pair, for a text without pairs, and for too many pairs.

    >>> read_pairs("It rained. | We got wet. | yes")
    (('It rained.', 'We got wet.', True),)
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters, but at most {MAX_CHARACTERS:,} can be read. Split it."
        )
    pairs: list[Pair] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) not in (2, 3) or not parts[0] or not parts[1]:
            raise ValueError(
                f"Line {number} is not a pair: {quoted(line, 80)}. Write: first sentence | second sentence, and after"
                " another | the label yes or no, if you have one."
            )
        pairs.append((parts[0], parts[1], _label(parts[2] if len(parts) == 3 else "", f"Line {number}")))
    return _checked(pairs)


def write_pairs(pairs: Sequence[Pair]) -> str:
    """Write pairs as text that `read_pairs` can read.

    >>> write_pairs((("It rained.", "We got wet.", True), ("Hello.", "Bye.", None)))
    'It rained. | We got wet. | yes\\nHello. | Bye.'
    """
    return "\n".join(f"{a} | {b}" + ("" if label is None else f" | {_yes_no(label)}") for a, b, label in pairs)


def from_csv(data: bytes) -> tuple[Pair, ...]:
    """Read pairs from a CSV file with the columns `first`, `second` and, optionally, `label` (yes or no).

    Raises ValueError for a file without these columns, and as `read_pairs` does.

    >>> from_csv(b"first,second,label\\nIt rained.,We got wet.,1\\n")
    (('It rained.', 'We got wet.', True),)
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(f"The file has {len(data):,} bytes, but at most {4 * MAX_CHARACTERS:,} can be read. Split it.")
    try:
        table = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        table.fieldnames = [column.strip().lower() for column in table.fieldnames or ()]
        if not {"first", "second"} <= set(table.fieldnames):
            raise ValueError(
                "The file needs a first line that names the columns: first, second and, optionally, label."
            )
        rows = [tuple((row.get(c) or "").strip() for c in ("first", "second", "label")) for row in table]
    except UnicodeDecodeError:
        raise ValueError("The file is not UTF-8 text. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        raise ValueError(f"The file cannot be read as CSV ({error}). Save it again from your spreadsheet.") from None
    pairs: list[Pair] = []
    for number, (first, second, label) in enumerate(rows, start=2):
        if not (first and second):
            raise ValueError(f"A sentence is missing in row {number} of the file. Add it or delete the row.")
        if "|" in first + second or len(first.splitlines()) + len(second.splitlines()) > 2:
            raise ValueError(f"A sentence in row {number} of the file contains a bar (|) or a line break. Remove it.")
        pairs.append((first, second, _label(label, f"Row {number}")))
    return _checked(pairs)


def built_in(false: Literal["random", "swapped"], *, seed: int = 0) -> tuple[Pair, ...]:
    """The pairs of `continuations.csv` in their order: one half as they are, the other half changed and labelled no.

    false: how the other half is changed: each first sentence gets another pair's second ("random"), or the two
    sentences of a pair change places ("swapped").
    """
    known = list(wordlists.load("continuations").itertuples(index=False, name=None))
    wrong = np.sort(generator(seed).permutation(len(known))[: len(known) // 2])
    partner = dict(zip(wrong.tolist(), np.roll(wrong, 1).tolist(), strict=True))
    pairs: list[Pair] = []
    for number, (first, second) in enumerate(known):
        if number not in partner:
            pairs.append((first, second, True))
        elif false == "swapped":
            pairs.append((second, first, False))
        else:
            pairs.append((first, known[partner[number]][1], False))
    return tuple(pairs)


def effort(pairs: Sequence[Pair], model: "EmbeddingModel") -> float:
    """About how many seconds one core takes to score the pairs and the shuffled pairs.

    Parameters
    ----------
    pairs : sequence of Pair
        Two sentences each.
    model : EmbeddingModel

    Returns
    -------
    float
        Seconds.
    """
    return model.parameters * _SECONDS * sum(len(first) + len(second) for first, second, _ in pairs) / 2


def follow(pairs: Sequence[Pair], model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Batch:
    """The next-sentence probability of every pair, and of every first sentence with another pair's second.

    Parameters
    ----------
    pairs : sequence of Pair
        Two sentences each, and whether the second really follows (None: not known).
    model : EmbeddingModel
    seed : int, default 0
        Seed of the random draws.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Batch
        The probabilities (0 … 1), and how many answers are correct.

    Raises
    ------
    ValueError
        For no or too many pairs, and as `next_sentence` does, naming the pair.
    """
    pairs = _checked(list(pairs))
    n = len(pairs)
    for number, (first, second, _) in enumerate(pairs, start=1):
        try:
            model.tokenize(first, second)
        except ValueError as error:
            raise ValueError(f"Pair {number}: {error}") from None
    order = generator(seed).permutation(n)
    other = np.empty(n, int)
    other[order] = np.roll(order, 1)  # one cycle through all pairs: none keeps its own
    own = [(first, second) for first, second, _ in pairs]
    others = [(own[i][0], own[other[i]][1]) for i in range(n)] if n > 1 else []
    scored = own + [pair for pair in others if _readable(pair, model)]
    result = next_sentences(scored, model, progress=progress)
    probability, shuffled = result[:n], np.full(n, np.nan)
    if others:
        shuffled[[_readable(pair, model) for pair in others]] = result[n:]
    labels = [label for _, _, label in pairs]
    correct = [None if label is None else (p >= 0.5) == label for p, label in zip(probability, labels, strict=True)]
    frame = pd.DataFrame(
        {
            "first": [first for first, _ in own],
            "second": [second for _, second in own],
            "probability": probability,
            "label": [_yes_no(label) for label in labels],
            "correct": [_yes_no(None if c is None else bool(c)) for c in correct],
            "shuffled": shuffled,
        }
    )
    known = [label for label in labels if label is not None]
    right = sum(bool(c) for c in correct)
    low, high = wilson(right, len(known)) if known else (float("nan"), float("nan"))
    follows = np.array([label is not False for label in labels]) & ~np.isnan(shuffled)
    above = int((probability[follows] > shuffled[follows]).sum())
    baseline = max(sum(known), len(known) - sum(known)) / len(known) if known else float("nan")
    return Batch(frame, right, len(known), low, high, baseline, above, int(follows.sum()))


def _checked(pairs: list[Pair]) -> tuple[Pair, ...]:
    if not pairs:
        raise ValueError("There are no pairs. Write one per line: first sentence | second sentence.")
    if len(pairs) > MAX_PAIRS:
        raise ValueError(f"There are {len(pairs):,} pairs, but at most {MAX_PAIRS} can be scored at once. Remove some.")
    return tuple(pairs)


def _label(text: str, where: str) -> bool | None:
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    if text:
        raise ValueError(
            f"{where} has the label {quoted(text)}. Write yes (the second sentence follows) or no, or leave it out."
        )
    return None


def _yes_no(answer: bool | None) -> str:
    return "" if answer is None else "yes" if answer else "no"


def _readable(pair: tuple[str, str], model: "EmbeddingModel") -> bool:
    return sum(len(model.pieces(text)) for text in pair) + 3 <= model.max_tokens
