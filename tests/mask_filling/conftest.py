"""A model next to the Hugging Face pipeline on its weights."""

import numpy as np
import pytest


@pytest.fixture(params=["tiny", "tiny_distil", "bundled"])
def both(request, pipelines):
    return request.getfixturevalue(request.param), pipelines[request.param]


def masks_of(encoding, model):
    return np.flatnonzero(encoding["input_ids"][0].numpy() == model.mask_id)
