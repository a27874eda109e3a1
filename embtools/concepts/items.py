"""Labelled words or labelled sentences: four built-in tasks, and items from a text or a CSV file."""

from collections.abc import Sequence
from dataclasses import dataclass

from embtools import wordlists
from embtools.limits import enough
from embtools.messages import counted, first_of, quoted, shortened
from embtools.tables.columns import (
    LABEL,
    SENTENCE,
    Chosen,
    Column,
    Reading,
    cut,
    described,
    has_columns,
    is_table,
    records,
    text_of,
)

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
COLUMNS = (
    SENTENCE,
    LABEL,
    Column("word", ("token", "term", "target word"), optional=True),
    Column("occurrence", optional=True),
)
"""The columns of a table of items."""


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
    """Return the items that `read` finds in a text, without the notes.

    >>> read_items("a | x | x y\\na | p | p y\\na | q | q y\\na | r | r y\\na | s | s y") == ()
    Traceback (most recent call last):
    ValueError: There is only one label, 'a', but a probe needs at least two. Add items with another label.
    """
    return read(text).value


def read(source: str | bytes, columns: Chosen | None = None) -> Reading[Items]:
    """Read items from lines such as `label | word | sentence` or `label | sentence`, or from a table."""
    text, notes = text_of(source)
    if len(text) > MAX_CHARACTERS:
        raise ValueError(
            f"The text has {len(text):,} characters, but at most {MAX_CHARACTERS:,} are allowed. Shorten it."
        )
    lines = [(f"line {n:,}", line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ValueError("There are no items. Write lines such as: past | walked | She walked home.")
    written = sum("|" in line for _, line in lines)
    if columns or has_columns(text, COLUMNS) or (2 * written < len(lines) and is_table(text, COLUMNS)):
        table = records(text, COLUMNS, most=20 * MAX_ITEMS, chosen=columns)
        if not table.value:
            raise ValueError("The table has no rows below its first line. Add a row for each item.")
        rows, notes = [(row.where, row.cells) for row in table.value], notes + table.notes
    else:
        rows = [(where, _parts(line)) for where, line in lines]
    items, wrong = _different(rows)
    notes += described(wrong)
    if not items:
        raise ValueError(
            f"There is no item. Write label | word | sentence, or label | sentence. {shortened(notes[-1], 300)}"
        )
    items, few = _enough(items)
    kept, more = cut(items, MAX_ITEMS, "items")
    return Reading(check(kept), notes + few + more)


def write_items(items: Items) -> str:
    """Return items as lines that `read_items` reads; an occurrence other than the first makes them a table.

    >>> write_items((Item("The bank closed.", "noun", "bank"), Item("It rained.", "x")))
    'noun | bank | The bank closed.\\nx | It rained.'
    """
    if all(item.occurrence == 1 and "|" not in item.label + item.word for item in items):
        return "\n".join(" | ".join(filter(None, (item.label, item.word, item.sentence))) for item in items)
    cells = [("sentence", "label", "word", "occurrence")]
    cells += [(item.sentence, item.label, item.word, str(item.occurrence)) for item in items]
    return "\n".join("\t".join(row) for row in cells)


def check(items: Sequence[Item]) -> Items:
    """Return the items if a probe can be trained and tested on them: each label needs five different words (or
    sentences), because there are five folds.
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


def _parts(line: str) -> tuple[str, ...]:
    """Return sentence, label, word and occurrence of a line; "" for what is missing."""
    parts = [part.strip() for part in line.split("|", 2)]
    return ("", line, "", "") if len(parts) == 1 else (parts[-1], parts[0], parts[1] if len(parts) == 3 else "", "")


def _different(rows: Sequence[tuple[str, Sequence[str]]]) -> tuple[list[Item], list[tuple[str, str]]]:
    """Return the items that are complete and do not occur before, and where and why others are left out."""
    items: list[Item] = []
    wrong: list[tuple[str, str]] = []
    known: dict[tuple[str, str, int], str] = {}
    of_words = 2 * sum(bool(cells[2]) for _, cells in rows) >= len(rows)
    for where, (sentence, label, word, occurrence) in rows:
        key = (sentence, word.casefold(), int(occurrence or 1) if _is_occurrence(occurrence) else 1)
        missing = next((name for name, cell in (("sentence", sentence), ("label", label)) if not cell), "")
        problem = (
            f"the {missing} is missing" if missing
            else "it has no word, as the others have" if of_words and not word
            else "it has a word, which the others do not have" if word and not of_words
            else f"the occurrence is {quoted(occurrence, 20)} and not 1, 2, 3 …" if not _is_occurrence(occurrence)
            else "it occurs before" if known.get(key) == label
            else "it occurs before with another label" if key in known
            else ""
        )  # fmt: skip
        if problem:
            wrong.append((f"{where} ({quoted(word or sentence or label, 30)})", problem))
        else:
            known[key] = label
            items.append(Item(sentence, label, word, key[2]))
    return items, wrong


def _is_occurrence(text: str) -> bool:
    return not text or (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= 100)


def _enough(items: list[Item]) -> tuple[list[Item], tuple[str, ...]]:
    """Return the items without labels that have too few, if two or more labels are left, and a note about them."""
    types: dict[str, set[str]] = {}
    for item in items:
        types.setdefault(item.label, set()).add(item.type)
    few = [label for label, different in types.items() if len(different) < LEAST]
    if not few or len(types) - len(few) < 2:
        return items, ()
    named = first_of([f"{quoted(label, 30)} ({len(types[label])})" for label in few])
    note = f"Left out, because a label needs at least {LEAST} different items: {named}."
    return [item for item in items if item.label not in few], (note,)
