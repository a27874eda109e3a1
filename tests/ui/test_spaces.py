"""The space that a page shows: raw unless the address says otherwise, with a badge, the way back, and its Python."""

import numpy as np
import pandas as pd
import pytest

from embtools.arithmetic.nearest_tokens import nearest
from embtools.corpus import search
from embtools.corpus.search import Query
from embtools.occurrences.corpus import built_in_corpus
from embtools.similarity.matrix import preset as listed
from embtools.similarity.random_words import compare_with_random_words
from embtools.spaces.of_model import in_space
from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, KINDS, TOP, WHITENED, Space
from embtools.ui.spaces import Spaces

pytestmark = pytest.mark.usefixtures("as_shipped")

PAGES = {
    "similarity": {},
    "clusters": {"clusters_method": "pca"},
    "arithmetic": {"arithmetic_tab": "analogies"},
    "corpus": {"corpus_word": "bank"},
}


def words_of(at):
    """Everything that the page's first tables hold, as text: what changes with the space."""
    return [table.to_csv() for table in at.tables]


def test_the_fields_hold_every_kind_and_its_numbers():
    spaces = Spaces("page")
    assert [field.key for field in spaces.fields] == [
        "page_space", "page_space_k", "page_space_shrinkage", "page_space_aperture", "page_space_clusters",
    ]  # fmt: skip
    assert spaces.kind.options == KINDS and spaces.value == Space()
    for field in spaces.fields[1:]:  # every value that a hand can set is one that the library takes
        for value in (field.low, field.high):
            name = {"k": "components"}.get(field.key.rpartition("_")[2], field.key.rpartition("_")[2])
            for kind in (TOP, WHITENED, CONCEPTOR, BY_CLUSTER):
                Space(kind, **{name: value})


def test_a_link_asks_for_the_space_that_it_names():
    spaces = Spaces("page")
    for space in (
        Space(TOP, 7),
        Space(WHITENED, shrinkage=0.25),
        Space(CONCEPTOR, aperture=1.5),
        Space(BY_CLUSTER, 2, clusters=5),
    ):
        asked = spaces.link(space)
        read = [field.read([asked[field.key]]) for field in spaces.fields]
        assert Space(*read) == space


@pytest.mark.slow("corpus")
@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_switched_and_goes_back_to_raw(visit, page, bundled):
    raw = visit(page, **PAGES[page])
    at = visit(page, **PAGES[page], **{f"{page}_space": "whitened"})
    assert not at.problems and at.says("Space: whitened (shrinkage 0.00)", "Fitted to ")
    assert not raw.says("Fitted to ")
    assert words_of(at) != words_of(raw)
    code = at.copied(bundled)
    assert "Space('whitened'" in code.code
    frames = code.frames
    for table in at.tables[:2]:
        assert any(_same(table, frame) for frame in frames), list(table.columns)
    at.press(f"{page}-space-raw")
    assert words_of(at) == words_of(raw) and f"{page}_space" not in at.query_params


def _same(table, frame) -> bool:
    columns = [column for column in table if column in frame]
    if not columns or len(table) != len(frame):
        return False
    try:
        pd.testing.assert_frame_equal(table[columns], frame[columns], check_dtype=False, rtol=1e-3, atol=1e-5)
    except AssertionError:
        return False
    return True


@pytest.mark.slow
def test_the_numbers_are_those_of_the_processed_vectors(visit, bundled):
    space = Space(TOP, 2)
    view = in_space(bundled, space=space)
    at = visit("similarity", similarity_space=TOP, similarity_space_k=2)
    pairs = compare_with_random_words(listed("Colours"), view).pairs
    np.testing.assert_allclose(at.table("first", "second", "cosine")["cosine"], pairs["cosine"], atol=1e-6)
    at = visit("arithmetic", arithmetic_tab="analogies", arithmetic_space=TOP, arithmetic_space_k=2)
    assert list(at.table("rank", "token")["token"]) == list(nearest("king - man + woman", view, k=10)["token"])
    at = visit("corpus", corpus_space=TOP, corpus_space_k=2)
    found = search.nearest(
        built_in_corpus(), bundled, query=Query("bank", 5), combination="sum of last four", space=space
    )
    np.testing.assert_allclose(at.table("rank", "cosine", "number")["cosine"], found.others["cosine"], atol=1e-5)


@pytest.mark.slow
def test_vectors_from_sentences_stay_raw_and_the_page_says_so(visit):
    at = visit("similarity", similarity_vectors="layer 2", similarity_space=CENTRED)
    raw = visit("similarity", similarity_vectors="layer 2")
    assert at.says("Only static embeddings can be shown in another space here.")
    assert words_of(at) == words_of(raw)
