"""Groups of sentences that nobody named, the most typical of each, and what is found where there are none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from embtools.chance import generator
from embtools.messages import quoted
from embtools.progress import Progress, part, silent
from embtools.recipes import sentence_vectors
from embtools.statistics import partitions
from embtools.statistics.reporting import LEVEL, control_p, p_value
from embtools.vectors import Array, unit
from embtools.words.overlap import shared_words
from embtools.words.templates import seconds

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

LEAST, MOST = 4, 300
MAX_PIECES = 12_000
_NAMED = 6  # names of groups in a headline
MAX_GROUPS, TRIED = 12, 8  # groups that can be asked for; that the silhouette chooses among
DEALS, CLOUDS = 20, 20  # of each control; fewer could not show p < 0.05, even if the sentences exceed all of them
_DIVIDING = 2.5e-7  # seconds of one k-means by the square of the sentences, all of its starts together
_AT_ONCE = 2_000_000  # numbers of all sets that are divided at once


@dataclass(frozen=True)
class Groups:
    """What was found.

    sentences   frame: sentence, named (its group in front of it, or ""), group (1: the largest), x, y (the first two
                principal components), silhouette, typical (its place in its group, 1 nearest to the middle)
    table       frame: group, sentences (how many), typical (the two nearest to the middle), named and share (what most
                of them are named, where they are)
    curve       frame: groups (how many), silhouette, dealt_low, dealt_high, cloud_low, cloud_high
    count       how many groups; by_silhouette: whether it was chosen as the number with the highest silhouette
    silhouette  mean silhouette of the groups, by cosine
    dealt       the highest silhouette when the words are shuffled among the sentences, in the same number of groups;
                where the silhouette chose that number, in the number that suits the shuffled words best
    cloud       likewise, of single clouds of the same shape
    p_dealt, p_cloud   the share of shuffles (of clouds) with a silhouette at least as high, the sentences among them
    kept        the share of the differences that the plane of x and y keeps
    agreement   the adjusted Rand index with the names in front, and words_alone that of groups by shared words; nan
                without names
    """

    sentences: pd.DataFrame
    table: pd.DataFrame
    curve: pd.DataFrame
    count: int
    by_silhouette: bool
    silhouette: float
    dealt: float
    cloud: float
    p_dealt: float
    p_cloud: float
    kept: float
    agreement: float
    words_alone: float

    def exceeds(self, rival: float) -> bool:
        """Whether the silhouette is above another one, both rounded as they are shown."""
        return round(self.silhouette, 2) > round(rival, 2)


def read_sentences(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Sentences with the names of their groups, where these stand in front: (name or "", sentence).

    Raises ValueError for too few or too many sentences, and for one that stands twice.

    >>> read_sentences(["food | Bake the bread.", "It rains.", "It snows.", "Hail fell."])[:2]
    (('food', 'Bake the bread.'), ('', 'It rains.'))
    """
    found = []
    for line in lines:
        name, bar, sentence = (part.strip() for part in line.partition("|"))
        found.append((name, sentence) if bar else ("", name))
    sentences = [sentence for _, sentence in found]
    if "" in sentences:
        raise ValueError("A line has a name but no sentence behind the bar. Write one, or take the line out.")
    if len(found) < LEAST:
        raise ValueError(f"It takes at least {LEAST} sentences to divide them. Write one a line.")
    if len(found) > MOST:
        raise ValueError(f"There are {len(found)} sentences; at most {MOST} are divided. Take some away.")
    if len(set(sentences)) < len(sentences):
        twice = next(sentence for sentence in sentences if sentences.count(sentence) > 1)
        raise ValueError(f"{quoted(twice, 80)} stands twice. Take one away.")
    return tuple(found)


def effort(lines: Sequence[str], model: "EmbeddingModel") -> float:
    """About how many seconds one core takes to read the sentences, the shuffled ones too, and to divide all of them.

    Raises ValueError as `find` does for sentences that cannot be read, before anything is encoded.
    """
    read = read_sentences(lines)
    pieces = sum(len(model.tokenize(sentence)) for _, sentence in read)
    if pieces > MAX_PIECES:
        raise ValueError(f"The sentences have {pieces:,} pieces; at most {MAX_PIECES:,} are read. Take some away.")
    reading = seconds((1 + DEALS) * pieces, model)
    return reading + (1 + DEALS + CLOUDS) * TRIED * len(read) ** 2 * _DIVIDING


def find(
    lines: Sequence[str],
    model: "EmbeddingModel",
    recipe: str,
    pooling: str,
    *,
    count: int = 0,
    seed: int = 0,
    progress: Progress = silent,
) -> Groups:
    """Groups of sentences, one a line, by k-means on their vectors of length one; a name may stand in front of a bar.

    count: how many groups; 0: the number of 2 … 8 with the highest mean silhouette. k-means divides everything, so the
    silhouette is compared with two controls without such groups, divided in the same way: the words shuffled among the
    sentences, which are read again (`DEALS` times), and `CLOUDS` single Gaussian clouds with the vectors' mean and
    covariance (a strict control for few sentences, whose covariance exaggerates the longest directions).
    `progress` is told 0 … 1 and may raise to stop. Raises ValueError as `read_sentences` and `sentence_vectors` do, for
    too many pieces, and for a number of groups that cannot be.
    """
    read = read_sentences(lines)
    effort(lines, model)
    n = len(read)
    if count and not 2 <= count <= min(MAX_GROUPS, n - 1):
        raise ValueError(f"{n} sentences cannot be divided into {count} groups. Choose 2 to {min(MAX_GROUPS, n - 1)}.")
    counts = [count] if count else list(range(2, min(TRIED, n - 1) + 1))
    rng = generator(seed)
    sentences = [sentence for _, sentence in read]
    texts = [*sentences, *(text for _ in range(DEALS) for text in dealt(sentences, rng, model))]
    encoded = sentence_vectors(texts, model, recipe, pooling, progress=part(progress, 0, 0.6)).reshape(1 + DEALS, n, -1)
    raw, *shuffled = (_turned(vectors) for vectors in encoded)
    sets = [("own", raw), *(("dealt", vectors) for vectors in shuffled)]
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
    curve = pd.DataFrame({"groups": counts, "silhouette": scores[0]})
    highest = {}
    for kind in ("dealt", "cloud"):
        control = scores[[name == kind for name, _ in sets]]
        curve[f"{kind}_low"], curve[f"{kind}_high"] = control.min(axis=0), control.max(axis=0)
        highest[kind] = control.max(axis=1)  # in the number of groups that suits each best, as for the sentences
    p_dealt, p_cloud = (control_p(int((high >= own - 1e-9).sum()), len(high)) for high in highest.values())
    agreement, words_alone = _agreement(read, labels[best], best, seed)
    return Groups(
        frame.drop(columns="away"), _table(frame), curve, best, not count, own, float(highest["dealt"].max()),
        float(highest["cloud"].max()), p_dealt, p_cloud, _plane(unit(raw))[1], agreement, words_alone,
    )  # fmt: skip


def dealt(sentences: Sequence[str], rng: np.random.Generator, model: "EmbeddingModel") -> Iterator[str]:
    """The words of all sentences dealt to them anew: as many to each as it had. What they say together is gone.

    A sentence that becomes longer than the model reads ends where it must.
    """
    split = [sentence.rstrip(".!? ").split() for sentence in sentences]
    words = iter(rng.permutation([word for words in split for word in words]).tolist())
    for own, sentence in zip(split, sentences, strict=True):
        given = list(islice(words, len(own)))
        while given and len(model.pieces(" ".join(given))) > model.max_tokens - 3:
            given = given[: len(given) // 2]
        yield " ".join(given) + sentence[len(sentence.rstrip(".!? ")) :] or sentence


def finding(result: Groups) -> str:
    """How many groups the sentences form, and whether as much is found where there are none.

    Groups are claimed only where both controls are rejected: p < 0.05 against shuffled words and against single clouds.
    """
    found = f"{_sentences(result)}: {result.count} groups, silhouette {result.silhouette:.2f}"
    p = max(result.p_dealt, result.p_cloud)  # both controls have to be rejected
    controls = f"{p_value(p)}; shuffled words reach {result.dealt:.2f}, clouds without groups {result.cloud:.2f}"
    if result.p_dealt >= LEVEL:
        return f"{found}, which could be chance ({controls})."
    if result.p_cloud >= LEVEL:
        return f"{found}, which one long cloud could give, too ({controls})."
    return f"{found}, more than by chance ({controls})."


def _sentences(result: Groups) -> str:
    """Which sentences a finding is about: how many, and the names of their groups."""
    names = [name for name in result.sentences["named"].unique() if name]
    shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return f"{len(result.sentences)} sentences" + (f" ({shown})" if names else "")


def _turned(vectors: Array) -> Array:
    """The same vectors in as few dimensions as they need: lengths and angles stay, and k-means is quicker."""
    left, lengths, _ = np.linalg.svd(vectors, full_matrices=False)
    return left * lengths


def _ordered(labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Labels that number the groups from 1, the largest first."""
    order = np.argsort(-np.bincount(labels), kind="stable")
    places = np.empty(len(order), np.intp)
    places[order] = np.arange(1, len(order) + 1)
    return places[labels]


def _plane(vectors: Array) -> tuple[Array, float]:
    """The first two principal components (n, 2), and the share of the differences that they keep."""
    left, lengths, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    total = float((lengths**2).sum())
    return (left * lengths)[:, :2], float((lengths[:2] ** 2).sum()) / total if total else 1.0


def _frame(read: Sequence[tuple[str, str]], vectors: Array, labels: NDArray[np.intp]) -> pd.DataFrame:
    from sklearn.metrics import silhouette_samples

    places, _ = _plane(vectors)
    several = len(np.unique(labels)) > 1
    middles = np.stack([vectors[labels == group].mean(axis=0) for group in range(1, labels.max() + 1)])
    frame = pd.DataFrame(
        {
            "sentence": [sentence for _, sentence in read],
            "named": [name for name, _ in read],
            "group": labels,
            "x": places[:, 0],
            "y": places[:, 1],
            "silhouette": silhouette_samples(vectors, labels, metric="cosine") if several else 0.0,
            "away": np.linalg.norm(vectors - middles[labels - 1], axis=1),
        }
    )
    frame["typical"] = frame.groupby("group")["away"].rank(method="first").astype(int)
    return frame


def _table(frame: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for group, members in frame.sort_values("typical").groupby("group"):
        names = members["named"].value_counts()
        rows.append((group, len(members), " ".join(members["sentence"].head(2)), names.index[0], names.iloc[0]))
    table = pd.DataFrame(rows, columns=["group", "sentences", "typical", "named", "share"])
    table["share"] /= table["sentences"]
    return table if frame["named"].any() else table.drop(columns=["named", "share"])


def _agreement(read: Sequence[tuple[str, str]], labels: NDArray[np.intp], count: int, seed: int) -> tuple[float, float]:
    from sklearn.metrics import adjusted_rand_score

    names = [name for name, _ in read]
    if not all(names):
        return float("nan"), float("nan")
    alone, _ = partitions.k_means(shared_words([sentence for _, sentence in read]), count, seed)
    return float(adjusted_rand_score(names, labels)), float(adjusted_rand_score(names, alone))
