"""The nearest occurrences of a word as it stands in one sentence, and its static neighbours beside them.

"Operations on contextual word embeddings": the k most similar tokens of a corpus, each in its sentence.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.limits import within
from embtools.messages import quoted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import Occurrences, encode_corpus
from embtools.occurrences.in_space import processed
from embtools.progress import Progress, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import Array, cosine, top_k
from embtools.words.occurrences import pieces_of
from embtools.words.templates import readable

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_NEIGHBOURS = 50
MAX_SENTENCE = 1_000  # characters of a sentence that is typed


@dataclass(frozen=True)
class Query:
    """A word in a sentence: its occurrence of that number (from 1) in the corpus, or in a sentence of one's own."""

    word: str
    number: int = 1
    sentence: str = ""


@dataclass(frozen=True)
class Nearest:
    """What is near a word as it stands in a sentence.

    word        as the model writes it;  query: one row of `others` (rank 0), the word that was asked for
    near        rank, word, cosine, sense, text, start, end: the nearest of all occurrences
    others      the same for every other occurrence of the word itself, nearest first, and its number (from 1)
    static      rank, word, cosine: the text's words by their static embeddings, the same vector in every sentence
    searched    how many occurrences were looked at;  whole: whether that was all of the text
    """

    word: str
    query: pd.DataFrame
    near: pd.DataFrame
    others: pd.DataFrame
    static: pd.DataFrame
    searched: int
    whole: bool


def nearest(
    corpus: Corpus,
    query: Query,
    recipe: str,
    model: "EmbeddingModel",
    *,
    k: int = 10,
    same_word: bool = True,
    whole: bool = True,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Nearest:
    """The k nearest occurrences to the word of the query, by cosine; never the occurrence that is asked about.

    Without `same_word` only other words are listed. `whole=False` reads the sentences with the word alone, which is
    quick. A processed `space` is fitted to all occurrences of the corpus, which is read for it; static neighbours stay
    raw. Raises ValueError for k out of range, a word that does not stand there, and as `encode_corpus` does.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    if space != AS_IS:
        encode_corpus(corpus, recipe, model, progress=progress)
    word, source, row = find(corpus, query, recipe, model, space)
    vector, asked = source.vectors[row], source.described(np.array([row]), cosine=[1.0]).assign(rank=0)
    part = corpus.having(query.word)
    if not whole and not part.sentences:
        pool = source  # nothing of the word in the text: only the typed sentence itself is there to be read
    else:
        pool = processed(corpus if whole else part, recipe, model, space, fitted_to=corpus, progress=progress)
    own = pool.of(word)
    scores = pool.cosines(vector)
    hidden = np.zeros(len(scores), bool)
    if not query.sentence:
        hidden[own[query.number - 1]] = True
    elif pool is source:
        hidden[row] = True
    others = own[np.argsort(-scores[own], kind="stable")]
    others = others[~hidden[others]]
    if not same_word:
        hidden[own] = True
    best = top_k(np.where(hidden, -np.inf, scores), min(k, int((~hidden).sum())))
    return Nearest(
        word,
        asked,
        pool.described(best, cosine=scores[best]),
        pool.described(others, cosine=scores[others], number=np.searchsorted(own, others) + 1),
        static_neighbours(word, pool, model, k, same_word=same_word),
        int((~hidden).sum()),
        whole,
    )


def find(
    corpus: Corpus, query: Query, recipe: str, model: "EmbeddingModel", space: Space = AS_IS
) -> tuple[str, Occurrences, int]:
    """The word as the model writes it, the occurrences of the sentences with it, and the row that is asked about.

    In a processed space they stand as all occurrences of the corpus have shaped it.

    Raises ValueError where there is no such occurrence.
    """
    word, shown = spelt(query.word, model), quoted(query.word)
    if len(query.sentence) > MAX_SENTENCE:
        raise ValueError(f"The sentence has {len(query.sentence):,} characters; at most {MAX_SENTENCE:,} are read.")
    part = Corpus((query.sentence,)) if query.sentence else corpus.having(query.word)
    where = "your sentence" if query.sentence else "the text"
    missing = ValueError(
        f"{shown} does not stand in {where}. Choose another word, in the form in which it stands there."
    )
    if not part.sentences:
        raise missing
    found = processed(part, recipe, model, space, fitted_to=corpus)
    rows = found.of(word)
    if not len(rows):
        raise missing
    if not 1 <= query.number <= len(rows):
        times = "once" if len(rows) == 1 else f"{len(rows)} times"
        raise ValueError(f"{shown} stands in {where} {times}. Choose one of these.")
    return word, found, int(rows[query.number - 1])


def spelt(word: str, model: "EmbeddingModel") -> str:
    """A word as the model's pieces spell it; ValueError for none, and for what is more than one word."""
    name = "".join(piece.removeprefix("##") for piece in pieces_of(word, model))
    if len(model.words(word)[1]) > 1:
        raise ValueError(f"{quoted(word)} is more than one word. Write a single one.")
    return name


def contexts(corpus: Corpus, word: str, recipe: str, model: "EmbeddingModel") -> pd.DataFrame:
    """All occurrences of a word in the order of the text: rank (its number), word, sense, text, start, end.

    Raises ValueError where the word does not stand in the text.
    """
    name, found, _ = find(corpus, Query(word), recipe, model)
    return found.described(found.of(name))


def static_neighbours(
    word: str, pool: Occurrences, model: "EmbeddingModel", k: int, *, same_word: bool = True
) -> pd.DataFrame:
    """The words of a text nearest to a word by static embeddings: rank, word, cosine.

    With `same_word` the word itself is among them, with cosine 1: all of its occurrences have that one vector. Words of
    several pieces stand in the mean of their pieces when they are asked for, and are left out of the list.
    """
    readable(word, model)
    names = [name for name in pool.table["word"].unique() if name in model.ids and name != word]
    vector = _static(word, model)
    scores = cosine(vector, model.matrix[[model.ids[name] for name in names]])[0] if names else np.empty(0)
    best = top_k(scores, k - same_word)
    listed = [(word, 1.0)] * same_word + [(names[i], float(scores[i])) for i in best]
    frame = pd.DataFrame(listed, columns=["word", "cosine"])
    frame.insert(0, "rank", np.arange(1, len(frame) + 1))
    return frame


def _static(word: str, model: "EmbeddingModel") -> Array:
    ids: NDArray[np.intp] = np.array([model.ids[piece] for piece in model.pieces(word)])
    return model.matrix[ids].mean(0)


@dataclass(frozen=True)
class SenseHits:
    """How many of the nearest other occurrences of a word have the sense of the one that is asked about.

    Looked at are as many of them (`of`) as have that sense at all, among those with a sense; `luck` is what drawing as
    many at random finds on average.
    """

    sense: str
    hits: int
    of: int
    luck: float


def sense_hits(found: Nearest, sense: str = "") -> SenseHits | None:
    """Of the nearest other occurrences of the word, how many mean the same; None without two senses to tell apart.

    `sense` is that of the query where its occurrence has none of its own: a typed sentence's, said by the visitor.
    """
    sense = str(found.query["sense"].iat[0]) or sense
    senses = found.others["sense"][found.others["sense"] != ""]
    of = int((senses == sense).sum())
    if not sense or not of or of == len(senses):
        return None
    return SenseHits(sense, int((senses.head(of) == sense).sum()), of, of * of / len(senses))
