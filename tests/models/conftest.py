"""The same test for both kinds of model, and for the one that ships with the app."""

import pytest
from transformers import AutoTokenizer, BertForPreTraining


@pytest.fixture(params=["tiny", "tiny_distil", "bundled"])
def model(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def network(tiny_folder):
    return BertForPreTraining.from_pretrained(tiny_folder).eval()


@pytest.fixture(scope="module")
def tokenizer(tiny_folder):
    return AutoTokenizer.from_pretrained(tiny_folder)
