"""The tab Isotropy of Clusters without a browser."""

from urllib.parse import parse_qs

import pytest

from embtools.clusters.isotropy import overview, verdict
from embtools.clusters.isotropy import population as populations
from embtools.spaces.controls import with_controls
from embtools.spaces.space import CENTRED, CONCEPTOR, WHITENED, Space
from embtools.statistics import partitions
from embtools.ui.clusters import isotropy as panel
from embtools.ui.clusters import isotropy_parts as parts
from embtools.ui.clusters.isotropy_parts import INSIDE
from tests.clusters.conftest import overview_of


@pytest.fixture(scope="module")
def page(visit):
    """Open the tab Isotropy of Clusters; the names of fields have no "clusters_isotropy_" here."""
    return lambda **fields: visit(
        "clusters",
        clusters_tab="isotropy",
        **{
            name if name in ("open", "compare") else f"clusters_isotropy_{name}": value
            for name, value in fields.items()
        },
    )


def seen(population, chosen):
    return {name: overview_of(population, one) for name, one in with_controls(chosen).items()}


def linked(at, label, **has):
    """The parameters of the link with this label that has all of these."""
    found = [parse_qs(link.proto.query_string) for link in at.get("page_link") if link.proto.label == label]
    return next(query for query in found if all(query.get(key) == [value] for key, value in has.items()))


@pytest.mark.slow
def test_links_open_pages_with_the_same_space_and_keep_their_words(visit):
    """A link keeps the fields of its page, except the space and its parameters."""
    own = {"clusters_list": "own", "clusters_words_own": "oak\nash", "clusters_source": "sentence"}
    at = visit(
        "clusters",
        clusters_tab="isotropy",
        clusters_isotropy_space=WHITENED,
        clusters_isotropy_space_shrinkage=0.25,
        clusters_isotropy_recipe="layer 4",
        **own,
    )
    at.session_state["state-parameters"] = at.session_state["state-parameters"] | {
        "similarity": {
            "similarity_words": ["oak, ash, elm"], "similarity_tab": ["spaces"], "similarity_space": ["centred"],
            "similarity_vectors": ["layer 2"], "similarity_linkage": ["single"],
        },
        "corpus": {"corpus_source": ["own"], "corpus_text": ["The oak fell."], "corpus_word": ["oak"]},
    }  # fmt: skip
    at.run()
    links = [link.proto for link in at.get("page_link") if "_space_shrinkage=0.25" in link.proto.query_string]
    assert {link.label for link in links} == {
        "Nearest words",
        "Heatmap",
        "Map",
        "Odd one out",
        "Arithmetic",
        "Clusters",
        "Your vectors",
    }  # the last two are in the menu
    similarity = linked(at, "Heatmap", similarity_space=WHITENED)
    assert similarity["similarity_words"] == ["oak, ash, elm"] and similarity["similarity_linkage"] == ["single"]
    assert not {"similarity_tab", "similarity_vectors"} & set(similarity)  # the heatmap, of static embeddings
    clusters = linked(at, "Map", clusters_space=WHITENED)
    assert clusters["clusters_list"] == ["own"] and clusters["clusters_words_own"] == ["oak\nash"]
    assert "clusters_source" not in clusters
    assert linked(at, "Arithmetic", arithmetic_space=WHITENED)["arithmetic_tab"] == ["analogies"]
    at.put("clusters_isotropy_of", INSIDE)
    corpus = linked(at, "Nearest occurrences", corpus_space=WHITENED)
    assert corpus["corpus_source"] == ["own"] and corpus["corpus_text"] == ["The oak fell."]
    assert corpus["corpus_word"] == ["oak"] and corpus["corpus_recipe"] == ["layer 4"]


@pytest.mark.slow
def test_the_effects_of_whitening_in_sentences_and_the_way_there_from_static_words_without_senses(page, inside):
    chosen = Space(WHITENED, shrinkage=0.2)
    at = page(effect="senses", recipe="layer 4", space=WHITENED, space_shrinkage=0.2)
    assert at.says("so there are no senses to separate")
    at.press("Use words in sentences")
    assert at.session_state["clusters_isotropy_of"] == INSIDE and at.says("The nearest other occurrence has the same")
    assert at.finding == verdict.finding(seen(inside, chosen))
    at.put("clusters_isotropy_space_shrinkage", 0.3)
    assert "shrinkage 0.30" in at.finding
    at.press("use-shrinkage")  # the Ledoit–Wolf shrinkage is small for this many vectors
    assert 0 < at.session_state["clusters_isotropy_space_shrinkage"] < 0.1
    for effect, charts in ((parts.ANALOGIES, 3), (parts.SENSES, 3), (parts.DIRECTIONS, 4)):
        at.session_state["clusters_isotropy_effect"] = effect
        at.run()
        assert not at.problems and len(at.charts) == charts, effect


def test_more_directions_than_dimensions_are_an_error(page, lend, tiny):
    lend(tiny)
    at = page(space_k=40)
    assert "directions cannot be removed" in at.problems[0] and at.says(
        "Showing the page's example, for: static embeddings"
    )


@pytest.mark.thorough("fields3")
@pytest.mark.slow("fields0", "fields1", "fields2")
@pytest.mark.parametrize(
    "fields",
    [
        {"space_k": 2},
        {"effect": "analogies", "of": "sentences", "recipe": "layer 4"},
        {"effect": "senses", "of": "sentences", "recipe": "layer 4"},
        {"effect": "directions", "space": CONCEPTOR, "space_aperture": 2.0},
    ],
)  # fmt: skip
def test_the_copied_code_gives_every_figure(page, bundled, fields):
    page(**fields).prints_what_it_shows(bundled)


@pytest.mark.slow
def test_clusters_are_computed_once_for_the_whole_page(page, monkeypatch):
    """Measures, tasks, neighbours and their controls share them."""
    sought = []
    k_means = partitions.k_means
    monkeypatch.setattr(
        partitions, "k_means", lambda vectors, k, **named: sought.append(k) or k_means(vectors, k, **named)
    )
    at = page(space="by-cluster", space_clusters=7, space_k=2)
    assert not at.problems and len(at.charts) == 4 and sought == [7]


def test_the_cosines_are_shown_even_if_the_tasks_fail(page, monkeypatch):
    def stopped(*_, **__):
        raise ValueError("The tasks were stopped.")

    monkeypatch.setattr(overview, "task_scores", stopped)
    at = page(space_k=9)
    assert "The tasks were stopped." in at.problems[0] and at.says("Variance by principal component")
    assert at.charts[0].alt.startswith("Cosines of random pairs of words")


@pytest.mark.slow
def test_a_folder_is_measured_by_its_moments_and_a_sample(page, folder, stored_folder, bundled, monkeypatch):
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder))
    monkeypatch.chdir(stored_folder.parent)
    monkeypatch.setattr(populations, "MOST_DRAWN", 400)
    at = page(of="some", space=CENTRED)
    found = seen(populations.population(folder, bundled), Space(CENTRED))
    assert at.finding == verdict.finding(found) and not at.problems
    assert at.says(populations.measured_on(folder), verdict.task_finding(found))
    assert at.finding in at.copied(bundled).printed
    at.session_state["clusters_isotropy_effect"] = parts.SENSES
    at.run()
    assert at.says("This folder has no sense labels.")
    at.put("clusters_isotropy_space", WHITENED)
    at.press("use-shrinkage")
    assert 0 < at.session_state["clusters_isotropy_space_shrinkage"] <= 1 and "whitening" in at.finding
    links = [link.proto.query_string for link in at.get("page_link") if link.proto.label == "Nearest occurrences"]
    assert any("corpus_source=some" in link and "corpus_space=whitened" in link for link in links)
    monkeypatch.setenv("EMBTOOLS_CORPORA", str(stored_folder / "words"))
    at = page(of="words", space=CENTRED)
    assert "has no corpus.json" in at.problems[0] and "centring" in at.finding


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (0.321, None, "is **0.32**"),
        (0.321, 0.324, "stays at **0.32**"),
        (0.14, 0.23, "changes from **0.14** to **0.23**"),
    ],
)
def test_a_measure_that_stays_is_not_said_to_change(before, after, said):
    assert panel._changes(before, after) == said
