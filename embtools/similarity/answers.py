"""The answers of a model to the question which colour is most similar to another, compared with its cosines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.drawing import Displayed
from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import logits_at, mask_inside_word, probabilities
from embtools.messages import quoted
from embtools.progress import Progress, silent
from embtools.similarity import colours
from embtools.similarity.matrix import MAX_WORDS, compare_words
from embtools.similarity.verdict import numbers, strength
from embtools.statistics.permutations import Mantel, mantel
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST_SIMILAR = "The most similar color to {word} is [MASK]."


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


@dataclass(frozen=True)
class ComparedAnswers(Displayed):
    """The model's answers about the colours of a list, compared with its cosines and with how the colours look.

    answers      in the order of the words' tree
    hexes        the sRGB values of the colours
    left_out     colours of several tokens, which BERT cannot give as an answer
    with_cosine  Mantel test of the answers and the cosines
    with_eye     Mantel test of the answers and how similar the colours look
    """

    answers: ColourAnswers
    hexes: dict[str, str]
    left_out: tuple[str, ...]
    with_cosine: Mantel
    with_eye: Mantel

    @property
    def table(self) -> pd.DataFrame:
        """The answers in long form, in the order of the words: word, answer, probability."""
        words, found = self.answers.words, self.answers.probabilities.ravel()
        pairs = {"word": np.repeat(words, len(words)), "answer": np.tile(words, len(words))}
        return pd.DataFrame(pairs | {"probability": found})

    @property
    def headline(self) -> str:
        """The correlations of the model's answers with its cosines and with the look of the colours."""
        return (
            f"BERT's answers show {strength(self.with_cosine)} with its own cosines {numbers(self.with_cosine)}, and"
            f" {strength(self.with_eye)} with how similar the colours look {numbers(self.with_eye)}."
        )


def compare_answers(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    question: str = MOST_SIMILAR,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    progress: Progress = silent,
) -> ComparedAnswers:
    """The model's answers about the colours of a list, compared with its cosines and with how similar they look.

    Parameters
    ----------
    words : sequence of str
        2 to 150 words. Those that are colours of one token are compared.
    model : EmbeddingModel
    question : str, optional
        A question with a slot for the word and a [MASK].
    pieces, layer, template, progress
        The vectors for the cosines, as in `compare_with_random_words`.

    Returns
    -------
    ComparedAnswers

    Raises
    ------
    ValueError
        As `similarity_matrix` does, for fewer than 4 colours of one token, and for a question without exactly one
        {word} and one [MASK].
    """
    result = compare_words(words, model, pieces=pieces, layer=layer, template=template, progress=progress)
    known = one_piece_colours(result.words, model)
    found = ask_most_similar(tuple(known), model, template=question)
    keep = [result.words.index(word) for word in known]
    similar = answer_similarity(found)
    order = [found.words.index(result.words[i]) for i in result.order if result.words[i] in known]
    ordered = replace(
        found,
        words=tuple(found.words[i] for i in order),
        probabilities=found.probabilities[np.ix_(order, order)],
    )
    return ComparedAnswers(
        ordered,
        known,
        tuple(word for word in colours.hexes(result.words) if word not in known),
        mantel(similar, result.values[np.ix_(keep, keep)]),
        mantel(similar, -colours.colour_differences(tuple(known.values()))),
    )


def slot_probabilities(
    template: str, model: "EmbeddingModel", *, fillers: Sequence[str], answers: Sequence[str]
) -> tuple[NDArray[np.float64], pd.DataFrame]:
    """Probabilities (n fillers, m answers) at [MASK] of a template in which {word} is each filler in turn, and the top
    answer of the whole vocabulary to each: word, answer, probability."""
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
    """BERT's own answers to the question which word is most similar to each, the second measure of similarity in "BERT
    Embedding Math"."""
    wordlist.check(words, model, least=2, most=MAX_WORDS)
    found, best = slot_probabilities(template, model, fillers=words, answers=words)
    others = np.where(np.eye(len(words), dtype=bool), -1, found)
    best["answer_in_list"] = [words[i] for i in others.argmax(1)]
    best["probability_in_list"] = others.max(1)
    best["probability_itself"] = np.diag(found)
    return ColourAnswers(tuple(words), found, best)


def one_piece_colours(words: Sequence[str], model: "EmbeddingModel") -> dict[str, str]:
    """The sRGB values of the colour words in a list that are one token, so that BERT can answer with them."""
    found = answerable(words, model)
    if len(found) < colours.FEWEST:
        raise ValueError(
            f"Only {len(found)} of these words are CSS colours of one token, with which BERT can answer. The comparison"
            f" needs {colours.FEWEST}: add words such as red and green."
        )
    return found


def answerable(words: Sequence[str], model: "EmbeddingModel") -> dict[str, str]:
    """The colour words of a list that are one token, for any number of colours.

    Parameters
    ----------
    words : sequence of str
        Words.
    model : EmbeddingModel

    Returns
    -------
    dict of str to str
        Word → sRGB value, such as "#ff0000".
    """
    pieces = {word: model.pieces(word) for word in colours.hexes(words)}
    return {
        word: value
        for word, value in colours.hexes(words).items()
        if len(pieces[word]) == 1 and pieces[word][0] != "[UNK]"
    }


def answer_similarity(answers: ColourAnswers) -> NDArray[np.float64]:
    """Answers as a symmetric (n, n) similarity: log probabilities minus each answer's mean over the questions, because
    a frequent answer to everything ("white") would be similar to everything."""
    logs = np.log(np.maximum(answers.probabilities, 1e-12))
    np.fill_diagonal(logs, np.nan)
    logs = np.nan_to_num(logs - np.nanmean(logs, axis=0))
    return np.asarray((logs + logs.T) / 2)
