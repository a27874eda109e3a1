"""The Similarity page without a browser."""

import json

import numpy as np
import pandas as pd
import pytest

from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.encoding import word_means
from embtools.similarity import answers, colours, in_spaces, matrix, nearest, odd_words, sheep, verdict
from embtools.similarity import word_pairs as similarity_pair
from embtools.similarity.random_words import compare_with_random_words
from embtools.spaces.space import Space
from embtools.statistics import permutations
from embtools.statistics.decimals import decimal
from embtools.ui import stoppable
from embtools.words import vectors as wordlist
from tests.named_vectors import made

COLOURS = matrix.preset("Colours")
SIGHT, ASK, SHEEP = "colours", "answers", "sheep"


@pytest.fixture(scope="module")
def page(visit):
    """Open the Similarity page with fields, named without "similarity_"."""
    return lambda **fields: visit(
        "similarity", **{name if name == "open" else f"similarity_{name}": value for name, value in fields.items()}
    )


def picked(at) -> tuple[str, str]:
    """The two words of the selected pair."""
    return at.field("pick-similarity_first").value, at.field("pick-similarity_second").value


# The list, and the heatmap


def test_linkage_and_measure(page, bundled):
    at = page(linkage="ward", metric="euclidean", open="tree")
    result = compare_with_random_words(COLOURS, bundled, metric="euclidean", linkage="ward")
    assert at.says(result.headline, f"table is {result.similarity.cophenetic:.2f}", "Euclidean distance")
    assert page(words=", ".join(map(str, range(61)))).says("To see a pair, choose its words or its row in the table.")


@pytest.mark.slow
def test_a_layer(page, bundled, cold, monkeypatch):
    monkeypatch.setattr(stoppable, "PATIENCE", 0)  # show the bar at once
    at = page(vectors="layer 2", template="I painted it {word}.", open="vectors")
    result = compare_with_random_words(COLOURS, bundled, layer=2, template="I painted it {word}.")
    best = result.pairs.iloc[0]
    assert at.says(
        result.headline,
        f"The heatmap shows {best['cosine']:.3f} (cosine of this layer). Below: static embeddings only.",
    )


def test_every_words_sentence_is_checked(page):
    at = page(words="red, ##ing", vectors="layer 2")
    assert at.says("'##ing' is joined to its neighbours") and len(at.charts) == 2


def test_a_layer_that_this_model_lacks_is_replaced(page, bundled):
    assert page(vectors="layer 99").says(compare_with_random_words(COLOURS, bundled).headline)


def test_swatches_only_for_colours(page):
    """Peru is also a colour of CSS, but not in a list with Chile and China."""
    assert "#cd853f" not in page(words="peru, chile, china").charts[0].spec
    spec = page(words="red, blue, piano").charts[0].spec
    assert "#ff0000" in spec and "#0000ff" in spec


# The pair


def test_another_pair_is_written_to_the_address(page, bundled):
    at = page()
    at.put("pick-similarity_first", "red")
    at.put("pick-similarity_second", "green")
    assert at.says(f"red and green: cosine {similarity_pair.pair('red', 'green', bundled).cosine:.3f}")
    assert at.session_state["similarity_first"] == "red" and at.query_params["similarity_second"] in (
        "green",
        ["green"],
    )
    at.put("similarity_words", "red, gold, silver")  # green was removed: a word of the most similar pair replaces it
    assert picked(at)[0] == "red" and picked(at)[1] in ("gold", "silver")


def test_the_marked_cell_is_that_of_the_pair(page, bundled):
    at = page(words="red, green, gold, silver", first="red", second="silver")
    ordered = [
        ("red", "green", "gold", "silver")[i]
        for i in matrix.compare_words(("red", "green", "gold", "silver"), bundled).order
    ]
    i, j = ordered.index("red"), ordered.index("silver")
    style = next(e.proto.body for e in at.get("html") if "data-unformatted" in e.proto.body)
    for row, column in ((i, j), (j, i)):
        assert f":nth-child({row * 3 + column - (column > row) + 1})" in style
    assert '"red"' in style and '"silver"' in style and '"gold"' not in style


def test_neighbours_and_path(page, bundled):
    at = page(first="gold", second="silver", behind="neighbours", k=10)
    pair = similarity_pair.pair("gold", "silver", bundled, k=10)
    assert at.says(f"The two words share {pair.shared} of their 10 nearest neighbours.")
    at.put("similarity_k", 25)
    assert at.says("of their 25 nearest neighbours.")
    path = page(first="navy", second="beige", behind="path").charts[1].alt
    assert (
        path == f"Path in {len(p := similarity_pair.path('navy', 'beige', bundled)) - 1} steps: {', '.join(p['word'])}."
    )
    at = page(words="red, electroencephalographically", pieces="mean", behind="path")
    assert at.says("is not a single token") and at.says("random pairs of equally common words. For red, ")
    assert page(first="red", second="red").says("Choose two different ones")


# Sight


def test_a_layers_sentences_are_read_once(page, bundled, cold, monkeypatch):
    reads, vectors = [], wordlist.vectors

    def counted(words, model, **named):
        if named.get("layer") is not None:
            reads.append(named)
        return vectors(words, model, **named)

    monkeypatch.setattr(wordlist, "vectors", counted)
    at = page(tab=SIGHT, vectors="layer 2")
    assert len(reads) == 1
    cosines = matrix.similarity_matrix(COLOURS, bundled, layer=2, template="This is {word}.")
    assert at.says(decimal(colours.compare_with_perception(COLOURS, cosines).test.rho, signed=True))


def test_the_verdict_about_other_colours_of_the_sheep(page, bundled):
    at = page(tab=SIGHT, sight=SHEEP, two="$, white")
    found = sheep.black_sheep(sheep.SUBJECTS, bundled, colours=("$", "white"))
    assert at.says(found.headline) and any("simply prefers the word “$”" in text for text in at._said())
    at.put("similarity_subjects", "sheep, sheep")
    assert at.says("'sheep' is in the list twice")


# Two spaces


@pytest.mark.slow
def test_two_spaces_of_few_words(page):
    at = page(other="same", words="red, green, blue", space="centred")
    raw = ("Pocket BERT, static embeddings, centred. ", "Pocket BERT, layer 6, raw. ")
    assert at.says("at least 4 words") and all(
        chart.alt.startswith(title) for chart, title in zip(at.charts, raw, strict=True)
    )


def test_a_second_model_that_is_not_here_waits_for_a_press_and_leaves_the_bundled_one(page):
    at = page(other="google-bert/bert-base-uncased", other_vectors="static")
    assert not at.problems and at.says("is not on this server yet") and len(at.charts) == 2


@pytest.mark.slow
def test_the_second_space_is_the_last_layer_by_default(page, bundled):
    at = page(other="same", open="second", view="difference")
    assert (
        at.field("similarity_other_vectors").value == "last layer"
        and f"layer {bundled.layers} minus" in at.charts[0].alt
    )
    at.put("similarity_other_vectors", "static")
    assert at.says("ρ = +1.00")
    assert at.put("similarity_standardise", False).table("value_second")["difference"].abs().max() == 0


# Odd one out


def test_the_game_shows_nothing_before_the_guess(page, bundled):
    at = page(tab="odd")
    puzzle = odd_words.puzzles(bundled)[0]
    assert not at.charts and not at.tables and not any("BERT picks" in text for text in at.texts if "Guess" not in text)
    assert not at.copied(bundled).printed
    pills = at.get("button_group")[0]
    assert [option.content for option in pills.proto.options] == list(puzzle.words)
    at.put(pills.key, puzzle.odd)
    table = odd_words.odd_one_out(puzzle.words, bundled)
    assert at.says(table.guessed(puzzle.odd, puzzle.odd), "You: 1 of 1", "BERT: 1 of 1", "Round 1")
    at.press("Next puzzle")
    assert at.says("Round 2", "You: 1 of 1") and not at.charts
    second = odd_words.puzzles(bundled)[1]
    wrong = next(word for word in second.words if word != second.odd)
    at.put(at.get("button_group")[0].key, wrong)
    assert at.says(odd_words.odd_one_out(second.words, bundled).guessed(wrong, second.odd), "You: 1 of 2")
    again = page(tab="odd", round=2, guesses=[puzzle.odd, wrong], open="rounds")
    assert again.texts[: len(at.texts)] and again.says(
        "You: 1 of 2", odd_words.odd_one_out(second.words, bundled).guessed(wrong, second.odd)
    )
    assert list(again.table("round")["guess"]) == [puzzle.odd, wrong]


def test_own_words_including_a_known_puzzle(page, bundled):
    at = page(tab="odd", odd="thames, danube, nile, everest")
    at.put(at.get("button_group")[0].key, "nile")
    assert at.says("The odd one out is everest, as BERT says. You picked nile.") and not at.says("Round 1")
    at.put("similarity_odd", "red, green, piano")
    assert not at.charts and at.session_state["similarity_guess"] == ""
    at.put(at.get("button_group")[0].key, "piano")
    assert at.says("BERT picks piano too.")
    at.put("similarity_odd", "red, green")
    assert at.says("at least 3") and not at.charts
    at.press("Back to the game")
    assert at.says("Which word does not belong?", "Round 1") and not at.problems
    assert not page(tab="odd", guesses="**zebra**").charts  # not in the puzzle


def test_own_words_work_with_a_model_that_knows_too_few_words(page, lend, tiny):
    lend(tiny)
    at = page(tab="odd")
    assert at.says("Too few words of the built-in lists") and not at.charts
    at.put("similarity_odd", "red, green, king")
    at.put(at.get("button_group")[0].key, "king")
    assert at.says("BERT picks")


# Copy as Python


SMALL = {"words": "red, green, blue, gold, silver", "vectors": "layer 1"}


@pytest.mark.parametrize("behind", ["random", "neighbours", "path"])
def test_copied_python_of_the_heatmap(page, bundled, behind):
    at = page(**SMALL, first="gold", second="silver", k="10", linkage="ward", behind=behind)
    copied = at.prints_what_it_shows(bundled)
    assert at.says(*copied.sentences)
    assert sum(isinstance(value, str) for value in copied.printed) == 3  # two headlines and the level of random pairs
    assert at.says(f"table is {copied.result.similarity.cophenetic:.2f}", f"cosine {copied.found.cosine:.3f}")
    numbers = [value for value in copied.printed if isinstance(value, float)]
    assert copied.found.cosine in numbers


@pytest.mark.parametrize("part", ["appearance", ASK, SHEEP])
def test_copied_python_of_sight(page, bundled, part):
    at = page(tab=SIGHT, sight=part, **SMALL, sheep="A {word} is [MASK].", question="{word} is like [MASK].")
    copied = at.prints_what_it_shows(bundled)
    assert at.says(*copied.sentences)
    for test in (value for value in copied.printed if isinstance(value, permutations.Mantel)):
        assert at.says(decimal(test.rho, signed=True)) and at.says(f"p = {test.p:.3f}")
    assert sum(isinstance(v, permutations.Mantel) for v in copied.printed) == {"appearance": 1, ASK: 2, SHEEP: 0}[part]


@pytest.mark.parametrize(("view", "standardise"), [("both", True), ("difference", False)])
def test_copied_python_of_two_spaces(page, bundled, view, standardise):
    at = page(other="same", **SMALL, other_vectors="layer 2", view=view, standardise=standardise)
    copied = at.prints_what_it_shows(bundled)
    assert at.says(*copied.sentences)
    assert at.says(f"(ρ = {copied.spaces.test.rho:+.2f}, p = {copied.spaces.test.p:.3f})")
    # Three words are too few for the test.
    assert page(other="same", words="red, green, blue").copied(bundled).spaces.test is None


def test_copied_python_of_the_game(page, bundled):
    at = page(tab="odd", guesses=["guitar", "nile"], round=2, vectors="layer 1", open=["rounds", "quiz"])
    copied = at.prints_what_it_shows(bundled)
    assert at.says(*copied.sentences)
    (quiz,) = [value for value in copied.printed if isinstance(value, odd_words.Quiz)]
    assert at.metrics == {"Random puzzles solved": f"{quiz.right / quiz.rounds:.0%}"}
    at = page(tab="odd", odd="red, green, electroencephalographically", pieces="mean", guess="red")
    copied = at.prints_what_it_shows(bundled)
    assert at.says(*copied.sentences)


# The level of random pairs


@pytest.mark.slow
def test_the_scale_marks_the_mean_of_random_pairs_of_the_same_space(page, bundled):
    def level(at) -> float:
        traces = json.loads(at.charts[0].spec)["data"]
        (mark,) = [trace for trace in traces if trace.get("xaxis") == "x4" and trace["type"] == "scatter"]
        return mark["x"][0]

    at, expected = page(), compare_with_random_words(COLOURS, bundled)
    assert level(at) == pytest.approx(expected.random, abs=1e-6) and at.says(expected.level)
    inside = compare_with_random_words(COLOURS, bundled, layer=2, template="This is {word}.")
    at = page(vectors="layer 2")
    assert at.says(inside.level) and f"{inside.random:.2f}" != f"{expected.random:.2f}"
    assert page(metric="euclidean").says(compare_with_random_words(COLOURS, bundled, metric="euclidean").level)
    spec = page(other="same", other_vectors="layer 2").charts[1].spec
    assert f"random pairs: {inside.random:.2f}" in spec


def test_colours_that_bert_cannot_answer_are_left_out(page, bundled):
    words = "red, green, blue, black, rebeccapurple"
    at = page(tab=SIGHT, sight=ASK, words=words, pieces="mean")
    assert not at.problems and at.says("Left out, because BERT can only answer with one token: rebeccapurple.")
    assert set(answers.one_piece_colours(words.split(", "), bundled)) == {"red", "green", "blue", "black"}
    with pytest.raises(
        ValueError, match="Only 2 of these words are CSS colours of one token, with which BERT can answer."
    ):
        answers.one_piece_colours(("red", "green", "rebeccapurple", "piano"), bundled)


# Vectors of a file, and of words in texts


def with_file(page, table, source="your file", **fields):
    """The page with the vectors of a file that a visitor has uploaded."""
    at = page(**fields)
    at.test.session_state["vectors-read"] = table
    return at.put("similarity_of", source)


def test_a_file_gets_words_of_its_own_and_the_pages_words_come_back(page):
    rng = np.random.default_rng(0)
    table = Vectors([f"w{i}" for i in range(9)], rng.normal(size=(9, 4)), title="mine.csv")
    at = with_file(page, table, tab="nearest")
    assert at.session_state["similarity_word"] == "w0" and not at.problems and at.says("Not this model’s")
    assert at.finding == nearest.nearest_words("w0", table).headline
    assert at.session_state["similarity_words"].startswith("w0, w1, ")
    at.press("vectors-remove")
    assert at.session_state["similarity_word"] == "dog" and not at.problems
    line = Vectors("abc", np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]))
    at = with_file(page, line, words="a, b, c", metric="euclidean", linkage="single", open="tree")
    assert at.says("In the tree, all pairs of words have the same distance.") and not at.says("is nan", "is NaN")


@pytest.mark.slow
def test_a_file_next_to_the_model(page, bundled):
    table = made()
    at = with_file(page, table, "both", words="red, green, rome, king, queen, zzz", word="rome")
    assert at.says("Left out because the vectors do not have them: zzz.") and not at.problems
    words = ("red", "green", "rome", "king", "queen")
    lists = [compare_with_random_words(words, each).similarity for each in (bundled, table)]
    assert at.says(verdict.two_lists(*lists, ("Pocket BERT", "Your file")))
    at = with_file(page, table, "both", words="red, green, rome", other="same")
    assert at.says("Your file is not shown: the second space takes its place.") and len(at.charts) == 2
    at = with_file(page, table, "both", tab="nearest", word="rome")
    one, other = (nearest.nearest_words("rome", each) for each in (bundled, table))
    assert at.says(nearest.shared_neighbours(one, other, ("Pocket BERT", "Your file"))) and len(at.charts) == 2


def test_a_puzzle_of_a_file_has_words_of_the_file(page):
    at = with_file(page, made(), tab="odd", odd="red, green, blue, king", guess="king", space="centred", open="spaces")
    assert at.says("The vectors pick king too.") and at.table("word", "raw")["word"].tolist() == [
        "red", "green", "blue", "king",
    ]  # fmt: skip


def test_groups_show_their_mean_cosines_raw_and_processed(page, bundled):
    words = "colours: red, white, black; seasons: winter, summer, spring"
    at = page(words=words, other="same", other_vectors="static", other_space="centred")
    found = in_spaces.group_means(words.replace("; ", "\n"), bundled, space=Space("centred"))
    assert at.says(found.headline) and len(at.charts) == 2
    assert at.charts[1].alt.startswith("Pocket BERT, static embeddings, centred. ")
    pd.testing.assert_frame_equal(at.table("space", "auc"), found.table)


@pytest.mark.slow
def test_words_in_texts(page, bundled):
    table = word_means(bundled)
    at = page(tab="nearest", of="texts", word="rome")
    assert at.finding == nearest.nearest_words("rome", table).headline
    at = page(of="texts")
    assert not at.problems and at.says("Left out because the vectors do not have them")
    at = page(of="texts", tab="odd", odd="rome, paris, king")
    assert at.field("guess-rome-paris-king").label.endswith("then see what the vectors pick")
    assert at.put("guess-rome-paris-king", "king").says("The vectors pick king too.")
