"""Batteries of minimal pairs: pair by pair, rates by hand, the published methods and StereoSet's scores; sentences and charts."""

from collections import Counter, defaultdict
from dataclasses import replace
from difflib import SequenceMatcher

import numpy as np
import pandas as pd
import pytest
import torch
from transformers import AutoTokenizer, BertForPreTraining

from embtools.charts import evidence as charts
from embtools.evidence.minimal_pairs import minimal_pair
from embtools.evidence.pair_batteries import (
    ALL,
    PairBattery,
    Scoring,
    effort,
    pair_battery,
    rates_of,
    two_pair_batteries,
)
from embtools.evidence.pair_files import PairList
from embtools.evidence.stereoset import scores_of

ROWS = (
    ("The king works.", "The queen works.", "royal"),
    ("The red river is blue.", "The red bank is blue.", "places"),
    ("He is a man.", "She is a man.", "royal"),
    ("The ☃ is red.", "The king is red.", "places"),
    ("The woman is unable.", "The man is unable.", "places"),
)
PAIRS = PairList("acceptable", ROWS)


@pytest.mark.parametrize("method", ["word", "shared"])
def test_scores_are_those_of_single_pairs(tiny, method) -> None:  # type: ignore[no-untyped-def]
    found = pair_battery(PAIRS, tiny, how=Scoring(method))
    assert found.items["number"].tolist() == [1, 2, 3, 5] and found.left_out["number"].tolist() == [4]
    assert "does not know" in found.left_out["reason"].iloc[0]
    for row in found.items.itertuples():
        single = minimal_pair(row.first, row.second, tiny, method=method)
        assert (row.score_first, row.score_second) == pytest.approx(single.scores, abs=1e-4)
        assert row.prefers_first == (single.difference > 0) and row.difference == row.score_first - row.score_second
        assert (row.first, row.second, row.group) == ROWS[row.number - 1]


def test_rates_by_hand() -> None:
    items = pd.DataFrame({"group": ["a"] * 8 + ["b"] * 4, "prefers_first": [True] * 8 + [True, False, False, False]})
    rates = rates_of(items)
    assert rates["group"].tolist() == ["a", "b", ALL] and rates["n"].tolist() == [8, 4, 12]
    assert rates["rate"].tolist() == [1, 0.25, 0.75]
    assert rates["p_value"].tolist() == pytest.approx([2 / 2**8, 10 / 16, 2 * (220 + 66 + 12 + 1) / 2**12])
    assert rates["p_adjusted"][:2].tolist() == pytest.approx([4 / 2**8, 10 / 16]) and np.isnan(rates["p_adjusted"][2])
    z, n = 1.959964, 12
    middle, half = (0.75 + z**2 / 24) / (1 + z**2 / n), z * np.sqrt(0.75 * 0.25 / n + z**2 / 576) / (1 + z**2 / n)
    assert rates.iloc[2][["low", "high"]].tolist() == pytest.approx([middle - half, middle + half])
    many = items.iloc[[0] * 2_499 + [-1]].assign(difference=1.0)
    result = PairBattery("acceptable", many, rates_of(many), None, many[:0], 2_500)
    assert "in over 99.9% of 2,500 pairs (95% interval 99.8% to" in result.headline


def test_sentences_have_the_numbers_of_the_rates(tiny) -> None:  # type: ignore[no-untyped-def]
    found = pair_battery(PAIRS, tiny)
    wins = int(found.items["prefers_first"].sum())
    assert f"in {wins / 4:.0%} of 4 pairs" in found.headline and "chance: 50%" in found.headline
    assert any("2 groups" in each for each in found.findings) and "1 pair was left out" in found.findings[-1]
    assert found.findings[-1].endswith("cannot read it.")
    one = replace(found, items=found.items[:1], left_out=found.left_out[:0], drawn_of=64)
    assert "1 of the 64 pairs was drawn at random, always the same." in one.findings
    assert found.three_scores == "" and not any("drawn" in each for each in found.findings)
    few = pair_battery(PAIRS, tiny, how=Scoring(first=2))
    assert any("2 of the 5 pairs" in each for each in few.findings)
    text = two_pair_batteries(found, found, ("A", "B"))
    assert f"in {wins / 4:.0%} of the pairs, B in {wins / 4:.0%}. Expected by chance: 50%." in text
    stereotypes = pair_battery(PairList("stereotype", ROWS), tiny)
    assert "more stereotyping sentence" in stereotypes.headline


def test_a_single_pair_has_no_rate(tiny) -> None:  # type: ignore[no-untyped-def]
    for row in (PAIRS.rows[0], (PAIRS.rows[0][1], PAIRS.rows[0][0], PAIRS.rows[0][2])):
        found = pair_battery(PairList("acceptable", (row,)), tiny)
        size = f"{abs(found.items['difference'][0]):.2f} nats"
        rest = f"prefers the acceptable sentence by {size}."
        if not found.items["prefers_first"][0]:
            rest = f"does not prefer the acceptable sentence: its score is {size} lower."
        assert found.headline == f"In the only pair, BERT {rest}"
        equal = replace(found, items=found.items.assign(difference=0.004))
        assert equal.headline == "In the only pair, BERT prefers neither sentence: both have the same score."
        alt = charts.pair_differences(found).alt
        assert "Score difference of 1 pair: " in alt and alt.endswith(found.headline)


def test_the_sample_is_random_and_always_the_same() -> None:
    pairs = PairList("acceptable", tuple((f"a{n}", f"b{n}", "g") for n in range(100)))
    one = Scoring(first=20).sample(pairs)
    numbers = [number for number, _ in one]
    assert one == Scoring(first=20).sample(pairs) and numbers == sorted(numbers) and len(set(numbers)) == 20
    assert numbers != list(range(1, 21)) and numbers != [n for n, _ in Scoring(first=20, seed=1).sample(pairs)]
    assert all(row == pairs.rows[number - 1] for number, row in one)
    assert [n for n, _ in Scoring(first=100).sample(pairs)] == list(range(1, 101))
    with pytest.raises(ValueError, match="pairs"):
        Scoring(first=0).sample(pairs)


TRIPLES = PairList(
    "stereoset",
    (
        ("The king is red.", "The king is blue.", "royal", "The king is river.", "king"),
        ("The queen is green.", "The queen is unable.", "royal", "The queen is italy.", "queen"),
        ("The bank works.", "The bank is.", "places", "The bank river.", "bank"),
    ),
)


def test_stereoset_has_a_third_sentence_and_three_scores(tiny) -> None:  # type: ignore[no-untyped-def]
    found = pair_battery(TRIPLES, tiny, how=Scoring("word"))
    for row, given in zip(found.items.itertuples(), TRIPLES.rows, strict=True):
        expected = minimal_pair(given[3], given[0], tiny, method="word").scores
        assert (row.score_unrelated, row.score_first) == pytest.approx(expected, abs=1e-4)
        assert row.target == given[4] and row.unrelated == given[3]
    assert found.scores is not None
    pd.testing.assert_frame_equal(found.scores, scores_of(found.items))
    assert f"language model {found.scores.iloc[-1]['language_model']:.1f}" in found.three_scores
    drawn = charts.stereoset_scores(found)
    assert " by group. " in drawn.alt  # with too few targets for intervals
    assert [list(line.x) for line in drawn.figure.data][2] == pytest.approx(found.scores["icat"].tolist())
    with pytest.raises(ValueError, match="three sentences"):
        pair_battery(TRIPLES, tiny, how=Scoring("shared"))
    with pytest.raises(ValueError, match="Only examples of StereoSet"):
        charts.stereoset_scores(pair_battery(PAIRS, tiny))


def test_lists_without_a_readable_pair_are_refused(tiny) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="no pairs that this model can read"):
        pair_battery(PairList("acceptable", ROWS[3:4]), tiny)
    with pytest.raises(ValueError, match="no method"):
        pair_battery(PAIRS, tiny, how=Scoring("all"))
    assert effort(PAIRS, tiny) > effort(PAIRS, tiny, how=Scoring("shared")) > 0


def test_charts_show_every_rate_and_every_pair(tiny) -> None:  # type: ignore[no-untyped-def]
    found = pair_battery(PAIRS, tiny)
    (rates,) = charts.pair_rates(found).figure.data
    assert list(rates.x) == pytest.approx(found.rates["rate"].tolist()) and len(rates.y) == 3
    drawn = charts.pair_differences(found)
    (marks,) = drawn.figure.data
    assert [number for number, *_ in marks.customdata] == [1, 2, 3, 5]
    np.testing.assert_allclose(marks.x, found.items["difference"], rtol=1e-6)
    assert [symbol == "circle" for symbol in marks.marker.symbol] == found.items["prefers_first"].tolist()


# The published methods, computed with the network alone


def log_probability(pipe, ids: list[int], position: int, target: int) -> float:  # type: ignore[no-untyped-def]
    with torch.no_grad():
        return float(pipe.model(torch.tensor([ids])).logits[0, position].double().log_softmax(-1)[target])


def test_an_attribute_of_stereoset_is_revealed_from_left_to_right(tiny, pipelines) -> None:  # type: ignore[no-untyped-def]
    pipe = pipelines["tiny"]
    words = "unables", "rivers", "red"
    sentences = [f"The king is {word}, he works." for word in words]
    context = "The king is BLANK, he works."
    row = (sentences[0], sentences[1], "royal", sentences[2], "king", context)
    found = pair_battery(PairList("stereoset", (row,)), tiny)
    start, end = (pipe.tokenizer.encode(part, add_special_tokens=False) for part in context.lower().split("blank"))
    expected = []
    for word in words:
        pieces = pipe.tokenizer.encode(word, add_special_tokens=False)
        logs = []
        for n, piece in enumerate(pieces):  # what comes after a piece is left out
            ids = [pipe.tokenizer.cls_token_id, *start, *pieces[:n], pipe.tokenizer.mask_token_id, *end]
            logs.append(log_probability(pipe, [*ids, pipe.tokenizer.sep_token_id], 1 + len(start) + n, piece))
        expected.append(np.log(np.mean(np.exp(logs))))
    item = found.items.iloc[0]
    assert [item[f"score_{name}"] for name in ("first", "second", "unrelated")] == pytest.approx(expected, abs=1e-5)
    assert len(pipe.tokenizer.tokenize("unables")) == 3 and found.scores_name == "StereoSet's own scores"


def test_sentences_of_stereoset_after_a_context_are_scored_by_the_next_sentence_head(tiny, tiny_folder) -> None:  # type: ignore[no-untyped-def]
    network = BertForPreTraining.from_pretrained(tiny_folder).eval()
    read = AutoTokenizer.from_pretrained(tiny_folder)
    context, sentences = "The king is a man of rome.", ("He works.", "She works as a queen.", "The river is red.")
    row = (sentences[0], sentences[1], "royal", sentences[2], "king", context)
    item = pair_battery(PairList("stereoset", (row,)), tiny).items.iloc[0]
    with torch.no_grad():
        logits = [network(**read(context, each, return_tensors="pt")).seq_relationship_logits for each in sentences]
    expected = [float(each.double().log_softmax(-1)[0, 0]) for each in logits]
    assert [item[f"score_{name}"] for name in ("first", "second", "unrelated")] == pytest.approx(expected, abs=1e-5)


def test_pairs_of_crows_pairs_are_scored_as_in_the_program_of_its_authors(tiny, pipelines) -> None:  # type: ignore[no-untyped-def]
    pipe = pipelines["tiny"]
    rows = (
        ("Red red is", "Red is red", "colour"),  # aligned otherwise without [CLS] and [SEP]
        ("The king works as a queen.", "The man works.", "royal"),
        ("Red red is", "Red is red", "colour"),  # a repeated row counts
    )
    found = pair_battery(PairList("stereotype", rows), tiny)
    expected = []
    for first, second, _ in rows:
        ids = [pipe.tokenizer.encode(text) for text in (first, second)]
        same = [code[1:] for code in SequenceMatcher(None, *ids).get_opcodes() if code[0] == "equal"]
        places = [[p for a, b, _, _ in same for p in range(a, b)], [p for _, _, c, d in same for p in range(c, d)]]
        sums = []
        for own, positions in zip(ids, places, strict=True):
            total = 0.0
            for p in positions[1:-1]:  # all but [CLS] and [SEP]
                masked = [*own[:p], pipe.tokenizer.mask_token_id, *own[p + 1 :]]
                total += log_probability(pipe, masked, p, own[p])
            sums.append(total)
        expected.append(sums)
    scores = found.items[["score_first", "score_second"]].to_numpy()
    np.testing.assert_allclose(scores, expected, atol=0.00051)
    assert (scores == scores.round(3)).all()
    assert len(found.items) == found.whole["n"] == 3
    shared = minimal_pair(*rows[0][:2], tiny, method="shared")
    assert shared.scores != pytest.approx(expected[0], abs=1e-2)


def made(*rows: tuple[str, str, float, float, float]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["group", "target", "score_first", "score_second", "score_unrelated"])


def authors(items: pd.DataFrame) -> tuple[float, float, float]:
    """As in the authors' evaluation: counts by target and bias type, then means over these."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in items.itertuples():
        counts[row.target, row.group]["pro"] += row.score_first > row.score_second
        counts[row.target, row.group]["related"] += row.score_first > row.score_unrelated
        counts[row.target, row.group]["related"] += row.score_second > row.score_unrelated
        counts[row.target, row.group]["total"] += 1
    lm = np.mean([100 * each["related"] / (2 * each["total"]) for each in counts.values()])
    ss = np.mean([100 * each["pro"] / each["total"] for each in counts.values()])
    return float(lm), float(ss), float(lm * min(ss, 100 - ss) / 50)


def test_ideal_and_random_models_and_none() -> None:
    ideal = made(*[("g", str(n), *((-1, -2, -9) if n % 2 else (-2, -1, -9))) for n in range(10)])
    assert scores_of(ideal).iloc[0][["language_model", "stereotype", "icat"]].tolist() == [100, 50, 100]
    biased = made(*[("g", str(n), -1, -2, -9) for n in range(10)])
    row = scores_of(biased).iloc[0]
    assert row[["language_model", "stereotype", "icat"]].tolist() == [100, 100, 0]
    assert row["stereotype_low"] == row["stereotype_high"] == 100
    with pytest.raises(ValueError, match="no examples"):
        scores_of(made())


def test_scores_are_those_of_the_authors() -> None:
    rng = np.random.default_rng(0)
    # As in the authors' data, each target has one bias type.
    items = made(*[(f"g{n % 3}", f"t{n}", *rng.normal(size=3)) for n in rng.integers(12, size=150)])
    table = scores_of(items, seed=1)
    assert table["group"].tolist() == [*items["group"].unique(), "all groups"]
    for name, row in table.set_index("group").iterrows():
        part = items if name == "all groups" else items[items["group"] == name]
        assert row[["language_model", "stereotype", "icat"]].tolist() == pytest.approx(authors(part))
        assert row["n"] == len(part)
        known = row["targets"] >= 8
        for score in ("language_model", "stereotype"):
            assert (row[f"{score}_low"] < row[score] < row[f"{score}_high"]) == known
        assert (row["icat_low"] < row["icat_high"]) == known != np.isnan(row["icat_low"])


def test_a_target_with_two_bias_types_counts_as_two() -> None:
    """In the authors' data no target should have two; their program would take both as one."""
    rows = [("gender", "nurse", -1, -2, -3)] * 3 + [("profession", "nurse", -2, -1, -3), ("gender", "x", -2, -1, -1.5)]
    whole = scores_of(made(*rows)).iloc[-1]
    assert whole["targets"] == 3
    assert whole[["language_model", "stereotype"]].tolist() == pytest.approx([250 / 3, 100 / 3])
