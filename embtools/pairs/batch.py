"""Next-sentence predictions for many pairs: reading the pairs, how often BERT is right, and a shuffled control."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd

from embtools import wordlists
from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.messages import counted, first_of, quoted
from embtools.models.sentence_order import next_sentences
from embtools.progress import Progress, silent
from embtools.statistics.intervals import wilson
from embtools.statistics.percentages import interval_text, rounded
from embtools.tables.columns import Chosen, Column, Reading, cut, described, has_columns, is_table, records, text_of

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_PAIRS = 300
MAX_CHARACTERS = 60_000
_SECONDS = 2e-11  # per token and parameter of the model, on one core
YES = ("yes", "y", "1", "true", "next", "isnext", "is next")
NO = ("no", "n", "0", "false", "random", "notnext", "not next")
COLUMNS = (
    Column("first", ("sentence1", "sentence 1", "sentence a", "first sentence", "text1", "text 1", "premise")),
    Column(
        "second",
        ("sentence2", "sentence 2", "sentence b", "second sentence", "text2", "text 2", "hypothesis", "next"),
    ),
    Column("label", ("labels", "is next", "isnext", "follows", "next", "class", "answer"), optional=True),
)
"""The columns of a table of pairs."""
_HEADER = " | ".join(column.name for column in COLUMNS)
Pair = tuple[str, str, bool | None]
"""First sentence, second sentence, and whether the second really follows (None: not known)."""


@dataclass(frozen=True)
class Batch(Displayed):
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
        """How often BERT is right, and whether the 95% interval of this share is above or below always giving the same
        answer."""
        if not self.labelled:
            follows = int((self.frame["probability"] >= 0.5).sum())
            return (
                f"BERT says that the second sentence follows in {follows} of {counted(len(self.frame), 'pair')}. There"
                " are no labels to check this against."
            )
        share = f"{rounded(self.correct / self.labelled)}, {interval_text(self.low, self.high)}"
        judged = f"BERT judges {self.correct} of {counted(self.labelled, 'pair')} correctly ({share})."
        if self.baseline == 1:
            return f"{judged} All labels are the same, so always giving that answer would be correct."
        more, less = self.low > self.baseline, self.high < self.baseline
        compared = "clearly more than" if more else "clearly less than" if less else "not clearly different from"
        return (
            f"{judged} This is {compared} the {rounded(self.baseline)} that you would get by always giving the same"
            " answer."
        )


def read_pairs(text: str) -> tuple[Pair, ...]:
    """Return the pairs that `read` finds in a text, without the notes.

    >>> read_pairs("It rained. | We got wet. | yes")
    (('It rained.', 'We got wet.', True),)
    """
    return read(text).value


def read(source: str | bytes, columns: Chosen | None = None) -> Reading[tuple[Pair, ...]]:
    """Read pairs from lines such as `first | second | yes`, or from a table such as CSV or JSON.

    >>> read(b"first;second\\nIt rained.;We got wet.\\n").value
    (('It rained.', 'We got wet.', None),)
    """
    text, notes = text_of(source)
    if len(text) > (MAX_CHARACTERS if isinstance(source, str) else 4 * MAX_CHARACTERS):
        raise ValueError(
            f"The text has {len(text):,} characters, but at most {MAX_CHARACTERS:,} can be read. Split it."
        )
    lines = [(f"line {n:,}", line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    written = sum("|" in line for _, line in lines)
    rows: list[tuple[str, tuple[str, ...]]]
    if isinstance(source, str) and not columns and lines and lines[0][1].strip() == _HEADER:  # of `write_pairs`
        rows = [(where, _parts(line)) for where, line in lines[1:]]
    elif columns or has_columns(text, COLUMNS) or (2 * written < len(lines) and is_table(text, COLUMNS)):
        table = records(text, COLUMNS, most=20 * MAX_PAIRS, chosen=columns)
        rows, notes = [(row.where, row.cells) for row in table.value], notes + table.notes
    else:
        rows = [(where, _parts(line)) for where, line in lines]
    pairs: list[Pair] = []
    wrong: list[tuple[str, str]] = []
    for where, (first, second, label) in rows:
        if not (first and second):
            shown = f" ({quoted(first or second, 30)})" if first or second else ""
            wrong.append((f"{where}{shown}", "a sentence is missing or there are too many bars"))
        elif "|" in first + second:
            wrong.append((where, "a sentence contains a bar (|)"))
        else:
            pairs.append((first, second, _label(label)))
    unknown = [f"{where} ({quoted(cells[2], 20)})" for where, cells in rows if cells[2] and _label(cells[2]) is None]
    notes += described(wrong)
    notes += (f"Labels that are neither yes nor no are not used: {first_of(unknown)}.",) if unknown else ()
    if not pairs and wrong:
        raise ValueError(
            f"There is no pair. Write one per line: first sentence | second sentence, and after another | the label yes"
            f" or no, if you have one. {notes[-1]}"
        )
    kept, more = cut(pairs, MAX_PAIRS, "pairs")
    return Reading(_checked(list(kept)), notes + more)


def _parts(line: str) -> tuple[str, str, str]:
    """Return the two sentences and the label of a line; "" for what is missing, and for a line with too many parts."""
    parts = [part.strip() for part in line.split("|")]
    first, second, label = (*parts, "", "")[:3] if len(parts) < 4 else (line.strip(), "", "")
    return first, second, label


def write_pairs(pairs: Sequence[Pair]) -> str:
    """Write pairs as text that `read_pairs` can read.

    >>> write_pairs((("It rained.", "We got wet.", True), ("Hello.", "Bye.", None)))
    'It rained. | We got wet. | yes\\nHello. | Bye.'
    """
    text = "\n".join(f"{a} | {b}" + ("" if label is None else f" | {_yes_no(label)}") for a, b, label in pairs)
    # A first pair such as "first | second" would be read as the names of the columns.
    return f"{_HEADER}\n{text}" if has_columns(text, COLUMNS) else text


def built_in(false: Literal["random", "swapped"], *, seed: int = 0) -> tuple[Pair, ...]:
    """The pairs of `continuations.csv` in their order, half of them labelled no, with another pair's second sentence
    ("random") or in the other order ("swapped")."""
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
    """About how many seconds one core takes to score the pairs and the shuffled pairs."""
    return model.parameters * _SECONDS * sum(len(first) + len(second) for first, second, _ in pairs) / 2


def follow(pairs: Sequence[Pair], model: "EmbeddingModel", *, seed: int = 0, progress: Progress = silent) -> Batch:
    """The next-sentence probability of every pair, and of every first sentence with another pair's second.

    Parameters
    ----------
    pairs : sequence of Pair
        Two sentences each, and whether the second really follows (None: not known).
    model : EmbeddingModel
    seed : int, default 0
    progress : callable, optional

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


def _label(text: str) -> bool | None:
    small = text.casefold()
    return True if small in YES else False if small in NO else None


def _yes_no(answer: bool | None) -> str:
    return "" if answer is None else "yes" if answer else "no"


def _readable(pair: tuple[str, str], model: "EmbeddingModel") -> bool:
    return sum(len(model.pieces(text)) for text in pair) + 3 <= model.max_tokens
