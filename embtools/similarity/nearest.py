"""The nearest words of a word in any named vectors, raw and processed, and how many of them two sources share."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from embtools.drawing import Displayed
from embtools.limits import enough, within
from embtools.messages import column_name, counted, first_of, listed, quoted, shortened
from embtools.neighbours import similarities
from embtools.spaces.controls import AFTER, BEFORE, with_controls
from embtools.spaces.of_model import in_space
from embtools.spaces.space import AS_IS, Space
from embtools.statistics.decimals import decimal
from embtools.statistics.ranks import equal_to_first, share_below
from embtools.vectors import Array, check_finite, top_k, unit, vanishes
from embtools.words.frequency import called, candidates, groups_of, kind_of, random_pairs, than_random, why_unmatched

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

MAX_NEIGHBOURS = 50


@dataclass(frozen=True, eq=False)
class NearestWords(Displayed):
    """The nearest words of a word.

    word     as the vectors have it
    table    frame of rank, and the words and their cosines in each space: raw, raw_cosine, processed, …
    ranked   all other words, the nearest first, in the processed space if there is one
    means    the mean cosine of all pairs of words, in the raw and the processed space
    above    share of random pairs that are less similar than the word and its nearest word, raw
    note     why the random pairs are not of equally common words; "" if they are
    kind     what is compared: "word", "occurrence" or "sentence"
    """

    word: str
    table: pd.DataFrame
    ranked: tuple[str, ...]
    means: dict[str, float]
    above: float
    note: str = ""
    kind: str = "word"

    @property
    def headline(self) -> str:
        """The nearest word, compared with random pairs; after processing, how many of the nearest words remain."""
        if AFTER in self.table:
            return _remaining(self.word, self.table, self.kind)
        best, cosines = self.table.iloc[0], self.table["raw_cosine"]
        if (equal := equal_to_first(cosines)) > 1:
            words = listed(f"“{shortened(word)}”" for word in self.table[BEFORE].head(min(equal, 3)))
            return (
                f"{words} are equally near to “{shortened(self.word)}” (cosine {decimal(cosines[0])}"
                f"{f'; of {equal} such {self.kind}s among the nearest' if equal > 3 else ''})."
            )
        return (
            f"The {self.kind} nearest to “{shortened(self.word)}” is “{shortened(best[BEFORE])}” (cosine"
            f" {decimal(cosines[0])}; {than_random(self.above, matched=not self.note)})."
        )


def nearest_words(word: str, model: "EmbeddingModel", *, space: Space = AS_IS, k: int = 10) -> NearestWords:
    """The k nearest words of a word by cosine.

    Parameters
    ----------
    word : str
        A word of one token.
    model : EmbeddingModel
        Its whole words of two or more characters are compared by their static embeddings; named vectors of any source
        can take its place.
    space : Space, optional
        A processed space, which is compared with the raw vectors and with controls.
    k : int, default 10
        Number of words, 1 to 50.

    Returns
    -------
    NearestWords

    Raises
    ------
    ValueError
        For a word that the model does not have, k out of range, and a space that does not fit the vectors.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    row = model.token_id(word)
    allowed = candidates(model).copy()
    allowed[row] = False
    most = min(k, int(allowed.sum()))
    columns: dict[str, object] = {"rank": np.arange(1, most + 1)}
    means, near = dict[str, float](), np.zeros(0)
    for name, one in with_controls(space).items():
        seen = in_space(model, space=one)
        if vanishes(seen.matrix[row]):
            raise ValueError(f"{quoted(word)} is a zero vector in this space. Choose another word or space.")
        cosines = np.where(allowed, similarities(seen.matrix[row], seen)[0], -np.inf)
        best = top_k(cosines, most)
        found = [model.vocabulary[i] for i in best]
        columns |= {column_name(name): found, column_name(f"{name} cosine"): cosines[best]}
        if name in (BEFORE, AFTER):
            means[name], near = mean_cosine(seen.matrix[candidates(model)]), cosines
    table = pd.DataFrame(columns)
    pair = model.vocabulary[row], table[BEFORE][0]
    one, other = unit(model.matrix[[model.ids[word] for word in pair]].astype(np.float64))
    first, second = groups_of(pair, model, pieces="first")
    above = float(share_below(one @ other, random_pairs(first, second, model)))
    order = np.argsort(-near, kind="stable")[: int(allowed.sum())]
    ranked = tuple(model.vocabulary[i] for i in order)
    return NearestWords(model.vocabulary[row], table, ranked, means, above, why_unmatched(model), kind_of(model))


def shared_neighbours(first: NearestWords, second: NearestWords, names: tuple[str, str]) -> str:
    """Say how many of the nearest words are the same in two sources with these names, among the words of both."""
    k = min(len(first.table), len(second.table))
    both = set(map(str.lower, first.ranked)) & set(map(str.lower, second.ranked))
    if len(both) <= k:
        few = counted(len(both), f"other {first.kind}")
        return f"{names[0]} and {names[1]} share only {few}, too few for a comparison."
    one, other = (
        [word for word in dict.fromkeys(map(str.lower, result.ranked)) if word in both][:k]
        for result in (first, second)
    )
    return (
        f"Among the {len(both):,} other {first.kind}s that both have, {len(set(one) & set(other))} of the {k} nearest"
        f" in {names[0]} are also among the {k} nearest in {names[1]} (expected by chance: {k * k / len(both):.1f})."
    )


def mean_cosine(vectors: Array) -> float:
    """Mean cosine of two different vectors of (n, d), exact over all pairs: (|Σ u|² − n) / (n (n − 1)) for unit vectors
    u.

    >>> mean_cosine(np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]]))
    -0.3333333333333333
    """
    enough(vectors, "vectors", least=2)
    check_finite(vectors)
    directions = unit(np.asarray(vectors, np.float64))
    n = len(directions)
    return float((np.square(directions.sum(0)).sum() - np.square(directions).sum()) / (n * (n - 1)))


def _remaining(word: str, table: pd.DataFrame, kind: str = "word") -> str:
    """Sentence with the number of a word's nearest words that remain after processing, and the new ones.

    >>> _remaining("rome", pd.DataFrame({"raw": ["roman", "italy"], "processed": ["italy", "paris"]}))
    'Of the 2 words nearest to rome, 1 remains after processing; paris replaces roman.'
    """
    before, after = ([called(shortened(word), kind) for word in table[space]] for space in (BEFORE, AFTER))
    word = called(shortened(word), kind)
    new, gone = [w for w in after if w not in before], [w for w in before if w not in after]
    stay = len(before) - len(gone)
    verb = "remains" if stay == 1 else "remain"
    text = f"Of the {len(before)} {kind}s nearest to {word}, {stay or 'none'} {verb} after processing"
    if not new:
        return f"{text}."
    return f"{text}; {first_of(new, 4)} {'replaces' if len(new) == 1 else 'replace'} {first_of(gone, 4)}."
