"""Labelled words in sentences, or labelled sentences: four built-in tasks, and what somebody writes or uploads."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from embtools import wordlists
from embtools.limits import enough
from embtools.messages import quoted, shortened

TASKS = ("tense", "part of speech", "number", "topic")
TOPICS = ("food", "medicine", "music", "royalty", "school", "sea", "war", "weather")
_A_TOPIC = 30  # sentences
MAX_ITEMS, MAX_LABELS, MAX_CHARACTERS = 1_000, 12, 200_000
LEAST = 5  # different words (or sentences) of each label: one for every fold


@dataclass(frozen=True)
class Item:
    """A label on a word of a sentence (its first, second … occurrence), or, without a word, on the sentence."""

    sentence: str
    label: str
    word: str = ""
    occurrence: int = 1

    @property
    def type(self) -> str:
        """What folds keep together: the word whatever its sentence, or the sentence.

        >>> Item("The Bank closed.", "noun", "Bank").type
        'bank'
        """
        return (self.word or self.sentence).casefold()


Items = tuple[Item, ...]


def built_in(task: str) -> Items:
    """The items of a built-in task, 200 or more; ValueError for another name.

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
    """Items out of text: a CSV table with the columns sentence and label (and word, occurrence), or lines.

    A line is `label | word | sentence`, or `label | sentence`. Raises ValueError for what cannot be read, and as
    `check` does.

    >>> read_items("a | x | x y\\na | p | p y\\na | q | q y\\na | r | r y\\na | s | s y") == ()
    Traceback (most recent call last):
    ValueError: There is one label, 'a'; a probe tells at least two apart. Add items with another label.
    """
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read. Shorten it.")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise ValueError("There are no items. Write lines such as: past | walked | She walked home.")
    header = {name.strip().strip('"').lower() for name in lines[0].lstrip("\ufeff").split(",")}
    return check(
        _table(text) if {"sentence", "label"} <= header else [_line(i, line) for i, line in enumerate(lines, 1)]
    )


def from_csv(data: bytes) -> str:
    """The text of an uploaded CSV file that `read_items` reads; ValueError for one that it does not."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("The file is not text in UTF-8. Save it as CSV in UTF-8 and upload it again.") from None
    read_items(text)
    return text


def check(items: Sequence[Item]) -> Items:
    """The items, if a probe can be tried on them.

    Raises ValueError for too many items or labels, one item twice, words mixed with sentences, one label alone, and a
    label with fewer than five different words (or sentences), since five folds are made.
    """
    if len(items) > MAX_ITEMS:
        raise ValueError(f"There are {len(items):,} items; at most {MAX_ITEMS:,} are read. Take some away.")
    if len({bool(item.word) for item in items}) > 1:
        raise ValueError("Some items have a word and some have none. Label words or sentences, not both at once.")
    seen: set[tuple[str, str, int]] = set()
    for item in items:
        key = (item.sentence, item.word.casefold(), item.occurrence)
        if key in seen:
            raise ValueError(
                f"This stands there twice: {shortened(item.word or item.sentence)}. Take one of them away."
            )
        seen.add(key)
    enough(items, "items")
    labels = sorted({item.label for item in items})
    if len(labels) == 1:
        raise ValueError(
            f"There is one label, {quoted(labels[0])}; a probe tells at least two apart. Add items with another label."
        )
    if len(labels) > MAX_LABELS:
        raise ValueError(f"There are {len(labels)} labels; at most {MAX_LABELS} are told apart. Join some of them.")
    kind = "words" if items[0].word else "sentences"
    for label in labels:
        count = len({item.type for item in items if item.label == label})
        if count < LEAST:
            raise ValueError(
                f"The label {quoted(label)} has {count} different {kind}; {LEAST} are needed, because each of five"
                f" folds is to hold one. Add {LEAST - count}."
            )
    return tuple(items)


def _line(number: int, line: str) -> Item:
    parts = [part.strip() for part in line.split("|", 2)]
    if len(parts) == 1 or not all(parts):
        raise ValueError(
            f"Line {number} is no item: {quoted(line)}. Write label | word | sentence, or label | sentence."
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
        raise ValueError("The table has a first line and nothing below it. Add a row for each item.")
    return items
