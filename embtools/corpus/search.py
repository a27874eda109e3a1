"""The occurrences nearest to a word in one sentence, and for comparison its static neighbours.

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
    """A word in a sentence: the occurrence with this number (from 1) in the corpus or in a typed sentence."""

    word: str
    number: int = 1
    sentence: str = ""


@dataclass(frozen=True)
class Nearest:
    """The occurrences nearest to a word in a sentence.

    word        as the model writes it
    query       frame with one row: the occurrence that the query selects, with the columns of `near`, and rank 0
    near        frame: rank, word, cosine, sense, text, start, end of the nearest of all occurrences
    others      the same for every other occurrence of the word itself, nearest first, and its number (from 1)
    static      frame: rank, word, cosine of the text's words by static embedding (one vector for all sentences)
    searched    the number of occurrences that were compared
    whole       whether these are all occurrences of the text
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
    model: "EmbeddingModel",
    *,
    query: Query,
    recipe: str,
    k: int = 10,
    same_word: bool = True,
    whole: bool = True,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Nearest:
    """The k occurrences nearest to the occurrence of the query, by cosine, without that occurrence itself.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    query : Query
        A word with the number of its occurrence (from 1), in the corpus or in a typed sentence.
    recipe : str
        The layer combination, such as "layer 6" (see `recipes.recipe_names`).
    k : int, default 10
        Number of occurrences.
    same_word : bool, default True
        Whether occurrences of the same word are listed.
    whole : bool, default True
        Whether to search the whole corpus. Otherwise only the sentences that contain the word are read, which is quick.
    space : Space, optional
        Processed space, fitted to all occurrences, so the whole corpus is read; static neighbours stay raw.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Nearest
        The nearest occurrences, and the static neighbours of the word.

    Raises
    ------
    ValueError
        If k is out of range or the word does not occur, and as `encode_corpus` does.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    if space != AS_IS:
        encode_corpus(corpus, model, recipe=recipe, progress=progress)
    word, source, row = find(corpus, model, query=query, recipe=recipe, space=space)
    vector, selected = source.vectors[row], source.described(np.array([row]), cosine=[1.0]).assign(rank=0)
    part = corpus.having(query.word)
    if not whole and not part.sentences:
        pool = source  # the word does not occur in the text, so only the typed sentence can be read
    else:
        pool = processed(
            corpus if whole else part, model, recipe=recipe, space=space, fitted_to=corpus, progress=progress
        )
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
        selected,
        pool.described(best, cosine=scores[best]),
        pool.described(others, cosine=scores[others], number=np.searchsorted(own, others) + 1),
        static_neighbours(word, model, pool=pool, k=k, same_word=same_word),
        int((~hidden).sum()),
        whole,
    )


def find(
    corpus: Corpus, model: "EmbeddingModel", *, query: Query, recipe: str, space: Space = AS_IS
) -> tuple[str, Occurrences, int]:
    """The word as the model writes it, all occurrences in the sentences that contain it, and the row of the query.

    A processed space is fitted to all occurrences of the corpus. Raises ValueError if there is no such occurrence.
    """
    word, shown = model_spelling(query.word, model), quoted(query.word)
    if len(query.sentence) > MAX_SENTENCE:
        raise ValueError(
            f"The sentence has {len(query.sentence):,} characters; at most {MAX_SENTENCE:,} are allowed. Shorten it."
        )
    part = Corpus((query.sentence,)) if query.sentence else corpus.having(query.word)
    where = "your sentence" if query.sentence else "the text"
    missing = ValueError(f"{shown} does not occur in {where}. Use another word, in the form in which it occurs there.")
    if not part.sentences:
        raise missing
    result = processed(part, model, recipe=recipe, space=space, fitted_to=corpus)
    rows = result.of(word)
    if not len(rows):
        raise missing
    if not 1 <= query.number <= len(rows):
        raise ValueError(out_of_range(shown, where, len(rows)))
    return word, result, int(rows[query.number - 1])


def out_of_range(word: str, where: str, count: int, *, mean: bool = False) -> str:
    """The error message for an occurrence number that a word does not have; mean: 0 is allowed for the mean of all.

    >>> print(out_of_range("'bank'", "the text", 3))
    'bank' occurs 3 times in the text. Choose occurrence 1 to 3.
    """
    times, numbers = ("once", "1") if count == 1 else (f"{count:,} times", f"1 to {count:,}")
    return f"{word} occurs {times} in {where}. Choose occurrence {numbers}{', or 0 for the mean' if mean else ''}."


def model_spelling(word: str, model: "EmbeddingModel") -> str:
    """A word as spelled by the model's tokens. Raises ValueError for an empty text and for more than one word."""
    name = "".join(piece.removeprefix("##") for piece in pieces_of(word, model))
    if len(model.words(word)[1]) > 1:
        raise ValueError(f"{quoted(word)} is more than one word. Write a single word.")
    return name


def contexts(corpus: Corpus, model: "EmbeddingModel", *, word: str, recipe: str) -> pd.DataFrame:
    """All occurrences of a word in the order of the text: rank (its number), word, sense, text, start, end.

    Raises ValueError if the word does not occur in the text.
    """
    name, result, _ = find(corpus, model, query=Query(word), recipe=recipe)
    return result.described(result.of(name))


def static_neighbours(
    word: str, model: "EmbeddingModel", *, pool: Occurrences, k: int, same_word: bool = True
) -> pd.DataFrame:
    """The words of a text nearest to a word by static embedding, as a frame with columns rank, word, cosine.

    With `same_word` the word itself is listed with cosine 1, because all of its occurrences have the same static
    embedding. If `word` has several tokens, the mean of their embeddings is used. Words of several tokens are not
    listed.
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
    """How many of the nearest other occurrences of a word have the same sense as the query.

    sense   the sense of the query
    hits    how many of the nearest `of` other occurrences have this sense
    of      the number of all other occurrences with this sense; occurrences without a sense are left out
    chance  the mean number of hits among `of` other occurrences drawn at random
    """

    sense: str
    hits: int
    of: int
    chance: float


def sense_hits(result: Nearest, sense: str = "") -> SenseHits | None:
    """How many of the nearest other occurrences have the same sense as the query.

    Parameters
    ----------
    result : Nearest
        From `nearest`.
    sense : str, default ""
        The sense of the query if its occurrence has no label, as in a typed sentence.

    Returns
    -------
    SenseHits or None
        None without two known senses.
    """
    sense = str(result.query["sense"].iat[0]) or sense
    senses = result.others["sense"][result.others["sense"] != ""]
    of = int((senses == sense).sum())
    if not sense or not of or of == len(senses):
        return None
    return SenseHits(sense, int((senses.head(of) == sense).sum()), of, of * of / len(senses))
