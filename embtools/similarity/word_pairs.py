"""Two words: their ranks among each other's neighbours, their cosine among random pairs, and a path between them.

Neighbours are whole words of two or more characters, by the cosine of static embeddings. Single characters are left
out: most belong to scripts that were rare in training, lie close together, and would appear in many paths.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.limits import within
from embtools.messages import quoted
from embtools.neighbours import MAX_NEIGHBOURS, similarities
from embtools.statistics.ranks import share_below
from embtools.vectors import Array, check_finite, top_k, unit
from embtools.words import vectors as wordlist
from embtools.words.frequency import called, candidates, groups_of, kind_of, random_pairs, than_random, why_unmatched
from embtools.words.vectors import Pieces

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel


MAX_BINS = 1_000
_SAME = 1e-6  # cosines in single precision that differ by less are equal


@dataclass(frozen=True)
class Pair:
    """Two words, a and b, with their neighbours.

    first, second  the words a and b
    cosine         of their static embeddings
    rank_ab        rank of b among a's neighbours (1 is the nearest)
    rank_ba        rank of a among b's neighbours
    candidates     number of words that were ranked
    neighbours     frame of the k nearest of each: token, rank_a, rank_b (missing if not among the k), cosine_a,
                   cosine_b; shared neighbours first
    shared         number of shared neighbours
    random         cosines of random pairs of words that are about as common, in ascending order
    note           why the random pairs are not of equally common words; "" if they are
    kind           what is compared: "word", "occurrence" or "sentence"
    """

    first: str
    second: str
    cosine: float
    rank_ab: int
    rank_ba: int
    candidates: int
    neighbours: pd.DataFrame
    shared: int
    random: Array
    note: str = ""
    kind: str = "word"

    @property
    def below(self) -> float:
        """The share of random pairs that are less similar; ties count half."""
        return float(share_below(np.array(self.cosine), self.random))

    @property
    def histogram(self) -> pd.DataFrame:
        """The histogram of the cosines of random pairs: frame of `histogram`."""
        return histogram(self.random)

    @property
    def sentence(self) -> str:
        """How many random pairs are less similar, how many words are nearer to each word, and which has more close
        neighbours."""
        a, b = called(self.first, self.kind), called(self.second, self.kind)
        share = f"The two {self.kind}s are {than_random(self.below, matched=not self.note)}."
        nearer = f"{_nearer(a, b, self.rank_ab, self.kind)} {_nearer(b, a, self.rank_ba, self.kind)}"
        ranks = f"{nearer} {self.candidates:,} {self.kind}s were compared."
        if self.rank_ab == self.rank_ba:
            return f"{share} {ranks}"
        dense, sparse = (a, b) if self.rank_ab > self.rank_ba else (b, a)
        return f"{share} {ranks} {dense[:1].upper()}{dense[1:]} has more close neighbours than {sparse}."


def pair(first: str, second: str, model: "EmbeddingModel", *, k: int = 20, pieces: Pieces = "refuse") -> Pair:
    """Compare two words and the nearest neighbours of each.

    Parameters
    ----------
    first, second : str
        Two words.
    model : EmbeddingModel
    k : int, default 20
        Number of neighbours.
    pieces : {"refuse", "mean", "first"}, default "refuse"
        Words of several tokens: "refuse" raises an error, "mean" uses the mean of their tokens, "first" the first one.

    Returns
    -------
    Pair
        The cosine, and the neighbours of each word.

    Raises
    ------
    ValueError
        For k out of range, equal words, a word that the model cannot read, and a word of several tokens if `pieces` is
        "refuse".
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    wordlist.check((first, second), model, least=2, most=2, pieces=pieces)
    rows = wordlist.vectors((first, second), model, pieces=pieces)
    near = similarities(rows, model)
    cosine = float(unit(rows[0].astype(np.float64)) @ unit(rows[1].astype(np.float64)))
    words = candidates(model)
    own = [model.ids[p[0]] for p in (model.pieces(first), model.pieces(second)) if len(p) == 1]
    ranks, lists = [], []
    for row, self_word in zip(near, (first, second), strict=True):
        split_up = model.pieces(self_word)
        allowed = words.copy()
        if len(split_up) == 1:
            allowed[model.ids[split_up[0]]] = False  # a word is not its own neighbour
        others = allowed.copy()
        others[own] = False
        ranks.append(1 + int((row[others] > cosine + _SAME).sum()))
        lists.append(top_k(np.where(allowed, row, -np.inf), min(k, int(allowed.sum()))))
    union = list(dict.fromkeys([*lists[0], *lists[1]]))
    places = [{int(t): r for r, t in enumerate(found, 1)} for found in lists]
    frame = pd.DataFrame(
        {
            "token": [model.vocabulary[t] for t in union],
            "rank_a": pd.array([places[0].get(int(t)) for t in union], "Int64"),
            "rank_b": pd.array([places[1].get(int(t)) for t in union], "Int64"),
            "cosine_a": near[0][union],
            "cosine_b": near[1][union],
        }
    )
    both = frame["rank_a"].notna() & frame["rank_b"].notna()
    frame = frame.assign(mean=(frame["cosine_a"] + frame["cosine_b"]) / 2, both=both)
    frame = frame.sort_values(["both", "mean"], ascending=False, kind="stable", ignore_index=True)
    one, other = groups_of((first, second), model, pieces=pieces)
    return Pair(
        first,
        second,
        cosine,
        ranks[0],
        ranks[1],
        int(words.sum()) - 1,
        frame.drop(columns=["mean", "both"]),
        int(both.sum()),
        random_pairs(one, other, model),
        why_unmatched(model),
        kind_of(model),
    )


def histogram(cosines: Array, *, bins: int = 60) -> pd.DataFrame:
    """A histogram of cosines with equal bins."""
    within(bins, MAX_BINS, "bins")
    check_finite(cosines)
    counts, edges = np.histogram(cosines, bins)
    return pd.DataFrame({"bin_start": edges[:-1], "bin_end": edges[1:], "count": counts})


def path(first: str, second: str, model: "EmbeddingModel", *, k: int = 20) -> pd.DataFrame:
    """A path of near words from one word to another.

    A breadth-first search starts from both words and follows k nearest neighbours, one round at a time. The path goes
    through the first word that both searches reach. If there are several, it has the fewest steps, then the largest
    smallest cosine. So in the first half each word is among the k nearest of the previous word, and in the second half
    among the k nearest of the next word; words that are no other word's neighbour can still be reached.

    Parameters
    ----------
    first, second : str
        Two words of one token each.
    model : EmbeddingModel
    k : int, default 20
        Number of neighbours of each word.

    Returns
    -------
    DataFrame
        Columns: word, cosine (with the previous word; none for the first).

    Raises
    ------
    ValueError
        For words of several tokens, equal words, k out of range, and if the searches do not meet within 6,000 words
        each.
    """
    within(k, MAX_NEIGHBOURS, "neighbours")
    wordlist.check((first, second), model, least=2, most=2)
    ends = (model.token_id(first), model.token_id(second))
    vectors = model.matrix * model.inverse_norms[:, None]
    chain = rows_between(*ends, vectors=vectors, allowed=candidates(model), k=min(k, len(vectors)))
    if not chain:
        raise ValueError(
            f"There is no path from {quoted(first)} to {quoted(second)} by steps to one of the {k} nearest words."
            " Allow more neighbours."
        )
    steps = np.einsum("nd,nd->n", vectors[chain[:-1]], vectors[chain[1:]])
    return pd.DataFrame({"word": [model.vocabulary[t] for t in chain], "cosine": [None, *steps.tolist()]})


def _nearer(word: str, other: str, rank: int, kind: str) -> str:
    """A sentence about how many words are nearer to a word than another word is."""
    if rank == 1:
        return f"For {word}, {other} is the nearest {kind}."
    count = f"one {kind} is" if rank == 2 else f"{rank - 1:,} {kind}s are"
    return f"For {word}, {count} nearer than {other}."


MAX_VISITED = 6_000  # rows that the search visits from each end, in about half a second
_BATCH = 256


def rows_between(first: int, second: int, *, vectors: Array, allowed: NDArray[np.bool_], k: int) -> list[int]:
    """Return the rows on a path over k nearest rows, searched from both ends: of those through a row where the searches
    meet, the one with the fewest steps, then the largest smallest cosine; [] if they do not meet."""
    parents: list[dict[int, int]] = [{first: -1}, {second: -1}]
    edges = [[first], [second]]
    while not (meeting := parents[0].keys() & parents[1].keys()):
        if (not edges[0] and not edges[1]) or max(map(len, parents)) > MAX_VISITED:
            return []
        edges = [_reach(edge, known, vectors, allowed, k) for edge, known in zip(edges, parents, strict=True)]

    def fitness(row: int) -> tuple[int, float]:
        found = _chain(row, parents)
        steps = np.einsum("nd,nd->n", vectors[found[:-1]], vectors[found[1:]])
        return -len(found), float(steps.min())

    return _chain(max(sorted(meeting), key=fitness), parents)


def _reach(edge: Sequence[int], known: dict[int, int], vectors: Array, allowed: NDArray[np.bool_], k: int) -> list[int]:
    """One round of the search: the new rows among the k nearest of each row of `edge`, stored with the nearest
    parent."""
    found: dict[int, tuple[float, int]] = {}
    for start in range(0, len(edge), _BATCH):
        batch = np.array(edge[start : start + _BATCH])
        near = vectors[batch] @ vectors.T
        near[:, ~allowed] = -np.inf
        near[np.arange(len(batch)), batch] = -np.inf
        best: NDArray[np.intp] = np.argpartition(-near, k - 1, axis=1)[:, :k]
        for line, parent in enumerate(batch):
            for row in best[line]:
                value = float(near[line, row])
                if int(row) not in known and value > found.get(int(row), (-np.inf, 0))[0]:
                    found[int(row)] = (value, int(parent))
    known.update({row: parent for row, (_, parent) in found.items()})
    return list(found)


def _chain(meeting: int, parents: Sequence[dict[int, int]]) -> list[int]:
    """The path through a row that both searches have reached."""
    halves = []
    for known in parents:
        row, half = known[meeting], []
        while row != -1:
            half.append(row)
            row = known[row]
        halves.append(half)
    return [*reversed(halves[0]), meeting, *halves[1]]
