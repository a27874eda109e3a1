"""Analogies in bulk: ranks against a plain loop and the Arithmetic page's, intervals with a known truth, and the sentences."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from embtools import memory
from embtools.arithmetic.analogy_runs import (
    ALL,
    ALLOWED,
    COS_ADD,
    COS_MUL,
    EXCLUDED,
    INPUTS,
    METHODS,
    NEAREST_B,
    NEAREST_C,
    RANDOM,
    SCORES,
    Ranks,
    candidates,
    items_of,
    layer_vectors,
    ranks_of,
    relation_tables,
    tables,
)
from embtools.arithmetic.bulk_analogies import Analogies, Relations, analogies, blocks, effort, two_analogies
from embtools.charts import arithmetic as charts
from embtools.statistics.crossed import crossed_mean, crossed_p, crossed_share, crossed_spread
from embtools.statistics.share_intervals import mean_share
from tests.evidence.made import analogies_of

PAIRS = (("rome", "italy"), ("paris", "france"), ("king", "man"), ("queen", "woman"), ("paris", "is"))
CAPITALS = (("Rome", "Italy"), ("Paris", "France"), ("Berlin", "Germany"), ("Madrid", "Spain"), ("Oslo", "Norway"))


def test_analogies_have_four_different_words_and_know_other_right_answers(tiny) -> None:  # type: ignore[no-untyped-def]
    items = items_of(PAIRS, tiny, others=10)
    assert len(items.ids) == 5 * 4 - 2  # a pair does not combine with itself, nor Paris with Paris
    for (a, b, c, d), (i, j), others in zip(items.ids.tolist(), items.pairs, items.others, strict=True):
        assert len({a, b, c, d}) == 4 and i != j
        words = [tiny.vocabulary[k] for k in (a, b, c, d)]
        assert (words[0], words[1]) in PAIRS and (words[2], words[3]) in PAIRS
        expected = {"france": ("is",), "is": ("france",)}.get(words[3], ())
        assert tuple(tiny.vocabulary[k] for k in others) == expected
    few = items_of(PAIRS, tiny, others=2, seed=3)
    assert len(few.ids) == 10 and few.ids.tolist() == items_of(PAIRS, tiny, others=2, seed=3).ids.tolist()
    with pytest.raises(ValueError, match="analogies"):
        items_of((("rome", "italy"), ("rome", "france")), tiny, others=2)


def test_ranks_are_those_of_a_plain_loop(tiny) -> None:  # type: ignore[no-untyped-def]
    items = items_of(PAIRS, tiny, others=10)
    words = candidates([items], tiny)
    vectors = np.random.default_rng(0).normal(size=(len(words), 6))
    found = ranks_of(items, words, vectors=vectors)
    at = {int(word): vectors[k] for k, word in enumerate(words)}

    def cosine(x, y):  # type: ignore[no-untyped-def]
        return float(x @ y / np.linalg.norm(x) / np.linalg.norm(y))

    for n, ((a, b, c, d), others) in enumerate(zip(items.ids.tolist(), items.others, strict=True)):
        scores = {
            COS_ADD: lambda w, a=a, b=b, c=c: cosine(at[b], at[w]) - cosine(at[a], at[w]) + cosine(at[c], at[w]),
            COS_MUL: lambda w, a=a, b=b, c=c: (
                ((1 + cosine(at[b], at[w])) / 2) * ((1 + cosine(at[c], at[w])) / 2)
                / ((1 + cosine(at[a], at[w])) / 2 + 0.001)
            ),
            NEAREST_C: lambda w, c=c: cosine(at[c], at[w]),
            NEAREST_B: lambda w, b=b: cosine(at[b], at[w]),
        }  # fmt: skip
        for method, score in scores.items():
            for inputs in INPUTS:
                allowed = [w for w in at if w not in others and not (inputs == EXCLUDED and w in (a, b, c))]
                rank = 1 + sum(score(w) > score(d) + 1e-7 for w in allowed)
                cell = METHODS.index(method), INPUTS.index(inputs)
                assert found.ranks[n, *cell] == rank, (method, inputs)
                assert found.answers[n, *cell] == max(allowed, key=score)
    assert found.ranks[:, METHODS.index(RANDOM)].min() >= 1


def test_a_random_difference_is_as_long_as_that_of_the_pair(tiny) -> None:  # type: ignore[no-untyped-def]
    from embtools.arithmetic import analogy_runs

    items = items_of(PAIRS, tiny, others=3)
    words = candidates([items], tiny)
    vectors = np.random.default_rng(1).normal(size=(len(words), 8)).astype(np.float32)
    rows = np.searchsorted(words, items.ids)
    drawn = np.array([(0, 1)] * len(rows))
    near = analogy_runs._similarities(rows, drawn, vectors)
    assert len(near) == len(METHODS)
    moved = np.linalg.lstsq(vectors, near[METHODS.index(RANDOM)].T)[0].T - vectors[rows[:, 2]]
    expected = np.linalg.norm(vectors[rows[:, 1]] - vectors[rows[:, 0]], axis=1)
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), expected, rtol=1e-4)


def test_the_vector_of_a_layer_is_the_hidden_state_of_the_word_alone(tiny) -> None:  # type: ignore[no-untyped-def]
    ids = tuple(tiny.ids[word] for word in ("rome", "king", "the"))
    found = layer_vectors(ids, tiny, layers=(0, 2))
    for n, word in enumerate(("rome", "king", "the")):
        states = tiny.hidden_states(word)
        np.testing.assert_allclose(found[:, n], states[[0, 2], 1], atol=1e-5)


def test_candidates_are_common_words_and_all_words_of_the_analogies(bundled) -> None:  # type: ignore[no-untyped-def]
    items = items_of(CAPITALS, bundled, others=2)
    words = candidates([items], bundled)
    assert set(items.ids.ravel()) <= set(words.tolist()) and 3_000 <= len(words) <= 3_010
    assert (np.diff(words) > 0).all() and all(len(bundled.vocabulary[i]) > 1 for i in words)
    assert bundled.ids["the"] in words and bundled.ids["people"] in words


RNG = np.random.default_rng(6)
STATIC = {"layer": "static", "inputs": "excluded", "method": COS_ADD}


def table_of(solved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sums and counts of all pairs of different words."""
    counts = 1 - np.eye(len(solved), dtype=int)
    return solved * counts, counts


def test_each_relation_has_the_interval_of_its_words_and_the_mean_that_of_all() -> None:
    right = [RNG.random((n, n)) < rate for n, rate in ((12, 0.8), (9, 0.3))]
    result = analogies_of(*({COS_ADD: solved} for solved in right), seed=2)
    for name, solved in zip(result.relations, right, strict=True):
        row, (sums, counts) = result.row(name, **STATIC), table_of(solved)
        assert row[["at_1", "at_1_low", "at_1_high"]].tolist() == pytest.approx(crossed_share(sums, counts))
        mean = crossed_mean(sums + 0.05 * (counts - sums), counts, seed=2)
        assert row[["mrr", "mrr_low", "mrr_high"]].tolist() == pytest.approx(mean)
    spreads = [crossed_spread(*table_of(solved)) for solved in right]
    every = result.row(ALL, **STATIC)
    for score in SCORES[:3]:
        found = every[[score, f"{score}_low", f"{score}_high"]].tolist()
        assert found == pytest.approx(mean_share(spreads))
    assert every["mrr_low"] < every["mrr"] < every["mrr_high"]
    test = result.tests.query("relation == 'language' and method == @COS_ADD").iloc[0]
    assert (test["difference"], test["p_value"]) == pytest.approx(crossed_p(*table_of(right[1])))


def test_relations_with_equal_numbers_of_pairs_do_not_share_their_resamples() -> None:
    """Two equal relations vary independently: their mean has an interval narrower by about √2 than each of them."""
    solved = {COS_ADD: RNG.random((20, 1)).repeat(20, 1) < 0.5}
    one, two = (analogies_of(*[solved] * n).row(ALL, **STATIC) for n in (1, 2))
    widths = [row["mrr_high"] - row["mrr_low"] for row in (one, two)]
    assert widths[0] / widths[1] == pytest.approx(2**0.5, rel=0.1)


def test_a_method_that_is_always_better_is_clear_after_the_correction() -> None:
    rng = np.random.default_rng(0)
    result = analogies_of({COS_ADD: rng.random((30, 30)) < 0.8, NEAREST_C: rng.random((30, 30)) < 0.2})
    tests = result.tests.query("method == @COS_ADD")
    assert (tests["p_adjusted"] < 0.001).all() and tests["difference"].between(0.5, 0.7).all()
    assert (result.tests["p_adjusted"] >= result.tests["p_value"]).all()
    assert result.corrected == (
        "In 4 cells (all relations and layers, with and without the analogy's own words), 3CosAdd or 3CosMul is"
        " compared with nearness to c alone by its accuracy at 1. After Holm's correction for 4 tests, the arithmetic method is better"
        " in 2 cells and worse in 2. Without the correction, 4 cells would seem to differ."
    )
    static = "static", "static"
    text = two_analogies(result, result, static, "excluded", "at_1", ("A", "B"))
    rate = f"{result.row(ALL, layer='static', inputs='excluded', method=COS_ADD)['at_1']:.0%}"
    assert text.endswith(f"in {rate} of a relation's analogies on average in A and {rate} in B.")
    row = result.row(ALL, layer="static", inputs="excluded", method=COS_ADD)
    assert row["at_10"] == row["at_1"] and row["mrr"] == pytest.approx(row["at_1"] + (1 - row["at_1"]) / 20)


def test_sentences_are_about_the_score_that_is_chosen() -> None:
    """Ranks 3 and 20 in equal parts: nothing is first, half is among the first 5 and the first 10."""
    result = analogies_of({COS_ADD: np.zeros((4, 4), bool)})
    ranks = np.where(np.arange(12)[:, None, None] < 6, 3, 20) * np.ones((1, len(METHODS), len(INPUTS)), np.int32)
    parts = result.items, ((Ranks(ranks, np.zeros_like(ranks)),),)
    frames = tables(("capital",), ("static",), *parts, [relation_tables(parts[0][0], parts[1][0])])
    result = Analogies(("capital",), ("static",), *parts, ("x",), 100, *frames)
    assert "finds the expected word in 0.0% of" in result.sentence("static", "excluded")
    assert result.sentence("static", "allowed", "at_10").startswith(
        "With static embeddings, and with the analogy's own words allowed, 3CosAdd finds the expected word among the first 10"
        " in 50% of a relation's analogies on average (95% interval "
    )
    assert "” finds it among the first 5 in 50%." in result.sentence("static", "excluded", "at_5")
    mean = f"{(1 / 3 + 1 / 20) / 2:.2f}"
    text = result.sentence("static", "excluded", "mrr")
    assert f"3CosAdd has a mean reciprocal rank of {mean} (95%" in text and text.endswith(f"” has {mean}.")
    cells = charts.analogy_cells(result, "static", "excluded", "at_10").alt
    assert cells.endswith(result.sentence("static", "excluded", "at_10"))
    static, names = ("static", "static"), ("A", "B")
    assert two_analogies(result, result, static, "excluded", "at_10", names).endswith(
        "among the first 10 in 50% of a relation's analogies on average in A and 50% in B."
    )
    assert f"3CosAdd's mean reciprocal rank is {mean} in A and {mean} in B." in two_analogies(
        result, result, static, "excluded", "mrr", names
    )


@pytest.fixture(scope="module")
def solved(bundled):  # type: ignore[no-untyped-def]
    return analogies(Relations(("pronoun", "young"), others=2, layers=(3,)), bundled)


@pytest.mark.slow
def test_every_cell_is_counted(solved) -> None:  # type: ignore[no-untyped-def]
    table = solved.table
    assert len(table) == 3 * 2 * 2 * 5 and solved.layers == ("static", "3")
    assert table["n"].tolist() == [n for _ in range(20) for n in (14, 62, 76)]
    for row in table[table["relation"] != ALL].itertuples():
        r = solved.relations.index(row.relation)
        ranks = solved.ranks[solved.layers.index(row.layer)][r].ranks
        rank = ranks[:, METHODS.index(row.method), INPUTS.index(row.inputs)]
        expected = [np.mean(rank <= at) for at in (1, 5, 10)] + [np.mean(1 / rank)]
        assert [row.at_1, row.at_5, row.at_10, row.mrr] == pytest.approx(expected)
        assert row.at_1_low <= row.at_1 <= row.at_1_high and row.mrr_low <= row.mrr <= row.mrr_high
    means = table[table["relation"] != ALL].groupby(["layer", "inputs", "method"])[list(SCORES)].mean()
    every = table[table["relation"] == ALL].set_index(["layer", "inputs", "method"])[list(SCORES)]
    pd.testing.assert_frame_equal(every.sort_index(), means.sort_index())


def test_the_sentences_have_the_numbers_of_the_table(solved) -> None:  # type: ignore[no-untyped-def]
    assert solved.headline == solved.sentence("static", EXCLUDED)
    row = solved.row(ALL, layer="3", inputs=ALLOWED, method="3CosAdd")
    text = solved.sentence("3", ALLOWED)
    assert text.startswith("In layer 3, with the analogy's own words allowed, 3CosAdd finds the expected word in ")
    assert f"{row['at_1']:.0%}" in text or f"{row['at_1']:.1%}" in text
    assert "There are 76 analogies, and " in solved.size
    assert solved.corrected.startswith("In 16 cells (all relations and layers, with and without the ")


def test_failures_are_those_with_a_lower_rank(solved) -> None:  # type: ignore[no-untyped-def]
    cell = {"layer": "static", "inputs": EXCLUDED, "method": "3CosAdd"}
    failures = solved.failures("young", **cell)
    row = solved.row("young", **cell)
    assert len(failures) == round((1 - row["at_1"]) * 62) and failures["rank"].is_monotonic_increasing
    assert (failures["rank"] > 1).all() and (failures["answer"] != failures["expected"]).all()
    assert solved.failed("young", **cell) == f"In {len(failures)} of 62 analogies, the expected word is not first."
    assert solved.failed("pronoun", **cell, at=10**6).startswith("In all 14 analogies")
    with pytest.raises(ValueError, match="There is no 'city' here"):
        solved.failures("city", **cell)


def test_the_number_of_analogies_is_that_of_the_cell(solved) -> None:  # type: ignore[no-untyped-def]
    cell = {"layer": "3", "inputs": "allowed", "method": "3CosMul"}
    row, question = solved.row("pronoun", **cell), solved.question(relation="pronoun", **cell)
    right = round(row["at_1"] * row["n"])
    assert question.answer == f"{right} of {int(row['n'])}" and int(row["n"]) == 14
    low, _, high = question.choices[question.picked].partition(" to ")
    assert int(low) <= right <= int(high or low)
    assert question.context.endswith("____") and "by 3CosMul the expected word?" in question.text
    with pytest.raises(ValueError, match="There is no 'city' here. Choose one of: pronoun, young"):
        solved.question(relation="city", **cell)


def test_charts_show_the_cells_and_the_layers(solved) -> None:  # type: ignore[no-untyped-def]
    drawn = charts.analogy_cells(solved, "3", ALLOWED, "at_5")
    heat, clicks = drawn.figure.data
    assert heat.z.shape == (3, 5) and len(clicks.customdata) == 15
    for y, x, name in zip(clicks.y, clicks.x, clicks.customdata, strict=True):
        relation, method = name.split("|")
        row = solved.row(relation, layer="3", inputs=ALLOWED, method=method)
        assert heat.z[int(y)][int(x)] == pytest.approx(row["at_5"], abs=1e-6)
    assert "accuracy at 5" in drawn.alt.lower() and len(drawn.frame) == 15
    lines = charts.analogy_layers(solved, EXCLUDED, "mrr").figure
    assert [line.name for line in lines.data] == list(METHODS) and all(list(line.x) == [0, 1] for line in lines.data)
    assert lines.layout.xaxis.ticktext == ("static", "3")


def test_layers_are_thirds_by_default_and_checked(tiny, bundled) -> None:  # type: ignore[no-untyped-def]
    assert Relations(()).layers_of(bundled) == (2, 4, 6) and Relations(()).layers_of(tiny) == (1, 2)
    assert Relations((), layers=(0, 0)).layers_of(bundled) == (0,)
    for layer in (7, True):
        with pytest.raises(ValueError, match="There is no layer"):
            Relations((), layers=(layer,)).layers_of(bundled)


def test_what_cannot_be_solved_is_refused(bundled) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="no relations"):
        analogies(Relations(()), bundled)
    with pytest.raises(ValueError, match="other pairs"):
        analogies(Relations(("pronoun",), others=0), bundled)
    more, fewer = Relations(("pronoun", "capital"), others=5), Relations(("pronoun",), others=1)
    assert effort(more, bundled) > effort(fewer, bundled) > 0


@pytest.mark.slow
def test_the_first_relations_have_the_same_numbers_and_stay_after_a_stop(solved, bundled) -> None:  # type: ignore[no-untyped-def]
    part = analogies(Relations(("pronoun", "young"), others=2, layers=(3,), first=1), bundled)
    assert part.relations == ("pronoun",) and part.candidates == solved.candidates
    expected = solved.table[solved.table["relation"] == "pronoun"].reset_index(drop=True)
    pd.testing.assert_frame_equal(part.table[part.table["relation"] != ALL].reset_index(drop=True), expected)
    for layer, both in zip(part.ranks, solved.ranks, strict=True):
        np.testing.assert_array_equal(layer[0].ranks, both[0].ranks)
    memory.forget()
    asked, recorded = Relations(("young", "pronoun", "young"), others=2, layers=(3,)), []

    def stop(done: float) -> None:
        recorded.append(done)
        if done > 0.8:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        analogies(asked, bundled, progress=stop)
    assert recorded == sorted(recorded) and blocks(asked, bundled).finished(bundled) == 1
    assert blocks(replace(asked, seed=1), bundled).finished(bundled) == 0
    analogies(asked, bundled)
    assert [blocks(replace(asked, first=first), bundled).finished(bundled) for first in (None, 1)] == [2, 1]
    for odd in (3, True):
        with pytest.raises(ValueError, match="Choose 1 to 2"):
            analogies(replace(asked, first=odd), bundled)
