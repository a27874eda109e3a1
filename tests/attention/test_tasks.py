"""The best head of each task: hits counted token by token from the network's own attention; and the chart."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from embtools import wordlists
from embtools.attention import tasks
from embtools.charts import attention as charts

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
    right = np.mean(
        [
            [max((j for j in range(1, t - 1) if j != i), key=lambda j: line[i, j]) == i + 1 for i in range(1, t - 2)]
            for line in weights
        ],
        axis=1,
    )
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
    assert "A rule with a fixed distance does equally well (80%)." in tasks.finding(
        best(tasks.SAME, 0.9, fixed_distance=0.8), tasks.SAME
    )


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
    from scipy.stats import binomtest

    values = np.array([1.0] * 13 + [0.0] * 17)
    right = binomtest(13, 30).proportion_ci(method="wilson")
    assert tasks.interval(values) == pytest.approx((right.low, right.high))
    low, high = tasks.interval(np.array([0.2, 0.4, 0.6, 0.8] * 5))
    assert 0.2 <= low < 0.5 < high <= 0.8
    assert np.isnan(tasks.interval(np.array([0.2, 0.4, 0.6, 0.8]))).all()


def test_progress_is_reported(bundled) -> None:
    reported: list[float] = []
    tasks.scores(bundled, sentences=4, progress=reported.append)
    assert reported == sorted(reported) and reported[0] >= 0 and reported[-1] < 1


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
