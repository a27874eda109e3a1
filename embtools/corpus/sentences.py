"""The sentences of a corpus nearest in meaning to a query sentence, and those that share the most words with it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.corpus.near_occurrences import in_words
from embtools.corpus.search import MAX_NEIGHBOURS, MAX_SENTENCE
from embtools.limits import within
from embtools.messages import counted
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.occurrences.folder.sentences import possible
from embtools.occurrences.opened import opened
from embtools.progress import Progress, part, silent
from embtools.spaces.space import AS_IS, Space
from embtools.statistics.decimals import decimal
from embtools.vectors import top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Matches:
    """The sentences of a corpus that match a query sentence.

    by_meaning  frame: rank (by meaning), sentence, cosine, words (rank by shared words; sentences that share no word
                get the mean of the remaining ranks), nearest in meaning first
    by_words    the same columns for the sentences that share the most words
    count       the number of sentences that were compared
    """

    by_meaning: pd.DataFrame
    by_words: pd.DataFrame
    count: int

    @property
    def headline(self) -> str:
        """How many of the sentences nearest in meaning are also among those that share the most words: k · m / n by
        chance, for k and m listed sentences of n.
        """
        k, m = len(self.by_meaning), len(self.by_words)
        if m < k:
            return self._few_share_words
        if k == self.count:
            if k == 1:
                alone = decimal(self.by_meaning["cosine"].iloc[0])
                return f"The text has only one other sentence (cosine {alone}), so there is nothing to compare."
            return (
                f"The text has only {in_words(k)} other sentences, so both lists contain all of them. Only their order"
                " can be compared."
            )
        shared = self._in_both
        return (
            f"Of the {in_words(k)} sentences nearest in meaning, {in_words(shared)} {'is' if shared == 1 else 'are'}"
            f" also among the {in_words(k)} that share the most words (expected by chance: {k * m / self.count:.1f})."
            f" The search compared {self.count:,} sentences."
        )

    @property
    def _in_both(self) -> int:
        return int(self.by_meaning["sentence"].isin(self.by_words["sentence"]).sum())

    @property
    def _few_share_words(self) -> str:
        """The headline if fewer sentences share a word with the query than are listed by meaning."""
        k, m, n = len(self.by_meaning), len(self.by_words), self.count
        compared = f"The search compared {counted(n, 'sentence')}."
        if m == 0:
            return f"No sentence shares a word with the query, so the two lists cannot be compared. {compared}"
        only = f"Only {in_words(m)} sentence{' shares' if m == 1 else 's share'} a word with the query."
        if k == n:
            return (
                f"{only} The list by meaning contains every sentence that was compared ({n:,}), so only the order can"
                " be compared."
            )
        shared = self._in_both
        near = f"among the {in_words(k)} nearest in meaning (expected by chance: {k * m / n:.1f})"
        if m == 1:
            return f"{only} It is {'' if shared else 'not '}{near}. {compared}"
        return f"{only} Of these, {in_words(shared)} {'is' if shared == 1 else 'are'} {near}. {compared}"


def similar_sentences(
    corpus: Corpus | CorpusFolder,
    model: "EmbeddingModel",
    *,
    sentence: str,
    combination: str = "",
    k: int = 10,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Matches:
    """The k sentences of a corpus nearest in meaning to a sentence, and the k that share the most words with it.

    A sentence is represented by the mean over all its tokens (in a folder, over its words), and compared by cosine.
    The sentence itself is left out.
    The control is the cosine of word counts weighted by rarity (tf-idf), which uses no meaning.

    Parameters
    ----------
    corpus : Corpus or CorpusFolder
    model : EmbeddingModel
        For a folder, the model that encoded it.
    sentence : str
        The sentence to compare with.
    combination : str, optional
        The layer combination, such as "layer 6" or "sum of last four"; by default that of the corpus.
    k : int, default 10
        Number of sentences.
    space : Space, optional
        Processed space, fitted to all occurrences of the corpus.
    progress : callable, optional

    Returns
    -------
    Matches
        The sentences nearest in meaning, and those nearest by shared words.

    Raises
    ------
    ValueError
        For a sentence that is empty or too long, k out of range, a text without another sentence, a folder that is too
        large, an unknown layer combination, a space that cannot be fitted, and a folder of another model or layer
        combination.
    """
    from scipy.stats import rankdata

    within(k, MAX_NEIGHBOURS, "sentences")
    sentence = checked_sentence(sentence)
    fitting = 0.0 if space == AS_IS or corpus.is_encoded else 1.0  # share of the time
    source = opened(corpus, model, combination=combination, space=space, progress=part(progress, 0.0, fitting))
    result = source.compare_sentences(sentence, part(progress, fitting, 1.0 - fitting))
    ranks, by_words = rankdata(-result.meaning, method="min").astype(int), rankdata(-result.shared.round(12))

    def listed(rows: NDArray[np.intp]) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "rank": ranks[rows],
                "sentence": source.sentences(result.numbers[rows].tolist()),
                "cosine": result.meaning[rows],
                "words": by_words[rows],
            }
        )

    sharing = top_k(np.where(result.shared > 0, result.shared, -np.inf), min(k, int((result.shared > 0).sum())))
    return Matches(listed(top_k(result.meaning, k)), listed(sharing), len(result.numbers))


def refusal(corpus: Corpus | CorpusFolder) -> str:
    """Why the sentences of a corpus cannot be compared on this machine; "" if they can."""
    if isinstance(corpus, Corpus):
        return ""
    try:
        possible(corpus)
    except ValueError as error:
        return str(error)
    return ""


def checked_sentence(text: str) -> str:
    """A typed sentence as one line; ValueError if it is empty or too long.

    >>> checked_sentence(" It  rained. ")
    'It rained.'
    """
    sentence = " ".join(text.split())
    if not sentence:
        raise ValueError("There is no sentence to search for. Write one.")
    if len(sentence) > MAX_SENTENCE:
        raise ValueError(
            f"The sentence has {len(sentence):,} characters; at most {MAX_SENTENCE:,} are allowed. Shorten it."
        )
    return sentence
