"""The sentences of a text nearest in meaning to a query sentence, and those that share the most words with it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.corpus.search import MAX_NEIGHBOURS, MAX_SENTENCE
from embtools.limits import within
from embtools.occurrences.corpus import Corpus
from embtools.occurrences.in_space import processed
from embtools.progress import Progress, silent
from embtools.spaces.space import AS_IS, Space
from embtools.vectors import cosine, top_k

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


@dataclass(frozen=True)
class Matches:
    """The sentences of a text that match a query sentence.

    by_meaning  frame: rank (by meaning), sentence, cosine, words (rank by shared words; sentences that share no word
                get the mean of the remaining ranks), nearest in meaning first
    by_words    the same columns for the sentences that share the most words
    count       the number of sentences that were compared
    """

    by_meaning: pd.DataFrame
    by_words: pd.DataFrame
    count: int


def similar_sentences(
    corpus: Corpus,
    model: "EmbeddingModel",
    *,
    sentence: str,
    recipe: str,
    k: int = 10,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Matches:
    """The k sentences of a corpus nearest in meaning to a sentence, and the k that share the most words with it.

    A sentence is represented by the mean over all its tokens, and compared by cosine. The sentence itself is left out.
    The control is the cosine of word counts weighted by rarity (tf-idf), which uses no meaning.

    Parameters
    ----------
    corpus : Corpus
    model : EmbeddingModel
    sentence : str
        The sentence to compare with.
    recipe : str
        The layer combination, such as "layer 6" (see `recipes.recipe_names`).
    k : int, default 10
        Number of sentences.
    space : Space, optional
        Processed space, fitted to all occurrences of the corpus.
    progress : callable, optional
        Receives 0 … 1; may raise to stop.

    Returns
    -------
    Matches
        The sentences nearest in meaning, and those nearest by shared words.

    Raises
    ------
    ValueError
        For a sentence that is empty or too long, k out of range, and as `processed` does.
    """
    from scipy.stats import rankdata
    from sklearn.feature_extraction.text import TfidfVectorizer

    within(k, MAX_NEIGHBOURS, "sentences")
    sentence = checked_sentence(sentence)
    found = processed(corpus, model, recipe=recipe, space=space, progress=progress)
    query = processed(Corpus((sentence,)), model, recipe=recipe, space=space, fitted_to=corpus)
    others = np.array([n for n, text in enumerate(found.sentences) if text != sentence], np.intp)
    if not len(others):
        raise ValueError("The text has no other sentence. Use a longer text.")
    meaning = cosine(query.means[0], found.means[others])[0]
    counted = TfidfVectorizer(token_pattern=r"(?u)\w+").fit_transform([sentence, *(found.sentences[n] for n in others)])
    shared = (counted[1:] @ counted[0].T).toarray()[:, 0]
    frame = pd.DataFrame(
        {
            "sentence": [found.sentences[n] for n in others],
            "cosine": meaning,
            "rank": rankdata(-meaning, method="min").astype(int),
            "words": rankdata(-shared.round(12)),
        }
    )
    columns = ["rank", "sentence", "cosine", "words"]
    nearest = top_k(meaning, k)
    sharing = top_k(np.where(shared > 0, shared, -np.inf), min(k, int((shared > 0).sum())))
    return Matches(
        frame.iloc[nearest][columns].reset_index(drop=True),
        frame.iloc[sharing][columns].reset_index(drop=True),
        len(others),
    )


def checked_sentence(text: str) -> str:
    """A typed sentence as one line. Raises ValueError if it is empty or too long.

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
