"""An item that is listed twice is left out and named: it never refuses the list."""

import pytest

PAGES = {
    "word": ("similarity", {"similarity_words": "red, blue, green, red"}, "'red'"),
    "pair": ("bias", {"bias_tab": "mitigation", "bias_axis_pairs": "he=she, man=woman, he=she"}, "'he=she'"),
    "of a group": ("directions", {"directions_first": "bad, sad, poor, sick, bad, ugly"}, "'bad'"),
    "formula": ("clusters", {"clusters_formulas": "king - man + woman\nking - man + woman"}, "'king - man + woman'"),
    "sentence": (
        "evidence",
        {"open": "sentences", "evidence_sentences": "{a} is in [MASK].\n{a} is in [MASK].", "evidence_stay": "{a} is a [MASK].\n{a} is a [MASK]."},
        "'{a} is in [MASK].'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", PAGES)
def test_what_is_listed_twice_is_left_out_and_named(visit, what, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)  # the lists are enough
    page, query, again = PAGES[what]
    at = visit(page, **query)
    assert not at.problems
    assert at.says("occurs before: " + again)
