"""What the model itself answers about colours: which is most similar to another, and which a sheep has."""

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
# Twenty others to compare with the first: with fewer, even the highest ratio of all has p ≥ 0.05.
_OTHERS = """
lamb cow swan snow milk coal night car thing horse dog cat house shirt wall door chair paper flower stone
"""
SUBJECTS = ("sheep", *_OTHERS.split())


@dataclass(frozen=True)
class ColourAnswers:
    """What the model answers for each word in a sentence.

    words          n words
    probabilities  (n, n): row asked about, column answered
    best           word, answer (of the whole vocabulary), probability, best_of_list, its probability, itself (the
                   word's own)
    """

    words: tuple[str, ...]
    probabilities: NDArray[np.float64]
    best: pd.DataFrame


def slot_probabilities(
    template: str, fillers: Sequence[str], answers: Sequence[str], model: "EmbeddingModel"
) -> tuple[NDArray[np.float64], pd.DataFrame]:
    """Probabilities (n fillers, m answers) at [MASK] of a template whose {word} is each filler in turn.

    Also a frame of the best answer of the whole vocabulary: word, answer, probability. All fillers run in one
    batch: each one's vector is put at the place of {word}. Raises ValueError for a template without exactly one {word}
    and one [MASK], and for words that are not one piece.
    """
    for name, group in (("fillers", fillers), ("answers", answers)):
        if not 1 <= len(group) <= MAX_WORDS:
            raise ValueError(f"There are {len(group)} {name}; give 1 to {MAX_WORDS}.")
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
    logits = logits_at(ids, tokens["segment"].to_numpy(), [int(mask)], model, patches)
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
    """The second measure of "BERT Embedding Math": BERT's own answer to which word is most similar to each.

    Raises ValueError as `slot_probabilities` does, and for equal words.
    """
    wordlist.check(words, model, least=2, most=MAX_WORDS)
    found, best = slot_probabilities(template, words, words, model)
    others = np.where(np.eye(len(words), dtype=bool), -1, found)
    best["best_of_list"] = [words[i] for i in others.argmax(1)]
    best["probability_of_list"] = others.max(1)
    best["itself"] = np.diag(found)
    return ColourAnswers(tuple(words), found, best)


def one_piece_colours(words: Sequence[str], model: "EmbeddingModel") -> dict[str, str]:
    """The words of a list that name a colour and are one word piece, so that BERT can answer with them: word → sRGB.

    Raises ValueError for fewer than four.
    """
    pieces = {word: model.pieces(word) for word in colours.hexes(words)}
    found = {
        word: value
        for word, value in colours.hexes(words).items()
        if len(pieces[word]) == 1 and pieces[word][0] != "[UNK]"
    }
    if len(found) < colours.FEWEST:
        raise ValueError(
            f"Only {len(found)} of these words name a CSS colour and are one token, as BERT's answers are. The"
            f" comparison needs {colours.FEWEST}: add red, green or blue, for example."
        )
    return found


def answer_table(answers: ColourAnswers) -> pd.DataFrame:
    """The (n, n) answers in long form, in the order of the words: asked, answer, probability."""
    n = len(answers.words)
    return pd.DataFrame(
        {
            "asked": np.repeat(answers.words, n),
            "answer": np.tile(answers.words, n),
            "probability": answers.probabilities.ravel(),
        }
    )


def answer_similarity(answers: ColourAnswers) -> NDArray[np.float64]:
    """Answers as a symmetric (n, n) similarity: log probability, each answer's mean over the questions taken away.

    Without that step a word that is a frequent answer to everything ("white") would be similar to everything.
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
    """Which of two colours does BERT give to a sheep, and to what else? The others are the controls.

    Rows: subject; the probability of either colour; ratio (first over second); answer, the model's best. Reporting
    bias: people write "black sheep" because white goes without saying (Gordon & Van Durme 2013; Daumé 2016).
    """
    wordlist.check(subjects, model, least=1, most=MAX_WORDS)
    wordlist.check((first, second), model, least=2, most=2)
    found, best = slot_probabilities(template, subjects, (first, second), model)
    return pd.DataFrame(
        {
            "subject": list(subjects),
            "first": found[:, 0],
            "second": found[:, 1],
            "ratio": found[:, 0] / found[:, 1],
            "answer": best["answer"],
        }
    )
