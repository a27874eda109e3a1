"""The space that a page shows: raw unless the address says otherwise, with a badge, the way back, and its Python."""

import pandas as pd
import pytest

from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, KINDS, TOP, WHITENED, Space
from embtools.ui.spaces import Spaces

pytestmark = pytest.mark.usefixtures("as_shipped")

WHITE, WITHOUT = Space(WHITENED), Space(TOP, 2)
PAGES = {
    "similarity": ({}, WITHOUT),
    "clusters": ({"clusters_method": "pca"}, WHITE),
    "arithmetic": ({"arithmetic_tab": "analogies"}, WITHOUT),
    "corpus": ({"corpus_word": "bank"}, WHITE),
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
    query, space = PAGES[page]
    raw, at = visit(page, **query), visit(page, **query, **Spaces(page).link(space))
    assert not at.problems and at.says(f"Space: {space.says}", "Fitted to ")
    assert not raw.says("Fitted to ")
    assert words_of(at) != words_of(raw)
    code = at.copied(bundled)
    assert space.code in code.code
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
def test_vectors_from_sentences_stay_raw_and_the_page_says_so(visit):
    at = visit("similarity", similarity_vectors="layer 2", similarity_space=CENTRED)
    raw = visit("similarity", similarity_vectors="layer 2")
    assert at.says("Only static embeddings can be shown in another space here.")
    assert words_of(at) == words_of(raw)
