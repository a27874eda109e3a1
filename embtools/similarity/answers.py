"""The answers of a model about colours: which colour is most similar to another, and which colour a sheep has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import logits_at, mask_inside_word, probabilities
from embtools.messages import quoted
from embtools.similarity import colours
from embtools.similarity.matrix import MAX_WORDS
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST_SIMILAR = "The most similar color to {word} is [MASK]."
SHEEP = "The {word} is [MASK]."
# Twenty subjects to compare with the first: with fewer, even the highest ratio has p ≥ 0.05.
_OTHERS = """
lamb cow swan snow milk coal night car thing horse dog cat house shirt wall door chair paper flower stone
"""
SUBJECTS = ("sheep", *_OTHERS.split())


@dataclass(frozen=True)
class ColourAnswers:
    """The answers of a model to a sentence that contains each word in turn.

    words          n words
    probabilities  (n, n): one row per word in the sentence, one column per answer
    best           frame: word, answer (the top answer of the whole vocabulary), probability, answer_in_list (the top
                   answer among the other words), probability_in_list, probability_itself (of the word itself)
    """

    words: tuple[str, ...]
    probabilities: NDArray[np.float64]
    best: pd.DataFrame


def slot_probabilities(
    template: str, model: "EmbeddingModel", *, fillers: Sequence[str], answers: Sequence[str]
) -> tuple[NDArray[np.float64], pd.DataFrame]:
    """Probabilities (n fillers, m answers) at [MASK] of a template in which {word} is each filler in turn.

    Also returns a frame of the top answers of the whole vocabulary: word, answer, probability. All fillers run in one
    batch: the vector of each one is put at the position of {word}. Raises ValueError for a template without exactly one
    {word} and one [MASK], and for words of several tokens.
    """
    for name, group in (("fillers", fillers), ("answers", answers)):
        if not 1 <= len(group) <= MAX_WORDS:
            raise ValueError(f"There are {len(group)} {name}. Give 1 to {MAX_WORDS}.")
    if template.count("[MASK]") != 1 or template.count(WORD) != 1:
        raise ValueError(f"The sentence needs {WORD} exactly once and [MASK] exactly once.")
    text = template.replace(WORD, "[MASK]")
    if glued := mask_inside_word(text):
        raise ValueError(f"{quoted(glued)} is not one word to BERT. Put spaces around {WORD} and [MASK].")
    tokens = model.tokenize(text)
    ids = tokens["id"].to_numpy()
    slot, mask = np.flatnonzero(ids == model.mask_id)
    if template.index("[MASK]") < template.index(WORD):
        slot, mask = mask, slot
    patches = [Patch({model.mask_id: model.vector(word)}, (int(slot),)) for word in fillers]
    logits = logits_at(ids, model, segments=tokens["segment"].to_numpy(), positions=[int(mask)], patches=patches)
    found = probabilities(logits[:, 0])
    rankable = np.where(model.rankable, found, -1)
    best = rankable.argmax(1)
    frame = pd.DataFrame(
        {
            "word": list(fillers),
            "answer": [model.vocabulary[i] for i in best],
            "probability": rankable.max(1),
        }
    )
    return found[:, [model.token_id(word) for word in answers]], frame


def ask_most_similar(words: Sequence[str], model: "EmbeddingModel", *, template: str = MOST_SIMILAR) -> ColourAnswers:
    """BERT's own answers to the question which word is most similar to each.

    This is the second measure of similarity in "BERT Embedding Math".

    Parameters
    ----------
    words : sequence of str
        n words of one token each.
    model : EmbeddingModel
    template : str, optional
        A question with a slot for the word and a [MASK].

    Returns
    -------
    ColourAnswers
        (n, n) probabilities of each word as the answer for each word.

    Raises
    ------
    ValueError
        As `slot_probabilities` does, and for a word that appears twice.
    """
    wordlist.check(words, model, least=2, most=MAX_WORDS)
    found, best = slot_probabilities(template, model, fillers=words, answers=words)
    others = np.where(np.eye(len(words), dtype=bool), -1, found)
    best["answer_in_list"] = [words[i] for i in others.argmax(1)]
    best["probability_in_list"] = others.max(1)
    best["probability_itself"] = np.diag(found)
    return ColourAnswers(tuple(words), found, best)


def one_piece_colours(words: Sequence[str], model: "EmbeddingModel") -> dict[str, str]:
    """The sRGB values of the colour words in a list that are one token, so that BERT can answer with them.

    Parameters
    ----------
    words : sequence of str
        Words.
    model : EmbeddingModel

    Returns
    -------
    dict of str to str
        Word → sRGB value, such as "#ff0000".

    Raises
    ------
    ValueError
        For fewer than four.
    """
    pieces = {word: model.pieces(word) for word in colours.hexes(words)}
    found = {
        word: value
        for word, value in colours.hexes(words).items()
        if len(pieces[word]) == 1 and pieces[word][0] != "[UNK]"
    }
    if len(found) < colours.FEWEST:
        raise ValueError(
            f"Only {len(found)} of these words are CSS colours of one token, with which BERT can answer. The comparison"
            f" needs {colours.FEWEST}: add words such as red and green."
        )
    return found


def answer_table(answers: ColourAnswers) -> pd.DataFrame:
    """The (n, n) answers in long form, in the order of the words: word, answer, probability."""
    n = len(answers.words)
    return pd.DataFrame(
        {
            "word": np.repeat(answers.words, n),
            "answer": np.tile(answers.words, n),
            "probability": answers.probabilities.ravel(),
        }
    )


def answer_similarity(answers: ColourAnswers) -> NDArray[np.float64]:
    """Answers as a symmetric (n, n) similarity: log probabilities minus each answer's mean over the questions.

    Without this subtraction, a word that is a frequent answer to everything ("white") would be similar to everything.
    """
    logs = np.log(np.maximum(answers.probabilities, 1e-12))
    np.fill_diagonal(logs, np.nan)
    logs = np.nan_to_num(logs - np.nanmean(logs, axis=0))
    return np.asarray((logs + logs.T) / 2)


def black_sheep(
    subjects: Sequence[str],
    model: "EmbeddingModel",
    *,
    template: str = SHEEP,
    first: str = "black",
    second: str = "white",
) -> pd.DataFrame:
    """The probabilities of two colours for a sheep, and for other subjects as controls.

    The effect is a reporting bias: people write "black sheep" because white sheep go without saying (Gordon & Van Durme
    2013; Daumé 2016).

    Parameters
    ----------
    subjects : sequence of str
        The subjects, such as "sheep".
    model : EmbeddingModel
    template : str, optional
        A sentence with a slot for the subject and a [MASK].
    first, second : str, default "black"
        The two colours.

    Returns
    -------
    DataFrame
        Columns: subject, first and second (the probabilities of the two colours), ratio (first over second), answer
        (the model's top answer).

    Raises
    ------
    ValueError
        As `slot_probabilities` does.
    """
    wordlist.check(subjects, model, least=1, most=MAX_WORDS)
    wordlist.check((first, second), model, least=2, most=2)
    found, best = slot_probabilities(template, model, fillers=subjects, answers=(first, second))
    return pd.DataFrame(
        {
            "subject": list(subjects),
            "first": found[:, 0],
            "second": found[:, 1],
            "ratio": found[:, 0] / found[:, 1],
            "answer": best["answer"],
        }
    )
