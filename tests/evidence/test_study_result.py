"""The value by which two models are compared."""

import pandas as pd
import pytest

from embtools.evidence.study_result import COLUMNS, Study, interval, two_studies


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
