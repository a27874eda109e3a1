"""Every text field of five pages with 7,000 letters and no space or comma: an error message or an answer, no exception."""

import importlib

import pytest

from embtools.ui.fields import Text

PANELS = {
    "pairs": ("following", "batch", "likeness", "questions", "groups"),
    "similarity": ("matrix", "colours", "spaces", "odd_one_out"),
    "clusters": ("map",),
    "bias": ("groups", "counterfactual", "occupations", "association", "mitigation"),
    "layers": ("word", "survey"),
}
# What has to be chosen so that the page reads a field that it does not read at first.
NEEDS = {
    "similarity_template": {"similarity_vectors": "layer 2"},
    "bias_bleached": {"bias_level": "sentences (SEAT)"},
    "clusters_x": {"clusters_method": "axes"},
    "clusters_y": {"clusters_method": "axes"},
    "clusters_z": {"clusters_method": "axes", "clusters_dimensions": "3"},
    "similarity_question": {"similarity_sight": "Ask BERT"},
    "similarity_sheep": {"similarity_sight": "The black sheep"},
    "similarity_subjects": {"similarity_sight": "The black sheep"},
    "similarity_two": {"similarity_sight": "The black sheep"},
    "clusters_words_own_words": {"clusters_list": "own words"},
    "clusters_sentence_own_words": {"clusters_list": "own words", "clusters_source": "in a sentence"},
}
LONG = "a" * 7_000


def fields() -> list[tuple[str, str, str]]:
    found = []
    for page, panels in PANELS.items():
        for name in panels:
            panel = importlib.import_module(f"embtools.ui.{page}.{name}")
            keys = [field.key for field in panel.FIELDS if isinstance(field, Text)]
            # A list of Clusters has a field of its own, read in the same way: one of them is enough.
            found += [(page, panel.TAB, key) for key in keys
                      if not key.startswith(("clusters_words_", "clusters_sentence_")) or key in NEEDS]  # fmt: skip
    return found


@pytest.mark.parametrize("page, tab, key", fields())
def test_a_word_of_7000_letters(visit, page, tab, key):
    query = {f"{page}_tab": tab} if page != "clusters" else {}
    at = visit(page, **query, **NEEDS.get(key, {}))
    for text in (LONG, f"red, {LONG}", f"{LONG} = red", f"red | {LONG}"):
        at.test.session_state[key] = text  # past the field's own limit, as a browser that does not check it would
        at.run()  # an exception fails the test
        assert at.texts and all(len(problem) < 500 for problem in at.problems)
