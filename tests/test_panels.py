"""One contract for all panels: what every tab of every page keeps, whatever it is about.

Every example has a finding and a result, and its address shows the same to another visitor. What a visitor types stays
text. A text that cannot be used is a problem, and the last good result stays. Reset and links with nonsense lead to the
first view, which is prepared, and drawn again without computing. Another model shows a result or says why not.

Each part is proven by a panel with a planted fault: test_panel_contract.py. A page's own tests say what is special there.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from embtools.progress import silent
from embtools.ui import menu, panels, warm
from tests import panel_contract as contract
from tests.address import PROMISED
from tests.panel_contract import Tab
from tests.visit import Visit, forget_models

pytestmark = pytest.mark.usefixtures("as_shipped")

LISTED = json.loads(PROMISED.read_text(encoding="utf-8"))
TABS = {
    f"{page.name}-{key}": Tab(page.name, key, panel)
    for page in menu.PAGES
    for key, panel in panels.of(page.name).items()
}
LONG = ("clusters-isotropy",)  # tabs whose examples take several seconds each
EXAMPLES = [
    # The first example of most tabs is their first view, so the second one is pressed in the quick tests.
    pytest.param(tab, name, marks=pytest.mark.slow if number != min(1, len(names) - 1) or tab in LONG else ())
    for tab, names in ((tab, list(each.panel.PRESETS)) for tab, each in TABS.items())
    for number, name in enumerate(names)
]


@pytest.fixture(scope="module")
def opened(visit: Any) -> Callable[[str], Visit]:
    """One visit of each tab, in which its examples are pressed in turn."""
    return cache(lambda tab: TABS[tab].open())


@pytest.mark.thorough(
    "clusters-isotropy-Words in sentences",
    "clusters-isotropy-By cluster",
    "clusters-isotropy-Whitening",
    "clusters-isotropy-All-but-the-top",
)
@pytest.mark.parametrize(("tab", "name"), EXAMPLES)
def test_an_example(opened: Any, monkeypatch: Any, tab: str, name: str) -> None:
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 1e9)  # nothing waits for its button
    contract.shows_its_example(TABS[tab], name, opened(tab))


@pytest.mark.slow("arithmetic-analogies", "features-word", "concepts-erase", "concepts-steer", "clusters-isotropy")
@pytest.mark.parametrize("tab", TABS)
def test_first_view(visit: Any, tab: str) -> None:
    with contract.noted() as asked:
        first = TABS[tab].open()
    contract.asks_what_was_prepared(TABS[tab], asked)
    contract.computes_once(first)
    contract.continues_after_a_stop(first, asked)
    contract.resets(TABS[tab], contract.replaces_nonsense(TABS[tab], first), first)


NEEDS: dict[str, dict[str, Any]] = {
    "arithmetic_curve": {"arithmetic_more": "strength"},
    "arithmetic_candidates": {"arithmetic_more": "more", "open": "words"},
    "arithmetic_lens": {"arithmetic_more": "lens"},
    "arithmetic_templates": {"arithmetic_more": "layers"},
    "arithmetic_find": {"arithmetic_more": "more", "open": ("tokens", "which")},
    "similarity_template": {"similarity_vectors": "layer 2"},
    "similarity_question": {"similarity_sight": "answers"},
    "similarity_sheep": {"similarity_sight": "sheep"},
    "similarity_subjects": {"similarity_sight": "sheep"},
    "similarity_two": {"similarity_sight": "sheep"},
    "clusters_words_own": {"clusters_list": "own"},
    "clusters_sentence_own": {
        "clusters_list": "own",
        "clusters_source": "sentence",
        "clusters_words_own": "a: red, sea, sky",
    },
    "clusters_x": {"clusters_method": "axes"},
    "clusters_y": {"clusters_method": "axes"},
    "clusters_z": {"clusters_method": "axes", "clusters_dimensions": "3"},
    "clusters_find": {"clusters_panel": "selected"},
    "clusters_pick": {"clusters_panel": "selected"},
    "inputs_part": {"open": "vocabulary"},
    "bias_reference": {"open": "one-direction"},
    "bias_bleached": {"bias_of": "seat"},
    "attention_neuron_text": {"attention_layer_view": "neurons", "attention_neuron_source": "own"},
    "tracing_second": {"tracing_compare": "sentences"},
    "features_put_sentence": {"open": "put-back"},
    "tracing_pairs": {"tracing_relation": "own", "tracing_capitals": 4},
    "pairs_rows": {"pairs_number": "many"},
    "concepts_items": {"concepts_task": "own"},
    "concepts_first_sentences": {"concepts_source": "sentences"},
    "concepts_second_sentences": {"concepts_source": "sentences"},
    "concepts_words": {"concepts_where": "word"},
    "similarity_other_template": {"similarity_other": "same"},
    "clusters_sentences": {"similarity_of": "sentences"},
    "clusters_isotropy_analogy": {"clusters_isotropy_effect": "analogies"},
    "corpus_word": {"similarity_of": "occurrences"},
    "corpus_text": {"arithmetic_analogies": "sentences", "corpus_source": "own"},
    "evidence_pairs": {"evidence_relation": "own"},
    "evidence_pair_own": {"evidence_pair_list": "own"},
}
"""What has to be chosen so that the page reads a field that it does not read at first."""
UNREAD = {
    "similarity_first", "similarity_second", "similarity_occurrence", "similarity_other_weights", "similarity_guess", "tracing_head",
    "vectors_file",
    "features_words", "evidence_case", "arithmetic_cell",
}  # fmt: skip
"""Fields that hold what a visitor chooses instead of typing, or that only a folder needs."""
ALONE = {"arithmetic_rows", "corpus_text", "similarity_odd", "tracing_pairs", "pairs_rows", "evidence_pairs"}
"""Fields whose problem is all that is shown: a table without a row that can be read, and a game without its words."""
# A field that several tabs share is tried on the first of them; each list of Clusters has fields of its own, read in the
# same way, of which those of one are tried.
TEXTS = {
    field.key: tab
    for tab, each in reversed(TABS.items())
    for field in each.texts
    if not re.match("clusters_(words|sentence)_(?!own)", field.key)
}
FIRST = {tab: key for key, tab in reversed(TEXTS.items())}.values()
"""One field of each tab: the others are read in the same way."""


@pytest.mark.thorough(
    "concepts_sentence", "similarity_other_template", "concepts_sentences", "concepts_masked", "concepts_words"
)
@pytest.mark.slow("attention_masked", "clusters_isotropy_analogy", "features_word", "pairs_first", "tracing_masked")
@pytest.mark.parametrize("key", [pytest.param(key, marks=() if key in FIRST else pytest.mark.slow) for key in TEXTS])
def test_a_text(visit: Any, key: str) -> None:
    tab = TABS[TEXTS[key]]
    (field,) = (each for each in tab.texts if each.key == key)
    contract.takes_any_text(tab, field, read=key not in UNREAD, stays=key not in ALONE, **NEEDS.get(key, {}))


WAITING = [
    f"{page}-{tab}"
    for page, listed in LISTED.items()
    for tab, first in listed.get("shows", {}).items()
    if first[:1] == "["
]
"""Tabs whose first view is a button where the work takes long."""


@pytest.mark.usefixtures("computing")
@pytest.mark.parametrize("tab", WAITING)
def test_long_work_waits_for_its_button(visit: Any, cold: None, monkeypatch: Any, tab: str) -> None:
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = TABS[tab].open()
    assert not at.charts and any(str(b.key).startswith("requested-") for b in at.button) and not at.problems


FURTHER = {"corpus-nearest", "pairs-questions", "concepts-probe"}
"""Tabs whose first view reads further texts after the result that was prepared: the whole corpus, or a sentence to try."""
# The first tab of each page comes first for visitors, and is prepared first.
PREPARED = {
    tab.page: tab for name, tab in reversed(TABS.items()) if hasattr(tab.panel, "FIRST") and name not in FURTHER
}


@pytest.mark.thorough("evidence")
@pytest.mark.slow
@pytest.mark.parametrize("page", PREPARED)
def test_a_first_view_that_was_prepared_asks_no_model(visit: Any, cold: None, monkeypatch: Any, page: str) -> None:
    monkeypatch.setenv("EMBTOOLS_PREPARED", "0")
    for query in warm.first_queries(PREPARED[page].panel):
        warm.ask(query, "bundled", silent)
    with contract.model_unused():
        assert not PREPARED[page].open().problems


WITHOUT_SEGMENTS = ("attention", "concepts", "inputs", "layers", "pairs")
"""Pages that show segments, or a head that a model without segments lacks."""
MODELS = [(tab, "tiny") for tab in TABS] + [
    (tab, "tiny_distil") for tab, each in TABS.items() if each.page in WITHOUT_SEGMENTS
]


@pytest.mark.parametrize(("tab", "model"), MODELS)
def test_another_model(visit: Any, monkeypatch: Any, request: Any, tab: str, model: str) -> None:
    other = request.getfixturevalue(model)
    monkeypatch.setattr("embtools.models.loading.load_model", lambda name="bundled": other)
    forget_models()
    try:
        contract.shows_or_says_why_not(TABS[tab])
    finally:
        forget_models()
