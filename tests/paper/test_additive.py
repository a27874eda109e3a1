"""Claim A7: searches against the Arithmetic page's analogies, differences against plain means, and its verdict."""

from dataclasses import replace
from itertools import product

import pytest

from embtools.arithmetic.nearest_tokens import analogy
from embtools.paper import additive, claims
from embtools.paper.measured import HOLDS, PART, Interval, Measured, percent
from embtools.progress import silent


@pytest.fixture(scope="module")
def run(bundled):  # type: ignore[no-untyped-def]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(additive, "PAIRS", 6)
        patch.setattr(additive, "OTHERS", 2)
        yield additive.many_capitals(bundled)


def test_a_search_is_that_of_the_arithmetic_page(run, bundled) -> None:  # type: ignore[no-untyped-def]
    found = additive._searches(run, bundled)
    assert len(found) == 12 - run.cases["already"].sum() // 18
    capitals = {b: a for a, b in additive.relation("capital").pairs}
    lands = dict(additive.relation("capital").pairs)
    for row in found.itertuples():
        table = analogy(f"{row.a} - {lands[row.a]} + {row.c}", bundled, expected=capitals[row.c]).set_index("method")
        assert row.kept == (table.loc["3CosAdd", "rank_kept"] == 1)
        assert row.excluded == (table.loc["3CosAdd", "rank_excluded"] == 1)
        # Without the country alone, and without the two other words.
        assert row.alone == (table.loc[f"nearest to {row.c} alone", "rank_excluded"] == 1)


def test_differences_are_means_over_the_same_cases(run) -> None:  # type: ignore[no-untyped-def]
    control = str(run.strongest["condition"])
    for measure in ("efficacy", "paraphrase"):
        value, low, high = additive._against(run, measure, control)
        expected = run.rate(measure, "edit")["rate"] - run.rate(measure, control)["rate"]
        assert value == pytest.approx(expected) and low <= value <= high


def test_the_claim_holds_if_search_fails_and_edits_work() -> None:
    names = ("kept", "excluded", "alone", "edit", "control", "paraphrase", "paraphrase control")
    rates = {name: Interval(0.5, 0.4, 0.6) for name in names}
    good = {"search": Interval(-0.9, -1, -0.8), "sum": Interval(0, -0.05, 0.05), "edit": Interval(0.3, 0.2, 0.4),
            "paraphrase": Interval(0.3, 0.2, 0.4)}  # fmt: skip
    assert additive.judge_additive(rates, good, 200, 40, "x").verdict == HOLDS
    found = additive.judge_additive(rates, good | {"sum": Interval(0.4, 0.3, 0.5)}, 200, 40, "x")
    assert found.verdict == PART and "difference 40.0 points (95% interval 30 to 50)." in found.conditions[1].evidence
    assert "−90.0 points (95% interval −100 to −80)" in found.conditions[0].evidence


def test_many_words_are_put_next_to_the_single_case(run, tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    text = additive.over_many(run)
    rate = run.rate("efficacy", "edit")
    assert text.startswith(
        f"Such an edit (scope “input”) was tried in {int(rate['n'])} cases with 6 words. It changes the answer in "
    )
    new = run.cases["c"].nunique()
    wide = rate["high"] - rate["low"] > additive.WIDE
    assert "; the strongest control, " in text
    assert text.endswith(
        "%)." if not wide else f"%). Only {new} different words were added, which is too few to estimate this rate."
    )
    monkeypatch.setattr(additive, "WIDE", rate["high"] - rate["low"] + (0.1 if wide else -0.1))
    assert ("too few" in additive.over_many(run)) == (not wide)
    alone = replace(run, cases=run.cases[run.cases["condition"] == "edit"])
    assert "control" not in additive.over_many(alone)
    monkeypatch.setattr(claims, "measures", lambda: {"A2": lambda model, progress: Measured("yes")})
    monkeypatch.setattr(claims, "batteries", lambda: {"A2": lambda model, progress: text})
    assert claims.measure("A2", tiny).many == text

    def refused(model, progress):  # type: ignore[no-untyped-def]
        raise ValueError("no words")

    monkeypatch.setattr(claims, "batteries", lambda: {"A2": refused})
    assert claims.measure("A2", tiny) == Measured("yes")


@pytest.mark.slow
def test_the_whole_claim_is_measured(bundled) -> None:  # type: ignore[no-untyped-def]
    found = additive.additive(bundled, progress=silent)
    run = additive.many_capitals(bundled)
    counted = run.cases[~run.cases["already"]].groupby(["measure", "condition"])["changed"].mean()
    strongest = counted["efficacy"].drop("edit").idxmax()
    for measure, condition in product(("efficacy", "paraphrase"), ("edit", strongest)):
        assert f" {percent(counted[measure, condition])} (95% interval " in found.answer
    assert len(found.conditions) == 4 and f"{len(additive._searches(run, bundled))} cases with " in found.answer
