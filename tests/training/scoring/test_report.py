"""The table of scores as Markdown."""

import pandas as pd

from training.scoring import report
from training.scoring.measures import COLUMNS


def test_the_table_as_markdown() -> None:
    table = pd.DataFrame(
        [
            ["edit: edit", 0.9, 0.85, 0.95, 1200, "share"],
            ["other", 2.0, 1.0, 3.0, 10, "nats"],
            ["one", 0.5, None, None, 1, "share"],
        ],
        columns=COLUMNS,
    )
    assert report.markdown(table).splitlines()[2:] == [
        "| edit: edit | 0.900 | 0.850 … 0.950 | 1,200 |",
        "| other (nats) | 2.000 | 1.000 … 3.000 | 10 |",
        "| one | 0.500 |  | 1 |",
    ]
