"""Occurrences of a word, and sentences, on the Similarity page: the same numbers as without the app."""

import numpy as np
import pytest

from embtools.clusters.occurrences import word_occurrences
from embtools.clusters.sentences import mapped_sentences
from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.corpus import built_in_corpus
from embtools.similarity.colours import compare_colours
from embtools.similarity.in_spaces import group_means
from embtools.similarity.matrix import preset
from embtools.spaces.space import Space
from embtools.statistics.decimals import decimal
from embtools.ui import fields
from embtools.ui.corpora import text_vectors
from embtools.ui.shown import Model
from embtools.ui.similarity import matrix, nearest

SUM = "sum of last four"
READ = {"combination": text_vectors.COMBINATION.default, "pooling": text_vectors.POOLING.default}
REPEATED = "The cat sat on the mat.\nThe dog lay on the rug.\nIt will rain tomorrow.\nThe cat sat on a mat."


@pytest.fixture
def page(visit):
    return lambda **fields: visit("similarity", **{f"similarity_{name}": value for name, value in fields.items()})


def cosines(vectors):
    unit = vectors.matrix.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return unit @ unit.T


def read(of, model):
    """The occurrences of *bank*, or the sentences that are there at first."""
    if of == "occurrences":
        return word_occurrences(model, corpus=built_in_corpus(), word="bank", combination=SUM)
    return mapped_sentences(model, lines=text_vectors.FOUR_TOPICS.splitlines(), **READ)


def shown(name):
    """A name in a sentence: "bank 1", or that of a sentence in quotation marks."""
    return name if name.startswith("bank ") else f"“{name}”"


def pairs_of(vectors):
    """The most and the least similar pair, by name."""
    table, (i, j) = cosines(vectors), np.triu_indices(len(vectors), 1)
    order = np.argsort(table[i, j])
    return [(vectors.names[i[k]], vectors.names[j[k]]) for k in (order[-1], order[0])]


@pytest.mark.parametrize("of", ["occurrences", "sentences"])
def test_the_heatmap_compares_all_of_them(page, bundled, of):
    at = page(of=of)
    vectors = read(of, bundled)
    (best, worst), count = pairs_of(vectors), len(vectors)
    near, far = (" and ".join(map(shown, pair)) for pair in (best, worst))
    assert at.finding.startswith(f"Of {count} {of}, BERT finds {near} most similar: ")
    assert f"Least similar are {far}: " in at.finding and not at.problems
    assert " than all " not in at.finding  # each pair is itself among the random ones
    assert at.charts[0].alt.startswith(f"Heatmap of {count} {of}. Most similar: {near}, ")
    sentences = dict(zip(vectors.names, dict(vectors.labels)["sentence"], strict=True))
    assert at.says(*[f"{name}: {sentences[name]}" for name in best])
    assert at.says(f"The random pairs are drawn from these {count} {of}.")
    labels = next(labels for name, labels in vectors.labels if name != "sentence")
    grouped = {}
    for name, label in zip(vectors.names, labels, strict=True):
        grouped.setdefault(label, []).append(name)
    text = "\n".join(f"{label}: {', '.join(names)}" for label, names in grouped.items() if label)
    assert at.says(group_means(text, vectors).headline)


@pytest.mark.slow
def test_a_space_of_occurrences_is_fitted_to_the_whole_text(page, bundled):
    at = page(of="occurrences", space="centred")
    own = word_occurrences(bundled, corpus=built_in_corpus(), word="bank", combination=SUM, space=Space("centred"))
    (best, _), table = pairs_of(own), cosines(own)
    first, second = (own.names.index(name) for name in best)
    assert at.says("Fitted to all occurrences of the text.") and f"{best[0]} and {best[1]}" in at.finding
    assert f"(cosine {decimal(table[first, second])})" in at.finding


def test_the_nearest_sentence_is_found_and_another_one_can_be_chosen(visit, bundled):
    vectors = mapped_sentences(bundled, lines=REPEATED.splitlines(), **READ)
    table = cosines(vectors) - 2 * np.eye(4)
    for row in (0, 3):
        chosen = {"similarity_of": "sentences", "similarity_tab": "nearest", "clusters_sentences": REPEATED}
        at = visit("similarity", **chosen, similarity_occurrence=vectors.names[row])
        nearest = vectors.names[int(table[row].argmax())]
        assert at.finding.startswith(f"The sentence nearest to “{vectors.names[row]}” is “{nearest}” (cosine ")
    assert at.charts[0].alt.startswith(f"Nearest sentences of {vectors.names[3]}: {vectors.names[0]} ")


@pytest.mark.parametrize("of", ["occurrences", "sentences"])
def test_the_odd_one_out_is_guessed_first(page, bundled, of):
    at = page(of=of, tab="odd")
    assert at.says(f"Which {of[:-1]} does not belong?") and not at.charts and not at.problems
    vectors = read(of, bundled)
    offered = min(12, len(vectors))
    odd = vectors.names[int(cosines(vectors)[:offered, :offered].sum(1).argmin())]
    at = page(of=of, tab="odd", guess=vectors.names[0])
    assert f"BERT picks {shown(odd)}" in at.finding and len(at.charts) == 1
    at = page(of=of, tab="odd", odd=", ".join(vectors.names[:3]), guess=vectors.names[0])
    three = vectors.names[int(cosines(vectors)[:3, :3].sum(1).argmin())]
    assert f"BERT picks {shown(three)}" in at.finding


def test_a_guess_is_forgotten_with_its_text(page, bundled):
    guess = mapped_sentences(bundled, lines=REPEATED.splitlines(), **READ).names[0]
    at = page(of="sentences", tab="odd", guess=guess).put("clusters_sentences", REPEATED)
    assert at.says("Which sentence does not belong?")
    at.session_state["similarity_guess"] = guess
    assert "BERT picks" in at.run().finding
    at.put("clusters_sentences", REPEATED.replace("tomorrow", "today"))
    assert at.says("Which sentence does not belong?") and not at.query_params.get("similarity_guess")
    at.session_state["clusters_sentences"], at.session_state["similarity_guess"] = REPEATED, guess  # as after Back
    assert "BERT picks" in at.run().finding and at.query_params["similarity_guess"]


def test_a_word_that_is_too_rare_keeps_the_last_occurrences_and_offers_others(page):
    at = page(of="occurrences")
    before = at.finding
    at.put("corpus_word", "xylophone")
    assert at.problems == [
        "⚠ 'xylophone' does not occur in the text. Use another word, in the form in which it occurs there."
    ]
    assert at.finding == before and at.says("Showing the occurrences of bank.")


def test_colours_have_no_occurrences_but_other_tabs_keep_them(page, bundled):
    at = page(of="occurrences", tab="colours")
    assert at.finding == compare_colours(preset("Colours"), bundled).headline and not at.problems
    assert at.says("so this tab compares this model's vectors.")
    at.test.session_state["similarity_tab"] = matrix.TAB
    assert at.run().finding.startswith("Of 9 occurrences, ")


@pytest.mark.parametrize("of", ["occurrences", "own"])
def test_their_isotropy_is_compared_with_random_vectors(visit, bundled, of):
    at = visit("clusters", clusters_tab="isotropy", clusters_isotropy_of=of)
    vectors = read(of, bundled)
    mean = (cosines(vectors).sum() - len(vectors)) / (len(vectors) * (len(vectors) - 1))
    measured = at.table("space", "mean_cosine").set_index("space")
    assert measured.loc["as they are", "mean_cosine"] == pytest.approx(mean, abs=1e-5)
    assert measured.loc["as they are", "vectors"] == len(vectors) and not at.problems


@pytest.mark.parametrize(
    "fields",
    [
        {"of": "sentences", "space": "centred"},
        {"of": "sentences", "tab": "nearest", "occurrence": "2 A cold wind is blowing from…"},
        {"of": "occurrences", "tab": "odd", "guess": "bank 3"},
    ],
)
def test_python_and_the_link_give_the_same(page, bundled, fields):
    at = page(**fields)
    at.links_to_itself().prints_what_it_shows(bundled)


def test_sentences_are_processed_once(page, bundled):
    at = page(of="sentences", tab="nearest", space="centred")
    vectors = read("sentences", bundled)
    for chart, rows in zip(at.charts, (vectors.matrix, vectors.matrix - vectors.matrix.mean(0)), strict=True):
        table = cosines(Vectors(vectors.names, rows)) - 2 * np.eye(len(vectors))
        assert chart.alt.partition(": ")[2].startswith(vectors.names[int(table[0].argmax())])


def test_the_odd_one_out_changes_its_source_in_place(page):
    """A click reruns only the part of the page that shows the game."""
    at = page(tab="odd")
    at.put("similarity_of", "occurrences of a word")
    assert at.says("Which occurrence does not belong?", "bank 1: ") and not at.problems
    at.put("similarity_of", "this model")
    assert at.says("Which word does not belong?") and not at.problems


def test_a_text_with_too_few_occurrences_shows_what_is_missing(visit):
    for name, chosen in (
        ("similarity", {"similarity_of": "occurrences"}),
        ("clusters", {"clusters_tab": "isotropy", "clusters_isotropy_of": "occurrences"}),
    ):
        at = visit(name, **chosen, corpus_source="own", corpus_text="The bank closed.", corpus_word="bank")
        assert [problem for problem in at.problems if "three occurrences are needed" in problem] and not at.charts


def test_lines_without_letters_and_groups_with_colons_can_be_compared(page):
    at = page(of="sentences")
    at.put("clusters_sentences", "a: b | ***\na: b | It rains.\nc, d | 😀\nc, d | It snows.\n<b>x</b> | [MASK]")
    assert not at.problems and at.charts[0].alt.startswith("Heatmap of 5 sentences.")
    assert at.says("Two words of the same group are more similar")


def test_many_sentences_are_cut_and_their_groups_too(page):
    at = page(of="sentences")
    at.put("clusters_sentences", "\n".join(f"{'ab'[n % 2]} | Sentence number {n}." for n in range(160)))
    assert not at.problems and at.says("The first 150 of these 160 are compared.")


def test_no_lesson_asks_about_them(page):
    page(of="sentences")
    for reading in (matrix.READINGS["closest"], matrix.READINGS["cosine"], nearest.READINGS["nearest"]):
        with pytest.raises(ValueError, match="A lesson cannot ask"), fields.given({"similarity_of": "sentences"}):
            reading.read(Model("bundled"))
