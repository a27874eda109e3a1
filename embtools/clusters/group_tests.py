"""Tests of whether groups of points are real, each compared with shuffled labels."""

import numpy as np
import pandas as pd

from embtools.chance import checked_seed, generator
from embtools.limits import same_count
from embtools.statistics.neighbour_test import (
    SHUFFLES,
    Labels,
    check,
    nearest_others,
    share_in_group,
)
from embtools.statistics.partitions import mean_silhouette
from embtools.vectors import Array, check_finite


def numbers(distances: Array, drawn: Array, vectors: Array, labels: Labels, *, seed: int = 0) -> pd.DataFrame:
    """How well groups are separated (Rousseeuw 1987; Hubert & Arabie 1985) by distances (n, n) in the space and on the
    map and by vectors (n, d), compared with shuffled labels."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import adjusted_rand_score

    check(labels)
    same_count(vectors=vectors, labels=labels)
    check_finite(vectors)
    rng = generator(seed)
    nearest = nearest_others(distances)
    means = KMeans(int(labels.max()) + 1, n_init=4, random_state=checked_seed(seed)).fit_predict(vectors)
    rows = [
        [
            mean_silhouette(distances, y),
            mean_silhouette(drawn, y),
            share_in_group(nearest, y),
            adjusted_rand_score(y, means),
        ]
        for y in (labels, *(rng.permutation(labels) for _ in range(SHUFFLES)))
    ]
    true, null = np.array(rows[0]), np.array(rows[1:])
    low, high = np.quantile(null, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {
            "measure": [
                "silhouette in the space",
                "silhouette on the map",
                "nearest neighbour in own group",
                "agreement with k-means",
            ],
            "value": true,
            "shuffled": null.mean(axis=0),
            "shuffled_low": low,
            "shuffled_high": high,
            # one-sided; the true labels count among the shuffles (Phipson & Smyth 2010)
            "p_value": (1 + (null >= true - 1e-12).sum(axis=0)) / (1 + SHUFFLES),
            "meaning": [
                "Whether words are nearer to their own group than to the nearest other one (from −1 to 1), in the"
                " space.",
                "The same, measured on the map.",
                "Share of words whose nearest neighbour in the space belongs to their own group.",
                "Adjusted Rand index: how well clusters found without labels match the groups (1 exactly, 0 chance).",
            ],
        }
    )
