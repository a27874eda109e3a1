"""The occurrences nearest to a word in one sentence, in a text or a folder, and for comparison its static neighbours.

"Operations on contextual word embeddings": the k most similar tokens of a corpus, each in its sentence.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.corpus.near_occurrences import WORD, Nearest, SenseHits
from embtools.limits import within
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder import scan
from embtools.occurrences.folder.opened import Engine
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.opened import Opened, Rows, opened
from embtools.occurrences.rows import model_spelling, out_of_range
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array, cosine, top_k
from embtools.words.templates import readable

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_NEIGHBOURS = 50
MAX_SENTENCE = 1_000  # characters of a sentence that is typed
LAYER_0 = "layer 0"
_BIN = 0.02


@dataclass(frozen=True)
class Query:
    """A word in a sentence: the occurrence with this number (from 1) in the corpus or in a typed sentence."""

    word: str
    number: int = 1
    sentence: str = ""

    @property
    def subject(self) -> str:
        """What the query is about, in a few words."""
        return f"{self.word}: {self.sentence[:80]}" if self.sentence else f"{self.word}, occurrence {self.number}"


def nearest(
    corpus: Corpus | CorpusFolder,
    model: "EmbeddingModel",
    *,
    query: Query,
    combination: str = "",
    k: int = 10,
    same_word: bool = True,
    whole: bool = True,
    space: Space = AS_IS,
    most_kept: int | None = None,  # prepared answers are stored under this name
    engine: Engine | None = None,
    progress: Progress = silent,
) -> Nearest:
    """The k occurrences nearest to the occurrence of the query, by cosine, without that occurrence itself.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        For a folder, the model that encoded it.
    query : Query
        A word with the number of its occurrence (from 1), in the corpus or in a typed sentence.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four"; by default that of the corpus.
    k : int, default 10
        Number of occurrences.
    same_word : bool, default True
        Whether occurrences of the same word are listed among all.
    whole : bool, default True
        Whether to search all occurrences. Otherwise only those of the word are read, which is quick.
    space : Space, optional
        Processed space, fitted to all occurrences, so a text is read completely; static neighbours stay raw.
    most_kept : int or None, optional
        Folders with more occurrences are searched file by file, not in one array on this machine.
    engine : callable, optional
        Searches the parts of a folder, as on several machines: it takes a function that searches one part and the
        numbers of all parts, and yields the rows that were found.
    progress : callable, optional

    Returns
    -------
    Nearest
        The nearest occurrences, and the static neighbours of the word.

    Raises
    ------
    ValueError
        For k out of range, a word or an occurrence that is not in the corpus, a typed sentence that is too long, an
        unknown layer combination, a space that cannot be fitted, and a folder of another model or layer combination.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    reading = 0.0 if corpus.is_encoded else 0.8  # share of the time
    fitting = 0.0 if space == AS_IS else reading
    source = opened(
        corpus,
        model,
        combination=combination,
        space=space,
        most_stored=most_kept,
        engine=engine,
        progress=part(progress, 0.0, fitting),
    )
    progress = part(progress, fitting, 1 - fitting)
    word, number, vector, selected = _selected(source, query, model, corpus.where)
    rows = source.of(word)
    itself = ((number, number + 1),) if number >= 0 else ()
    listed = len(rows) if corpus.lists_all else k
    others, spread = _others(rows, word, vector, listed, itself, selected, part(progress, 0.0, 0.1 if whole else 1.0))
    none = others.iloc[:0, :-1]
    result = Nearest(
        word,
        len(rows),
        selected,
        others,
        spread,
        none,
        none[["rank", "word", "cosine"]],
        len(rows) - len(itself),
        WORD,
        corpus.lists_all,
    )
    if (hits := sense_hits(result)) is not None:
        alike = combination == LAYER_0 and space == AS_IS
        first = None if alike else nearest(corpus, model, query=query, combination=LAYER_0, k=1, whole=False)
        result = replace(result, hits=hits, layer_0=hits if first is None else first.hits)
    if not whole:
        return result
    every = source.all(part(progress, 0.1, reading))
    begin, end = every.span(word)
    hidden = tuple((begin + low, begin + high) for low, high in itself) if same_word else ((begin, end),)
    searched = len(every) - sum(high - low for low, high in hidden)
    best, occ = every.nearest(vector, k, hidden, part(progress, 0.1 + reading, 0.9 - reading))
    near = every.described(occ, every.word_of(best.rows), cosine=best.cosines.astype(np.float64))
    return replace(
        result,
        near=near,
        static=static_neighbours(word, model, words=every.words(), k=k, same_word=same_word),
        searched=searched,
        how=source.how,
    )


def _selected(
    source: Opened, query: Query, model: "EmbeddingModel", where: str
) -> tuple[str, int, Array, pd.DataFrame]:
    """The word, the number of its occurrence (from 0; -1 for a typed sentence), its vector, and the query's frame."""
    word, shown = model_spelling(query.word, model), quoted(query.word)
    if len(query.sentence) > MAX_SENTENCE:
        raise ValueError(
            f"The sentence has {len(query.sentence):,} characters; at most {MAX_SENTENCE:,} are allowed. Shorten it."
        )
    rows = (source.typed(query.sentence) if query.sentence else source).of(word)
    where = "your sentence" if query.sentence else where
    if not len(rows):
        raise ValueError(f"{shown} does not occur in {where}. Use another word, in the form in which it occurs there.")
    if not 1 <= query.number <= len(rows):
        raise ValueError(out_of_range(shown, where, len(rows)))
    occ, vector = rows.one(query.number - 1)
    frame = rows.described(np.array([occ]), word, cosine=[1.0]).assign(rank=0)
    return word, -1 if query.sentence else query.number - 1, vector, frame


def _others(
    rows: Rows,
    word: str,
    vector: Array,
    k: int,
    itself: tuple[tuple[int, int], ...],
    selected: pd.DataFrame,
    progress: Progress,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The k nearest occurrences of the word itself, and a histogram of the cosines of all; they are read in blocks."""
    best, counts, numbers = scan.NONE, np.zeros(round(2 / _BIN), np.int64), dict[int, int]()
    for block in rows.blocks(progress):
        best = scan.search(block.vectors, block.norms, vector, k, first=block.first, hidden=itself, best=best)
        numbers |= block.numbers(best.rows)
        kept = np.ones(len(block.norms), bool)
        for low, high in itself:
            kept[max(0, low - block.first) : max(0, high - block.first)] = False
        values = scan.cosines(block.vectors, block.norms, vector)[kept]
        counts += np.bincount(np.clip((values + 1) // _BIN, 0, len(counts) - 1).astype(int), minlength=len(counts))
    used = np.flatnonzero(counts)
    bins = np.arange(used[0], used[-1] + 1) if len(used) else used
    edges = bins * _BIN - 1
    spread = pd.DataFrame({"bin_start": edges.round(2), "bin_end": (edges + _BIN).round(2), "count": counts[bins]})
    if not len(best.rows):
        return selected.iloc[:0].assign(number=np.empty(0, np.int64)), spread
    occ = np.array([numbers[row] for row in best.rows.tolist()], np.int64)
    frame = rows.described(occ, word, cosine=best.cosines.astype(np.float64))
    return frame.assign(number=best.rows + 1), spread


def count(corpus: Corpus | CorpusFolder, model: "EmbeddingModel", *, word: str, combination: str = "") -> int:
    """How often a word occurs in a corpus.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        For a folder, the model that encoded it.
    word : str
    combination : str, optional
        The layer combination with which a text is read; by default that of the corpus.

    Returns
    -------
    int
        The number of occurrences.

    Raises
    ------
    ValueError
        For a text that is not a single word, an unknown layer combination, and a folder of another model or layer
        combination.
    """
    return len(opened(corpus, model, combination=combination).of(model_spelling(word, model)))


def contexts(corpus: Corpus, model: "EmbeddingModel", *, word: str, combination: str) -> pd.DataFrame:
    """All occurrences of a word in the order of the text.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    word : str
    combination : str
        The layer combination with which the text is read.

    Returns
    -------
    DataFrame
        Columns: rank (the number of the occurrence), word, sense, text, start, end.

    Raises
    ------
    ValueError
        If the word does not occur in the text.
    """
    source = opened(corpus, model, combination=combination)
    name, *_ = _selected(source, Query(word), model, corpus.where)
    rows = source.of(name)
    every = np.concatenate([block.occ for block in rows.blocks()])
    return rows.described(every, name)


def sense_hits(result: Nearest, *, sense: str = "") -> SenseHits | None:
    """How many of the nearest other occurrences have the same sense as the query."""
    sense = str(result.query["sense"].iat[0]) or sense
    senses = result.others["sense"][result.others["sense"] != ""]
    of = int((senses == sense).sum())
    if not sense or not of or of == len(senses):
        return None
    return SenseHits(sense, int((senses.head(of) == sense).sum()), of, of * of / len(senses))


def static_neighbours(
    word: str, model: "EmbeddingModel", *, words: pd.Series, k: int, same_word: bool = True
) -> pd.DataFrame:
    """The words (of one token) of a corpus nearest to a word by static embedding, as a frame: rank, word, cosine; with
    `same_word` the word itself is first, because all of its occurrences have the same embedding.
    """
    readable(word, model)
    names = [str(name) for name in words[words.isin(model.ids)] if name != word]
    vector = model.matrix[[model.ids[token] for token in model.pieces(word)]].mean(0)
    scores = cosine(vector, model.matrix[[model.ids[name] for name in names]])[0] if names else np.empty(0)
    best = top_k(scores, k - same_word)
    listed = [(word, 1.0)] * same_word + [(names[i], float(scores[i])) for i in best]
    frame = pd.DataFrame(listed, columns=["word", "cosine"])
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return frame
