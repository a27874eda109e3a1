"""The steps of one head by hand from the network's weights, and the best head of each task, counted token by token; and the charts."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.stats import binomtest
from transformers import AutoModel

from embtools import wordlists
from embtools.attention import head_steps, tasks
from embtools.attention import heads as head_names
from embtools.attention.attended import attended_words
from embtools.attention.reading import read
from embtools.charts import attention as charts
from embtools.models.attention import rollout
from embtools.statistics.decimals import decimal

TEXT = "The king is unable, the bank is a river."


def test_the_steps_are_those_of_the_networks_own_matrices(tiny) -> None:
    reading = read(TEXT, tiny)
    found = head_steps.steps(reading, tiny, heads="2.2", row=3, column=5)
    network = AutoModel.from_pretrained(Path(tiny.name)).eval()
    part = network.encoder.layer[1].attention.self
    with torch.no_grad():
        x = network(torch.tensor(reading.tokens["id"].to_numpy())[None], output_hidden_states=True).hidden_states[1][0]
        q, k, v = (made(x)[:, 8:].numpy() for made in (part.query, part.key, part.value))
    assert found.dot == pytest.approx(float(q[3] @ k[5]), abs=1e-4)
    assert found.score == pytest.approx(found.dot / np.sqrt(8), abs=1e-4)
    scores = q[3] @ k.T / np.sqrt(8)
    weights = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(found.tokens["weight"], weights, atol=1e-5)
    np.testing.assert_allclose(
        found.tokens["exponential"] / found.tokens["exponential"].sum(), found.tokens["weight"], atol=1e-5
    )
    np.testing.assert_allclose(found.dimensions["output"], weights @ v, atol=1e-4)
    np.testing.assert_allclose(found.dimensions["weighted_value"], weights[5] * v[5], atol=1e-4)
    assert found.dimensions["product"].sum() == pytest.approx(found.dot, abs=1e-4)


def test_the_written_steps_hold_the_numbers(tiny) -> None:
    found = head_steps.steps(read(TEXT, tiny), tiny, heads="1.1", row=3, column=5)
    lines = head_steps.written(found, "is", "##able")
    dot, score = (f"{value:.2f}".replace("-", "−") for value in (found.dot, found.score))
    assert f"(8 products) = {dot}" in lines and f"= {found.weight:.1%}" in lines
    assert f"÷ √8 = {score}" in lines and "-" not in lines


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_a_matrix_of_heads_is_the_networks(name, request, eager) -> None:
    model = request.getfixturevalue(name)
    reading = read(TEXT, model)
    right = eager(model, reading.tokens)
    for heads, expected in (
        ("2.1", right[1, 0]),
        ("layer 2", right[1].mean(0)),
        (head_names.ALL, right.mean((0, 1))),
        (head_names.ROLLOUT, rollout(reading.states, model)),
    ):
        np.testing.assert_allclose(head_steps.matrix(reading, model, heads=heads), expected, atol=1e-5)


def test_a_pair_is_chosen_by_words_or_by_tokens(tiny) -> None:
    reading = read(TEXT, tiny)
    found = head_steps.one_head(TEXT, tiny, source=["unable"], target=["bank"], heads="2.1")
    weights = head_steps.matrix(reading, tiny, heads="2.1")
    assert (found.row, found.column) == (4, 8)
    assert found.headline == f"In layer 2, head 1, “un” gives “bank” {weights[4, 8]:.1%} of its attention."
    assert found.arithmetic == head_steps.written(
        head_steps.steps(reading, tiny, heads="2.1", row=4, column=8), "un", "bank"
    )
    second = head_steps.one_head(TEXT, tiny, source=[4], target=[7], heads="2.1", row=5, column=2)
    assert (second.row, second.column) == (5, 8)  # the second token of its word; "king" is another word
    np.testing.assert_allclose(second.attending["weight"], weights[5])
    both = head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"], heads="layer 2")
    assert both.steps is None and not both.arithmetic and both.headline.startswith("Averaged over the heads of layer 2")
    rolled = head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"], heads=head_names.ROLLOUT)
    share = rollout(reading.states, tiny)[2, 8]
    assert rolled.headline == f"By rollout over all layers, {share:.1%} of “king” comes from “bank”."


def test_the_strongest_head_is_that_of_the_words(tiny) -> None:
    found = head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"])
    words = attended_words(TEXT, tiny, source=["king"], target=["bank"])
    assert found.heads == words.heads
    share = words.words.set_index("word").loc["bank", "share"]
    assert found.weights[found.row, found.column] == pytest.approx(share, abs=1e-6)


def test_unknown_heads_are_refused(tiny) -> None:
    reading = read("the king", tiny)
    with pytest.raises(ValueError, match="no head '3.1'"):
        head_steps.matrix(reading, tiny, heads="3.1")


# Charts


def test_the_heatmap_shows_every_weight_and_its_cells_can_be_clicked(tiny) -> None:
    reading = read(TEXT, tiny)
    chart = charts.weights(head_steps.one_head(TEXT, tiny, source=["king"], target=["bank"], heads="1.1"))
    weights, tokens = head_steps.matrix(reading, tiny, heads="1.1"), reading.tokens["token"].tolist()
    heat, marks = chart.figure.data
    np.testing.assert_allclose(heat.z, weights)
    n = len(tokens)
    assert marks.customdata[2 * n + 5] == 2 * n + 5 and (marks.y[2 * n + 5], marks.x[2 * n + 5]) == (2, 5)
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    assert f"is {weights.max():.0%}, from {tokens[row]} to {tokens[column]}." in chart.alt
    np.testing.assert_allclose(chart.frame.drop(columns="attending"), weights)


def test_a_long_text_is_drawn_as_means_of_blocks() -> None:
    weights = np.random.default_rng(0).random((512, 512)).astype(np.float32)
    head = head_steps.OneHead("1.1", ("a",) * 512, (0,) * 512, (False,) * 512, weights, 0, 1, None)
    alone = replace(head, tokens=("[CLS]", ".", "[SEP]"), special=(True, False, True), weights=weights[:3, :3])
    alt = charts.weights(alone, hide_special=True).alt
    assert "among 1 token. The" in alt and "from “.” to “.”." in alt
    figure = charts.weights(head).figure
    (heat,) = figure.data
    assert heat.z.shape == (128, 128)
    np.testing.assert_allclose(heat.z[1, 2], weights[4:8, 8:12].mean(), rtol=1e-5)
    assert len(figure.to_json()) < 200_000
    odd, step = charts.shrunk(weights[:301, :301])
    assert step == 3 and odd[100, 100] == pytest.approx(weights[300, 300])


def test_the_strips_show_each_vector(tiny) -> None:
    found = head_steps.steps(read(TEXT, tiny), tiny, heads="1.1", row=3, column=5)
    chart = charts.weight_steps(found)
    (heat,) = chart.figure.data
    products = found.dimensions["product"]
    np.testing.assert_allclose(heat.z[2], products / products.abs().max(), atol=1e-6)
    assert np.abs(heat.z).max(axis=1) == pytest.approx(np.ones(6))
    assert heat.hovertext[2][7] == f"dimension 8: {products.iloc[7]:.3f}"
    assert f"sum to {decimal(found.dot)}" in chart.alt
    assert found.ranked["weight"].is_monotonic_decreasing


FEW = 8


@pytest.fixture(scope="module")
def found(bundled):
    return tasks.scores(bundled, sentences=FEW)


def test_hits_and_shares_are_counted_from_the_networks_attention(found, bundled, eager) -> None:
    """The referent of it and the next token, on the held-out half, one token and one head at a time."""
    referents = wordlists.load("referents").head(FEW)
    hits, share = [], []
    for row in list(referents.itertuples())[1::2]:
        tokens = bundled.tokenize(row.sentence)
        names = tokens["token"].tolist()
        it, right, other = (names.index(word) for word in ("it", row.referent, row.other))
        weights = eager(bundled, tokens)[:, :, it].reshape(72, -1)
        hits.append(weights[:, right] > weights[:, other])
        share.append(weights[:, right])
    table = found.heads[found.heads["task"] == tasks.REFERENT]
    np.testing.assert_allclose(table["held_out"], np.mean(hits, axis=0), atol=1e-9)
    np.testing.assert_allclose(table["share"], np.mean(share, axis=0), atol=1e-5)
    best = found.best.set_index("task").loc[tasks.REFERENT]
    assert best["selection"] == table["selection"].max() and best["chance"] == 0.5
    assert found.best["chance"].isna().sum() == found.best["p_value"].isna().sum() == 4
    assert best["random"] == pytest.approx(np.mean(hits))

    text = tasks.cases(tasks.NEXT, bundled, sentences=FEW)[1].text
    weights = eager(bundled, bundled.tokenize(text)).reshape(72, -1, len(bundled.tokenize(text)))
    t = weights.shape[1]
    others = [[j for j in range(1, t - 1) if j != i] for i in range(t)]
    next_is_first = [[max(others[i], key=line[i].item) == i + 1 for i in range(1, t - 2)] for line in weights]
    right = np.mean(next_is_first, axis=1)
    found_rate, _ = tasks.score(weights, tasks.cases(tasks.NEXT, bundled, sentences=FEW)[1])
    np.testing.assert_allclose(found_rate, right, atol=1e-9)


def test_sep_counts_as_a_target_only_in_its_own_task() -> None:
    weights = np.zeros((1, 4, 4))
    weights[0, 1] = [0.1, 0.0, 0.2, 0.7]  # token 1 attends to [SEP] most, then to token 2
    to_sep = tasks.Case("", (((1,), (3,)),))
    assert tasks.score(weights, to_sep, special=True)[0] == 1 and tasks.score(weights, to_sep)[0] == 0
    hit, share = tasks.score(weights, tasks.Case("", (((1,), (2,)),)))
    assert hit == 1 and share == pytest.approx(0.2)


def test_for_the_referent_only_the_two_nouns_are_compared() -> None:
    weights = np.zeros((2, 5, 5))
    weights[:, 1] = [[0.0, 0.0, 0.2, 0.1, 0.7], [0.0, 0.0, 0.1, 0.2, 0.7]]
    hit, share = tasks.score(weights, tasks.Case("", (((1,), (2,)),), other=(3,)))
    assert hit.tolist() == [1, 0] and share == pytest.approx([0.2, 0.1])


def test_for_two_nouns_a_fixed_distance_picks_the_nearer_one() -> None:
    """ "it" is token 6; the referent is token 2 in two cases and token 4 in one, and the other noun is the other one."""
    near, far = (((6,), (4,)),), (((6,), (2,)),)
    cases = [tasks.Case("", far, (4,)), tasks.Case("", far, (4,)), tasks.Case("", near, (2,))]
    offset, share = tasks.fixed_distance(cases, cases)
    assert offset <= -4 and share == pytest.approx(2 / 3)


def test_every_task_has_sixty_different_sentences(bundled) -> None:
    for task in tasks.TASKS:
        asked = tasks.cases(task, bundled)
        assert len({case.text for case in asked}) == 60
        assert all(case.pairs for case in asked)
    (case,) = [c for c in tasks.cases(tasks.SAME, bundled) if c.text.startswith("When one door")]
    assert case.pairs == (((3,), (7,)), ((7,), (3,)))
    (case,) = [c for c in tasks.cases(tasks.REFERENT, bundled) if c.text.startswith("The hammer hit")]
    tokens = bundled.tokenize(case.text)["token"].tolist()
    ((it, right),) = case.pairs
    assert [tokens[i] for (i,) in (it, right, case.other)] == ["it", "nail", "hammer"]


def test_the_table_names_its_halves_and_sentences(found) -> None:
    assert found.best["task"].tolist() == list(tasks.TASKS)
    lines = found.lines.groupby(["task", "half"])["hits"].mean()
    for row in found.best.itertuples():
        assert lines[row.task, "held out"] == pytest.approx(row.held_out)
        assert lines[row.task, "selection"] == pytest.approx(row.selection)
        others = found.heads[found.heads["task"] == row.task]
        others = others[(others["layer"] != row.layer) | (others["head"] != row.head)]
        assert row.best_other == others["held_out"].max()
        hits = found.lines.query("task == @row.task and half == 'held out'")["hits"]
        assert row.low <= row.held_out <= row.high or (np.isnan(row.low) and not hits.isin([0, 1]).all())
        assert row.random_low <= row.random <= row.random_high
    # The task of the next token needs no model: a distance of one is always right.
    neighbours = found.best.set_index("task").loc[[tasks.NEXT, tasks.PREVIOUS]]
    assert neighbours["distance"].tolist() == [1, -1] and neighbours["fixed_distance"].tolist() == [1, 1]
    text = tasks.finding(found.best, tasks.NEXT)
    row = neighbours.loc[tasks.NEXT]
    assert text.startswith(
        f"Head {row['layer']:.0f}.{row['head']:.0f} attends to the next token for {row['held_out']:.0%} of the words in"
    )
    does = "better" if row["high"] < 1 else "equally well"
    assert text.endswith(f"A rule with a fixed distance does {does} (100%).")


def best(task: str, held_out: float, n: int = 30, **more: float) -> pd.DataFrame:
    """Return the row of a task with invented results on n held-out sentences."""
    interval = binomtest(round(held_out * n), n).proportion_ci(method="wilson")
    row = {"task": task, "layer": 5, "head": 7, "selection": 0.8, "held_out": held_out, "low": interval.low}
    row |= {"high": interval.high, "random": 0.54, "random_low": 0.49, "random_high": 0.6, "best_other": 0.71}
    row |= {"distance": -7, "fixed_distance": 0.4, "chance": np.nan, "p_value": np.nan}
    if task == tasks.REFERENT:
        row |= {"chance": 0.5, "p_value": binomtest(round(held_out * n), n).pvalue}
    return pd.DataFrame([row | more])


def test_no_head_is_called_good_if_guessing_could_equal_it() -> None:
    """16 of 30 were called best before; 22 of 30 are more than guessing (p = 0.016), and 5 of 6 are too few."""
    assert tasks.finding(best(tasks.REFERENT, 22 / 30), tasks.REFERENT) == (
        "Head 5.7 gives the referent of “it” more attention than the other noun in 73% of new sentences (95% interval"
        " 56% to 86%). Guessing would be right in 50%, and a rule with a fixed distance in 40%."
    )
    for held_out, n in ((16 / 30, 30), (5 / 6, 6), (2 / 30, 30)):
        text = tasks.finding(best(tasks.REFERENT, held_out, n), tasks.REFERENT)
        assert text.startswith("No head reliably gives the referent of “it” more attention than the other noun.")
        assert f"The best one, 5.7, does so in {held_out:.0%} of new sentences" in text
        assert text.endswith("Guessing would be right in 50%.")


def test_other_tasks_are_compared_with_a_random_head() -> None:
    assert tasks.finding(best(tasks.SAME, 0.9), tasks.SAME).startswith(
        "Head 5.7 attends to the same word elsewhere for 90%"
    )
    assert tasks.finding(best(tasks.SAME, 0.9), tasks.SAME).endswith(
        " A random head does so for 54% on average, the strongest other one for 71%, and a rule with a fixed distance"
        " for 40%."
    )
    assert "interval" not in tasks.finding(best(tasks.SAME, 0.9, low=np.nan, high=np.nan), tasks.SAME)
    assert tasks.finding(best(tasks.SAME, 0.7), tasks.SAME).startswith("No head reliably attends to the same word")


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (0.7, "and a rule with a fixed distance for 70%."),
        (0.96, "A rule with a fixed distance does equally well (96%)."),
        (0.99, "A rule with a fixed distance does better (99%)."),
    ],
)
def test_a_rule_with_a_fixed_distance_is_compared_with_the_interval(rule: float, expected: str) -> None:
    """27 of 30: the interval is 74% to 97%."""
    assert tasks.finding(best(tasks.SAME, 0.9, fixed_distance=rule), tasks.SAME).endswith(expected)


def test_the_interval_is_wilsons_for_zeros_and_ones_and_depends_on_the_number_of_shares() -> None:
    values = np.array([1.0] * 13 + [0.0] * 17)
    right = binomtest(13, 30).proportion_ci(method="wilson")
    assert tasks.interval(values) == pytest.approx((right.low, right.high))
    low, high = tasks.interval(np.array([0.2, 0.4, 0.6, 0.8] * 5))
    assert 0.2 <= low < 0.5 < high <= 0.8
    assert np.isnan(tasks.interval(np.array([0.2, 0.4, 0.6, 0.8]))).all()


def test_impossible_arguments_are_refused(bundled, tiny) -> None:
    with pytest.raises(ValueError, match="no task 'x'"):
        tasks.cases("x", bundled)
    with pytest.raises(ValueError, match="The number of sentences is 3. Choose 4 to 60."):
        tasks.scores(bundled, sentences=3)
    with pytest.raises(ValueError, match="Choose an English model"):
        tasks.cases(tasks.REFERENT, tiny)


def test_the_chart_shows_the_head_and_its_controls(found) -> None:
    chart = charts.best_heads(found, tasks.SAME)
    columns = ("held_out", "selection", "random", "fixed_distance", "chance")
    for trace, column in zip(chart.figure.data, columns, strict=True):
        np.testing.assert_allclose(trace.x, found.best[column], atol=1e-6)
    bold = [text.startswith("<b>") for text in chart.figure.layout.yaxis.ticktext]
    assert bold == [task == tasks.SAME for task in tasks.TASKS]
    assert "same word: head" in chart.alt and "guessing 50%" in chart.alt


def test_the_parts_of_a_task_are_those_of_its_rows(found) -> None:
    row = found.best.set_index("task").loc[tasks.SAME]
    assert found.head(tasks.SAME) == f"{row['layer']:.0f}.{row['head']:.0f}"
    assert found.headline(tasks.SAME) == tasks.finding(found.best, tasks.SAME)
    mine = found.heads_of(tasks.SAME)
    assert len(mine) == 72 and set(mine["task"]) == {tasks.SAME} and len(found.sentences(tasks.SAME)) == FEW
    chosen = mine[(mine["layer"] == row["layer"]) & (mine["head"] == row["head"])]
    assert chosen["held_out"].item() == pytest.approx(row["held_out"])


def test_the_cells_show_the_hits_of_every_head(found) -> None:
    chart, frame = charts.task_cells(found, tasks.SAME), found.heads_of(tasks.SAME)
    heat, marks = chart.figure.data
    np.testing.assert_allclose(heat.z.ravel(), frame["held_out"], atol=1e-6)
    assert list(marks.customdata) == [f"{row.layer}.{row.head}" for row in frame.itertuples()]
