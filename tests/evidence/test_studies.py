"""The studies by name, and their chart."""

import pandas as pd
import pytest

from embtools.charts import evidence as charts
from embtools.evidence.studies import CLAIMS, STUDIES, TITLES, study
from embtools.evidence.study_result import COLUMNS, Study, interval, two_studies
from embtools.paper.claims import claims


def test_every_study_has_a_title_and_a_claim() -> None:
    assert set(STUDIES) == set(TITLES) == set(CLAIMS.values()) and set(CLAIMS) <= {claim.id for claim in claims()}
    with pytest.raises(ValueError, match="There is no study 'x'"):
        study("x", None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["ties", "colours"])
def test_a_study_belongs_to_its_claim_and_is_drawn(bundled, name: str) -> None:  # type: ignore[no-untyped-def]
    found = study(name, bundled)
    assert found.key == name and CLAIMS[found.claim] == name and found.main[2] < found.main[1] < found.main[3]
    drawn = charts.study(found)
    assert sorted(float(x) for trace in drawn.figure.data for x in trace.x) == pytest.approx(
        sorted(found.rows["value"]), abs=1e-6
    )
    assert set(found.differences) < set(found.rows["quantity"]) and drawn.frame is found.rows
    assert all(name in drawn.alt for name in found.rows["quantity"])


def test_two_models_are_compared_by_the_main_value() -> None:
    rows = pd.DataFrame([("one", 0.5, 0.4, 0.6, 3)], columns=list(COLUMNS))
    study = Study("x", "A sentence.", "A1", "cosine", "It is so.", rows, rows, (), ("Difference", 0.5, 0.4, 0.6))
    other = Study("x", "A sentence.", "A1", "cosine", "It is so.", rows, rows, (), ("Difference", -0.1, -0.2, 0.0))
    assert two_studies(study, other, ("A", "B")) == (
        "Difference: 0.50 (95% interval 0.40 to 0.60) for A and −0.10 (95% interval −0.20 to 0.00) for B."
    )
    assert study.row("one")["value"] == 0.5 and interval(1, 1, 1).startswith("1.00")
    with pytest.raises(KeyError):
        study.row("two")
