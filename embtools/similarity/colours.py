"""Colour words to BERT and to the eye: does similarity follow sight, what does the model answer, the black sheep."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.mask_filling.edits import Patch
from embtools.mask_filling.forward import logits_at, mask_inside_word, probabilities
from embtools.similarity.matrix import MAX_WORDS, similarity_matrix
from embtools.statistics.permutations import Mantel, mantel
from embtools.wordlists import load
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MOST_SIMILAR = "The most similar color to {word} is [MASK]."
SHEEP = "The {word} is [MASK]."
SUBJECTS = ("sheep", "lamb", "cow", "swan", "snow", "milk", "coal", "night", "car", "thing")
# Pairs that "BERT Embedding Math" names: two that its figure shows together, and what the eye would put together.
NAMED = (("black", "white"), ("silver", "gold"), ("silver", "gray"), ("gold", "yellow"))


@dataclass(frozen=True)
class Sight:
    """Colour words compared to BERT and to the eye.

    words    the n words that name a colour, with `hexes`
    pairs    first, second, cosine, difference (CIEDE2000), rank_use, rank_sight (1 is most alike), gap (rank_sight
             minus rank_use, as a share of all pairs: near 1 alike in use but not to the eye, near -1 the reverse)
    test     Spearman's rho of cosine and nearness to the eye: positive when similarity follows sight
    """

    words: tuple[str, ...]
    hexes: tuple[str, ...]
    pairs: pd.DataFrame
    test: Mantel


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


def hexes(words: Sequence[str]) -> dict[str, str]:
    """The sRGB value of each word that names a colour: this project's list first, then the names of CSS.

    >>> hexes(["red", "piano"])
    {'red': '#ff0000'}
    """
    return {word: value for word in words if (value := _hex(word.lower().replace(" ", "")))}


def colour_differences(values: Sequence[str]) -> NDArray[np.float64]:
    """CIEDE2000 differences (n, n) between sRGB values such as "#ff0000": 0 is the same, black and white are 100.

    CIE 142-2001, as implemented by coloraide, under the illuminant D65.
    """
    from coloraide import Color

    colours = [Color(v).convert("lab-d65") for v in values]
    result = np.zeros((len(colours), len(colours)))
    for i, a in enumerate(colours):
        for j in range(i):
            result[i, j] = result[j, i] = a.delta_e(colours[j], method="2000")
    return result


def compare_with_sight(
    words: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "refuse",
    layer: int | None = None,
    template: str = WORD,
    table: Sequence[Sequence[float]] | None = None,
    permutations: int = 9_999,
    seed: int = 0,
) -> Sight:
    """Does the cosine between colour words follow the colours' look?

    `table` is their `similarity_matrix` where that is known already: a layer's sentences take time to read. Words that
    name no colour are left out. Raises ValueError for fewer than 4 colours, and as `similarity_matrix`.
    """
    if table is None:
        cosines = similarity_matrix(words, model, pieces=pieces, layer=layer, template=template)
    else:
        cosines = np.array(table, np.float32)
    known = hexes(words)
    if len(known) < 4:
        raise ValueError(
            f"{len(known)} of these words name a colour of CSS; the comparison with the eye needs 4. Add red, green …"
        )
    keep = [i for i, word in enumerate(words) if word in known]
    cosines = cosines[np.ix_(keep, keep)]
    names = tuple(words[i] for i in keep)
    differences = colour_differences(tuple(known.values()))
    i, j = np.triu_indices(len(names), 1)
    pairs = pd.DataFrame(
        {
            "first": [names[k] for k in i],
            "second": [names[k] for k in j],
            "cosine": cosines[i, j],
            "difference": differences[i, j],
        }
    )
    pairs["rank_use"] = pairs["cosine"].rank(ascending=False, method="average")
    pairs["rank_sight"] = pairs["difference"].rank(method="average")
    pairs["gap"] = (pairs["rank_sight"] - pairs["rank_use"]) / len(pairs)
    test = mantel(cosines, -differences, permutations=permutations, seed=seed)
    return Sight(names, tuple(known.values()), pairs.sort_values("gap", ascending=False, ignore_index=True), test)


def verdict(test: Mantel) -> str:
    """Whether similarity follows sight, in plain words: none where p is 0.05 or more, weak below 0.3, strong from 0.6.

    >>> verdict(Mantel(0.42, 0.001, 9_999))
    'A moderate link: colours that look alike tend to be more alike here.'
    """
    if test.p >= 0.05:
        return "No link found: colours that look alike are not clearly more alike here."
    size = "weak" if abs(test.rho) < 0.3 else "moderate" if abs(test.rho) < 0.6 else "strong"
    return f"A {size} link: colours that look {'alike' if test.rho > 0 else 'unlike'} tend to be more alike here."


def named_pairs(sight: Sight) -> pd.DataFrame:
    """The rows of `Sight.pairs` that "BERT Embedding Math" speaks of, as far as the words are there."""
    wanted = {frozenset(pair): n for n, pair in enumerate(NAMED)}
    place = [wanted.get(frozenset(p)) for p in zip(sight.pairs["first"], sight.pairs["second"], strict=True)]
    return sight.pairs.assign(place=place).dropna(subset="place").sort_values("place").drop(columns="place")


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
        raise ValueError(f"'{glued[:60]}' is not one word to BERT. Put spaces around {WORD} and [MASK].")
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


@functools.lru_cache(1)
def _listed() -> dict[str, str]:
    frame = load("colours")
    return dict(zip(frame["colour"], frame["hex"], strict=True))


def _hex(word: str) -> str | None:
    if word in _listed():
        return _listed()[word]
    from coloraide import Color

    if not word.isalpha() or not word.isascii() or word == "transparent":
        return None
    match = Color.match(word, fullmatch=True)
    return match.color.to_string(hex=True) if match else None
