"""Labelled words or labelled sentences: four built-in tasks, and items from a text or a CSV file."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from embtools import wordlists
from embtools.limits import enough
from embtools.messages import counted, quoted, shortened

TASKS = ("tense", "part of speech", "number", "topic")
TOPICS = ("food", "medicine", "music", "royalty", "school", "sea", "war", "weather")
_A_TOPIC = 30  # sentences per topic
MAX_ITEMS, MAX_LABELS, MAX_CHARACTERS = 1_000, 12, 200_000
LEAST = 5  # minimum of different words (or sentences) per label: one for every fold


@dataclass(frozen=True)
class Item:
    """A labelled word in a sentence (its first, second, … occurrence) or, without a word, a labelled sentence."""

    sentence: str
    label: str
    word: str = ""
    occurrence: int = 1

    @property
    def type(self) -> str:
        """The group that folds keep together: the word in all its sentences, or the sentence.

        >>> Item("The Bank closed.", "noun", "Bank").type
        'bank'
        """
        return (self.word or self.sentence).casefold()


Items = tuple[Item, ...]


def built_in(task: str) -> Items:
    """Return the items of a built-in task, 200 or more; ValueError for an unknown name.

    >>> built_in("tense")[0].label
    'past'
    """
    if task not in TASKS:
        raise ValueError(f"There is no task {quoted(task)}. Choose one of: {', '.join(TASKS)}.")
    if task == "topic":
        corpus = wordlists.load("corpus").query("topic in @TOPICS").groupby("topic", sort=True).head(_A_TOPIC)
        rows = corpus.sort_values("topic", kind="stable")
        return tuple(Item(s, t) for s, t in zip(rows["sentence"], rows["topic"], strict=True))
    rows = wordlists.load("probing").query("task == @task")
    columns = (rows[name] for name in ("sentence", "label", "word", "occurrence"))
    return tuple(Item(s, label, word, int(n)) for s, label, word, n in zip(*columns, strict=True))


def read_items(text: str) -> Items:
    """Read items from a text: a CSV table with the columns sentence and label (and word, occurrence), or lines.

    A line is `label | word | sentence`, or `label | sentence`. Raises ValueError for what cannot be read, and as
    `check` does.

    >>> read_items("a | x | x y\\na | p | p y\\na | q | q y\\na | r | r y\\na | s | s y") == ()
    Traceback (most recent call last):
    ValueError: There is only one label, 'a', but a probe needs at least two. Add items with another label.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters, but at most {MAX_CHARACTERS:,} are allowed. Shorten it."
        )
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError("There are no items. Write lines such as: past | walked | She walked home.")
    header = {name.strip().strip('"').lower() for name in lines[0].lstrip("\ufeff").split(",")}
    return check(
        _table(text) if {"sentence", "label"} <= header else [_line(i, line) for i, line in enumerate(lines, 1)]
    )


def from_csv(data: bytes) -> str:
    """Return the text of an uploaded CSV file; ValueError if `read_items` cannot read it."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file is not a UTF-8 text. Save it as CSV in UTF-8 and upload it again.") from None
    read_items(text)
    return text


def check(items: Sequence[Item]) -> Items:
    """Return the items if a probe can be trained and tested on them.

    Raises ValueError for too many items or labels, a repeated item, words mixed with sentences, a single label, and a
    label with fewer than five different words (or sentences), because there are five folds.
    """
    if len(items) > MAX_ITEMS:
        raise ValueError(f"There are {len(items):,} items, but at most {MAX_ITEMS:,} are allowed. Remove some.")
    if len({bool(item.word) for item in items}) > 1:
        raise ValueError("Some items have a word and others have none. Label either words or sentences, not both.")
    known: set[tuple[str, str, int]] = set()
    for item in items:
        key = (item.sentence, item.word.casefold(), item.occurrence)
        if key in known:
            raise ValueError(f"This item occurs twice: {shortened(item.word or item.sentence)}. Delete one of the two.")
        known.add(key)
    enough(items, "items")
    labels = sorted({item.label for item in items})
    if len(labels) == 1:
        raise ValueError(
            f"There is only one label, {quoted(labels[0])}, but a probe needs at least two. Add items with another"
            " label."
        )
    if len(labels) > MAX_LABELS:
        raise ValueError(f"There are {len(labels)} labels, but at most {MAX_LABELS} are allowed. Merge some of them.")
    kind = "word" if items[0].word else "sentence"
    for label in labels:
        count = len({item.type for item in items if item.label == label})
        if count < LEAST:
            raise ValueError(
                f"The label {quoted(label)} has {counted(count, f'different {kind}')}, but {LEAST} are needed,"
                f" one for each of the five folds. Add {LEAST - count}."
            )
    return tuple(items)


def _line(number: int, line: str) -> Item:
    parts = [part.strip() for part in line.split("|", 2)]
    if len(parts) == 1 or not all(parts):
        raise ValueError(
            f"Line {number} is not an item: {quoted(line)}. Write label | word | sentence, or label | sentence."
        )
    return Item(parts[-1], parts[0], parts[1] if len(parts) == 3 else "")


def _table(text: str) -> list[Item]:
    try:
        table = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
        table.fieldnames = [name.strip().lower() for name in table.fieldnames or ()]
        rows = [{key: (value or "").strip() for key, value in row.items() if isinstance(key, str)} for row in table]
    except csv.Error as error:
        raise ValueError(f"This cannot be read as CSV ({error}). Save it again from your spreadsheet.") from None
    items = []
    for number, row in enumerate(rows, 2):
        for name in ("sentence", "label"):
            if not row[name]:
                raise ValueError(f"Row {number} has no {name}. Fill it in or delete the row.")
        occurrence = row.get("occurrence") or "1"
        if not (occurrence.isascii() and occurrence.isdigit() and 1 <= int(occurrence[:4]) <= 100):
            raise ValueError(f"Row {number}: the occurrence is {quoted(occurrence)}. Write 1, 2, 3 …")
        items.append(Item(row["sentence"], row["label"], row.get("word", ""), int(occurrence)))
    if not items:
        raise ValueError("The table has no rows below its first line. Add a row for each item.")
    return items
