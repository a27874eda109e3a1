"""The nearest word pieces of any vector."""

import numpy as np
import pandas as pd

from embtools import neighbours


def test_many_queries_give_what_each_gives(tiny):
    vectors = np.random.default_rng(0).normal(size=(20, 16)).astype(np.float32)
    many = neighbours.neighbours(vectors, tiny, 5)
    for vector, frame in zip(vectors, many, strict=True):
        pd.testing.assert_frame_equal(frame, neighbours.neighbours(vector, tiny, 5)[0], atol=1e-6)
