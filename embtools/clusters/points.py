"""The points of a map: words with their vectors, static or from a layer of a sentence that contains each word.

`read` is the only step that runs the model. Its result is stored, so that every function can call it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import checked_seed, generator
from embtools.doors import import_line
from embtools.formula import evaluation, parser
from embtools.formula.expression import Expression
from embtools.memory import remembered
from embtools.messages import counted, quoted
from embtools.models.vectors_as_model import CONTEXT, Vectors
from embtools.progress import Progress, silent
from embtools.vectors import Array
from embtools.words import templates
from embtools.words import vectors as words_vectors
from embtools.words.frequency import why_unmatched
from embtools.words.groups import MAX_GROUPS, MAX_WORDS, PRESETS, Groups, preset
from embtools.words.vectors import Pieces, check_reading
from embtools.written import Written

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_POINTS = 30_000
MAX_FORMULAS = 20
READINGS: tuple[Pieces, ...] = ("leave out", "mean", "first")
# A formula's vector may be longer than every word's, but not so long that all words would share one point on the map.
_LONGEST = 1_000
NO_LABEL, _OTHERS = "no label", "other labels"  # the groups of names without a label, and with a rare one


@dataclass(frozen=True)
class Words(Written):
    """The words of a map, and which of their vectors to use.

    groups    ((name, (word, …)), …); None: the first 30,000 tokens of the vocabulary, grouped by kind
    only      if not empty, only these words of the groups
    formulas  additional points, such as "rome - italy + france", or "rome = rome - italy + france" (joined to rome)
    pieces    what to do with words of several tokens: leave them out, use the mean of their tokens, or the first one
    template  empty for static embeddings; else a sentence that contains {word} once, for hidden states in this sentence
    layer     the layer of these hidden states, from 0 (input embedding) to the model's last
    shuffled  if a seed is given, the words are assigned to the groups at random, as a control
    label     of `Vectors` without groups: the column of labels that groups all names; by default the first one
    sample    of `Vectors` without groups: if there are more names, a random sample of this many
    """

    groups: Groups | None
    only: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    pieces: Pieces = "leave out"
    template: str = ""
    layer: int = 0
    shuffled: int | None = None
    label: str = ""
    sample: int = 0

    @property
    def subject(self) -> str:
        """Short description of the words.

        >>> Words((("warm", ("red", "pink")), ("cold", ("blue",)))).subject
        '3 words in 2 groups'
        """
        if self.groups is None:
            return "the whole vocabulary"
        count = sum(len(members) for _, members in self.groups)
        return f"{counted(count, 'word')} in {counted(len(self.groups), 'group')}"

    @property
    def imports(self) -> frozenset[str]:
        """The import lines that `code` needs."""
        own = {import_line(Words)}
        return frozenset(own | ({import_line(preset)} if _preset_of(self.groups) else set()))

    def _written(self, name: str) -> str:
        same = _preset_of(self.groups) if name == "groups" else ""
        return f"preset({same!r})" if same else super()._written(name)


@dataclass(frozen=True, eq=False)  # compared by identity, because the vectors can be large
class Points:
    """The points of a map with their vectors.

    words     the words that were read
    frame     word, group, kind ("word" or "formula"), edited_word (by a formula), tokens (how many), frequency_rank (1
              is the most frequent); the formulas come last. `Vectors` can add CONTEXT, the sentence of each name
    vectors   (n, d)
    left_out  words that were left out because they consist of several tokens
    """

    words: Words
    frame: pd.DataFrame
    vectors: Array
    left_out: tuple[str, ...]

    def __len__(self) -> int:
        """The number of points, n."""
        return len(self.frame)

    @property
    def is_word(self) -> NDArray[np.bool_]:
        """Whether each point is a word (True) or a formula (False): (n,)."""
        return (self.frame["kind"] == "word").to_numpy()

    @property
    def has_group(self) -> NDArray[np.bool_]:
        """Whether each point is a word with a group: (n,); names without a label are no group."""
        return self.is_word & (self.frame["group"] != NO_LABEL).to_numpy()


def read(words: Words, model: "EmbeddingModel", *, progress: Progress = silent) -> Points:
    """Read the vectors of words, which is slow for words in sentences; the points of a list are stored in the cache."""
    # Reading 30,000 rows of the embedding matrix is as fast as a cache lookup, and they would fill the cache.
    whole = words.groups is None and not words.template
    return (_read if whole else _remembered_read)(words, model, progress=progress)


def _read(words: Words, model: "EmbeddingModel", *, progress: Progress = silent) -> Points:
    frame, left_out = listed(words, model)
    names = tuple(frame["word"])
    whole = words.groups is None
    if whole and not words.template:
        found = model.matrix[[model.ids[name] for name in names]]
    else:
        found = of_words(names, model, words=words, progress=progress)
    if words.shuffled is not None and len(frame):
        frame["group"] = generator(words.shuffled).permutation(frame["group"].to_numpy())
    ranks = {} if why_unmatched(model) else frequency_ranks(model)
    frame["frequency_rank"] = pd.array(
        [ranks.get(name if whole else _only_piece(name, model)) for name in names], "Int64"
    )
    if isinstance(model, Vectors) and (contexts := dict(model.labels).get(CONTEXT)):
        frame[CONTEXT] = [contexts[model.token_id(name)] for name in names]
    if not words.formulas:
        return Points(words, frame, found, left_out)
    extra, values = _formulas(words, model)
    return Points(words, pd.concat([frame, extra], ignore_index=True), np.concatenate([found, values]), left_out)


_remembered_read = remembered(_read)


@lru_cache(64)
def _preset_of(groups: Groups | None) -> str:
    """The name of the built-in list with these groups, or ""."""
    return next((name for name in PRESETS if preset(name) == groups), "")


def check(words: Words, model: "EmbeddingModel") -> None:
    """Raise ValueError for invalid choices, exceeded limits, and a sentence that cannot contain a word."""
    check_reading(words.pieces, allowed=READINGS)
    if words.shuffled is not None:
        checked_seed(words.shuffled)
    if len(words.formulas) > MAX_FORMULAS:
        raise ValueError(f"There are {len(words.formulas)} formulas; at most {MAX_FORMULAS} are allowed. Remove some.")
    if not words.template:
        return
    if not 0 <= words.layer <= model.layers:
        raise ValueError(f"There is no layer {words.layer}. Choose 0 (input embedding) to {model.layers}.")
    templates.slot_position(words.template, model)
    if words.groups is None and not 0 < len(words.only) <= MAX_WORDS:
        raise ValueError(
            "The whole vocabulary can be shown by static embeddings only. For a sentence, choose"
            f" at most {MAX_WORDS:,} of its words."
        )


def of_words(names: Sequence[str], model: "EmbeddingModel", *, words: Words, progress: Progress = silent) -> Array:
    """The vectors (n, d) of any words, read in the same way as those of `words`."""
    if not words.template:
        return words_vectors.vectors(names, model, pieces=words.pieces)
    return words_vectors.vectors(
        names, model, pieces=words.pieces, layer=words.layer, template=words.template, progress=progress
    )


def effort(words: Words, model: "EmbeddingModel") -> tuple[int, float]:
    """The number of points, and about how many seconds one processor core needs to read their sentences."""
    points, _ = listed(words, model)
    count = len(points) + len(words.formulas)
    if not words.template:
        return count, 0.0
    rest = len(model.tokenize(templates.fill(words.template, "[MASK]", templates.WORD))) - 1
    pieces = count * rest + int(points["tokens"].sum()) + len(words.formulas)
    templates.check_pieces(pieces, templates.MAX_PIECES)
    return count, templates.seconds(pieces, model)


def vocabulary(model: "EmbeddingModel") -> Groups:
    """The first 30,000 tokens of the vocabulary (the more frequent ones), grouped by kind."""
    kinds: dict[str, list[str]] = {"whole word": [], "part of a word (##)": [], "number": [], "single character": []}
    for i in np.flatnonzero(model.rankable)[:MAX_POINTS]:
        token = model.vocabulary[i]
        bare = token.removeprefix("##")
        if len(bare) == 1 and not bare.isdigit():
            kinds["single character"].append(token)
        elif bare != token:
            kinds["part of a word (##)"].append(token)
        else:
            kinds["number" if token[0].isdigit() else "whole word"].append(token)
    return tuple((kind, tuple(members)) for kind, members in kinds.items() if members)


def frequency_ranks(model: "EmbeddingModel") -> dict[str, int]:
    """Frequency ranks of the tokens of two or more characters, which BERT's vocabularies list from frequent to rare,
    after the single characters in the order of their code points."""
    longer = (p for i, p in enumerate(model.vocabulary) if model.rankable[i] and len(p.removeprefix("##")) > 1)
    return {piece: rank for rank, piece in enumerate(longer, start=1)}


def listed(words: Words, model: "EmbeddingModel") -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The words of a map without their vectors (word, group, kind, edited_word, tokens), and the words left out."""
    check(words, model)
    formulas = [str(expression) for expression, _ in _values(words, model)[0]]
    whole = words.groups is None
    rows = _grouped(words, model)
    if words.only:
        names = {word.casefold(): word for word, _ in rows[::-1]} | {word: word for word, _ in rows}
        wanted = {word: names.get(word, names.get(word.casefold(), "")) for word in words.only}
        if missing := [word for word, name in wanted.items() if not name]:
            raise ValueError(f"{quoted(min(missing))} is not in the groups. Remove it from the words to show.")
        kept = set(wanted.values())
        rows = [row for row in rows if row[0] in kept]
    # Entries of the vocabulary are one token each; calling the tokenizer 30,000 times would take seconds.
    pieces = [(word,) if whole else templates.readable(word, model) for word, _ in rows]
    keep = np.array([len(p) == 1 or words.pieces != "leave out" for p in pieces], bool)
    known: dict[tuple[str, ...], str] = {}
    for (word, _), own, kept in zip(rows, pieces, keep, strict=True):
        first = own[:1] if words.pieces == "first" else own
        if kept and first in known:
            raise ValueError(
                f"{quoted(word)} and {quoted(known[first])} are the same to this model. Remove one of them."
            )
        known[first] = word
    frame = pd.DataFrame(rows, columns=["word", "group"]).assign(kind="word", edited_word="")
    frame["tokens"] = pd.array([len(p) for p in pieces], "Int64")
    if len(set(formulas)) < len(formulas) or set(formulas) & set(frame["word"]):
        raise ValueError("A formula appears twice, or equals one of the words. Remove it.")
    return frame[keep].reset_index(drop=True), tuple(frame["word"][~keep])


def _grouped(words: Words, model: "EmbeddingModel") -> list[tuple[str, str]]:
    """Each word with its group. Raises ValueError for a column of labels that is not there."""
    if words.groups is None and isinstance(model, Vectors):
        return _labelled(model, words)
    groups = vocabulary(model) if words.groups is None else words.groups
    return [(word, group) for group, members in groups for word in members]


def _labelled(vectors: Vectors, words: Words) -> list[tuple[str, str]]:
    """The names with their labels, of which the rarest share a group if there are too many."""
    columns = {name: labels for name, labels in vectors.labels if name != CONTEXT}
    if words.label and words.label not in columns:
        there = ", ".join(columns) or "none"
        raise ValueError(f"There is no column of labels {quoted(words.label)}. Choose one of: {there}.")
    labels = columns[words.label] if words.label else next(iter(columns.values()), ("",) * len(vectors))
    rows = np.arange(len(vectors))
    if 0 < words.sample < len(rows):
        rows = np.sort(generator(0, 1).choice(len(rows), words.sample, replace=False))
    counts = Counter(labels[row] for row in rows if labels[row])
    most = MAX_GROUPS if len(counts) < MAX_GROUPS else MAX_GROUPS - 2
    groups = {"": NO_LABEL} | {label: label for label, _ in counts.most_common(most)}
    return [(vectors.names[row], groups.get(labels[row], _OTHERS)) for row in rows]


def words_of_file(file: Vectors, model: "EmbeddingModel", *, label: str = "", sample: int = 0) -> Groups:
    """The names of a file that are single tokens of a model, grouped as on the map of the file."""
    ids = {model.vocabulary[i] for i in np.flatnonzero(model.whole_words)}
    groups: dict[str, list[str]] = {}
    for name, group in _labelled(file, Words(None, label=label, sample=sample)):
        if (token := name if model.cased else name.lower()) in ids:
            ids.remove(token)  # another spelling is the same word for the model
            groups.setdefault(group, []).append(name)
    if sum(map(len, groups.values())) < 3:
        raise ValueError("Fewer than three words of the file are single tokens of this model. Use another file.")
    return tuple((group, tuple(names)) for group, names in groups.items())


def _formulas(words: Words, model: "EmbeddingModel") -> tuple[pd.DataFrame, Array]:
    """The formulas as points: their static vectors, or the hidden states that these vectors have in the sentence."""
    parsed, values = _values(words, model)
    if words.template:
        start = templates.slot_position(words.template, model)
        ids = model.tokenize(templates.fill(words.template, "[MASK]", templates.WORD))["id"].to_numpy()
        inputs = np.repeat(model.matrix[ids][None], len(values), axis=0)
        inputs[:, start] = values
        values = model.encode(inputs)[words.layer, :, start]
    frame = pd.DataFrame({"word": [str(e) for e, _ in parsed], "edited_word": [of for _, of in parsed]})
    unknown = pd.array([pd.NA] * len(parsed), "Int64")
    return frame.assign(group="formula", kind="formula", tokens=unknown, frequency_rank=unknown), values


def _values(words: Words, model: "EmbeddingModel") -> tuple[list[tuple[Expression, str]], Array]:
    """The parsed formulas, and their values over static embeddings (n, d)."""
    parsed = [_formula(text) for text in words.formulas]
    values = np.array([evaluation.evaluate(expression, model) for expression, _ in parsed])
    if parsed and not np.linalg.norm(values.astype(float), axis=1).max() <= _LONGEST / model.inverse_norms.min():
        raise ValueError("A formula's vector is far longer than every word's. Use smaller numbers.")
    return parsed, values


def _formula(text: str) -> tuple[Expression, str]:
    """A parsed formula and the word that it edits ("" for none)."""
    if "=" not in text:
        return parser.parse(text), ""
    edit = parser.parse_equation(text)
    return edit.expression, edit.target


def _only_piece(word: str, model: "EmbeddingModel") -> str:
    pieces = model.pieces(word)
    return pieces[0] if len(pieces) == 1 else ""
