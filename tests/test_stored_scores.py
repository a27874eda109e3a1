"""Stored scores: those of the bundled weights, written as measured, and none for other weights."""

import json
from pathlib import Path

import pandas as pd
import pytest

from embtools import stored_scores
from tests import kept
from training.scoring.capital_edits import edit_answers
from training.scoring.measures import COLUMNS


def table(**values: float) -> pd.DataFrame:
    """A table of scores, as `report.evaluate` gives it: measures by name, and one that the app does not show."""
    lines = [[name, value, value - 0.05, value + 0.05, 1200, "share"] for name, value in values.items()]
    return pd.DataFrame([*lines, ["other", 2.0, 1.0, 3.0, 10, "nats"]], columns=COLUMNS)


def test_the_short_form_has_the_measures_that_the_app_shows() -> None:
    now, start = table(**{"edit: edit": 0.9}), table(**{"edit: edit": 0.8})
    name = "capital − country + other turns the answer"
    line = {"measure": name, "value": 0.9, "low": 0.85, "high": 0.95, "n": 1200}
    assert json.loads(json.dumps(stored_scores.short(now))) == [line]
    assert stored_scores.short(now, start=start) == [line | {"start": 0.8}]
    assert stored_scores.short(now, start=table()) == [line]  # not measured at the start


def test_scores_are_read_for_the_weights_that_they_were_measured_with(bundled, tiny, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "scores.json"
    assert stored_scores.read(tiny, file=file).empty
    stored_scores.write(stored_scores.short(table(**{"edit: edit": 0.9})), tiny, file=file)
    assert list(stored_scores.read(tiny, file=file).columns) == stored_scores.COLUMNS
    assert stored_scores.read(tiny, file=file)["value"].tolist() == [0.9]
    assert stored_scores.read(bundled, file=file).empty


@pytest.mark.slow
def test_the_stored_scores_are_those_of_the_bundled_weights(bundled) -> None:  # type: ignore[no-untyped-def]
    """After a change of the weights, compute the scores again: `python -m training.scoring … --out embtools/bundled/scores.json`."""
    scores = stored_scores.read(bundled)
    assert scores["measure"].tolist() == list(stored_scores.SHORT.values())
    turned = kept.once(edit_answers, bundled).groupby("kind")["turned"].agg(["mean", "size"])
    found = scores.set_index("measure")
    for kind, line in turned.iterrows():
        shown = found.loc[stored_scores.SHORT[f"edit: {kind}"]]
        assert (shown["value"], shown["n"]) == (pytest.approx(line["mean"], abs=1e-4), line["size"])


@pytest.mark.slow
def test_the_evidence_is_that_of_the_scores(bundled) -> None:  # type: ignore[no-untyped-def]
    scores = stored_scores.read(bundled)
    turned = kept.once(edit_answers, bundled).groupby("kind")["turned"].mean()
    assert stored_scores.evidence(scores) == (
        f"Of 536 edits such as rome = rome - italy + france, {turned['edit']:.0%} made the added country the top answer."
        " Subtracting a wrong country instead, and still adding the new one, did this in"
        f" {turned['wrong country subtracted']:.0%} of the cases, adding the country alone in"
        f" {turned['other country only added']:.0%}, and a random change in {turned['random difference']:.1%}."
    )
    start = scores.set_index("measure")["start"]["control: other country only added"]
    assert stored_scores.copying(scores).endswith(
        f"It did so in {start:.0%} of the cases before this training, and does so in"
        f" {turned['other country only added']:.0%} now."
        " Because of this training and this choice, the rate makes the model look better than it is."
    )


def test_the_explanation_of_arithmetic_has_both_rates_of_the_stored_scores() -> None:
    line = next(
        line
        for line in stored_scores._read(stored_scores.FILE)[1]
        if line["measure"] == "control: other country only added"
    )
    page = Path(__file__).parents[1] / "pages" / "arithmetic.py"
    text = " ".join(page.read_text(encoding="utf-8").split())
    assert f"the rate was {line['start']:.0%} before this training and is {line['value']:.0%} now." in text


def test_without_scores_nothing_is_claimed(tiny) -> None:  # type: ignore[no-untyped-def]
    nothing = stored_scores.read(tiny)
    assert stored_scores.evidence(nothing) == stored_scores.copying(nothing) == ""
    one = pd.DataFrame(stored_scores.short(table(**{"edit: edit": 0.9})), columns=stored_scores.COLUMNS)
    assert stored_scores.evidence(one) == stored_scores.copying(one) == ""
