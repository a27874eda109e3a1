"""Association tests: WEAT on static embeddings and SEAT on sentences.

Each test has an effect size, a permutation p-value and a bootstrap interval.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from embtools.limits import whole
from embtools.messages import quoted
from embtools.models.vectors_as_model import Vectors
from embtools.progress import Progress, silent
from embtools.statistics.association import Association, association
from embtools.words.templates import (
    WORD,
    check_alone,
    check_distinct,
    check_pieces,
    count_pieces,
    fill,
    seconds,
    slot_positions,
)
from embtools.words.vectors import Pieces, check_reading, vectors
from embtools.words.word_sets import names_of

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


READINGS: tuple[Pieces, ...] = ("leave out", "mean")
Pooling = Literal["cls", "mean", "word"]
MAX_WORDS = 60
MAX_TEMPLATES = 8
MAX_PIECES = 20_000  # tokens of all sentences of a run: a base model reads about a thousand per second


def weat(
    x: Sequence[str],
    y: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    model: "EmbeddingModel",
    *,
    pieces: Pieces = "leave out",
    permutations: int = 10_000,
    seed: int = 0,
) -> Association:
    """Word-embedding association test: are the targets x closer to the attributes a (than to b), compared with y?

    Caliskan, Bryson & Narayanan 2017 (doi:10.1126/science.aal4230), on static embeddings or on the vectors of a file.

    Parameters
    ----------
    x, y : sequence of str
        Target words.
    a, b : sequence of str
        Attribute words.
    model : EmbeddingModel or Vectors
    pieces : {"leave out", "mean"}, default "leave out"
        Words of several tokens are left out, or represented by the mean of their tokens. Words that vectors do not have
        are left out in any case.
    permutations : int, default 10,000
        Number of random permutations if there are too many to count all.
    seed : int, default 0
        Seed of the permutations and of the bootstrap interval.

    Returns
    -------
    Association
        Effect size, interval, p-values and the association of every target word.

    Raises
    ------
    ValueError
        For a set that is too small or too large, a word that is in both sets of a pair, a word that the model cannot
        read, two spellings that the model reads as the same word, an unknown value of `pieces`, a number of
        permutations out of range, and if fewer than two words of a set are left.
    """
    check_reading(pieces, allowed=READINGS)
    sets = checked_sets(x, y, a, b, model=model)
    listed, several = [w for words in sets for w in words], pieces == "leave out" and not isinstance(model, Vectors)
    if isinstance(model, Vectors):
        left_out, why = model.known(listed)[1], "the vectors do not have the others"
    else:
        left_out = tuple(w for w in listed if several and len(model.pieces(w)) > 1)
        why = "the others have several tokens"
    used = [[w for w in words if w not in left_out] for words in sets]
    for name, words, all_words in zip("XYAB", used, sets, strict=True):
        if len(words) < 2:
            raise ValueError(
                f"Only {len(words):,} of the {len(all_words)} words of set {name} can be used, because {why}; a set"
                f" needs two. Add common words{', or choose “mean” for words of several tokens' if several else ''}."
            )
    of_sets = [vectors(words, model, pieces=pieces)[:, None] for words in used]
    names = names_of(x, y, a, b, compared=used)
    return association(of_sets, used[0], used[1], permutations=permutations, seed=seed, left_out=left_out, names=names)


def seat(
    x: Sequence[str],
    y: Sequence[str],
    a: Sequence[str],
    b: Sequence[str],
    model: "EmbeddingModel",
    *,
    templates: Sequence[str] = ("This is {word}.", "That is {word}.", "There is {word}.", "Here is {word}."),
    pooling: Pooling = "cls",
    layer: int = -1,
    permutations: int = 10_000,
    seed: int = 0,
    progress: Progress = silent,
) -> Association:
    """Sentence-encoder association test: each word in each bleached template, one vector per sentence.

    May, Wang, Bordia, Bowman & Rudinger 2019 (arXiv:1903.10561), who take BERT's [CLS] of the last layer; `mean`
    averages all tokens except [CLS] and [SEP], `word` only the word's own (as Kurita et al. and Tan & Celis 2019 do).
    Unlike in the article, the permutations move all sentences of a word together, because they are not independent
    observations.

    Parameters
    ----------
    x, y : sequence of str
        Target words.
    a, b : sequence of str
        Attribute words.
    model : EmbeddingModel
    templates : sequence of str
        Sentences with one {word}.
    pooling : {"cls", "mean", "word"}, default "cls"
        Which vector represents a sentence.
    layer : int, default -1
        0 is the embedding output; negative numbers count from the last layer.
    permutations : int, default 10,000
        Number of random permutations if there are too many to count all.
    seed : int, default 0
        Seed of the permutations and of the bootstrap interval.
    progress : callable, optional

    Returns
    -------
    Association
        Effect size, interval, p-values and the association of every target word.

    Raises
    ------
    ValueError
        For no or too many templates, a template whose {word} is part of another word, an unknown pooling or layer, too
        many tokens to read, and as `weat` does.
    """
    sets = checked_sets(x, y, a, b, model=model)
    if pooling not in get_args(Pooling):
        raise ValueError(
            f"There is no sentence vector {quoted(pooling)}. Choose one of {', '.join(get_args(Pooling))}."
        )
    templates = tuple(dict.fromkeys(templates))
    if not 1 <= len(templates) <= MAX_TEMPLATES:
        raise ValueError(f"There are {len(templates)} templates; use 1 to {MAX_TEMPLATES}.")
    for template in templates:
        if template.count(WORD) != 1:
            raise ValueError(f"{quoted(template, 80)} needs one {WORD}, for example: This is {WORD}.")
        check_alone(template, WORD)
    if not whole(layer, -model.layers - 1, model.layers):
        raise ValueError(f"There is no layer {layer}. This model has layers 0 (embeddings) to {model.layers}.")
    words = list(dict.fromkeys(w for group in sets for w in group))
    check_pieces(count_pieces(templates, model, words=words, slot=WORD), MAX_PIECES)
    texts = [fill(t, w, WORD) for w in words for t in templates]
    own = (
        [slot_positions(t, model, word=w, slot=WORD)[0] for w in words for t in templates] if pooling == "word" else []
    )
    rows = np.empty((len(texts), model.dimensions), np.float32)
    for done, (number, states) in enumerate(model.hidden_states_many(texts), 1):
        states = states[layer]
        if pooling == "cls":
            rows[number] = states[0]
        elif pooling == "mean":
            rows[number] = states[1:-1].mean(0)
        else:
            rows[number] = states[own[number]].mean(0)
        progress(done / len(texts))
    by_word = dict(zip(words, rows.reshape(len(words), len(templates), -1), strict=True))
    of_sets = [np.stack([by_word[w] for w in group]) for group in sets]
    return association(of_sets, sets[0], sets[1], permutations=permutations, seed=seed, names=names_of(x, y, a, b))


def effort(templates: Sequence[str], *sets: Sequence[str], model: "EmbeddingModel") -> float:
    """About how many seconds one core takes for `seat`, given the words of all sets."""
    words = list(dict.fromkeys(w for group in sets for w in group))
    return seconds(count_pieces(templates, model, words=words, slot=WORD), model)


def checked_sets(*sets: Sequence[str], model: "EmbeddingModel") -> list[list[str]]:
    """Four sets of words without empty and repeated words; ValueError for sets that cannot be compared."""
    cleaned = [list(dict.fromkeys(w.strip() for w in words if w.strip())) for words in sets]
    for name, words in zip("XYAB", cleaned, strict=True):
        if len(words) < 2:
            raise ValueError(f"Set {name} needs at least two different words; it has {len(words):,}.")
        if len(words) > MAX_WORDS:
            raise ValueError(
                f"Set {name} has {len(words):,} words, but at most {MAX_WORDS} can be compared. Remove some."
            )
    for first, second in (("X", "Y"), ("A", "B")):
        common = set(cleaned["XYAB".index(first)]) & set(cleaned["XYAB".index(second)])
        if common:
            raise ValueError(f"{quoted(min(common))} is in both {first} and {second}. Remove it from one of them.")
        both = [*cleaned["XYAB".index(first)], *cleaned["XYAB".index(second)]]
        unknown = model.known(both)[1] if isinstance(model, Vectors) else ()
        check_distinct([word for word in both if word not in unknown], model)
    return cleaned
