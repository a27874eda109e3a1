"""Means over built-in sentences, against hooks on each sentence alone."""

import numpy as np
import pytest

from embtools import wordlists
from embtools.attention import mean_outputs as module
from embtools.attention.mean_outputs import effort, mean_outputs
from tests.hooked import Hooked


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_means_are_those_of_all_tokens(name, request, monkeypatch):
    model = request.getfixturevalue(name)
    monkeypatch.setattr(module, "SENTENCES", 7)
    found = mean_outputs.__wrapped__(model)
    corpus = wordlists.load("corpus")["sentence"]
    texts, hooked = corpus.iloc[:: len(corpus) // 7].head(7), Hooked(model)
    assert len(found) == model.layers
    for layer, means in enumerate(found, 1):
        seen = [hooked.steps(text, layer) for text in texts]
        for step, mean in (("heads", means.heads), ("neurons", means.neurons)):
            np.testing.assert_allclose(mean, np.concatenate([each[step] for each in seen]).mean(0), atol=1e-5)


def test_it_reports_progress_and_can_be_stopped(tiny):
    reported = []
    mean_outputs.__wrapped__(tiny, progress=reported.append)
    assert reported == sorted(reported) and reported[-1] == 1

    def stop(done):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mean_outputs.__wrapped__(tiny, progress=stop)


def test_the_effort_grows_with_the_model_and_ends_when_the_means_are_known(tiny, bundled, cold):
    assert 0 < effort(tiny) < effort(bundled) < 4  # the bundled model needs no button
    mean_outputs(tiny)
    assert effort(tiny) == 0 < effort(bundled)
