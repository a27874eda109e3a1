"""Sentences as `Vectors`, and their clusters by k-means, with silhouettes of data without clusters."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.drawing import Displayed
from embtools.layer_combinations import sentence_vectors
from embtools.messages import shortened
from embtools.models.vectors_as_model import CONTEXT, Labels, Vectors
from embtools.progress import Progress, part, silent
from embtools.statistics import partitions
from embtools.statistics.decimals import decimal
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import Array, unit
from embtools.words.overlap import shared_words
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST, MOST = 4, 300
MAX_PIECES = 12_000
GROUP = "group"
"""The column of labels with the names of the groups."""
_LETTERS = 30  # of the name of a sentence
_NAMED = 6  # group names in a headline
MAX_CLUSTERS, TRIED = 12, 8  # most clusters a visitor can choose; most clusters that the silhouette chooses among
SHUFFLES = CLOUDS = 20  # of each control; fewer could not show p < 0.05, even if the sentences exceed all of them
_DIVIDING = 2.5e-7  # seconds of one k-means per squared number of sentences, all of its starts together
_AT_ONCE = 2_000_000  # numbers of all data sets that are clustered in one step


@dataclass(frozen=True)
class Clusters(Displayed):
    """Clusters of sentences, compared with two controls without clusters.

    sentences      frame: sentence, group (the name given in front of it, or ""), cluster (1: the largest), x, y (the
                   first two principal components), silhouette, rank_in_cluster (1: closest to the centre)
    table          frame: cluster, sentences (number), typical (the two closest to the centre), group and share (the
                   most frequent group name and its share, if names are given)
    curve          frame: clusters (number), silhouette, shuffled_lowest, shuffled_highest, cloud_lowest, cloud_highest
    count          number of clusters
    by_silhouette  whether this number was chosen because it has the highest silhouette
    silhouette     mean silhouette of the clusters, by cosine
    shuffled       the highest silhouette when the words are shuffled among the sentences, for the same number of
                   clusters; if the silhouette chose the number, for the number that suits the shuffled words best
    cloud          the same for single clouds of the same shape
    p_shuffled, p_cloud   the share of shuffles (clouds), including the sentences, with a silhouette at least as high
    explained      the share of the variance that the plane of x and y keeps
    agreement      adjusted Rand index of the clusters and the group names; nan without two names
    words_alone    the same for clusters by shared words, without a model
    """

    sentences: pd.DataFrame
    table: pd.DataFrame
    curve: pd.DataFrame
    count: int
    by_silhouette: bool
    silhouette: float
    shuffled: float
    cloud: float
    p_shuffled: float
    p_cloud: float
    explained: float
    agreement: float
    words_alone: float

    @property
    def headline(self) -> str:
        """The number of clusters and their silhouette, which is more than chance only if shuffled words and single
        clouds are both rejected (p < 0.05)."""
        names = [name for name in self.sentences["group"].unique() if name]
        shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
        sentences = f"{len(self.sentences)} sentences" + (f" ({shown})" if names else "")
        clusters = f"k-means divides {sentences} into {self.count} clusters with a silhouette of"
        clusters += f" {decimal(self.silhouette)}"
        p = max(self.p_shuffled, self.p_cloud)  # both controls have to be rejected
        start = "Over all the numbers of clusters tried, shuffled" if self.by_silhouette else "Shuffled"
        controls = f"{start} words reach at most {decimal(self.shuffled)}, and clouds of points without clusters"
        controls += f" at most {decimal(self.cloud)} ({p_value(p, SHUFFLES, what='shuffles and clouds')})."
        if self.p_shuffled >= LEVEL:
            return f"{clusters}, which could be chance. {controls}"
        if self.p_cloud >= LEVEL:
            return f"{clusters}, which a single elongated cloud could also give. {controls}"
        return f"{clusters}, which is more than expected by chance. {controls}"


def read_sentences(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Split lines into (group name or "", sentence), each sentence once; a group name is written before a bar.

    >>> read_sentences(["food | Bake the bread.", "It rains.", "It snows.", "Hail fell."])[:2]
    (('food', 'Bake the bread.'), ('', 'It rains.'))
    """
    pairs = []
    for line in lines:
        name, bar, _ = line.partition("|")
        pairs.append((name.strip() if bar else "", sentence_of(line)))
    sentences = [sentence for _, sentence in pairs]
    groups = dict(reversed([(sentence, name) for name, sentence in pairs]))
    pairs = [(groups[sentence], sentence) for sentence in dict.fromkeys(sentences)]
    if "" in sentences:
        raise ValueError("A line has a group name but no sentence after the bar. Add a sentence or delete the line.")
    if len(pairs) < LEAST:
        raise ValueError(f"At least {LEAST} sentences are needed. Write one per line.")
    if len(pairs) > MOST:
        raise ValueError(f"There are {len(pairs):,} sentences, but at most {MOST} can be clustered. Remove some.")
    return tuple(pairs)


def sentence_of(line: str) -> str:
    """Return the sentence of a line, without the name of its group.

    >>> sentence_of("food | Bake the bread."), sentence_of("It rains.")
    ('Bake the bread.', 'It rains.')
    """
    name, bar, sentence = line.partition("|")
    return (sentence if bar else name).strip()


def effort(lines: Sequence[str], model: "EmbeddingModel") -> float:
    """About how many seconds one core takes to read the sentences and their shuffled versions, and cluster them."""
    read = read_sentences(lines)
    pieces = sum(len(model.tokenize(sentence)) for _, sentence in read)
    if pieces > MAX_PIECES:
        raise ValueError(f"The sentences have {pieces:,} tokens, but at most {MAX_PIECES:,} can be read. Remove some.")
    reading = seconds((1 + SHUFFLES) * pieces, model)
    return reading + (1 + SHUFFLES + CLOUDS) * TRIED * len(read) ** 2 * _DIVIDING


def mapped_sentences(model: "EmbeddingModel", *, lines: Sequence[str], combination: str, pooling: str) -> Vectors:
    """Read the vectors of sentences.

    Parameters
    ----------
    model : EmbeddingModel
    lines : sequence of str
        One sentence per line; a line may begin with a group name and a bar.
    combination : str
        The layer combination, such as "layer 6" or "sum of last four".
    pooling : str
        How tokens become one vector, such as "sentence: mean".

    Returns
    -------
    Vectors
        One per sentence, named by its number and its first words, with its group and the whole sentence.

    Raises
    ------
    ValueError
        As `cluster_sentences` does.
    """
    read = read_sentences(lines)
    effort(lines, model)
    sentences = tuple(sentence for _, sentence in read)
    vectors = sentence_vectors(sentences, model, combination=combination, pooling=pooling)
    names = [f"{number} {_beginning(sentence)}".strip() for number, sentence in enumerate(sentences, 1)]
    groups = tuple(name for name, _ in read)
    labels: Labels = ((GROUP, groups),) if any(groups) else ()
    title = f"{len(sentences)} sentences"
    return Vectors(names, vectors, (*labels, (CONTEXT, sentences)), title=title, kind="sentence")


def _beginning(sentence: str) -> str:
    """The first words of a sentence without signs, so that they can be typed in a list."""
    words = " ".join(shortened(word, _LETTERS) for word in re.findall(r"[^\W_][\w'’-]*", sentence))
    return shorten(words, _LETTERS, placeholder="…")


def cluster_sentences(
    lines: Sequence[str],
    model: "EmbeddingModel",
    *,
    combination: str,
    pooling: str,
    count: int = 0,
    seed: int = 0,
    progress: Progress = silent,
) -> Clusters:
    """Clusters of sentences by k-means on unit vectors.

    k-means always finds clusters, so the silhouette is compared with two controls without clusters, which are clustered
    in the same way: the words shuffled among the sentences, which are encoded again (`SHUFFLES` times), and `CLOUDS`
    single Gaussian clouds with the mean and covariance of the vectors (a strict control for few sentences, whose
    covariance exaggerates the longest directions).

    Parameters
    ----------
    lines : sequence of str
        One sentence per line; a line may begin with a group name and a bar.
    model : EmbeddingModel
    combination : str
        The layer combination, such as "layer 6" or "sum of last four".
    pooling : str
        How tokens become one vector, such as "sentence: mean".
    count : int, default 0
        Number of clusters; 0 takes the number from 2 to 8 with the highest mean silhouette.
    seed : int, default 0
    progress : callable, optional

    Returns
    -------
    Clusters
        The cluster of each sentence, the silhouettes, and those of the controls.

    Raises
    ------
    ValueError
        For fewer than 4 or more than 300 sentences, a group name without a sentence, an unknown layer combination or
        pooling, a sentence that is too long, too many tokens, and an impossible number of clusters.
    """
    read = read_sentences(lines)
    effort(lines, model)
    n = len(read)
    if count and not 2 <= count <= min(MAX_CLUSTERS, n - 1):
        raise ValueError(
            f"{n} sentences cannot be divided into {count} clusters. Choose 2 to {min(MAX_CLUSTERS, n - 1)}."
        )
    counts = [count] if count else list(range(2, min(TRIED, n - 1) + 1))
    rng = generator(seed)
    sentences = [sentence for _, sentence in read]
    texts = [*sentences, *(text for _ in range(SHUFFLES) for text in shuffled_words(sentences, model, rng=rng))]
    encoded = sentence_vectors(texts, model, combination=combination, pooling=pooling, progress=part(progress, 0, 0.6))
    raw, *shuffled = (_rotated(vectors) for vectors in encoded.reshape(1 + SHUFFLES, n, -1))
    sets = [("own", raw), *(("shuffled", vectors) for vectors in shuffled)]
    sets += [("cloud", vectors) for vectors in islice(partitions.clouds(raw, rng), CLOUDS)]
    labels: dict[int, NDArray[np.intp]] = {}
    scores = np.empty((len(sets), len(counts)))
    step = max(1, _AT_ONCE // (raw.size * TRIED))
    for start in range(0, len(sets), step):
        rows = np.stack([unit(vectors) for _, vectors in sets[start : start + step]])
        distances = np.maximum(1 - rows @ rows.swapaxes(-1, -2), 0)
        for column, k in enumerate(counts):
            progress(0.6 + 0.4 * (start + len(rows) * column / len(counts)) / len(sets))
            divided = partitions.k_means_of_each(rows, k, seed=seed)
            if not start:
                labels[k] = _ordered(divided[0])
            for row, (table, groups) in enumerate(zip(distances, divided, strict=True), start):
                scores[row, column] = partitions.mean_silhouette(table, groups)
    best = counts[int(scores[0].argmax())]
    own = float(scores[0].max())
    frame = _frame(read, unit(raw), labels[best])
    curve = pd.DataFrame({"clusters": counts, "silhouette": scores[0]})
    highest = {}
    for kind in ("shuffled", "cloud"):
        control = scores[[name == kind for name, _ in sets]]
        curve[f"{kind}_lowest"], curve[f"{kind}_highest"] = control.min(axis=0), control.max(axis=0)
        highest[kind] = control.max(axis=1)  # with the number of clusters that suits each best, as for the sentences
    p_shuffled, p_cloud = (control_p(int((high >= own - 1e-9).sum()), len(high)) for high in highest.values())
    agreement, words_alone = _agreement(read, labels[best], best, seed)
    return Clusters(
        frame.drop(columns="distance"), _table(frame), curve, best, not count, own, float(highest["shuffled"].max()),
        float(highest["cloud"].max()), p_shuffled, p_cloud, _plane(unit(raw))[1], agreement, words_alone,
    )  # fmt: skip


def shuffled_words(sentences: Sequence[str], model: "EmbeddingModel", *, rng: np.random.Generator) -> Iterator[str]:
    """The sentences with their words shuffled among all of them; each keeps its number of words, unless it becomes too
    long for the model."""
    split = [sentence.rstrip(".!? ").split() for sentence in sentences]
    words = iter(rng.permutation([word for words in split for word in words]).tolist())
    for own, sentence in zip(split, sentences, strict=True):
        new = list(islice(words, len(own)))
        while new and len(model.pieces(" ".join(new))) > model.max_tokens - 3:
            new = new[: len(new) // 2]
        yield " ".join(new) + sentence[len(sentence.rstrip(".!? ")) :] or sentence


def _rotated(vectors: Array) -> Array:
    """The vectors in as few dimensions as they need: lengths and angles stay the same, and k-means is faster."""
    left, lengths, _ = np.linalg.svd(vectors, full_matrices=False)
    return left * lengths


def _ordered(labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Labels that number the clusters from 1, the largest first."""
    order = np.argsort(-np.bincount(labels), kind="stable")
    numbers = np.empty(len(order), np.intp)
    numbers[order] = np.arange(1, len(order) + 1)
    return numbers[labels]


def _plane(vectors: Array) -> tuple[Array, float]:
    """The first two principal components (n, 2), and the share of the variance that they explain."""
    left, lengths, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    total = float((lengths**2).sum())
    return (left * lengths)[:, :2], float((lengths[:2] ** 2).sum()) / total if total else 1.0


def _frame(read: Sequence[tuple[str, str]], vectors: Array, labels: NDArray[np.intp]) -> pd.DataFrame:
    from sklearn.metrics import silhouette_samples

    plane, _ = _plane(vectors)
    several = len(np.unique(labels)) > 1
    centres = np.stack([vectors[labels == cluster].mean(axis=0) for cluster in range(1, labels.max() + 1)])
    frame = pd.DataFrame(
        {
            "sentence": [sentence for _, sentence in read],
            "group": [name for name, _ in read],
            "cluster": labels,
            "x": plane[:, 0],
            "y": plane[:, 1],
            "silhouette": silhouette_samples(vectors, labels, metric="cosine") if several else 0.0,
            "distance": np.linalg.norm(vectors - centres[labels - 1], axis=1),
        }
    )
    frame["rank_in_cluster"] = frame.groupby("cluster")["distance"].rank(method="first").astype(int)
    return frame


def _table(frame: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for cluster, members in frame.sort_values("rank_in_cluster").groupby("cluster"):
        names = members["group"].value_counts()
        rows.append((cluster, len(members), " ".join(members["sentence"].head(2)), names.index[0], names.iloc[0]))
    table = pd.DataFrame(rows, columns=["cluster", "sentences", "typical", "group", "share"])
    table["share"] /= table["sentences"]
    return table if frame["group"].any() else table.drop(columns=["group", "share"])


def _agreement(read: Sequence[tuple[str, str]], labels: NDArray[np.intp], count: int, seed: int) -> tuple[float, float]:
    from sklearn.metrics import adjusted_rand_score

    names = [name for name, _ in read]
    if not all(names) or len(set(names)) == 1:
        return float("nan"), float("nan")
    alone, _ = partitions.k_means(shared_words([sentence for _, sentence in read]), count, seed=seed)
    return float(adjusted_rand_score(names, labels)), float(adjusted_rand_score(names, alone))
