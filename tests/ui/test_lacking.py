"""Every page under a model that lacks parts: no segment embeddings, no next-sentence head, as DistilBERT."""

import pytest

from embtools.models.loading import load_model
from embtools.ui.page import PAGES
from tests.conftest import make_tiny


@pytest.fixture(scope="module")
def distil(tmp_path_factory, bundled):
    """A tiny random DistilBERT with the whole vocabulary, so that every example can be read."""
    words = [piece for piece in bundled.vocabulary if piece not in bundled.special]
    return load_model(str(make_tiny(tmp_path_factory.mktemp("lacking"), kind="distilbert", words=words)))


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_a_page_says_what_a_model_lacks(visit, lend, distil, name):
    lend(distil)
    page = visit(name)
    tab = page.session_state["state-fields"][f"{name}_tab"]
    for option in tab.options:
        page = visit(name, **{tab.key: option})
        print(
            name,
            option,
            page.problems,
            len(page.charts),
            [t for t in page.texts if "lack" in t or "has no" in t or "segment" in t],
        )
        assert page.charts or page.tables or page.problems, option
