"""Sentences by meaning: those of a text nearest to a sentence one writes, beside those that share its words."""

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
    """rank, sentence, cosine, words (the rank by shared words alone; those that share none stand in the middle of
    the rest) and the same the other way round: the sentences that share most words, with their rank by meaning.
    """

    by_meaning: pd.DataFrame
    by_words: pd.DataFrame
    count: int


def similar_sentences(
    corpus: Corpus,
    sentence: str,
    recipe: str,
    model: "EmbeddingModel",
    *,
    k: int = 10,
    space: Space = AS_IS,
    progress: Progress = silent,
) -> Matches:
    """The k sentences nearest to a sentence, by the cosine of their means over all pieces; the sentence itself is left
    out. The control is the cosine of their words weighted by rarity (tf-idf), which knows no meaning.

    A processed `space` is fitted to all occurrences of the corpus. Raises ValueError for an empty sentence, one that is
    too long, k out of range, and as `processed` does.
    """
    from scipy.stats import rankdata
    from sklearn.feature_extraction.text import TfidfVectorizer

    within(k, MAX_NEIGHBOURS, "sentences")
    sentence = asked_sentence(sentence)
    found = processed(corpus, recipe, model, space, progress=progress)
    asked = processed(Corpus((sentence,)), recipe, model, space, fitted_to=corpus)
    others = np.array([n for n, text in enumerate(found.sentences) if text != sentence], np.intp)
    if not len(others):
        raise ValueError("The text has no other sentence. Choose a longer text.")
    meaning = cosine(asked.means[0], found.means[others])[0]
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
    nearest, alike = top_k(meaning, k), top_k(np.where(shared > 0, shared, -np.inf), min(k, int((shared > 0).sum())))
    return Matches(
        frame.iloc[nearest][columns].reset_index(drop=True),
        frame.iloc[alike][columns].reset_index(drop=True),
        len(others),
    )


def asked_sentence(text: str) -> str:
    """What was typed as one line; ValueError for nothing, and for what is too long.

    >>> asked_sentence(" It  rained. ")
    'It rained.'
    """
    sentence = " ".join(text.split())
    if not sentence:
        raise ValueError("There is no sentence to look for. Write one.")
    if len(sentence) > MAX_SENTENCE:
        raise ValueError(f"The sentence has {len(sentence):,} characters; at most {MAX_SENTENCE:,} are read.")
    return sentence
