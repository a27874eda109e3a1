"""Many pairs at once: does each second sentence follow its first, how often is that right, and what luck would give."""

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

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PAIRS = 300
MAX_CHARACTERS = 60_000
YES, NO = ("yes", "1", "true", "next"), ("no", "0", "false", "random")
Pair = tuple[str, str, bool | None]
"""First, second, and whether the second truly follows (None: not known)."""


@dataclass(frozen=True)
class Batch:
    """What became of the pairs.

    frame     first, second, probability, label (yes, no or ""), right (yes, no or ""), dealt (the probability of the
              first with the second sentence of another pair)
    right     how many of the labelled pairs are right: those at 0.5 or more if labelled yes, below it if no
    labelled  how many pairs have a label; low, high: the 95% interval of the share that is right (Wilson)
    always    the share that would be right if every pair had the more frequent label
    above     in how many pairs the own second sentence is likelier than the dealt one; only of pairs not labelled no
    follow    how many pairs those are
    """

    frame: pd.DataFrame
    right: int
    labelled: int
    low: float
    high: float
    always: float
    above: int
    follow: int


def read_pairs(text: str) -> tuple[Pair, ...]:
    """Pairs, one a line: `first | second`, or `first | second | yes` (or no).

    Raises ValueError for a line that is none, without a pair, and for too many.

    >>> read_pairs("It rained. | We got wet. | yes")
    (('It rained.', 'We got wet.', True),)
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Divide it.")
    pairs: list[Pair] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) not in (2, 3) or not parts[0] or not parts[1]:
            raise ValueError(f"Line {number} is no pair: {quoted(line, 80)}. Write first | second, or … | yes.")
        pairs.append((parts[0], parts[1], _label(parts[2] if len(parts) == 3 else "", f"Line {number}")))
    return _checked(pairs)


def write_pairs(pairs: Sequence[Pair]) -> str:
    """Pairs as the text that `read_pairs` reads.

    >>> write_pairs((("It rained.", "We got wet.", True), ("Hello.", "Bye.", None)))
    'It rained. | We got wet. | yes\\nHello. | Bye.'
    """
    return "\n".join(f"{a} | {b}" + ("" if label is None else f" | {_word(label)}") for a, b, label in pairs)


def from_csv(data: bytes) -> tuple[Pair, ...]:
    """Read pairs from a CSV file with the columns `first`, `second` and, where it is known, `label` (yes or no).

    Raises ValueError for a file that is no such table, and as `read_pairs` does.

    >>> from_csv(b"first,second,label\\nIt rained.,We got wet.,1\\n")
    (('It rained.', 'We got wet.', True),)
    """
    if len(data) > 4 * MAX_CHARACTERS:
        raise ValueError(f"The file has {len(data):,} bytes; at most {4 * MAX_CHARACTERS:,} are read. Divide it.")
    try:
        table = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        table.fieldnames = [column.strip().lower() for column in table.fieldnames or ()]
        if not {"first", "second"} <= set(table.fieldnames):
            raise ValueError("The file needs a first line with the columns first, second and, if you have it, label.")
        rows = [tuple((row.get(c) or "").strip() for c in ("first", "second", "label")) for row in table]
    except UnicodeDecodeError:
        raise ValueError("The file is not text in UTF-8. Save it as CSV in UTF-8 and upload it again.") from None
    except csv.Error as error:
        raise ValueError(f"The file cannot be read as CSV ({error}). Save it again from your spreadsheet.") from None
    pairs: list[Pair] = []
    for number, (first, second, label) in enumerate(rows, start=2):
        if not (first and second):
            raise ValueError(f"Row {number} of the file lacks a sentence. Fill it in or delete the row.")
        if "|" in first + second or len(first.splitlines()) + len(second.splitlines()) > 2:
            raise ValueError(f"Row {number} of the file has a bar or the end of a line in a sentence. Take it out.")
        pairs.append((first, second, _label(label, f"Row {number}")))
    return _checked(pairs)


def built_in(false: Literal["random", "swapped"], seed: int = 0) -> tuple[Pair, ...]:
    """The pairs of `continuations.csv`, a half as they are and a half that do not follow, in the order of the list.

    false: those of the second half have each other's second sentences ("random"), or are turned round ("swapped").
    """
    known = list(wordlists.load("continuations").itertuples(index=False, name=None))
    wrong = np.sort(generator(seed).permutation(len(known))[: len(known) // 2])
    dealt = dict(zip(wrong.tolist(), np.roll(wrong, 1).tolist(), strict=True))
    pairs: list[Pair] = []
    for number, (first, second) in enumerate(known):
        if number not in dealt:
            pairs.append((first, second, True))
        elif false == "swapped":
            pairs.append((second, first, False))
        else:
            pairs.append((first, known[dealt[number]][1], False))
    return tuple(pairs)


def follow(pairs: Sequence[Pair], model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Batch:
    """The next-sentence probability of every pair, and of every first sentence with another pair's second.

    `progress` is told 0 … 1 and may raise to stop. Raises ValueError for no or too many pairs, and as `next_sentence`
    does, naming the pair.
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
    other[order] = np.roll(order, 1)  # one ring through all pairs: none is dealt its own
    own = [(first, second) for first, second, _ in pairs]
    others = [(own[i][0], own[other[i]][1]) for i in range(n)] if n > 1 else []
    asked = own + [pair for pair in others if _readable(pair, model)]
    found = next_sentences(asked, model, progress=progress)
    probability, dealt = found[:n], np.full(n, np.nan)
    if others:
        dealt[[_readable(pair, model) for pair in others]] = found[n:]
    labels = [label for _, _, label in pairs]
    right = [None if label is None else (p >= 0.5) == label for p, label in zip(probability, labels, strict=True)]
    frame = pd.DataFrame(
        {
            "first": [first for first, _ in own],
            "second": [second for _, second in own],
            "probability": probability,
            "label": [_word(label) for label in labels],
            "right": [_word(None if r is None else bool(r)) for r in right],
            "dealt": dealt,
        }
    )
    known = [label for label in labels if label is not None]
    good = sum(bool(r) for r in right)
    low, high = wilson(good, len(known)) if known else (float("nan"), float("nan"))
    follows = np.array([label is not False for label in labels]) & ~np.isnan(dealt)
    above = int((probability[follows] > dealt[follows]).sum())
    always = max(sum(known), len(known) - sum(known)) / len(known) if known else float("nan")
    return Batch(frame, good, len(known), low, high, always, above, int(follows.sum()))


def finding(found: Batch) -> str:
    """How often BERT is right, and whether that is more than always giving the same answer, in a sentence.

    It is more (or less) when the 95% interval of the share that is right lies above (or below) that baseline.
    """
    n = len(found.frame)
    if not found.labelled:
        follows = int((found.frame["probability"] >= 0.5).sum())
        return f"BERT says of {follows} of {n} pairs that the second sentence follows; no label says whether it does."
    share = f"BERT is right in {found.right} of {found.labelled} pairs ({found.right / found.labelled:.0%})"
    always = f"always giving the same answer ({found.always:.0%})"
    interval = f"95% interval {found.low:.0%} to {found.high:.0%}"
    if found.low > found.always:
        return f"{share}, more often than by {always}; {interval}."
    if found.high < found.always:
        return f"{share}, less often than by {always}; {interval}."
    return f"{share}, not clearly more or less often than by {always}; {interval}."


def _checked(pairs: list[Pair]) -> tuple[Pair, ...]:
    if not pairs:
        raise ValueError("There is no pair. Write one a line: first | second.")
    if len(pairs) > MAX_PAIRS:
        raise ValueError(f"There are {len(pairs)} pairs; at most {MAX_PAIRS} are read at once. Take some away.")
    return tuple(pairs)


def _label(text: str, where: str) -> bool | None:
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    if text:
        raise ValueError(f"{where} has the label {quoted(text)}. Write yes (it follows) or no, or leave it out.")
    return None


def _word(answer: bool | None) -> str:
    return "" if answer is None else "yes" if answer else "no"


def _readable(pair: tuple[str, str], model: "EmbeddingModel") -> bool:
    return sum(len(model.pieces(text)) for text in pair) + 3 <= model.max_tokens
