"""The Similarity page without a browser."""

import numpy as np
import pandas as pd
import pytest

from embtools.similarity import colours, matrix, odd_one_out
from embtools.similarity import pair as similarity_pair
from embtools.statistics import permutations
from embtools.ui import jobs
from embtools.words import vectors as wordlist

COLOURS = matrix.preset("Colours")


@pytest.fixture(scope="module")
def page(visit):
    """Open the Similarity page; the fields go by their names without "similarity_" in front."""
    return lambda **fields: visit("similarity", **{f"similarity_{name}": value for name, value in fields.items()})


def test_first_sight_has_a_result(page, bundled):
    at = page()
    best = matrix.pair_table(matrix.compare_words(COLOURS, bundled)).iloc[0]
    assert at.says(f"Most alike: {best['first']} – {best['second']}")
    assert len(at.charts) == 2
    pair = similarity_pair.pair(best["first"], best["second"], bundled)
    assert at.says(f"{pair.shared} of 20 are shared", f"{pair.cosine:.3f}")


@pytest.mark.parametrize("name", matrix.PRESETS)
def test_every_preset(page, name, bundled):
    at = page()
    at.press(f"similarity-{name}")
    assert at.text_area(key="similarity_words").value == ", ".join(matrix.preset(name))
    best = matrix.pair_table(matrix.compare_words(matrix.preset(name), bundled)).iloc[0]
    assert at.selectbox(key="similarity_first").value == best["first"]
    assert at.selectbox(key="similarity_second").value == best["second"]
    at.press("similarity-reset")
    assert at.text_area(key="similarity_words").value == ", ".join(COLOURS)


BAD = {
    "one word": ("red", "There is one word; at least 2"),
    "nothing": ("", "There are no words"),
    "two equal words": ("red, green, red", "'red' is in the list twice"),
    "151 words": (", ".join(f"w{i}" for i in range(151)), "151 words; at most 150"),
    "nine pieces": ("red, electroencephalographically", "is not one word piece"),
    "a sign nobody knows": ("red, \u2603\u2603", "is not in the vocabulary"),
    "a long word": ("red, " + "x" * 60, "60 characters"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lists_are_told_and_the_last_good_one_stays(page, case):
    words, message = BAD[case]
    at = page()
    before = [m.value for m in at.metric]
    at.put("similarity_words", words)
    assert at.says(message, "The last good result stays")
    assert [m.value for m in at.metric] == before


def test_several_pieces_get_a_badge(page, bundled):
    at = page(words="red, green, electroencephalographically", pieces="mean")
    assert at.says("1 read as the mean of their pieces")
    pieces = " ".join(bundled.pieces("electroencephalographically"))
    assert at.says(f"electroencephalographically: {pieces}")


@pytest.mark.parametrize("linkage", list(matrix.LINKAGES))
def test_linkages_and_measures(page, linkage, bundled):
    at = page(linkage=linkage, metric="euclidean")
    result = matrix.compare_words(COLOURS, bundled, metric="euclidean", linkage=linkage)
    assert at.says(f"{result.cophenetic:.2f}", "distance")


def test_a_layer(page, bundled, cold, monkeypatch):
    monkeypatch.setattr(jobs, "PATIENCE", 0)  # show the bar at once
    at = page(vectors="layer 2", template="I painted it {word}.")
    result = matrix.compare_words(COLOURS, bundled, layer=2, template="I painted it {word}.")
    best = matrix.pair_table(result).iloc[0]
    assert at.says(f"cosine {best['cosine']:.2f}")
    assert at.says(f"In the table above: {best['cosine']:.3f} (cosine of this layer)")
    assert not at.run().exception  # remembered now, with nothing of the progress bar in it
    at.put("similarity_template", "no slot")
    assert at.says("exactly once")


def test_every_words_sentence_is_checked(page):
    at = page(words="red, ##ing", vectors="layer 2")
    assert at.says("'##ing' grows together") and len(at.charts) == 2


def test_reset_brings_every_field_back(page):
    fields = {
        "question": "{word} is like [MASK].",
        "sheep": "A {word} is [MASK].",
        "subjects": "cow",
        "two": "red, blue",
    }
    at = page(tab="Does it follow sight?", **fields)
    at.press("similarity-reset")
    assert at.text_input(key="similarity_question").value == colours.MOST_SIMILAR
    assert at.text_input(key="similarity_sheep").value == colours.SHEEP
    assert at.text_area(key="similarity_subjects").value == ", ".join(colours.SUBJECTS)
    assert at.text_input(key="similarity_two").value == "black, white"
    at = page(tab="Two spaces", standardise="false", other_vectors="layer 1", other_template="A {word}.")
    first = page(tab="Two spaces")
    at.press("similarity-reset")
    for key in ("standardise", "other_vectors", "other_template"):
        assert at.field(f"similarity_{key}").value == first.field(f"similarity_{key}").value


def test_the_same_word_twice_in_the_pair(page):
    at = page(first="red", second="red")
    assert at.says("Choose two different ones")


def test_sight_tab(page, bundled):
    at = page(tab="Does it follow sight?")
    sight = colours.compare_with_sight(COLOURS, bundled)
    assert at.says(f"ρ = {sight.test.rho:+.2f}")
    frame = colours.black_sheep(colours.SUBJECTS, bundled)
    assert at.says(f"{frame['ratio'][0]:.2f} ×")
    at.put("similarity_question", "no mask {word}")
    assert at.says("[MASK] exactly once")
    at.put("similarity_two", "red")
    assert at.says("exactly two colours")
    at.put("similarity_subjects", "sheep, sheep")
    assert at.says("'sheep' is in the list twice")


def test_sight_reads_a_layers_sentences_once(page, bundled, cold, monkeypatch):
    reads, vectors = [], wordlist.vectors

    def counted(words, model, **named):
        if named.get("layer") is not None:
            reads.append(named)
        return vectors(words, model, **named)

    monkeypatch.setattr(wordlist, "vectors", counted)
    at = page(tab="Does it follow sight?", vectors="layer 2")
    assert len(reads) == 1 and reads[0]["progress"] is not None
    sight = colours.compare_with_sight(COLOURS, bundled, layer=2, template="This is {word}.")
    assert at.says(f"ρ = {sight.test.rho:+.2f}")
    answers = colours.answer_similarity(colours.ask_most_similar(COLOURS, bundled))
    cosines = matrix.similarity_matrix(COLOURS, bundled, layer=2, template="This is {word}.")
    assert at.says(f"Answers and cosine: ρ = {permutations.mantel(answers, cosines).rho:+.2f}")


def test_sight_without_colours(page):
    at = page(tab="Does it follow sight?", words="monday, tuesday, sunday")
    assert at.says("name a colour of CSS")
    at.press("Take the 21 colours")
    assert at.says("Mantel")


def test_two_spaces(page, bundled):
    at = page(tab="Two spaces", other_vectors="layer 1")
    first = matrix.similarity_matrix(COLOURS, bundled)
    second = matrix.similarity_matrix(COLOURS, bundled, layer=1, template="This is {word}.")
    assert at.says(f"ρ = {permutations.mantel(first, second, permutations=99).rho:+.2f}")
    assert len(at.charts) == 3
    at = page(tab="Two spaces", words="red, green, blue", other_template="{word} and {word}")
    assert at.says("exactly once", "at least 4 words")


def test_swatches_only_for_colours(page):
    """Peru is a colour of CSS too, but not beside Chile and China."""
    assert "#cd853f" not in page(words="peru, chile, china").charts[0].spec
    spec = page(words="red, blue, piano").charts[0].spec
    assert "#ff0000" in spec and "#0000ff" in spec


def test_odd_one_out_tab(page):
    at = page(tab="Odd one out")
    assert at.says("Odd one out: guitar")
    at.press("odd-Metals")
    assert "wood" in at.text_input(key="similarity_odd").value
    at.put("similarity_odd", "red, green")
    assert at.says("at least 3", "The last good result stays")


def frames(values) -> list[pd.DataFrame]:  # type: ignore[no-untyped-def]
    return [v for v in values if isinstance(v, pd.DataFrame)]


def rows_of(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows in one order, numbers to five places."""
    values = frame.astype(object).where(frame.notna(), "").itertuples(index=False, name=None)
    return sorted(
        tuple(f"{v:.5f}" if isinstance(v, float | int | np.number) else str(v) for v in row) for row in values
    )


def is_among(mine: pd.DataFrame, tables: list[pd.DataFrame]) -> bool:
    """Is one of the page's tables this one, but for the names of its columns and the order of its rows?"""
    return rows_of(mine) in map(rows_of, tables)


SMALL = {"words": "red, green, blue, gold, silver", "vectors": "layer 1"}


def test_copied_python_of_the_heatmap_gives_every_number(page, bundled):
    at = page(**SMALL, first="gold", second="silver", k="10", linkage="ward")
    found = at.copied(bundled)
    printed = found.printed
    tables = at.tables
    assert at.says(f"Tree against table: {found.result.cophenetic:.2f}")
    pair = next(p for p in printed if isinstance(p, similarity_pair.Pair))
    assert at.says(f"{pair.cosine:.3f} (above {pair.beats:.1%} of random pairs)")
    for one, other, rank in (("gold", "silver", pair.rank_ab), ("silver", "gold", pair.rank_ba)):
        assert at.says(f"Rank of {other} for {one}: {rank:,} (of {pair.candidates:,} words)")
    assert at.says(f"{pair.shared} of 10 are shared")
    found = [*frames(printed), pair.neighbours]
    assert len(found) == 3 and all(is_among(frame, tables) for frame in found)  # pairs, path, neighbours


def test_copied_python_of_the_sight_tab_gives_every_number(page, bundled):
    at = page(tab="Does it follow sight?", **SMALL, sheep="A {word} is [MASK].", question="{word} is like [MASK].")
    printed = at.copied(bundled).printed
    tests = [p for p in printed if isinstance(p, permutations.Mantel)]
    for label, test in zip(
        ("Similarity follows sight", "Answers and cosine", "Answers and the eye"), tests, strict=True
    ):
        assert at.says(f"{label}: ρ = {test.rho:+.2f} (p = {test.p:.4f} (Mantel))")
    tables = at.tables
    pairs, named, best, answers, sheep = frames(printed)
    assert all(is_among(frame, tables) for frame in (pairs, best, answers, sheep))
    assert len(answers) == 25 and list(named["first"]) == ["gold"]


def test_copied_python_of_two_spaces_gives_every_number(page, bundled):
    at = page(tab="Two spaces", **SMALL, other_vectors="layer 2")
    test, first, second, difference = at.copied(bundled).printed
    assert at.says(f"ρ = {test.rho:+.2f} (p = {test.p:.3f} (Mantel))")
    words = SMALL["words"].split(", ")
    shown = at.table("in the second")
    for row in shown.itertuples(index=False):
        i, j = words.index(row.first), words.index(row.second)
        assert list(row[2:]) == pytest.approx([first[i, j], second[i, j], difference[i, j]])
    # Three words are too few for the test: the code does without.
    assert len(page(tab="Two spaces", words="red, green, blue").copied(bundled).printed) == 3


def test_copied_python_of_the_odd_one_gives_every_number(page, bundled):
    at = page(tab="Odd one out", **SMALL)
    frame, quiz = at.copied(bundled).printed
    assert is_among(frame, at.tables)
    assert at.says(f"Found in random puzzles: {quiz.right / quiz.rounds:.0%}")


def test_a_quiz_that_cannot_be_played_leaves_the_rest(page, cold, monkeypatch, bundled):
    def refuse(**_):
        raise ValueError("This model reads too few words.")

    monkeypatch.setattr(odd_one_out, "quiz", refuse)
    at = page(tab="Odd one out")
    assert at.says("reads too few words", "Odd one out: guitar")
    assert len(at.copied(bundled).printed) == 1
