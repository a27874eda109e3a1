"""The same test for both kinds of model, and for the one that ships with the app."""

import pytest


@pytest.fixture(params=["tiny", "tiny_distil", "bundled"])
def model(request):
    return request.getfixturevalue(request.param)
